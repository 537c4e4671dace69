/* SPDX-License-Identifier: MIT
 *
 * viewer_scale.js - from true time to a place along the axis, and back.
 *
 * A message takes a millisecond and a lease ten seconds: drawn to one scale, one of the two cannot
 * be seen. So each stretch between two instants at which something happens gets a length of its own
 * that grows with the logarithm of its duration:
 *
 *  1. Order is kept, and inside one stretch time runs evenly.
 *  2. A stretch many times longer than a message takes is a break, and is drawn as one.
 *  3. The even scale, true to length, is there for who asks for it.
 */

const STRETCH = 9;     /* length of the shortest stretch */
const BREAK_FROM = 16; /* messages' times after which a stretch counts as quiet */

/* How long a message usually takes in these runs: the unit of what counts as short. */
function unitOf(runs) {
  const took = [];
  for (const run of runs)
    for (const m of run.messages) if (m.at > m.sent) took.push(m.at - m.sent);
  took.sort((a, b) => a - b);
  return took.length ? took[took.length >> 1] : 1000000;
}

/* Every instant of a run that the picture shows, in no order. */
function instantsOf(run) {
  const at = [0, run.end];
  for (const e of run.events) at.push(e[0]);
  for (const b of run.bars) at.push(b.from, b.to);
  for (const m of run.messages) at.push(m.sent, m.at);
  for (const m of run.marks) at.push(m.at);
  for (const a of run.asks) if (a.at < run.end) at.push(a.at);
  return at;
}

function sortedOnce(times) {
  const all = Float64Array.from(times).sort();
  return all.filter((t, i) => i === 0 || t !== all[i - 1]);
}

function lengthOf(gap, unit) {
  return STRETCH * (1 + Math.log2(1 + gap / unit));
}

/* One scale over all the runs given, so that they can stand under one playhead. */
function scaleOf(runs, even) {
  const unit = unitOf(runs), times = sortedOnce([].concat(...runs.map(instantsOf)));
  const places = new Float64Array(times.length);
  const whole = times[times.length - 1] - times[0] || 1;
  for (let i = 1; i < times.length; i++) {
    const gap = times[i] - times[i - 1];
    places[i] = even ? 1000 * (times[i] - times[0]) / whole : places[i - 1] + lengthOf(gap, unit);
  }
  return { unit, even, times, places, length: places[places.length - 1] || 1 };
}

/* The last index whose entry is not above x; 0 if all are. */
function lastUpTo(sorted, x) {
  let low = 0, high = sorted.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (sorted[mid] <= x) low = mid; else high = mid - 1;
  }
  return low;
}

function between(from, to, x) {
  const i = lastUpTo(from, x);
  if (i + 1 >= from.length || x <= from[i]) return to[i];
  return to[i] + (to[i + 1] - to[i]) * (x - from[i]) / (from[i + 1] - from[i]);
}

function placeOf(scale, t) {
  return between(scale.times, scale.places, t);
}

/* The time at a place: an instant of the run itself, or between two a round one. */
function timeAt(scale, place) {
  const x = Math.max(0, place), i = lastUpTo(scale.places, x), t = Math.round(between(scale.places, scale.times, x));
  if (x <= scale.places[i] || i + 1 === scale.times.length) return scale.times[i];
  const gap = scale.times[i + 1] - scale.times[i];
  const step = Math.pow(10, Math.max(0, Math.floor(Math.log10(gap / 100)))), round = Math.round(t / step) * step;
  return round >= scale.times[i] && round <= scale.times[i] + gap ? round : t;
}

/* The quiet stretches, as indices of the instant after each. */
function breaksOf(scale) {
  const found = [];
  if (scale.even) return found;
  for (let i = 1; i < scale.times.length; i++)
    if (scale.times[i] - scale.times[i - 1] > BREAK_FROM * scale.unit) found.push(i);
  return found;
}
