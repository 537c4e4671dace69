/* SPDX-License-Identifier: MIT
 *
 * viewer_bars.js - what lasts: who holds by the service's word, who believes or acts, values, and what stops.
 *
 * The two sides of a lease are bars of one kind, so that they can be compared by eye: solid where belief and
 * the service's word agree, hatched where they do not.
 */

function drawLifeline(p, lane) {
  stroke(p, p.svg, p.geo.start, lane.line, endOf(p, p.run.end), lane.line, { class: "life" });
}

const LINE_BARS = {
  paused: [9, "paused"], suspended: [9, "suspended"], down: [9, "crashed"], slow: [6, "slow"],
  works: [3, "works"], waits: [0, "waits"], mark: [6, "fence"],
};

function drawOnLine(p, lane, bar) {
  const [half, name] = LINE_BARS[bar.kind], a0 = p.inView(bar.from), a1 = endOf(p, bar.to, bar.b);
  const hue = hueOf(p, bar.lane), g = drawn(p.svg, "g", { class: name + " " + hue });
  if (bar.kind === "waits") return stroke(p, g, a0, lane.line, a1, lane.line, { class: "waiting-line" });
  if (bar.kind === "mark") return stroke(p, g, a0, lane.line - 9, a0, lane.line + 9, { class: "fence-mark" });
  const hatched = bar.kind === "paused" || bar.kind === "suspended";
  box(p, g, a0, Math.max(a1, a0 + 2), lane.line - half, lane.line + half,
    { rx: 4, class: "body", fill: hatched ? "url(#" + p.own + bar.kind + ")" : undefined });
  if (half > 5) nameOnLine(p, lane, bar, a0, a1);
}

function nameOnLine(p, lane, bar, a0, a1) {
  const size = p.down ? 10.5 : 12;
  const text = [bar.text, bar.kind].find(t => widthOf(t, size, 600) + 22 < a1 - a0);
  if (!text) return;
  const w = widthOf(text, size, 600);
  if (p.down) return turned(p.late, lane.line - 3.8, a0 + 12, text, { class: "stopped halo small" });
  label(p.late, a0 + 13, lane.line + 4, text, { class: "stopped halo" });
  p.room.take([a0 + 10, lane.line - 9, a0 + 16 + w, lane.line + 9]);
}

function turned(parent, x, y, text, at) {
  return label(parent, x, y, text, Object.assign({ transform: `rotate(90 ${x} ${y})` }, at));
}

/* A value with its token and, in a service of several, the register's name. */
function valueTexts(p, bar) {
  const name = bar.of === p.run.lanes[bar.lane].name ? "" : bar.of + " = ";
  return [name + bar.text + (bar.token ? ", token " + bar.token : ""), name + bar.text];
}

/* The first of a bar's possible texts that fits its length. */
function drawBarText(p, row, bar, a0, a1, at) {
  if (row.thin || row.size < 11) return;
  const size = p.down ? 10.5 : 12;
  const texts = [bar.text, bar.token ? "token " + bar.token : bar.kind, bar.token || ""];
  if (bar.kind === "value") texts.unshift(...valueTexts(p, bar));
  const text = texts.find(t => t && widthOf(t, size, 600) + 14 < a1 - a0);
  if (!text) return;
  const c = row.at + row.size / 2;
  if (p.down) turned(p.late, c - 3.5, a0 + 7, text, at);
  else label(p.late, a0 + 7, c + 4.2, text, at);
}

function drawHeldBar(p, row, bar) {
  const a0 = p.inView(bar.from), a1 = Math.max(a0 + 2, endOf(p, bar.to, bar.b));
  const plain = bar.kind === "waiting" || bar.kind === "done" || bar.kind === "dead";
  const hue = plain ? "free" : hueOf(p, bar.who), over = bar.lapsed ? " false" : "";
  const r = box(p, p.svg, a0, a1, row.at, row.at + row.size, { class: "bar " + hue + over + " " + bar.kind, rx: row.thin ? 1.5 : 4 });
  if (bar.lapsed) r.style.fill = hatchOf(p, "false", bar.who);
  drawBarText(p, row, bar, a0, a1, { class: "in-bar " + hue + (bar.lapsed ? " halo" : "") });
}

/* What is left of [from, to] outside these stretches, which ascend. */
function outside(from, to, stretches) {
  const parts = [];
  for (const [a, b] of stretches) {
    if (a > from) parts.push([from, Math.min(a, to)]);
    from = Math.max(from, b);
  }
  if (from < to) parts.push([from, to]);
  return parts.filter(([a, b]) => a < b);
}

/* The parts of what is in hand that the service's word did not bear out. */
function falseParts(bar) {
  return outside(bar.from, bar.to, bar.truth || []);
}

function drawPart(p, row, lane, from, to, kind, ending) {
  if (from >= to || !visible(p, from, to)) return;
  const a0 = p.inView(from), a1 = Math.max(a0 + 2, endOf(p, to, ending));
  const r = box(p, p.svg, a0, a1, row.at, row.at + row.size, { class: "bar " + hueOf(p, lane) + " " + kind, rx: row.thin ? 1.5 : 4 });
  if (kind === "false" || kind === "hand") r.style.fill = hatchOf(p, kind, lane);
}

/* A strip while it acts; hatched where by its own check it no longer has what it acts under. */
function drawActs(p, row, bar, hue, own) {
  if (!visible(p, bar.from, bar.to)) return;
  for (const [from, to] of outside(bar.from, bar.to, own)) {
    drawPart(p, row, bar.lane, from, to, "hand", bar.b);
    for (const [a, b] of falseParts(bar)) drawPart(p, row, bar.lane, Math.max(a, from), Math.min(b, to), "false", bar.b);
  }
  const a0 = p.inView(bar.from), a1 = Math.max(a0 + 3, endOf(p, bar.to, bar.b));
  box(p, p.svg, a0, a1, row.at + row.size - 3, row.at + row.size, { class: "acts " + hue });
}

/* In hand: what it believes or, of a row, has (hatched where untrue); and when it acts. */
function drawHand(p, row, group) {
  const of = kind => group.bars.filter(b => b.kind === kind), hue = hueOf(p, group.bars[0].lane);
  const own = of("has").concat(of("believes"));
  for (const b of own) {
    for (const [from, to] of b.truth || []) drawPart(p, row, b.lane, from, to, b.kind, b.b);
    for (const [from, to] of falseParts(b)) drawPart(p, row, b.lane, from, to, "false", b.b);
  }
  const times = own.map(b => [b.from, b.to]).sort((x, y) => x[0] - y[0]);
  for (const b of of("acts")) drawActs(p, row, b, hue, times);
  nameHand(p, row, of("believes").concat(own, of("acts"))[0], group, hue);
}

function nameHand(p, row, bar, group, hue) {
  const from = bar.kind === "believes" ? bar.from : group.from;
  const to = bar.kind === "believes" ? Math.max(bar.to, ...group.bars.map(b => b.to)) : group.to;
  drawBarText(p, row, bar, p.inView(from), endOf(p, to), { class: "in-bar halo " + hue });
}

function drawRow(p, row) {
  for (const g of row.groups) {
    if (!visible(p, g.from, g.to)) continue;
    if (IN_HAND.has(g.bars[0].kind)) drawHand(p, row, g);
    else drawHeldBar(p, row, g.bars[0]);
    const a0 = p.inView(g.from), a1 = endOf(p, g.to, g.bars[0].b), [x0, y0] = p.geo.xy(a0, row.at);
    const [x1, y1] = p.geo.xy(Math.min(a1, a0 + 14 + Math.max(...g.bars.map(b => widthOf(b.text, 12, 600)))), row.at + row.size);
    p.room.take([x0, y0, x1, y1]);
  }
}
