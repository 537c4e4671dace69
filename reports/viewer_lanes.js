/* SPDX-License-Identifier: MIT
 *
 * viewer_lanes.js - which lanes are shown, and in which row of its lane each bar lies.
 *
 *  1. The voters of one lock, when they are many, stand folded in one lane, a thin row each.
 *  2. What one client has in hand (it believes, it has it, it acts) is one group and shares a row.
 *  3. Two groups that overlap in time never share a row: two holders at once are seen as two bars.
 *  4. A lane of few resources has rows for each; one of many packs them, to stay low.
 */

const HUES = 6;       /* clients beyond that repeat a hue, with another shape of dot */
const FOLD_FROM = 4;  /* voters of one lock from which on they are folded */
const OWN_ROWS = 5;   /* resources of one lane up to which each has rows of its own */

/* Bars that lie on the lane's own line: what the process itself is doing. */
const ON_LINE = new Set(["paused", "suspended", "down", "slow", "waits", "works", "mark"]);
const IN_HAND = new Set(["has", "believes", "acts"]);

function lockOfVoter(lane) {
  return lane.name.replace(/\.[^.]*$/, "");
}

/* Hue and shape of the clients' lanes, by order; -1 for services. */
function huesOf(run) {
  let next = 0;
  return run.lanes.map(l => (l.kind === "client" || l.kind === "node" ? next++ : -1));
}

function votersOf(run, lock) {
  return run.lanes.map((l, i) => i)
    .filter(i => run.lanes[i].kind === "voter" && lockOfVoter(run.lanes[i]) === lock);
}

function foldedLane(run, lock, members) {
  return { name: lock + " voters", about: members.length + " voters, folded", kind: "voters", machine: -1, lock, members };
}

function singleLane(run, i) {
  const l = run.lanes[i];
  return { name: l.name, about: l.about, kind: l.kind, machine: l.machine, members: [i],
    lock: l.kind === "voter" && votersOf(run, lockOfVoter(l)).length >= FOLD_FROM ? lockOfVoter(l) : "" };
}

/* The lanes to draw, in order. `open` is the set of locks whose voters stand apart. */
function lanesOf(run, open) {
  const shown = [], done = new Set();
  run.lanes.forEach((l, i) => {
    const lock = l.kind === "voter" ? lockOfVoter(l) : "";
    if (done.has(lock)) return;
    const members = lock ? votersOf(run, lock) : [];
    const fold = members.length >= FOLD_FROM && !open.has(lock);
    if (fold) done.add(lock);
    shown.push(fold ? foldedLane(run, lock, members) : singleLane(run, i));
  });
  return shown;
}

function groupKey(bar, i) {
  return IN_HAND.has(bar.kind) ? ["hand", bar.of, bar.who, bar.token].join("\n") : "bar\n" + i;
}

function groupsOf(bars) {
  const groups = new Map();
  bars.forEach((bar, i) => {
    const key = groupKey(bar, i), g = groups.get(key);
    if (!g) groups.set(key, { of: bar.of, from: bar.from, to: bar.to, bars: [bar] });
    else {
      g.from = Math.min(g.from, bar.from);
      g.to = Math.max(g.to, bar.to);
      g.bars.push(bar);
    }
  });
  return [...groups.values()].sort((a, b) => a.from - b.from);
}

function resourcesOf(groups) {
  return [...new Set(groups.map(g => g.of))];
}

/* Greedy: the first row that is free from the group's beginning on. */
function packed(groups) {
  const order = resourcesOf(groups), own = order.length <= OWN_ROWS, rows = [];
  for (const g of groups) {
    let row = rows.find(r => r.end <= g.from && (!own || r.of === g.of));
    if (!row) rows.push(row = { of: g.of, end: 0, groups: [] });
    row.end = Math.max(g.to, g.from + 1);
    row.groups.push(g);
  }
  return own ? rows.sort((a, b) => order.indexOf(a.of) - order.indexOf(b.of)) : rows;
}

function thinRows(run, lane) {
  return lane.members.map(i => {
    const bars = run.bars.filter(b => b.lane === i);
    return { of: run.lanes[i].name, thin: true, groups: bars.map(b => ({ of: b.of, from: b.from, to: b.to, bars: [b] })) };
  });
}

function fillLane(run, lane) {
  const bars = run.bars.filter(b => lane.members.includes(b.lane));
  const folded = lane.kind === "voters";
  lane.rows = folded ? thinRows(run, lane) : packed(groupsOf(bars.filter(b => !ON_LINE.has(b.kind))));
  lane.onLine = folded ? [] : bars.filter(b => ON_LINE.has(b.kind));
  lane.below = lane.kind === "store" || lane.kind === "table";
}

/* The picture of one run before anything has a place: lanes with rows, hues, and the network's rows. */
function pictureOf(run, open) {
  const lanes = lanesOf(run, open), laneOf = new Map();
  const hues = huesOf(run), clocked = new Set();
  lanes.forEach((lane, k) => {
    fillLane(run, lane);
    lane.hue = lane.members.length === 1 ? hues[lane.members[0]] : -1;
    lane.clocks = lane.machine >= 0 && !clocked.has(lane.machine);
    if (lane.clocks) clocked.add(lane.machine);
    for (const i of lane.members) laneOf.set(i, k);
  });
  const net = packed(groupsOf(run.bars.filter(b => b.lane < 0)));
  return { run, lanes, laneOf, hues, net };
}
