/* SPDX-License-Identifier: MIT
 *
 * viewer_events.js - what happens at one instant: the events as dots, and the marks on those where a rule broke.
 */

/* --- events ------------------------------------------------------------------------------------ */

const FULL = new Set(["commits", "removes", "finishes", "rewrites", "grants", "effects"]);
const NO = new Set(["refuses", "failed", "dead-letters"]);

/* Events of one lane at one instant are one dot: the figure's points, each with its events. */
function pointsOf(p, notes) {
  const points = new Map();
  p.run.events.forEach((e, i) => {
    if ((e[6] && !notes) || !visible(p, e[0], e[0]) || p.places.has(i)) return;
    const key = p.pic.laneOf.get(e[1]) + ":" + e[0];
    if (!points.has(key)) points.set(key, { lane: p.pic.lanes[p.pic.laneOf.get(e[1])], at: e[0], events: [] });
    points.get(key).events.push(i);
  });
  return [...points.values()];
}

function netLine(p) {
  const row = p.pic.net[0];
  return row ? row.at + (p.down ? 0 : NET_ROW / 2) : p.lanesFrom - 3;
}

function drawPoint(p, point) {
  const [x, y] = p.geo.xy(p.geo.at(point.at), point.lane ? point.lane.line : netLine(p));
  const verbs = point.events.map(i => p.run.events[i]), lane = verbs[0][1];
  const loud = verbs.filter(e => !e[6]), full = loud.some(e => FULL.has(e[2])), no = loud.some(e => NO.has(e[2]));
  const shape = point.lane && point.lane.hue >= 0 ? Math.floor(point.lane.hue / HUES) % 4 : 0;
  const g = drawn(p.dots, "g", { class: "dot " + (lane < 0 ? "network" : hueOf(p, lane)) + (full ? " full" : "") });
  drawn(g, "path", { d: dotPath(shape, x, y, loud.length ? DOT : 2.4), class: "core" });
  if (no) drawn(g, "path", { class: "no", d: `M${x - 6} ${y + 6}l12 -12` });
  else if (loud.length > 1 && !full) drawn(g, "circle", { class: "more", cx: x, cy: y, r: 1.4 });
  p.points.push({ x, y, g, events: point.events });
  for (const i of point.events) p.places.set(i, [x, y]);
  p.room.take([x - 6, y - 6, x + 6, y + 6]);
}

/* Refusals and failures are said beside their dot. */
function sayBeside(p, i) {
  const e = p.run.events[i], place = p.places.get(i);
  if (!NO.has(e[2]) || !place || p.down) return;
  const at = e[3].indexOf(e[2]), text = at < 0 ? e[3] : e[3].slice(at), w = widthOf(text, 11.5, 600), [x, y] = place;
  for (const [dx, dy] of [[9, 14], [-w - 9, 14], [9, -8], [-w - 9, -8], [9, 4]]) {
    if (x + dx < 1 || x + dx + w > p.width) continue;
    if (!p.room.takeIfFree([x + dx, y + dy - 11, x + dx + w, y + dy + 3])) continue;
    label(p.late, x + dx, y + dy, text, { class: "no-text halo" });
    return;
  }
}

function drawPoints(p, notes) {
  const points = pointsOf(p, notes);
  for (const point of points) drawPoint(p, point);
}

/* --- what was broken --------------------------------------------------------------------------- */

/* One flag for each event at which something broke, with the names of the rules. */
function flagsOf(run) {
  const flags = new Map();
  for (const s of run.said) {
    if (s.event < 0 || s.role === "warning") continue;
    if (!flags.has(s.event)) flags.set(s.event, { event: s.event, at: run.events[s.event][0], names: [] });
    flags.get(s.event).names.push(s.invariant);
  }
  return [...flags.values()].map(f => Object.assign(f, { text: "\u2717 " + shortList(f.names) }));
}

function shortList(names) {
  return names.slice(0, 2).join(", ") + (names.length > 2 ? " and " + (names.length - 2) + " more" : "");
}

/* Gives each flag a row and a side, so that none covers another; returns how many rows. */
function layFlags(flags, geo, width) {
  const rows = [];
  for (const f of flags) {
    const w = widthOf(f.text, 12.5, 700) + 18, a = geo.inView(f.at);
    f.x = a + w > width - 4 ? Math.max(2, a - w) : a;
    f.w = w;
    f.row = rows.findIndex(end => end + 6 < f.x);
    if (f.row < 0) f.row = rows.push(0) - 1;
    rows[f.row] = f.x + w;
  }
  return rows.length;
}

/* Above the lanes; in the narrow picture, below the event and at the right edge. */
function drawFlag(p, f) {
  const place = p.places.get(f.event), a = p.inView(f.at), y = p.down ? a + 14 + 26 * f.row : f.row * FLAG_ROW + 2;
  const g = drawn(p.svg, "g", { class: "flag spoils" });
  if (p.down) f.x = p.width - f.w - 3;
  else {
    const lane = p.pic.lanes[p.pic.laneOf.get((p.run.events[f.event] || [])[1])];
    if (place || lane) drawn(g, "line", { class: "lead", x1: a, y1: y + 22, x2: a, y2: place ? place[1] - 13 : lane.line });
  }
  drawn(g, "rect", { x: f.x, y, width: f.w, height: 22, rx: 5 });
  label(g, f.x + 9, y + 15.5, f.text, {});
}

function drawBroken(p) {
  const g = drawn(p.svg, "g", { class: "spoils" });
  for (const s of p.run.said) {
    const place = p.places.get(s.event);
    if (!place) continue;
    if (s.role === "warning") warnAt(p, g, s, place);
    else drawn(g, "circle", { class: "ring-bad", cx: place[0], cy: place[1], r: 11 });
    if (s.role !== "warning") drawn(g, "path", { class: "cross-bad", d: crossPath(place[0], place[1], 3.2) });
    const other = p.places.get(s.other);
    if (other && s.role !== "warning") drawn(g, "circle", { class: "ring-other", cx: other[0], cy: other[1], r: 9.5 });
  }
}

function warnAt(p, g, s, [x, y]) {
  if (p.broken.has(s.event)) return;
  drawn(g, "path", { class: "sign", d: `M${x} ${y - 20}l6 10.5h-12z` });
  label(g, x, y - 11, "!", { class: "sign-text", "text-anchor": "middle" });
}
