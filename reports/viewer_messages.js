/* SPDX-License-Identifier: MIT
 *
 * viewer_messages.js - arrows from lane to lane. A lost message ends in a cross between them, a held one at a barrier.
 */

function lineOf(p, lane) {
  const k = p.pic.laneOf.get(lane);
  return k === undefined ? null : p.pic.lanes[k];
}

/* The events at which a rule was broken; the message that brought one is drawn in the alarm's colour. */
function brokenEvents(run) {
  const broken = new Set();
  for (const s of run.said) if (s.role !== "warning" && s.event >= 0) broken.add(s.event);
  return broken;
}

function isAlarm(p, m) {
  return p.broken.has(m.b) || [...p.broken].some(e => p.run.events[e][4] === m.b && m.b >= 0);
}

/* The token that the sending event names, for the label: which write is which. */
function messageText(run, m) {
  const sent = m.a >= 0 ? /\btoken (\d+)/.exec(run.events[m.a][3]) : null;
  const bears = sent && run.events[m.a][2] !== "receives";
  return bears ? m.what + ", token " + sent[1] : m.what;
}

function fateOf(p, m, from, to) {
  const share = m.fate === "arrives" ? 1 : 0.6;
  return [p.inView(m.at), from.line + (to.line - from.line) * share];
}

/* Messages that would lie on one another (to folded voters, say) are one arrow with their number. */
function sheaves(p) {
  const found = new Map();
  for (const m of p.run.messages) {
    const from = lineOf(p, m.from), to = lineOf(p, m.to);
    if (!from || !to || from === to || !visible(p, m.sent, m.at)) continue;
    const key = [from.from, to.from, m.sent, m.at, m.fate, m.what].join();
    if (found.has(key)) found.get(key).all.push(m);
    else found.set(key, { m, from, to, all: [m] });
  }
  return [...found.values()];
}

function drawSheaf(p, sheaf) {
  const { m, from, to } = sheaf, alarm = sheaf.all.some(x => isAlarm(p, x));
  const [x1, y1] = p.geo.xy(p.inView(m.sent), from.line), [x2, y2] = p.geo.xy(...fateOf(p, m, from, to));
  const kind = m.fate !== "arrives" ? "lost" : alarm ? "alarm" : "plain";
  const g = drawn(p.arrows, "g", { class: "message " + kind + " " + (to.below ? hueOf(p, m.from) : "service") });
  drawn(g, "line", { class: "under", x1, y1, x2, y2 });
  if (m.fate === "arrives") drawn(g, "path", { class: "arrow", d: arrowPath(x1, y1, x2, y2, DOT) });
  else drawLost(p, g, sheaf, x1, y1, x2, y2);
  p.messages.push(Object.assign(sheaf, { g, kind, ends: [x1, y1, x2, y2] }));
}

/* The event that tells of a loss has its place at the cross. */
function drawLost(p, g, sheaf, x1, y1, x2, y2) {
  drawn(g, "line", { class: "dashes", x1, y1, x2, y2 });
  const d = sheaf.m.fate === "lost" ? crossPath(x2, y2, 4.5) : `M${x2 - 5} ${y2 - 3}h10M${x2 - 5} ${y2 + 3}h10`;
  drawn(g, "path", { class: "fate", d });
  const events = sheaf.all.map(m => m.b).filter(b => b >= 0 && p.run.events[b][1] < 0);
  for (const b of events) p.places.set(b, [x2, y2]);
  if (events.length) p.points.push({ x: x2, y: y2, g, events });
}

function sheafTexts(p, { m, all }) {
  const fate = m.fate === "arrives" ? "" : " (" + m.fate + ")", many = all.length > 1 ? " \u00d7" + all.length : "";
  return new Set([messageText(p.run, m) + many + fate, m.what + many + fate, m.what + many]);
}

/* A label goes to the first free place along its arrow, left or right of it; where none is, to none. */
function nameMessage(p, entry) {
  const { g, ends: [x1, y1, x2, y2] } = entry, size = p.down ? 10 : 11.5;
  for (const text of sheafTexts(p, entry)) {
    const w = widthOf(text, size);
    for (const share of [0.5, 0.35, 0.65, 0.22, 0.78])
      for (const side of p.down ? [-w / 2] : [7, -w - 7]) {
        const x = x1 + (x2 - x1) * share + side, y = y1 + (y2 - y1) * share - (p.down ? 5 : 0);
        if (x < 1 || x + w > p.width - 1) continue;
        if (!p.room.takeIfFree([x - 2, y - 8, x + w + 2, y + 7])) continue;
        return label(g, x, y + 4, text, { class: "what halo" + (p.down ? " small" : "") });
      }
  }
  return null;
}

function drawMessages(p) {
  p.arrows = drawn(p.svg, "g", {});
  for (const sheaf of sheaves(p)) drawSheaf(p, sheaf);
}

/* The telling ones first, while there is room. */
function nameMessages(p) {
  const first = e => (e.kind === "alarm" ? 0 : e.kind === "lost" ? 1 : e.to.below ? 2 : 3);
  for (const entry of p.messages.slice().sort((a, b) => first(a) - first(b))) nameMessage(p, entry);
}
