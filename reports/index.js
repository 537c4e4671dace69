/* SPDX-License-Identifier: MIT
 *
 * index.js - filters for the list of scenarios. All there is to choose from stands in the rows' own data-* attributes and
 * in the sections' headings; a choice is kept in the link (#gate=store-token&folder=seeds), so that it can be sent.
 */
(() => {
  "use strict";
  const begun = performance.now();
  const FILTERS = [["folder", "Folder"], ["gate", "Gate"], ["verdict", "Verdict"], ["system", "System"]];
  const form = document.getElementById("filters"), shown = document.getElementById("shown");
  const rows = [...document.querySelectorAll("tbody tr")];

  function element(name, parent, text) {
    const e = parent.appendChild(document.createElement(name));
    if (text !== undefined) e.textContent = text;
    return e;
  }

  function values(row, key) {
    if (key === "folder") return [row.closest("section").querySelector("h2").textContent];
    return row.dataset[key].split(", ").filter(v => v !== "");
  }

  /* Every value of a key with the number of rows that have it, in the order of the alphabet. */
  function counted(key) {
    const count = new Map();
    for (const row of rows) for (const v of values(row, key)) count.set(v, (count.get(v) || 0) + 1);
    return [...count].sort((a, b) => a[0] < b[0] ? -1 : 1);
  }

  function choice([key, name]) {
    const label = element("label", form, name), select = element("select", label);
    select.name = key;
    element("option", select, "all").value = "";
    for (const [value, n] of counted(key)) element("option", select, `${value} (${n})`).value = value;
  }

  function search() {
    const label = element("label", form, "Words"), input = element("input", label);
    input.name = "words";
    input.type = "search";
  }

  function fits(row) {
    const words = form.elements.words.value.toLowerCase().split(/\s+/);
    const text = row.textContent.toLowerCase();
    return words.every(w => text.includes(w)) &&
      FILTERS.every(([key]) => form.elements[key].value === "" || values(row, key).includes(form.elements[key].value));
  }

  function filter() {
    let n = 0;
    for (const row of rows) {
      row.hidden = !fits(row);
      n += row.hidden ? 0 : 1;
    }
    for (const section of document.querySelectorAll("section"))
      section.hidden = section.querySelector("tbody tr:not([hidden])") === null;
    shown.textContent = n === rows.length ? "" : `${n} of ${rows.length} scenarios shown`;
  }

  function keep() {
    const link = new URLSearchParams();
    for (const e of form.elements) if (e.name && e.value !== "") link.set(e.name, e.value);
    history.replaceState(null, "", "#" + link);
  }

  function fromLink() {
    const link = new URLSearchParams(location.hash.slice(1));
    for (const e of form.elements) if (e.name) e.value = link.get(e.name) || "";
    for (const e of form.elements) if (e.tagName === "SELECT" && e.selectedIndex < 0) e.value = "";
    filter();
  }

  FILTERS.forEach(choice);
  search();
  element("button", form, "All").type = "reset";
  form.hidden = false;
  form.addEventListener("input", () => { filter(); keep(); });
  form.addEventListener("reset", () => setTimeout(() => { filter(); keep(); }));
  form.addEventListener("submit", e => e.preventDefault());
  addEventListener("hashchange", fromLink);
  fromLink();
  document.documentElement.dataset.drawn = String(Math.round(performance.now() - begun));
})();
