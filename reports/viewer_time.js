/* SPDX-License-Identifier: MIT
 *
 * viewer_time.js - how times and clocks are read and written.
 *
 * The page's data counts nanoseconds. True time stays below 2^53, where a Number is exact; a clock's
 * reading multiplies by a rate in parts per 10^9, which is not, and is worked out in BigInt: what a
 * card shows is what the simulator's clock showed, to the nanosecond.
 *
 * The viewer is these files, one after the other, in one script:
 *
 *     viewer_time.js    viewer_scale.js   viewer_lanes.js     viewer_svg.js
 *     viewer_layout.js  viewer_ground.js  viewer_bars.js      viewer_messages.js
 *     viewer_events.js  viewer_panel.js   viewer_text.js      viewer_look.js
 *     viewer_acts.js    viewer.js
 *
 * It draws and never works out what happened: bars, messages and verdicts come with the data.
 */
"use strict";

const NS_PER_S = 1000000000;

/* True time as the trace prints it: seconds with three decimals, or as many more as it takes. */
function seconds(ns) {
  const rest = ns % NS_PER_S;
  const decimals = String(rest).padStart(9, "0").replace(/0{1,6}$/, "");
  return (ns - rest) / NS_PER_S + "." + decimals + "s";
}

/* For the axis: three decimals, and a sign that there are more. */
function shortSeconds(ns) {
  return seconds(ns).replace(/(\.\d{3})\d+s/, "$1\u2026");
}

/* A length of time, in as few characters as three decimals allow: 250us, 1.5s, 2m5s, 1h. */
function span(ns) {
  if (ns >= 60 * NS_PER_S) return longSpan(Math.round(ns / NS_PER_S));
  for (const [unit, size] of [["s", NS_PER_S], ["ms", 1000000], ["us", 1000]])
    if (ns >= size) return String(Math.round(ns * 1000 / size) / 1000) + unit;
  return ns + "ns";
}

function longSpan(s) {
  const parts = [[Math.floor(s / 3600), "h"], [Math.floor(s / 60) % 60, "m"], [s % 60, "s"]];
  return parts.filter(p => p[0] > 0).map(p => p.join("")).join("");
}

/* "12.5" or "12.5s" of a link, in nanoseconds; -1 for anything else. */
function fromSeconds(text) {
  const m = /^(\d{1,7})(?:\.(\d{1,9}))?s?$/.exec(text);
  return m ? Number(m[1]) * NS_PER_S + Number((m[2] || "").padEnd(9, "0")) : -1;
}

function floorDiv(a, b) {
  const q = a / b;
  return a % b < 0 ? q - BigInt(1) : q;
}

/* What a clock gains in d ns of true time, by the simulator's own rule (sim/clock.c). */
function advance(d, ppb) {
  const rest = d % NS_PER_S, whole = (d - rest) / NS_PER_S;
  const rate = BigInt(ppb), second = BigInt(NS_PER_S);
  return BigInt(d) + BigInt(whole) * rate + floorDiv(BigInt(rest) * rate, second);
}

/* The piece [from, reads, ppb, since] of a clock's life in which true time t lies. */
function pieceAt(pieces, t) {
  let found = pieces[0];
  for (const p of pieces) if (p[0] <= t) found = p;
  return found;
}

function reading(pieces, t) {
  const p = pieceAt(pieces, t);
  return BigInt(p[1]) + advance(t - (p.length > 3 ? p[3] : p[0]), p[2]);
}

/* A reading as seconds. `places` decimals, cut off and not rounded; nine is exact. */
function clockText(value, places) {
  const below = value < BigInt(0), size = below ? -value : value, second = BigInt(NS_PER_S);
  const decimals = String(size % second).padStart(9, "0").slice(0, places);
  return (below ? "-" : "") + size / second + "." + decimals;
}

/* A wall clock's reading counts from midnight: the time of day, and which day if not the first. */
function wallText(value, places) {
  const length = BigInt(86400) * BigInt(NS_PER_S), day = floorDiv(value, length);
  const [s, decimals] = clockText(value - day * length, places).split(".");
  const hms = [s / 3600, s / 60 % 60, s % 60].map(n => String(Math.floor(n)).padStart(2, "0"));
  return hms.join(":") + "." + decimals + (day ? " day " + (day > 0 ? "+" : "") + day : "");
}
