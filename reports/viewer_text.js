/* SPDX-License-Identifier: MIT
 *
 * viewer_text.js - what the page says in words: the head, the cards, the table, the file, the questions.
 *
 * Each function fills one element from the data and the moment that is looked at. While a question waits for
 * its answer, whatever would give it away is left out here, and hidden by the class "predicting" elsewhere.
 */

function removeAll(e) {
  while (e.firstChild) e.removeChild(e.firstChild);
  return e;
}

/* Names may be in any script and direction: each is isolated from the words round it. */
function named(parent, text, at) {
  return made(parent, "bdi", at || {}, text);
}

/* --- the head ------------------------------------------------------------------ */

function fillHead(e, data) {
  const left = made(e, "div", {});
  const kicker = made(left, "div", { class: "kicker" }, "Fencepost run report \u00b7 ");
  named(kicker, data.file, { class: "mono" });
  if (data.index) made(made(kicker, "span", {}, " \u00b7 "), "a", { href: data.index }, "all scenarios");
  made(left, "h1", { dir: "auto" }, data.title);
  if (data.lesson) made(left, "p", { class: "lede spoils", dir: "auto" }, data.lesson);
  const from = made(left, "p", { class: "source-line" });
  named(from, data.source);
  if (data.decidedBy) made(from, "span", { class: "spoils" }, (data.source ? " \u00b7 " : "") + "decided by " + data.decidedBy);
  return made(e, "div", { class: "verdict" });
}

/* What was broken, by the case's own measure: a warning does not make a verdict. */
function brokenNames(run) {
  const names = run.said.filter(s => s.role !== "warning" && s.role !== "then").map(s => s.invariant);
  return [...new Set(names)];
}

function verdictText(run) {
  const names = brokenNames(run);
  if (names.length) return "\u2717 violates " + shortList(names);
  return run.verdict === "holds" ? "\u2713 holds" : "\u2717 " + run.verdict;
}

function isBad(run) {
  return run.verdict !== "holds";
}

function fillVerdict(e, run, hide) {
  removeAll(e);
  const look = hide ? "open" : isBad(run) ? "bad" : "ok";
  made(e, "span", { class: "badge " + look }, hide ? "? decide below" : verdictText(run));
  if (!hide && !run.asExpected) made(e, "span", { class: "badge unexpected" }, "not as expected");
  const count = run.window ? run.events.length + " of " + run.window[2] + " events" : run.events.length + " events";
  const facts = hide ? [] : [count, "ends at " + seconds(run.end), run.digest];
  made(e, "div", { class: "facts mono" }, facts.join(" \u00b7 "));
}

function gatesText(run) {
  const options = run.with.length ? " with " + run.with.join(", ") : "";
  return (run.without.length ? "without " + run.without.join(", ") : "with every gate in its place") + options;
}

/* --- what was said of the run ---------------------------------------------------- */

const SIGN = { warning: "!", then: "\u2717 and then" };

function saidLine(list, s, go) {
  const li = made(list, "li", { class: s.role === "warning" ? "warning" : "broken" });
  made(li, "strong", {}, (SIGN[s.role] || "\u2717") + " " + s.invariant);
  made(li, "span", { class: "kind" }, s.kind + (s.role === "unexpected" ? ", not expected" : ""));
  named(li, s.text);
  if (s.event >= 0) button(li, { class: "link", "aria-label": "Go to " + seconds(s.at) }, seconds(s.at), () => go(s.event));
}

function fillSaid(e, run, gate, go) {
  removeAll(e);
  const list = made(e, "ul", {}), warnings = run.said.filter(s => s.role === "warning");
  for (const s of run.said) if (s.role !== "warning") saidLine(list, s, go);
  for (const text of run.misses) named(made(list, "li", { class: "broken" }, "\u2717 not as the file expects: "), text);
  if (run.error) named(made(list, "li", { class: "broken" }, "\u2717 error: "), run.error);
  for (const text of run.undecided) named(made(list, "li", {}, "? undecided: "), text);
  if (run.decided) named(made(list, "li", { class: "decided" }, "\u2192 " + gate + ": "), run.decided);
  if (!list.firstChild) list.remove();
  if (warnings.length) fillWarnings(e, warnings, go);
}

function fillWarnings(e, warnings, go) {
  const more = made(e, "details", {});
  made(more, "summary", {}, warnings.length + (warnings.length > 1 ? " signs" : " sign") + " of danger, no harm by themselves");
  const list = made(more, "ul", {});
  for (const s of warnings) saidLine(list, s, go);
}

/* --- the sentence of the moment ----------------------------------------------------- */

/* The event that is looked at, else the last one up to t. */
function eventAt(run, look) {
  if (look.chosen >= 0) return look.chosen;
  let found = -1;
  run.events.forEach((e, i) => {
    if (e[0] <= look.t && (look.notes || !e[6])) found = i;
  });
  return found;
}

function sentenceOf(run, i) {
  const e = run.events[i];
  return seconds(e[0]) + ", " + e[3];
}

function fillSay(e, run, look) {
  removeAll(e);
  const i = eventAt(run, look);
  if (look.whole) return sayWhole(e, run);
  if (i < 0) return void made(e, "span", {}, "Nothing has happened yet.");
  const event = run.events[i];
  made(e, "b", {}, seconds(event[0]) + " ");
  named(e, event[3]);
  if (event[6]) made(e, "span", { class: "kind" }, "note");
  if (event[4] >= 0) made(e, "span", { class: "soft" }, " because " + sentenceOf(run, event[4]));
  for (const s of run.said) if (s.event === i && !look.hide) sayBroken(e, s);
  return undefined;
}

function sayBroken(e, s) {
  const line = made(e, "div", { class: s.role === "warning" ? "warning" : "broken" });
  made(line, "b", {}, (SIGN[s.role] || "\u2717") + " " + s.invariant + ": ");
  named(line, s.text);
}

function sayWhole(e, run) {
  const first = run.said.find(s => s.role !== "warning");
  if (first) sayBroken(e, first);
  else made(e, "b", {}, run.verdict === "holds" ? "\u2713 Nothing that this case forbids happened. " : verdictText(run) + ". ");
  made(e, "span", { class: "soft" }, (run.window ? "A part of the run is shown." : "The whole run is shown.") + " Step through it with the arrows, or drag the slider.");
}

/* --- cards ------------------------------------------------------------------------- */

const STATES = new Set(["paused", "suspended", "down", "slow"]);

function barsAt(run, lane, t) {
  return run.bars.filter(b => lane.members.includes(b.lane) && b.from <= t && (t < b.to || (t === b.to && t === run.end && b.b < 0)));
}

function stateOf(bars) {
  const found = bars.filter(b => STATES.has(b.kind)).map(b => b.kind + (b.kind === "paused" && b.of ? ": " + b.of : ""));
  return found.length ? found.join(", ") : "running";
}

function row(dl, name, value, exact) {
  made(dl, "dt", {}, name);
  return made(dl, "dd", exact ? { class: "mono" } : {}, value);
}

function fillClocks(dl, machine, t) {
  row(dl, "monotonic", clockText(reading(machine.mono, t), 9), true);
  row(dl, "boottime", clockText(reading(machine.boot, t), 9), true);
  row(dl, "wall", wallText(reading(machine.wall, t), 9), true);
}

function isUntrue(bar, t) {
  return bar.truth !== undefined && !bar.truth.some(([from, to]) => from <= t && (t < to || to === bar.to));
}

const UNSAID = new Set(["paused", "suspended", "down", "slow", "works", "mark"]);

/* What is not as it should be about a bar at t, in words. */
function doubtOf(bar, bars, t) {
  if (isUntrue(bar, t)) return " \u2013 but by the service\u2019s word it has not";
  const own = bars.some(b => (b.kind === "believes" || b.kind === "has") && b.of === bar.of && b.token === bar.token);
  return bar.kind === "acts" && !own ? " \u2013 though its own check says no" : "";
}

function fillCard(e, pic, lane, t) {
  const card = made(e, "div", { class: "card" }), bars = barsAt(pic.run, lane, t);
  const h = made(card, "h3", {});
  made(h, "span", { class: "swatch " + (lane.hue < 0 ? "service" : "h" + lane.hue % HUES), "aria-hidden": "true" });
  named(h, lane.name);
  const dl = made(card, "dl", {});
  if (lane.machine >= 0) {
    row(dl, "state", stateOf(bars));
    fillClocks(dl, pic.run.machines[lane.machine], t);
  }
  for (const b of bars) {
    if (UNSAID.has(b.kind)) continue;
    const doubt = doubtOf(b, bars, t), p = made(card, "p", doubt ? { class: "doubt" } : {});
    named(p, b.text + (b.lapsed ? " (its lease is over)" : ""));
    made(p, "span", {}, doubt);
  }
}

function fillCards(e, pic, t) {
  removeAll(e);
  for (const lane of pic.lanes) fillCard(e, pic, lane, t);
}

/* --- the table ------------------------------------------------------------------------ */

function cellLink(tr, name, value, text) {
  const td = made(tr, "td", { class: "num" });
  if (text) made(td, "a", { href: "#", ["data-" + name]: value }, text);
}

function fillRow(body, run, i, broken) {
  const e = run.events[i], tr = made(body, "tr", { "data-event": i });
  tr.className = (e[6] ? "note " : "") + (broken.has(i) ? "bad" : "");
  const th = made(tr, "th", { scope: "row", class: "num" });
  made(th, "a", { href: "#", "data-go": i }, String(i));
  made(tr, "td", { class: "num mono" }, seconds(e[0]));
  named(made(tr, "td", { class: "who" }), e[7] || (e[1] < 0 ? "net" : run.lanes[e[1]].name));
  named(made(tr, "td", {}), e[3]);
  cellLink(tr, "go", e[4], e[4] >= 0 ? String(e[4]) : "");
  cellLink(tr, "line", e[5], e[5] > 0 ? String(e[5]) : "");
}

function fillTable(e, run) {
  removeAll(e);
  const table = made(e, "table", {}), broken = brokenEvents(run);
  made(table, "caption", {}, "Every event of case " + run.name + ", in order");
  const tr = made(made(table, "thead", {}), "tr", {});
  for (const [name, cls] of [["#", "num"], ["true time", "num"], ["who", ""], ["what happened", ""], ["cause", "num"], ["line", "num"]])
    made(tr, "th", { scope: "col", class: cls }, name);
  const body = made(table, "tbody", {});
  run.events.forEach((event, i) => fillRow(body, run, i, broken));
  return [...body.rows];
}

/* --- the file --------------------------------------------------------------------------- */

/* Lines that tell how the story ends: verdicts, expectations, what a choice is true for, comments. */
const TELLS = /^\s*(\[[^\]]*\]\s*)?(case\b|lesson\b|decided-by\b|".*" if\b|#|.*\bexpect\b)/;

function fillLines(e, data, hide) {
  removeAll(e);
  return data.lines.map((text, i) => {
    const li = made(e, "li", { "data-line": i + 1, id: "line-" + (i + 1) });
    const told = hide && TELLS.test(text);
    made(li, "code", { class: "mono" }, told ? "\u00b7\u00b7\u00b7" : text || " ");
    return li;
  });
}

function markLine(items, line) {
  items.forEach((li, i) => {
    if (i + 1 === line) li.setAttribute("aria-current", "true");
    else li.removeAttribute("aria-current");
  });
  const li = items[line - 1];
  if (li) li.parentNode.scrollTop = Math.max(0, li.offsetTop - li.parentNode.clientHeight / 2);
}

/* --- questions ----------------------------------------------------------------------------- */

function choice(list, ask, k, look, answer) {
  const b = button(list, { "aria-pressed": look.answered === k }, "", () => answer(k));
  made(b, "span", { class: "letter", "aria-hidden": "true" }, String.fromCharCode(65 + k % 26));
  named(b, ask.choices[k]);
  if (look.answered < 0) return;
  b.disabled = true;
  if (k === ask.answer) b.classList.add("right");
}

function answerText(ask, k, run) {
  if (ask.answer < 0) return ["Nobody can say: ", "this run gives no single answer."];
  if (k === ask.answer) return ["Yes. ", "In case " + run.name + " that is what happens: " + ask.choices[ask.answer] + "."];
  return ["Not in this run. ", "In case " + run.name + " it is: " + ask.choices[ask.answer] + ". Look at what happens next."];
}

/* `act`: { answer, next, leave }. */
function fillQuiz(e, run, look, act) {
  removeAll(e);
  const ask = run.asks[look.ask];
  e.hidden = !ask;
  if (!ask) return;
  const many = run.asks.length > 1 ? " (" + (look.ask + 1) + " of " + run.asks.length + ")" : "";
  made(e, "h2", {}, "Predict, then look" + many);
  made(e, "p", { dir: "auto" }, "At " + seconds(ask.at) + ", case " + run.name + ", " + gatesText(run) + ". " + ask.question);
  const list = made(e, "div", { class: "choices", role: "group", "aria-label": "Your prediction" });
  ask.choices.forEach((text, k) => choice(list, ask, k, look, act.answer));
  const why = made(e, "p", { "aria-live": "polite", class: "answer", tabindex: "-1" });
  if (look.answered >= 0) answerText(ask, look.answered, run).forEach((t, i) => made(why, i ? "bdi" : "b", {}, t));
  const foot = made(e, "div", { class: "choices foot" });
  if (look.answered >= 0 && run.asks[look.ask + 1]) button(foot, {}, "Next question", act.next);
  button(foot, { class: "quiet" }, look.answered >= 0 ? "Close" : "Do not predict", act.leave);
  made(e, "p", { class: "on-paper" }, "Because:");
}

/* --- legend --------------------------------------------------------------------------------- */

/* Whether a client acts only while it believes that it holds, or has, what it acts under. */
function isOwn(run, act) {
  return run.bars.some(b => (b.kind === "believes" || b.kind === "has") && b.lane === act.lane && b.of === act.of && b.token === act.token &&
    b.from <= act.from && b.to >= act.to);
}

const LEGEND = [
  ["held", "by the service\u2019s word, or believed and true", r => r.bars.some(b => b.kind === "holds" || b.kind === "believes" || b.kind === "attempt"),
    ["rect", { class: "bar h0", x: 1, y: 2, width: 28, height: 10, rx: 3 }]],
  ["false", "believed or acted on, and not so; a lease that is over", r => r.bars.some(b => b.lapsed || (b.truth && falseParts(b).length)),
    ["rect", { class: "bar h0 false", x: 1, y: 2, width: 28, height: 10, rx: 3, fill: "url(#legend-false0)" }]],
  ["waits", "waits", r => r.bars.some(b => b.kind === "waits"), ["path", { class: "waiting-line h0", d: "M1 7h28" }]],
  ["works", "works", r => r.bars.some(b => b.kind === "works"), ["rect", { class: "body h0", x: 1, y: 4, width: 28, height: 6, rx: 3 }]],
  ["hand", "acts, though its own check says no", r => r.bars.some(b => b.kind === "acts" && !isOwn(r, b)),
    ["rect", { class: "bar h0 hand", x: 1, y: 2, width: 28, height: 10, rx: 3, fill: "url(#legend-hand0)" }]],
  ["acts", "acts under it", r => r.bars.some(b => b.kind === "acts"), ["rect", { class: "acts h0", x: 1, y: 6, width: 28, height: 3 }]],
  ["paused", "stopped", r => r.bars.some(b => b.kind === "paused" || b.kind === "suspended"),
    ["rect", { class: "body", x: 1, y: 2, width: 28, height: 10, rx: 3, fill: "url(#legend-paused)", stroke: "var(--pause)" }]],
  ["net", "no way through", r => r.bars.some(b => b.lane < 0), ["rect", { x: 1, y: 1, width: 28, height: 12, fill: "url(#legend-net)" }]],
  ["message", "message", r => r.messages.length > 0, ["path", { class: "arrow", d: arrowPath(1, 11, 29, 3, 0) }]],
  ["lost", "message lost", r => r.messages.some(m => m.fate === "lost"), ["path", { class: "fate", d: "M1 11L17 7" + crossPath(23, 7, 4) }]],
  ["break", "quiet time, drawn short", (r, scale) => breaksOf(scale).length > 0, ["path", { class: "break", d: "M13 0l4 4l-4 4l4 4" }]],
  ["sign", "a sign of danger", r => r.said.some(s => s.role === "warning" && s.event >= 0), ["path", { class: "sign", d: "M15 2l6 10h-12z" }]],
  ["bad", "a rule broken", r => r.said.some(s => s.role !== "warning" && s.event >= 0),
    ["path", { class: "cross-bad", d: dotPath(0, 15, 7, 6) + crossPath(15, 7, 3) }]],
];

/* Of the part of each run that may be seen. */
function fillLegend(e, runs, scale) {
  removeAll(e);
  const shared = drawn(e, "svg", { class: "nowhere", width: 0, height: 0, "aria-hidden": "true" });
  hatches(shared, "legend-");
  for (const [name, text, has, [tag, at]] of LEGEND) {
    if (!runs.some(r => has(r, scale))) continue;
    const item = made(e, "span", name === "bad" || name === "sign" ? { class: "spoils" } : {});
    const kind = "service " + (name === "message" ? "message" : name === "lost" ? "message lost" : name);
    const g = drawn(drawn(item, "svg", { viewBox: "0 0 30 14", "aria-hidden": "true" }), "g", { class: kind });
    drawn(g, tag, at);
    item.appendChild(document.createTextNode(text));
  }
}

/* --- tips ------------------------------------------------------------------------------------ */

function fillTip(e, run, events, look) {
  removeAll(e);
  const shown = events.filter(i => look.notes || !run.events[i][6]).slice(0, 8);
  for (const i of shown) named(made(e, "div", {}), run.events[i][3]);
  if (shown.length < events.length && shown.length === 8) made(e, "div", { class: "soft" }, "and more");
  const first = run.events[events[0]], lane = run.lanes[first[1]];
  made(e, "div", { class: "mono soft" }, "true " + seconds(first[0]));
  if (!lane || lane.machine < 0) return;
  const machine = run.machines[lane.machine];
  made(e, "div", { class: "mono soft" }, "monotonic " + clockText(reading(machine.mono, first[0]), 9));
  made(e, "div", { class: "mono soft" }, "wall " + wallText(reading(machine.wall, first[0]), 9));
}
