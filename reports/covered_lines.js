/* SPDX-License-Identifier: MIT
 *
 * covered_lines.js - a source file's page: which scenarios run the line that was chosen. The page holds each distinct set of
 * scenarios once, as numbers; its links are drawn when somebody asks.
 */
"use strict";
const data = JSON.parse(document.getElementById("sets").textContent), who = document.getElementById("who");

function link(i) {
  const test = data.tests[i], item = document.createElement("li");
  const a = document.createElement(test.link ? "a" : "span");
  if (test.link) a.href = test.link;
  a.textContent = test.name;
  item.append(a);
  return item;
}

function show(line, set) {
  const head = document.createElement("p"), list = document.createElement("ul");
  head.textContent = "Line " + line + " is run by " + data.sets[set].length + ":";
  list.append(...data.sets[set].map(link));
  who.replaceChildren(head, list);
}

for (const cell of document.querySelectorAll("td[data-set]")) {
  const button = document.createElement("button"), line = cell.parentNode.id.slice(1);
  button.type = "button";
  button.textContent = cell.textContent;
  button.setAttribute("aria-label", "line " + line + ": " + cell.textContent + " scenarios, which?");
  button.addEventListener("click", () => show(line, Number(cell.dataset.set)));
  cell.replaceChildren(button);
}
