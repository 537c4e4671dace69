/* SPDX-License-Identifier: MIT
 *
 * viewer_look.js - what is looked at, and the page that follows from it.
 *
 *  1. `look` is all that can change; `redraw` makes the picture from it, `follow` only moves the moment.
 *  2. Nothing behind `limit` can be seen, chosen or stepped to while a question waits for its answer.
 */

const data = JSON.parse(document.getElementById("run").textContent);
const NAMES = 150;        /* pixels for the lanes' names, as in viewer.css */
const WIDE_FROM = 760;    /* pixels of width from which time runs to the right */
const SQUEEZE = 0.55;     /* how far the natural length may shrink before the picture scrolls */
const DRAWN_AT_ONCE = 2000;
const PAPER = 1040;       /* width of a landscape page */
const ZOOMS = [1, 1.6, 2.5, 4, 8, 16, 32, 64];

const look = { case: 0, other: -1, t: 0, chosen: -1, whole: true, ask: -1, answered: -1, hide: false, cause: false,
  clocks: null, notes: false, even: false, zoom: 0, open: new Set(), theme: 0, middle: -1 };
const page = { left: 0, shown: 0 };
let panels = [], scale = null, playing = 0, paper = 0;

function current() {
  return data.cases[look.case];
}

/* Nothing later than this may be seen. */
function limit() {
  return look.hide ? current().asks[look.ask].at : current().end;
}

function veil() {
  return look.hide ? "hide" : look.whole ? "none" : "dim";
}

/* --- drawing ----------------------------------------------------------------------------------- */

function shownCases() {
  const own = [current()];
  return look.other >= 0 && look.other !== look.case ? own.concat(data.cases[look.other]) : own;
}

/* The stretch to draw: all of a short run; of a long one so many events round the middle. */
function viewOf(run) {
  const most = DRAWN_AT_ONCE, n = run.events.length;
  if (n <= most) return { from: 0, to: scale.length };
  const middle = look.middle >= 0 ? look.middle : firstOfInterest(run);
  const first = Math.max(0, Math.min(n - most, middle - (most >> 1)));
  const last = Math.min(n - 1, first + most - 1);
  return { from: placeOf(scale, first ? run.events[first][0] : 0),
    to: placeOf(scale, last === n - 1 ? run.end : run.events[last][0]) };
}

function firstOfInterest(run) {
  const s = run.said.find(x => x.role !== "warning" && x.event >= 0);
  return look.chosen >= 0 ? look.chosen : s ? s.event : 0;
}

/* Pixels for each unit of the scale: as wide as there is room, and never so narrow that nothing can be read. */
function factorOf(view, room) {
  const natural = view.to - view.from || 1, fit = room / natural;
  if (paper) return fit;
  return (scale.even ? fit : Math.max(fit, SQUEEZE)) * ZOOMS[look.zoom];
}

function clocksShown(pic) {
  return look.clocks === null ? pic.lanes.length <= 8 : look.clocks;
}

function seenOf(run) {
  if (!look.hide) return run;
  const bars = run.bars.filter(b => b.from <= limit()), messages = run.messages.filter(m => m.sent <= limit());
  return Object.assign({}, run, { bars, messages });
}

function altText(run) {
  const lanes = run.lanes.map(l => l.name).join(", ");
  const verdict = look.hide ? "" : " " + verdictText(run) + ".";
  return "Space-time diagram of case " + run.name + "." + verdict + " Lanes: " + lanes + ". The table below lists every event.";
}

function nameLane(parent, pic, lane, panelTop) {
  const div = made(parent, "div", { class: "lane-name" });
  div.style.top = panelTop + lane.from + "px";
  div.style.height = lane.to - lane.from + "px";
  const head = made(div, "div", { class: "who" });
  head.style.top = Math.max(0, lane.line - lane.from - 17) + "px";
  made(head, "span", { class: "swatch " + (lane.hue < 0 ? "service" : "h" + lane.hue % HUES), "aria-hidden": "true" });
  named(head, lane.name, { class: "lname" });
  made(head, "span", { class: "lrole", dir: "auto" }, lane.about);
  if (lane.lock) foldButton(head, lane);
  if (!lane.rulers) return;
  for (const [text, c] of [["monotonic", 2], ["wall", 17]])
    made(div, "span", { class: "rname" }, text).style.top = lane.rulers - lane.from + c - 3 + "px";
}

function foldButton(parent, lane) {
  const folded = lane.kind === "voters";
  button(parent, { class: "fold", "aria-expanded": !folded }, folded ? "unfold" : "fold", () => {
    if (folded) look.open.add(lane.lock); else look.open.delete(lane.lock);
    redraw();
  });
}

/* The names stand outside what scrolls. */
function nameLanes(pic, p, top) {
  const head = made(page.names, "div", { class: "panel-name" });
  head.style.top = top + p.lanesFrom - 27 + "px";
  if (look.other >= 0) named(head, pic.run.name, { class: "mono" });
  else head.textContent = "true time";
  for (const lane of pic.lanes) nameLane(page.names, pic, lane, top);
}

function nameColumns(pic) {
  for (const lane of pic.lanes) {
    const div = made(page.names, "div", { class: "column-name" });
    div.style.left = lane.from + "px";
    div.style.width = lane.to - lane.from + "px";
    named(div, lane.name, { class: "lname" });
    if (lane.lock) foldButton(div, lane);
  }
  page.names.style.height = pic.lanes.some(l => l.lock) ? "66px" : "40px";
}

function drawCase(run, vertical, room) {
  const pic = pictureOf(run, look.open), view = viewOf(run);
  const p = drawPanel(page.plot, pic, { scale, view, vertical, width: room, clocks: clocksShown(pic), notes: look.notes, words: altText(run),
    tail: vertical ? 40 : TAIL, factor: vertical ? 1.1 * ZOOMS[look.zoom] : factorOf(view, room - LEFT - TAIL - RIGHT) });
  p.svg.addEventListener("click", ev => clickPanel(p, ev));
  p.svg.addEventListener("pointermove", ev => hoverPanel(p, ev));
  p.svg.addEventListener("pointerleave", hideTip);
  return p;
}

function redraw() {
  const began = performance.now(), width = paper || page.figure.clientWidth - 2, vertical = width < WIDE_FROM;
  removeAll(page.plot);
  removeAll(page.names);
  hideTip();
  page.figure.classList.toggle("down", vertical);
  scale = scaleOf(shownCases(), look.even);
  const room = vertical ? width : width - NAMES;
  page.shown = room;
  panels = shownCases().slice(0, vertical ? 1 : 2).map(run => drawCase(run, vertical, room));
  if (vertical) nameColumns(panels[0].pic);
  else nameAllLanes();
  fillLegend(page.legend, shownCases().map(seenOf), scale);
  drawStrip();
  follow();
  document.documentElement.dataset.drawn = Math.max(1, Math.round(performance.now() - began));
}

function nameAllLanes() {
  let top = 0;
  for (const p of panels) {
    nameLanes(p.pic, p, top);
    top += p.height;
  }
  page.names.style.height = top + "px";
}

/* --- the strip over long runs ------------------------------------------------------------------ */

function stripNeeded() {
  const p = panels[0];
  return !paper && (p.run.events.length > DRAWN_AT_ONCE || (!p.geo.vertical && p.width > page.shown + 4));
}

function stripBar(svg, pic, b, x, height) {
  const lane = pic.lanes[pic.laneOf.get(b.lane)], k = pic.lanes.indexOf(lane);
  const look = lane ? hueOf(pic, b.who) : "network";
  drawn(svg, "rect", { x: x(b.from), width: Math.max(1, x(b.to) - x(b.from)), y: lane ? 2 + k * height : 0,
    height: lane ? Math.max(1, height - 1) : 40, class: "mini " + look });
}

const IN_STRIP = new Set(["holds", "believes", "attempt", "votes", "value", "partition", "paused", "down"]);

function drawStrip() {
  removeAll(page.strip);
  page.strip.hidden = !stripNeeded();
  if (page.strip.hidden) return;
  const width = page.shown + (panels[0].geo.vertical ? 0 : NAMES) - 28, run = current(), pic = panels[0].pic;
  const x = t => placeOf(scale, t) / scale.length * width;
  const svg = drawn(page.strip, "svg", { width, height: 42, viewBox: `0 0 ${width} 42`, "aria-hidden": "true" });
  drawn(svg, "rect", { class: "strip-ground", width, height: 42 });
  for (const b of run.bars) if (IN_STRIP.has(b.kind)) stripBar(svg, pic, b, x, 38 / pic.lanes.length);
  for (const s of run.said)
    if (s.role !== "warning" && s.event >= 0) drawn(svg, "path", { class: "strip-bad spoils", d: `M${x(s.at)} 0v42` });
  if (run.overview) drawDensity(run, width);
  page.window = drawn(svg, "rect", { class: "strip-window", y: 1, height: 40 });
  page.stripHead = drawn(svg, "path", { class: "strip-head" });
  page.stripWidth = width;
  moveStrip();
}

/* How full the whole run is, in even time, where the page has only a part of it; the part is darker. */
function drawDensity(run, width) {
  const most = Math.max(1, ...run.overview), each = width / run.overview.length, last = run.events.length - 1;
  const svg = drawn(page.strip, "svg", { width, height: 22, viewBox: `0 0 ${width} 22`, role: "img",
    "aria-label": "Records over the whole run; those on this page are darker" });
  run.overview.forEach((n, i) => {
    const from = run.end * i / run.overview.length, to = run.end * (i + 1) / run.overview.length;
    const here = to >= run.events[0][0] && from <= run.events[last][0];
    const h = n ? 2 + 18 * n / most : 0;
    drawn(svg, "rect", { class: here ? "density here" : "density", x: i * each, y: 21 - h, width: Math.max(0.5, each - 0.5), height: h });
  });
}

function moveStrip() {
  if (page.strip.hidden) return;
  const g = panels[0].geo, left = page.left, shown = page.shown;
  const across = a => (g.view.from + Math.max(0, a - g.start) / g.factor) / scale.length * page.stripWidth;
  const from = g.vertical ? g.view.from / scale.length * page.stripWidth : across(left);
  const to = g.vertical ? g.view.to / scale.length * page.stripWidth : across(Math.min(left + shown, g.start + g.length));
  fill(page.window, null, { x: from, width: Math.max(3, to - from) });
  fill(page.stripHead, null, { d: `M${placeOf(scale, look.t) / scale.length * page.stripWidth} 0v42` });
}

function clickStrip(ev) {
  const box = page.strip.firstChild.getBoundingClientRect();
  const t = Math.min(limit(), timeAt(scale, (ev.clientX - box.left) / box.width * scale.length));
  stop();
  moveTo(t, -1);
}

/* --- following the moment ---------------------------------------------------------------------- */

/* The causes of an event, and of the fact that it conflicts with, back to their beginnings. */
function pastOf(run, i) {
  const past = new Set(), ends = [i];
  for (const s of run.said) if (s.event === i && s.other >= 0) ends.push(s.other);
  for (let e of ends) for (; e >= 0 && !past.has(e); e = run.events[e][4]) past.add(e);
  return past;
}

function follow() {
  const run = current(), kept = look.cause && look.chosen >= 0 ? pastOf(run, look.chosen) : null;
  panels.forEach((p, k) => {
    moveOverlay(p, look.t, veil(), k === 0 ? look.chosen : -1);
    keepOnly(p, k === 0 ? kept : null);
  });
  moveStrip();
  fillMoment(run, kept);
  writeLink();
}

/* Only what is new is said: a screen reader repeats whatever is written there. */
function sayOnce(run, i) {
  const what = [run.name, i, look.whole, look.hide].join("\n");
  if (what !== page.saidOf) fillSay(page.say, run, look);
  page.saidOf = what;
}

function fillMoment(run, kept) {
  const i = eventAt(run, look), key = look.whole ? firstOfInterest(run) : -1;
  const t = look.whole ? (run.said.some(s => s.role !== "warning") ? run.events[key][0] : run.end) : look.t;
  sayOnce(run, i);
  page.time.textContent = seconds(look.t);
  page.slider.value = String(Math.round(placeOf(scale, look.t) / scale.length * 10000));
  page.slider.setAttribute("aria-valuetext", i >= 0 ? sentenceOf(run, i) : seconds(look.t));
  page.cardsHead.textContent = "Every lane at " + seconds(t) + (look.whole && key > 0 ? ", the moment that decides the run" : "");
  fillCards(page.cards, panels[0].pic, t);
  markRows(look.whole ? -1 : i, kept);
  markLine(page.lineItems, look.whole || i < 0 ? 0 : run.events[i][5]);
  page.causeButton.setAttribute("aria-pressed", String(look.cause));
}

function markRows(chosen, kept) {
  const run = current(), last = limit();
  page.rows.forEach((tr, i) => {
    tr.classList.toggle("chosen", i === chosen);
    tr.classList.toggle("led", kept !== null && kept.has(i));
    tr.classList.toggle("later", look.hide && run.events[i][0] > last);
  });
}

/* Brings the moment into what can be seen of the picture. */
function reveal() {
  const p = panels[0], a = p.geo.at(look.t);
  if (look.t < p.geo.first || look.t > p.geo.last) {
    look.middle = Math.max(0, eventAt(current(), look));
    return redraw();
  }
  const s = page.scroll;
  if (!p.geo.vertical && (a < s.scrollLeft + 30 || a > s.scrollLeft + s.clientWidth - 60)) s.scrollLeft = a - s.clientWidth / 2;
  return undefined;
}

function moveTo(t, chosen) {
  if (t > limit()) return;
  look.t = t;
  look.chosen = chosen;
  look.whole = false;
  reveal();
  follow();
}

function goEvent(i) {
  stop();
  moveTo(current().events[i][0], i);
}

function canStep(i) {
  const e = current().events[i];
  return (look.notes || !e[6]) && e[0] <= limit();
}

/* To the next event, or the one before; from the whole run, to its first or last. */
function step(by) {
  const n = current().events.length;
  let i = look.whole ? (by > 0 ? -1 : n) : eventAt(current(), look);
  if (!look.whole && look.chosen < 0 && by < 0) i++;
  for (i += by; i >= 0 && i < n; i += by) if (canStep(i)) return goEvent(i);
  return undefined;
}
