/* SPDX-License-Identifier: MIT
 *
 * viewer_layout.js - where in the picture things are, and how a stroke gets there.
 *
 * Everything has two coordinates: `a` along time and `c` across the lanes. The wide picture has time to
 * the right, the narrow one downwards; `xy` is the only place that knows which.
 */

const ROW = 22, BAR = 18, THIN = 7, NET_ROW = 20, FLAG_ROW = 25, AXIS = 36;
const LINE_ROOM = 28, CLOCK_ROOM = 34;
const LEFT = 12, RIGHT = 16;     /* room before the first instant, and behind all */
const TAIL = 104;                /* what the end leaves standing goes on so far */
const AIRY = 6;                  /* lanes up to which there is room to spare between them */
const TIME_COLUMN = 54;          /* of the narrow picture */
const DOT = 4.6;

/* --- where things are -------------------------------------------------------------------------- */

function geometryOf(scale, view, factor, vertical, start, tail) {
  const at = t => start + (placeOf(scale, t) - view.from) * factor;
  return {
    scale, view, factor, vertical, start,
    first: timeAt(scale, view.from), last: timeAt(scale, view.to),
    length: (view.to - view.from) * factor, at, tail,
    inView: t => Math.min(start + (view.to - view.from) * factor, Math.max(start, at(t))),
    time: a => timeAt(scale, Math.min(view.to, view.from + (a - start) / factor)),
    xy: (a, c) => (vertical ? [c, a] : [a, c]),
  };
}

function layRows(lane, at) {
  for (const row of lane.rows) {
    row.at = at;
    row.size = row.thin ? THIN - 2 : BAR;
    at += row.thin ? THIN : ROW;
  }
  return at;
}

function layLane(lane, c, clocks, air) {
  lane.from = c;
  lane.line = lane.below ? c + 17 + air : layRows(lane, c + 9) + 13;
  const end = lane.below && lane.rows.length ? layRows(lane, lane.line + 17) + 2 : lane.line + LINE_ROOM - 13 + air;
  lane.rulers = clocks && lane.clocks ? end + 4 : 0;
  lane.to = end + (lane.rulers ? CLOCK_ROOM : 4);
  return lane.to;
}

/* Time to the right: lanes below one another. Gives the height. */
function layAcross(pic, top, clocks) {
  let c = top;
  for (const row of pic.net) {
    row.at = c;
    c += NET_ROW;
  }
  const air = pic.lanes.length <= AIRY ? 10 : 0;
  for (const lane of pic.lanes) c = layLane(lane, c, clocks, air);
  return c + 4;
}

/* Time downwards: lanes beside one another, as wide as there is room for. */
function layDown(pic, width) {
  const each = Math.max(64, (width - TIME_COLUMN - 4) / pic.lanes.length);
  pic.lanes.forEach((lane, k) => {
    lane.from = TIME_COLUMN + k * each;
    lane.to = lane.from + each;
    const size = Math.min(17, (each - 34) / Math.max(1, lane.rows.length) - 3);
    lane.rows.forEach((row, i) => Object.assign(row, { at: lane.from + 5 + i * (size + 3), size: Math.max(2, size) }));
    lane.line = lane.from + 5 + lane.rows.length * (size + 3) + 14;
    lane.rulers = 0;
  });
  pic.net.forEach((row, i) => Object.assign(row, { at: TIME_COLUMN + 2 + i * 14 }));
  return TIME_COLUMN + pic.lanes.length * each + 4;
}

/* --- strokes ----------------------------------------------------------------------------------- */

function box(p, parent, a0, a1, c0, c1, at) {
  const [x0, y0] = p.geo.xy(a0, c0), [x1, y1] = p.geo.xy(a1, c1);
  return drawn(parent, "rect", Object.assign({ x: x0, y: y0, width: Math.max(0, x1 - x0), height: Math.max(0, y1 - y0) }, at));
}

function stroke(p, parent, a0, c0, a1, c1, at) {
  const [x1, y1] = p.geo.xy(a0, c0), [x2, y2] = p.geo.xy(a1, c1);
  return drawn(parent, "line", Object.assign({ x1, y1, x2, y2 }, at));
}

function label(parent, x, y, text, at) {
  return drawn(parent, "text", Object.assign({ x, y }, at), text);
}

/* The class of a lane's hue: a client's own, or the services'. `of`: whatever has `hues`. */
function hueOf(of, lane) {
  const hue = lane >= 0 ? of.hues[lane] : -1;
  return hue < 0 ? "service" : "h" + hue % HUES;
}

function hatchOf(p, kind, lane) {
  const hue = lane >= 0 ? p.hues[lane] : -1;
  return "url(#" + p.own + kind + (hue < 0 ? -1 : hue % HUES) + ")";
}

/* Where a bar ends: what nothing ended goes on behind the run's end. */
function endOf(p, to, ending) {
  const goesOn = to >= p.run.end && p.geo.last >= p.run.end && !(ending >= 0);
  return p.inView(to) + (goesOn ? p.tail : 0);
}

function visible(p, from, to) {
  return to >= p.geo.first && from <= p.geo.last;
}
