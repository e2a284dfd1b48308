// The rules of a game on a rectangle in its small picture: the winning line, struck through if it
// loses; across the edge on a torus; on the bottom with gravity.

import { svgElement } from "../dom.js";

const GRID = /^(\d+),(\d+),(\d+)((?:,\w+)*)$/;
const OVER = 0.5; // from the middle of a square to its edge

/** The strokes for a game of this name; none unless it is a rectangle. The unit is a square. */
export function drawRules(game, { points, columns, height }) {
  const [, , , k, rest] = GRID.exec(game) ?? [];
  if (!k) return [];
  const variants = rest.split(",");
  const at = (row, column) => points[row * columns + column];
  const gravity = variants.includes("gravity");
  const last = points.length / columns - 1;
  const along = (index) => (gravity ? [last, index] : [index, index]);
  const line = Array.from({ length: Number(k) }, (_, index) => along(index)).filter(([row, column]) => row <= last && column < columns);
  const ends = variants.includes("torus")
    ? wrapped(at, Number(k), columns)
    : [[at(...line[0]), at(...line.at(-1))]];
  const loses = variants.includes("misere");
  const strokes = ends.map(([from, to]) => stroke(loses ? "rule loses" : "rule", from, to));
  if (loses) strokes.push(...struck(ends[0]));
  if (gravity) strokes.push(stroke("floor", [0, height - 0.02], [columns, height - 0.02]));
  return strokes;
}

const stroke = (className, [x1, y1], [x2, y2]) => svgElement("line", { class: className, x1, y1, x2, y2 });

/** A diagonal that leaves the board at its right edge and returns at the left. */
function wrapped(at, k, columns) {
  const turn = columns - 1; // the first row after the edge
  const [first, edge, back, end] = [at(0, 1), at(turn - 1, turn), at(turn, 0), at(Math.max(k - 1, turn), Math.max(k - 1 - turn, 0))];
  return [[first, [edge[0] + OVER, edge[1] + OVER]], [[back[0] - OVER, back[1] - OVER], end]];
}

/** A short stroke across the middle of a line. */
function struck([[x1, y1], [x2, y2]]) {
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(0.45 * (y2 - y1)) / length, (-0.45 * (x2 - x1)) / length];
  return [stroke("rule loses", [x - dx, y - dy], [x + dx, y + dy])];
}
