/* SPDX-License-Identifier: MIT
 *
 * viewer_ground.js - what the story stands on: lanes, true time, quiet stretches, the machines' clocks, the network.
 */

/* --- lanes, axis, breaks, rulers --------------------------------------------------------------- */

function drawGround(p) {
  const end = p.geo.start + p.geo.length + p.tail;
  p.pic.lanes.forEach((lane, k) => {
    box(p, p.svg, 0, end + RIGHT, lane.from, lane.to, { class: k % 2 ? "lane odd" : "lane" });
  });
  const teeth = Math.floor((p.lanesTo - p.lanesFrom) / 14), tooth = p.down ? "l7 4l7 -4" : "l4 7l-4 7";
  for (const i of breaksOf(p.geo.scale)) drawBreak(p, i, tooth.repeat(teeth));
}

/* A zigzag through all lanes where the scale changes: time was left out of the picture here. */
function drawBreak(p, i, zigzag) {
  const { times } = p.geo.scale;
  if (!visible(p, times[i - 1], times[i])) return;
  const a = (p.geo.at(times[i - 1]) + p.geo.at(times[i])) / 2, [x, y] = p.geo.xy(a, p.lanesFrom);
  drawn(p.svg, "path", { class: "break", d: `M${x.toFixed(1)} ${y}` + zigzag });
  const text = span(times[i] - times[i - 1]), shown = p.geo.at(times[i]) - p.geo.at(times[i - 1]);
  if (!p.down && widthOf(text, 9.5) + 6 < shown)
    label(p.svg, a, p.lanesFrom - 3, text, { class: "reads", "text-anchor": "middle" });
}

/* Instants worth a label, most wanted first: the ends, then those beside a break, then the rest. */
function instantsToName(p) {
  const { times } = p.geo.scale, quiet = new Set(breaksOf(p.geo.scale));
  const rank = i => (i === 0 || i === times.length - 1 ? 0 : quiet.has(i) ? 1 : quiet.has(i + 1) ? 2 : 3);
  return Array.from(times, (t, i) => [rank(i), i]).filter(r => visible(p, times[r[1]], times[r[1]]))
    .sort((x, y) => x[0] - y[0] || x[1] - y[1]).map(r => times[r[1]]);
}

/* On the even scale: round steps, some ninety pixels apart. */
function roundInstants(p) {
  const least = (p.geo.last - p.geo.first) / Math.max(1, p.geo.length / 90), found = [];
  let step = Math.pow(10, Math.floor(Math.log10(Math.max(1, least))));
  for (const by of [2, 2.5, 2]) if (step < least) step *= by;
  for (let t = Math.ceil(p.geo.first / step) * step; t <= p.geo.last; t += step) found.push(t);
  return found;
}

/* Draws the labels of true time; gives the instants that got one. */
function drawAxis(p) {
  const room = roomOf(), named = [], g = drawn(p.svg, "g", { class: "axis" });
  for (const t of p.geo.scale.even ? roundInstants(p) : instantsToName(p)) {
    const text = shortSeconds(t), w = widthOf(text, 11), a = p.geo.at(t);
    const near = p.down ? [0, a - 7, 1, a + 7] : [a - w / 2 - 5, 0, a + w / 2 + 5, 1];
    if (!room.takeIfFree(near)) continue;
    named.push(t);
    drawInstant(p, g, a, text);
  }
  return named.sort((x, y) => x - y);
}

function drawInstant(p, g, a, text) {
  if (p.down) label(g, TIME_COLUMN - 6, a + 4, text, { class: "tick", "text-anchor": "end" });
  else label(g, Math.max(a, widthOf(text, 11) / 2 + 1), p.lanesFrom - 14, text, { class: "tick", "text-anchor": "middle" });
  stroke(p, g, a, p.lanesFrom - (p.down ? 4 : 9), a, p.lanesTo, { class: "grid" });
}

function drawRuler(p, g, clock, c, textOf, named) {
  clock.forEach(([from, , ppb], i) => {
    const to = i + 1 < clock.length ? clock[i + 1][0] : p.run.end;
    if (to > from && visible(p, from, to))
      stroke(p, g, p.inView(from), c, endOf(p, to), c, { class: ppb === -NS_PER_S ? "ruler still" : "ruler" });
  });
  let ticks = "";
  for (const t of named) {
    const text = textOf(reading(clock, t)), a = p.geo.at(t), w = widthOf(text, 9.5);
    ticks += `M${a.toFixed(1)} ${c}v5`;
    if (a + w + 4 < p.width && p.room.takeIfFree([a + 1, c + 1, a + w + 7, c + 10])) label(g, a + 3, c + 9, text, { class: "reads" });
  }
  drawn(g, "path", { class: "ruler", d: ticks });
}

/* Arrows take their room after all labels have theirs: only readings of clocks give way to them. */
function takeArrows(p) {
  for (const { ends: [x1, y1, x2, y2] } of p.messages) {
    const n = Math.ceil(Math.abs(y2 - y1) / 8);
    for (let i = 0; i <= n; i++) {
      const x = x1 + (x2 - x1) * i / (n || 1), y = y1 + (y2 - y1) * i / (n || 1);
      p.room.take([x - 1, y - 4, x + 1, y + 4]);
    }
  }
}

/* A machine's own clocks, read at the instants that the axis names. */
function drawRulers(p, named) {
  takeArrows(p);
  const g = drawn(null, "g", { "aria-hidden": "true" });
  p.svg.insertBefore(g, p.arrows);
  for (const lane of p.pic.lanes) {
    if (!lane.rulers) continue;
    const machine = p.run.machines[lane.machine];
    drawRuler(p, g, machine.mono, lane.rulers + 2, v => clockText(v, 3), named);
    drawRuler(p, g, machine.wall, lane.rulers + 17, v => wallText(v, 3), named);
  }
}

function drawMarks(p) {
  for (const mark of p.run.marks) {
    const lane = p.pic.lanes[p.pic.laneOf.get(mark.lane)];
    if (!lane || !visible(p, mark.at, mark.at)) continue;
    const a = p.geo.at(mark.at), c = lane.rulers ? lane.rulers + 17 : lane.line;
    stroke(p, p.svg, a, c - 11, a, c + 11, { class: "clock-mark" });
    const [x, y] = p.geo.xy(a, c), w = widthOf(mark.text, 11, 600);
    const at = p.down ? [x + 4, y - 8] : [Math.min(x + 5, p.width - w - 2), y - 5];
    label(p.svg, at[0], at[1], mark.text, { class: "clock-mark halo" });
    p.room.take([at[0] - 2, at[1] - 11, at[0] + w + 2, at[1] + 3]);
  }
}

/* --- the network ------------------------------------------------------------------------------- */

function drawNet(p) {
  for (const row of p.pic.net)
    for (const g of row.groups) if (visible(p, g.from, g.to)) drawClosure(p, row, g.bars[0]);
}

/* A closed network lies over all lanes; who is cut off from whom is said in words. */
function drawClosure(p, row, bar) {
  const a0 = p.inView(bar.from), a1 = endOf(p, bar.to, bar.b);
  box(p, p.svg, a0, a1, p.lanesFrom, p.lanesTo, { fill: "url(#" + p.own + "net)" });
  for (const a of [a0, a1]) stroke(p, p.svg, a, p.lanesFrom, a, p.lanesTo, { class: "net-edge" });
  const text = bar.kind + ": " + bar.text.replace(/^(partition|cut):? /, "");
  if (p.down) return label(p.late, row.at + 2, a0 + 13, text, { class: "net-text halo" });
  label(p.late, a0 + 6, row.at + 14, text, { class: "net-text halo" });
  p.room.take([a0, row.at, a0 + 12 + widthOf(text, 12, 600), row.at + NET_ROW]);
}
