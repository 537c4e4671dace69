/* SPDX-License-Identifier: MIT
 *
 * viewer.js - the page itself: its parts, its keys, its beginning.
 *
 * Single keys work while the figure has the focus, nowhere else (WCAG 2.1.4).
 */

/* --- the page ---------------------------------------------------------------------------------- */

function caseButton(group, run, k) {
  const b = button(group, { title: gatesText(run) }, "", () => setCase(k));
  made(b, "span", { class: "spoils " + (isBad(run) ? "x" : "v") }, isBad(run) ? "\u2717 " : "\u2713 ");
  named(b, run.name);
  made(b, "span", { class: "unseen spoils" }, isBad(run) ? ", violates" : ", holds");
  return b;
}

function buildCases(bar) {
  const group = made(bar, "div", { class: "seg", role: "group", "aria-label": "Which case to show" });
  page.caseButtons = data.cases.map((run, k) => caseButton(group, run, k));
  if (data.cases.length < 2) return;
  const wrap = made(bar, "label", { class: "pick wide-only" }, "beside it ");
  page.otherPick = made(wrap, "select", {});
  made(page.otherPick, "option", { value: "-1" }, "nothing");
  data.cases.forEach((run, k) => made(page.otherPick, "option", { value: k }, run.name));
  page.otherPick.addEventListener("change", () => {
    look.other = Number(page.otherPick.value);
    rebuild();
  });
}

function toggle(bar, text, key, at) {
  const b = button(bar, at || {}, text, () => {
    look[key] = key === "clocks" ? !clocksShown(panels[0].pic) : !look[key];
    rebuild();
  });
  page.toggles.push([b, key]);
}

function buildBar(root) {
  const bar = made(root, "div", { class: "tools" });
  page.toggles = [];
  buildCases(bar);
  if (data.cases.some(c => c.asks.length))
    page.predict = button(bar, { class: "predict" }, "Predict first", () => (look.hide ? whole() : current().asks.length && askAt(0)));
  page.causeButton = button(bar, { "aria-pressed": "false" }, "Causal past", toggleCause);
  toggle(bar, "Notes", "notes", { title: "also what is believed, and what arrives" });
  toggle(bar, "Clocks", "clocks", { class: "wide-only" });
  toggle(bar, "Even scale", "even", { title: "true to length: quiet stretches are not drawn short" });
  const zoom = made(bar, "div", { class: "seg", role: "group", "aria-label": "Zoom" });
  button(zoom, { "aria-label": "Zoom out" }, "\u2212", () => zoomBy(-1));
  button(zoom, { "aria-label": "Zoom in" }, "+", () => zoomBy(1));
  button(bar, { class: "push" }, "Show whole run", whole);
  page.theme = button(bar, {}, "Theme: auto", () => {
    setTheme((look.theme + 1) % 3);
    writeLink();
  });
}

function buildScrub(figure) {
  const scrub = made(figure, "div", { class: "scrub" });
  button(scrub, { "aria-label": "Previous event" }, "\u25c0\ufe0e", () => step(-1));
  page.play = button(scrub, {}, "\u25b6\ufe0e Play", play);
  button(scrub, { "aria-label": "Next event" }, "\u25b6\ufe0e", () => step(1));
  page.slider = made(scrub, "input", { type: "range", min: 0, max: 10000, step: 1, "aria-label": "True time" });
  page.slider.addEventListener("input", () => {
    stop();
    moveTo(Math.min(limit(), timeAt(scale, Number(page.slider.value) / 10000 * scale.length)), -1);
  });
  page.time = made(scrub, "span", { class: "mono time" });
  page.link = made(scrub, "a", { class: "link", href: "#" }, "Link");
  page.link.setAttribute("aria-label", "Link to this moment");
}

function buildFigure(root) {
  page.figure = made(root, "figure", { tabindex: "0", "aria-label": "The run in time. Arrow keys step from event to event." });
  page.strip = made(page.figure, "div", { class: "strip", hidden: "" });
  page.strip.addEventListener("click", clickStrip);
  const frame = made(page.figure, "div", { class: "frame" });
  page.names = made(frame, "div", { class: "names" });
  page.scroll = made(frame, "div", { class: "scroll" });
  page.plot = made(page.scroll, "div", { class: "plot" });
  page.scroll.addEventListener("scroll", () => {
    page.left = page.scroll.scrollLeft;
    page.names.scrollLeft = page.left; /* the columns' names go along */
    moveStrip();
  });
  buildScrub(page.figure);
  page.say = made(page.figure, "div", { class: "say", "aria-live": "polite" });
  page.legend = made(page.figure, "div", { class: "legend", role: "group", "aria-label": "Legend" });
  page.figure.addEventListener("keydown", onKey);
}

function buildBelow(root) {
  page.cardsHead = made(root, "h2", { class: "sub", id: "cards-head" });
  page.cards = made(root, "section", { class: "cards", "aria-labelledby": "cards-head" });
  const two = made(root, "div", { class: "two" });
  page.table = made(two, "section", { class: "log", "aria-label": "Every event" });
  const file = made(two, "section", { class: "file", "aria-label": "The scenario file" });
  made(file, "h2", {}, "The scenario file");
  page.lines = made(file, "ol", { class: "lines", tabindex: "0" });
  const keys = made(root, "p", { class: "keys" }, "While the figure has the focus: ");
  for (const [key, text] of KEY_NAMES) {
    made(keys, "kbd", {}, key);
    keys.appendChild(document.createTextNode(" " + text + " \u00a0 "));
  }
  page.table.addEventListener("click", clickTable);
}

function buildPage() {
  const root = document.getElementById("app");
  page.root = made(root, "div", { class: "wrap" });
  page.verdict = fillHead(made(page.root, "header", {}), data);
  page.said = made(page.root, "section", { class: "said spoils", "aria-label": "What the run showed" });
  buildBar(page.root);
  page.about = made(page.root, "p", { class: "about-case" });
  buildFigure(page.root);
  page.quiz = made(page.root, "section", { class: "quiz", "aria-label": "Predict, then look", hidden: "" });
  buildBelow(page.root);
  page.tip = made(page.root, "div", { class: "tip", role: "tooltip", hidden: "" });
}

/* All that depends on the case and on how it is looked at. */
function rebuild() {
  const run = current();
  document.body.classList.toggle("predicting", look.hide);
  document.body.classList.toggle("with-notes", look.notes);
  if (page.tableOf !== run) page.rows = fillTable(page.table, page.tableOf = run);
  fillVerdict(page.verdict, run, look.hide);
  fillSaid(page.said, run, data.decidedBy, goEvent);
  fillAbout(run);
  for (const why of document.querySelectorAll("#why > section")) why.hidden = Number(why.dataset.case) !== look.case;
  page.lineItems = fillLines(page.lines, data, look.hide);
  fillQuiz(page.quiz, run, look, { answer, next: () => askAt(look.ask + 1), leave: whole });
  redraw();
  showChoices(run);
}

function fillAbout(run) {
  removeAll(page.about);
  made(page.about, "b", {}, "Case ");
  named(page.about, run.name, { class: "mono" });
  page.about.appendChild(document.createTextNode(" runs " + gatesText(run) + "."));
  if (run.window) made(page.about, "span", {}, " A long run: records " + run.window[0] + " to " + run.window[1] + " of " + run.window[2] +
    " are here, with what led to the rest of the story.");
}

function showChoices(run) {
  page.caseButtons.forEach((b, k) => b.setAttribute("aria-pressed", String(k === look.case)));
  for (const [b, key] of page.toggles) b.setAttribute("aria-pressed", String(key === "clocks" ? clocksShown(panels[0].pic) : look[key]));
  if (page.otherPick) page.otherPick.value = String(look.other);
  if (!page.predict) return;
  page.predict.hidden = !run.asks.length;
  page.predict.textContent = look.hide ? "Stop predicting" : "Predict first";
}

function clickTable(ev) {
  const a = ev.target.closest("a"), tr = ev.target.closest("tbody tr");
  if (!tr) return;
  if (a) ev.preventDefault();
  if (a && a.dataset.line) return markLine(page.lineItems, Number(a.dataset.line));
  goEvent(Number(a ? a.dataset.go : tr.dataset.event));
}

/* --- keys -------------------------------------------------------------------------------------- */

const KEY_NAMES = [["\u2190", ""], ["\u2192", "previous and next event"], ["Home", ""], ["End", "first and last"], ["space", "play"],
  ["N", "next case"], ["C", "causal past"], ["A", "whole run"], ["P", "predict"]];

const KEYS = {
  ArrowRight: () => step(1), ArrowDown: () => step(1), ArrowLeft: () => step(-1), ArrowUp: () => step(-1),
  Home: () => goEvent(0), End: () => moveTo(limit(), -1), " ": play,
  n: () => setCase((look.case + 1) % data.cases.length), c: toggleCause, a: whole,
  p: () => page.predict && !page.predict.hidden && page.predict.click(),
};

function onKey(ev) {
  if (ev.ctrlKey || ev.metaKey || ev.altKey) return;
  const tag = ev.target.tagName, act = KEYS[ev.key.length === 1 ? ev.key.toLowerCase() : ev.key];
  if (!act || tag === "SELECT" || (ev.key === " " && tag !== "FIGURE")) return;
  if (tag === "INPUT" && ev.key.length > 1 && ev.key !== "ArrowLeft" && ev.key !== "ArrowRight") return;
  ev.preventDefault();
  act();
}

/* --- start ------------------------------------------------------------------------------------- */

/* A figure that is taller than what is left of the page is drawn smaller, and wider by as much. */
function onPaper(width) {
  paper = width;
  page.figure.style.zoom = "";
  setTheme(look.theme);
  redraw();
  if (!width) return;
  const head = page.figure.getBoundingClientRect().top + scrollY - document.querySelector(".tools").offsetHeight;
  const tall = page.plot.offsetHeight + 80, part = (710 - head) / tall, whole = 700 / tall;
  const zoom = Math.max(0.35, Math.min(1, part >= 0.6 ? part : whole));
  if (zoom === 1) return;
  paper = width / zoom;
  redraw();
  page.figure.style.zoom = zoom;
}

function start() {
  buildPage();
  readLink();
  const fixed = document.getElementById("static");
  if (fixed) fixed.hidden = true;
  let wait = 0;
  addEventListener("resize", () => {
    clearTimeout(wait);
    wait = setTimeout(() => paper || redraw(), 60);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => setTheme(look.theme));
  addEventListener("hashchange", readLink);
  addEventListener("beforeprint", () => onPaper(PAPER));
  addEventListener("afterprint", () => onPaper(0));
}

start();
