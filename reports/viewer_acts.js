/* SPDX-License-Identifier: MIT
 *
 * viewer_acts.js - what the reader can do: play, choose a case, answer, point, and hand a moment on as a link.
 *
 * A link holds `look`: #case=fenced&t=12.5 or #case=checked&cause=31 opens what its sender saw.
 */

/* --- play -------------------------------------------------------------------------------------- */

function stop() {
  clearInterval(playing);
  playing = 0;
  page.play.textContent = "\u25b6\ufe0e Play";
  page.say.setAttribute("aria-live", "polite");
}

function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function playOn() {
  const place = placeOf(scale, look.t) + 2.2, t = Math.max(look.t + 1, timeAt(scale, place));
  if (t >= limit()) stop();
  moveTo(Math.min(limit(), t), -1);
}

function stepOn() {
  const before = look.chosen;
  step(1);
  if (look.chosen === before) return;
  playing = setTimeout(stepOn, 900);
}

function play() {
  if (playing) return stop();
  if (look.whole || look.t >= limit()) moveTo(0, -1);
  page.play.textContent = "\u275a\u275a Pause";
  page.say.setAttribute("aria-live", "off");
  playing = calm() ? setTimeout(stepOn, 0) : setInterval(playOn, 40);
  return undefined;
}

/* --- choosing ---------------------------------------------------------------------------------- */

function setCase(k) {
  stop();
  look.case = k;
  if (look.other === k) look.other = -1;
  look.chosen = -1;
  look.answered = -1;
  look.middle = -1;
  if (look.ask >= current().asks.length) look.ask = -1;
  if (look.ask >= 0) return askAt(look.ask);
  look.whole = true;
  look.t = current().end;
  return rebuild();
}

function whole() {
  stop();
  look.hide = false;
  look.ask = -1;
  look.whole = true;
  look.chosen = -1;
  look.t = current().end;
  rebuild();
}

function askAt(k) {
  stop();
  Object.assign(look, { ask: k, answered: -1, hide: true, whole: false, chosen: -1, cause: false, t: current().asks[k].at });
  rebuild();
  reveal();
}

function answer(k) {
  look.answered = k;
  look.hide = false;
  rebuild();
  page.quiz.querySelector(".answer").focus();
}

function toggleCause() {
  look.cause = !look.cause;
  const first = current().said.find(s => s.role !== "warning" && s.event >= 0 && s.at <= limit());
  if (look.cause && look.chosen < 0) {
    const i = first && look.whole ? first.event : eventAt(current(), look);
    if (i >= 0) return moveTo(current().events[i][0], i);
  }
  return follow();
}

function setTheme(k) {
  look.theme = k;
  const dark = k ? k === 2 : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark && !paper ? "dark" : "light";
  page.theme.textContent = "Theme: " + ["auto", "light", "dark"][k];
}

function zoomBy(by) {
  look.zoom = Math.max(0, Math.min(ZOOMS.length - 1, look.zoom + by));
  redraw();
  const p = panels[0];
  if (!p.geo.vertical) page.scroll.scrollLeft = p.geo.at(look.t) - page.scroll.clientWidth / 2;
}

/* --- pointing ---------------------------------------------------------------------------------- */

function pointOf(p, ev) {
  const box = p.svg.getBoundingClientRect();
  return [(ev.clientX - box.left) * p.width / box.width, (ev.clientY - box.top) * p.height / box.height];
}

/* A dot of several events gives one after the other. */
function clickPanel(p, ev) {
  const [x, y] = pointOf(p, ev), point = pointNear(p, x, y);
  stop();
  if (point && p === panels[0] && p.run.events[point.events[0]][0] <= limit()) {
    const open = point.events.filter(i => look.notes || !p.run.events[i][6]), at = open.indexOf(look.chosen);
    return moveTo(p.run.events[open[0]][0], open[(at + 1) % open.length]);
  }
  const t = p.geo.time(p.geo.vertical ? y : x);
  return moveTo(Math.min(limit(), t), -1);
}

function hoverPanel(p, ev) {
  const [x, y] = pointOf(p, ev), point = pointNear(p, x, y);
  if (!point || p.run.events[point.events[0]][0] > limit()) return hideTip();
  fillTip(page.tip, p.run, point.events, look);
  page.tip.style.left = Math.max(6, Math.min(innerWidth - 330, ev.clientX + 14)) + "px";
  page.tip.style.top = (ev.clientY + 180 > innerHeight ? ev.clientY - page.tip.offsetHeight - 12 : ev.clientY + 16) + "px";
  page.tip.hidden = false;
  return undefined;
}

function hideTip() {
  page.tip.hidden = true;
}

/* --- links ------------------------------------------------------------------------------------- */

function linkOf() {
  const parts = new URLSearchParams();
  parts.set("case", current().name);
  if (look.other >= 0) parts.set("with", data.cases[look.other].name);
  if (look.ask >= 0) parts.set("predict", look.ask + 1);
  else if (look.cause && look.chosen >= 0) parts.set("cause", look.chosen);
  else if (look.chosen >= 0) parts.set("event", look.chosen);
  else if (!look.whole) parts.set("t", seconds(look.t).slice(0, -1));
  if (look.notes) parts.set("notes", 1);
  if (look.even) parts.set("even", 1);
  if (look.theme) parts.set("theme", ["", "light", "dark"][look.theme]);
  return "#" + parts;
}

function writeLink() {
  page.link.href = linkOf();
}

function caseNamed(name) {
  return data.cases.findIndex(c => c.name === name);
}

function numberIn(parts, key, below) {
  const n = Number(parts.get(key));
  return parts.has(key) && Number.isInteger(n) && n >= 0 && n < below ? n : -1;
}

function readLink() {
  const parts = new URLSearchParams(location.hash.slice(1));
  look.case = Math.max(0, caseNamed(parts.get("case")));
  look.other = caseNamed(parts.get("with"));
  if (look.other === look.case) look.other = -1;
  look.notes = parts.has("notes");
  look.even = parts.has("even");
  const n = current().events.length, cause = numberIn(parts, "cause", n), event = numberIn(parts, "event", n);
  Object.assign(look, { cause: cause >= 0, chosen: Math.max(cause, event), whole: true, t: current().end, hide: false, ask: -1, answered: -1 });
  setTheme(Math.max(0, ["", "light", "dark"].indexOf(parts.get("theme") || "")));
  openMoment(parts);
}

function openMoment(parts) {
  const t = parts.has("t") ? fromSeconds(parts.get("t")) : -1, asks = current().asks.length;
  if (look.chosen >= 0 && current().events[look.chosen][6]) look.notes = true;
  if (look.chosen >= 0) Object.assign(look, { whole: false, t: current().events[look.chosen][0] });
  else if (t >= 0) Object.assign(look, { whole: false, t: Math.min(t, current().end) });
  if (parts.has("predict") && asks) return askAt(Math.max(0, Math.min(asks, Number(parts.get("predict")) || 1) - 1));
  rebuild();
  return look.whole ? scrollToInterest() : reveal();
}

function scrollToInterest() {
  const p = panels[0], i = firstOfInterest(current());
  if (!p.geo.vertical && i > 0) page.scroll.scrollLeft = p.geo.at(current().events[i][0]) - page.scroll.clientWidth * 0.7;
}
