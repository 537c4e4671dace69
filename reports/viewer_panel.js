/* SPDX-License-Identifier: MIT
 *
 * viewer_panel.js - one run's picture, and what moves over it without its being drawn anew: the veil over what is to come,
 * the playhead, the ring round the chosen event, and the dimming of all that did not lead to it.
 */

/* --- veil, playhead, ring ---------------------------------------------------------------------- */

function drawOverlay(p) {
  p.veil = drawn(p.svg, "rect", { class: "veil" });
  p.head = drawn(p.svg, "line", { class: "head" });
  p.knob = drawn(p.svg, "path", { class: "knob" });
  p.ring = drawn(p.svg, "circle", { class: "chosen", r: 9 });
  p.ask = label(p.svg, 0, 0, "?", { class: "unknown", "text-anchor": "middle" });
  p.when = label(p.svg, 0, 0, "", { class: "tick when halo", "text-anchor": p.down ? "end" : "middle" });
}

/* `how`: "none" shows all, "dim" lets what is to come shine through, "hide" does not. */
function moveOverlay(p, t, how, chosen) {
  const a = p.inView(t), end = p.geo.start + p.geo.length + p.tail + RIGHT, from = how === "hide" ? 0 : p.lanesFrom;
  const [x, y] = p.geo.xy(a, from), [x1, y1] = p.geo.xy(end, p.lanesTo + 4);
  fill(p.veil, null, { x, y, width: Math.max(0, x1 - x), height: Math.max(0, y1 - y), "data-how": how });
  const [hx, hy] = p.geo.xy(a, p.lanesFrom - 5), [ex, ey] = p.geo.xy(a, p.lanesTo);
  fill(p.head, null, { x1: hx, y1: hy, x2: ex, y2: ey, "data-how": how });
  fill(p.knob, null, { d: p.down ? `M${hx - 8} ${hy - 5}v10h5l6 -5l-6 -5z` : `M${hx - 6} ${hy - 8}h12v6l-6 7l-6 -7z`, "data-how": how });
  const [qx, qy] = p.geo.xy(Math.min(a + 60, (a + end) / 2), (p.lanesFrom + p.lanesTo) / 2);
  fill(p.ask, null, { x: qx, y: qy + 14, "data-how": how });
  const [wx, wy] = p.down ? [TIME_COLUMN - 10, a + 4] : [a, p.lanesFrom - 16];
  fill(p.when, null, { x: wx, y: wy, "data-how": how }, shortSeconds(t));
  const place = p.places.get(chosen);
  fill(p.ring, null, place ? { cx: place[0], cy: place[1], visibility: "visible" } : { visibility: "hidden" });
}

/* Dims all but these events and what was sent between them; null: everything is itself again. */
function keepOnly(p, events) {
  p.svg.classList.toggle("dimmed", events !== null);
  for (const point of p.points)
    point.g.classList.toggle("kept", events !== null && point.events.some(i => events.has(i)));
  for (const { g, all } of p.messages)
    g.classList.toggle("kept", events !== null && all.some(m => events.has(m.a) && events.has(m.b)));
}

/* The events near a point of the picture, nearest dot first; null where there is none. */
function pointNear(p, x, y) {
  let best = null, least = 15 * 15;
  for (const point of p.points) {
    const d = (point.x - x) * (point.x - x) + (point.y - y) * (point.y - y);
    if (d < least) {
      best = point;
      least = d;
    }
  }
  return best;
}

/* --- a panel ----------------------------------------------------------------------------------- */

let panels_made = 0;

function newPanel(pic, geo, width) {
  return {
    pic, geo, width, run: pic.run, hues: pic.hues, down: geo.vertical, inView: geo.inView, tail: geo.tail,
    own: "p" + panels_made++ + "-", room: roomOf(), broken: brokenEvents(pic.run),
    places: new Map(), points: [], messages: [], late: drawn(null, "g", {}),
  };
}

function drawLanes(p) {
  for (const lane of p.pic.lanes) drawLifeline(p, lane);
  for (const lane of p.pic.lanes)
    for (const bar of lane.onLine) if (visible(p, bar.from, bar.to)) drawOnLine(p, lane, bar);
  for (const lane of p.pic.lanes) for (const row of lane.rows) drawRow(p, row);
}

function drawAll(p, notes) {
  hatches(p.svg, p.own);
  drawGround(p);
  p.named = drawAxis(p);
  drawNet(p);
  drawLanes(p);
  drawMarks(p);
  p.dots = drawn(null, "g", {});
  drawMessages(p);
  drawPoints(p, notes);
  nameMessages(p);
  drawRulers(p, p.named);
  p.svg.appendChild(p.late);
  p.svg.appendChild(p.dots);
  p.run.events.forEach((e, i) => sayBeside(p, i));
  drawBroken(p);
  for (const f of p.flags) drawFlag(p, f);
  drawOverlay(p);
}

/* Draws one run into `host`. `wide`: { scale, view, factor, clocks, notes, words }. */
function drawPanel(host, pic, how) {
  const vertical = how.vertical, start = vertical ? 26 : LEFT;
  const geo = geometryOf(how.scale, how.view, how.factor, vertical, start, how.tail);
  const along = Math.ceil(geo.start + geo.length + how.tail + RIGHT), flags = flagsOf(pic.run).filter(f => f.at >= geo.first && f.at <= geo.last);
  const top = layFlags(flags, geo, along) * FLAG_ROW + AXIS;
  const across = vertical ? layDown(pic, how.width) : layAcross(pic, top, how.clocks);
  const p = newPanel(pic, geo, vertical ? across : along);
  Object.assign(p, { flags, lanesFrom: vertical ? TIME_COLUMN : top, lanesTo: across - 4, height: vertical ? along : across });
  p.svg = drawn(host, "svg", { viewBox: `0 0 ${p.width} ${p.height}`, width: p.width, height: p.height, role: "img",
    "aria-label": how.words, class: vertical ? "down" : "across" });
  drawAll(p, how.notes);
  return p;
}
