// The strokes through a completed line: straight if its squares are in a row, otherwise from square to square.

const REACH = 0.32; // how far a stroke extends beyond the middle of its last squares, in squares
const DIAGONAL = Math.sqrt(3) / 2;
const DIRECTIONS = {
  cells: [[1, 0], [0, 1], [1, 1], [1, -1]],
  hexagons: [[1, 0], [0.5, DIAGONAL], [-0.5, DIAGONAL]],
};

/** The ends of each stroke, in units of the board, through the squares of completed lines. */
export function findStrikes(rules, line) {
  const directions = DIRECTIONS[rules.diagram.shape] ?? []; // boards of points or edges draw their own strokes
  if (!line.length || !directions.length) return [];
  const points = line.map((square) => rules.diagram.points[square]);
  const straight = rules.diagram.borders.length ? [] : directions.flatMap(([dx, dy]) => runs(rules, points, dx, dy));
  return straight.length ? straight : directions.slice(0, rules.diagram.shape === "cells" ? 2 : 3).flatMap(([dx, dy]) => pairs(points, dx, dy));
}

const near = ([x1, y1], [x2, y2]) => Math.abs(x1 - x2) < 0.05 && Math.abs(y1 - y2) < 0.05;

/** Winning runs of squares in one direction; on a torus they continue at the opposite edge. */
function runs(rules, points, dx, dy) {
  const { width, height } = rules.diagram;
  const wraps = rules.variants.includes("torus");
  const at = (point) => points.find((each) => near(each, point));
  const next = ([x, y], sign) => {
    const to = [x + sign * dx, y + sign * dy];
    return at(to) ?? (wraps ? at([(to[0] + width) % width, (to[1] + height) % height]) : undefined);
  };
  const inside = ([x, y]) => at([x - dx, y - dy]);
  // A run begins at a square without predecessor; one around the whole torus at an edge.
  const begins = [...points.filter((point) => !next(point, -1)), ...points.filter((point) => next(point, -1) && !inside(point))];
  const seen = new Set();
  const found = [];
  for (const first of begins) {
    if (seen.has(first)) continue;
    const run = [];
    for (let point = first; point && !run.includes(point); point = next(point, 1)) run.push(point);
    run.forEach((point) => seen.add(point));
    if (run.length >= rules.k) found.push(...pieces(run, dx, dy));
  }
  return found;
}

/** The strokes of a run: one, or one for each part if it leaves the board and returns. */
function pieces(run, dx, dy) {
  const parts = [[run[0]]];
  for (const point of run.slice(1)) {
    const last = parts.at(-1).at(-1);
    if (near(point, [last[0] + dx, last[1] + dy])) parts.at(-1).push(point);
    else parts.push([point]);
  }
  return parts.map((part) => [
    [part[0][0] - REACH * dx, part[0][1] - REACH * dy], [part.at(-1)[0] + REACH * dx, part.at(-1)[1] + REACH * dy],
  ]);
}

/** Strokes between neighbouring squares in one direction. */
function pairs(points, dx, dy) {
  return points.flatMap((from) => {
    const to = points.find((each) => near(each, [from[0] + dx, from[1] + dy]));
    return to ? [[from, to]] : [];
  });
}
