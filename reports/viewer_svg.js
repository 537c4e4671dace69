/* SPDX-License-Identifier: MIT
 *
 * viewer_svg.js - elements, the width of a text, room for a label, hatches and shapes.
 *
 * Text from the run reaches the page only as text: `made` sets textContent, nothing sets innerHTML.
 */

const SVG_SPACE = "http://www.w3.org/2000/svg";

function fill(e, parent, at, text) {
  for (const key in at) if (at[key] !== undefined) e.setAttribute(key, at[key]);
  if (text !== undefined) e.textContent = text;
  if (parent) parent.appendChild(e);
  return e;
}

function made(parent, tag, at, text) {
  return fill(document.createElement(tag), parent, at, text);
}

function drawn(parent, tag, at, text) {
  return fill(document.createElementNS(SVG_SPACE, tag), parent, at, text);
}

function button(parent, at, text, act) {
  const b = made(parent, "button", Object.assign({ type: "button" }, at), text);
  b.addEventListener("click", act);
  return b;
}

/* --- text ------------------------------------------------------------------- */

const ruler = document.createElement("canvas").getContext("2d");

const widths = new Map();

/* Width in pixels. Measured off the page, since asking the page lays it out anew; digits are as wide as each other. */
function widthOf(text, size, weight) {
  const face = (weight || 400) + " " + size + "px ", key = face + text.replace(/\d/g, "0");
  if (!widths.has(key)) widths.set(key, measured(text, face, size));
  return widths.get(key);
}

function measured(text, face, size) {
  if (!ruler) return text.length * size * 0.58;
  ruler.font = face + getComputedStyle(document.body).fontFamily;
  return ruler.measureText(text).width;
}

/* --- room for labels -------------------------------------------------------- */

const CELL_W = 96, CELL_H = 24;

function cellsOf(box, act) {
  const [x0, y0, x1, y1] = box;
  for (let i = Math.floor(x0 / CELL_W); i <= Math.floor(x1 / CELL_W); i++)
    for (let j = Math.floor(y0 / CELL_H); j <= Math.floor(y1 / CELL_H); j++)
      if (act(i + ":" + j)) return true;
  return false;
}

function crosses(a, b) {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

/* Boxes [left, top, right, bottom] that are taken. */
function roomOf() {
  const cells = new Map();
  const isFree = box => !cellsOf(box, key => (cells.get(key) || []).some(other => crosses(box, other)));
  const take = box => {
    cellsOf(box, key => {
      if (!cells.has(key)) cells.set(key, []);
      cells.get(key).push(box);
      return false;
    });
    return box;
  };
  return { isFree, take, takeIfFree: box => (isFree(box) ? take(box) : null) };
}

/* --- hatches ---------------------------------------------------------------- */

function hatch(defs, id, kind, gap, angle, line) {
  const p = drawn(defs, "pattern", { id, class: kind, width: gap, height: gap, patternUnits: "userSpaceOnUse",
    patternTransform: "rotate(" + angle + ")" });
  drawn(p, "rect", { class: "ground", width: gap, height: gap });
  drawn(p, "line", { class: "stroke", x1: 0, y1: 0, x2: 0, y2: gap, "stroke-width": line });
}

/* Each drawing has its own: `own` keeps their ids apart where two stand on a page. */
function hatches(parent, own) {
  const defs = drawn(parent, "defs", {});
  for (let h = 0; h < HUES; h++) {
    hatch(defs, own + "false" + h, "false-h h" + h, 6, -45, 2);
    hatch(defs, own + "hand" + h, "hand-h h" + h, 5, 0, 1);
  }
  hatch(defs, own + "false-1", "false-h service", 6, -45, 2);
  hatch(defs, own + "paused", "paused-h", 7, 45, 2.2);
  hatch(defs, own + "suspended", "paused-h", 6, 90, 2.2);
  hatch(defs, own + "net", "net-h", 9, 0, 1);
}

/* --- dots ------------------------------------------------------------------- */

/* Clients with the same hue differ in shape: circle, square, diamond, triangle. */
function dotPath(shape, x, y, r) {
  if (shape === 1) return `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`;
  if (shape === 2) return `M${x} ${y - r - 1.5}l${r + 1.5} ${r + 1.5}l${-r - 1.5} ${r + 1.5}l${-r - 1.5} ${-r - 1.5}z`;
  if (shape === 3) return `M${x} ${y - r - 1}l${r + 1} ${2 * r}h${-2 * r - 2}z`;
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}

function crossPath(x, y, r) {
  return `M${x - r} ${y - r}l${2 * r} ${2 * r}M${x + r} ${y - r}l${-2 * r} ${2 * r}`;
}

/* A line that ends `short` of its goal, with a head there. */
function arrowPath(x1, y1, x2, y2, short) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1, ux = (x2 - x1) / length, uy = (y2 - y1) / length;
  const x = x2 - ux * short, y = y2 - uy * short, n = v => v.toFixed(1);
  const wing = s => n(x - ux * 8 + s * uy * 3.6) + " " + n(y - uy * 8 - s * ux * 3.6);
  return `M${n(x1)} ${n(y1)}L${n(x)} ${n(y)}M${n(x)} ${n(y)}L${wing(1)}L${wing(-1)}z`;
}
