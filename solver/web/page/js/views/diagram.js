// Pictures of boards: the lines below the squares, and whole small boards. The unit is a square.

import { svgElement } from "../dom.js";

const HEXAGON = [[0, -1], [0.866, -0.5], [0.866, 0.5], [0, 1], [-0.866, 0.5], [-0.866, -0.5]];

/** The lines through points, the edges of a graph, or borders in the colours of their sides, as children of an SVG of the board's size. */
export function drawBackground({ shape, points, lines, corners, corner_names: names, ends, stones, borders }) {
  if (shape === "edges") {
    const taken = (edge) => (edge < points.length ? {} : { class: `edge by-${stones[edge - points.length].side}` });
    const edges = ends.map(([a, b], edge) => svgElement("line", {
      class: "edge", "data-edge": edge < points.length ? edge : null, ...taken(edge), x1: corners[a][0], y1: corners[a][1], x2: corners[b][0], y2: corners[b][1],
    }));
    const named = corners.filter((_, number) => names[number]);
    return [...edges, ...corners.map(([cx, cy]) => svgElement("circle", { class: "corner", cx, cy, r: named.length ? 0.16 : 0.09 })),
      ...corners.map(([x, y], number) => svgElement("text", { class: "corner-name", x, y }, names[number] ?? ""))];
  }
  const sides = borders.map(({ side, points: way }) => svgElement("polyline", { class: `border by-${side}`, points: way.join(" ") }));
  return [...sides, ...lines.map((line) => svgElement("path", { class: "stroke", "data-line": line.join(" "), d: curve(line.map((s) => points[s])) }))];
}

/** A small decorative picture of a board without stones. */
export function drawSmall(diagram) {
  const { width, height, shape, points } = diagram;
  return svgElement("svg", { class: `small shape-${shape}`, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    ...drawBackground({ ...diagram, corner_names: [] }), ...(shape === "edges" ? [] : points.map((point) => drawCell(shape, point))), ...drawStones(diagram));
}

/** A small board with the stones of a position, and its moves tinted by their values. */
export function drawValues(diagram, { board, moves }) {
  const { shape, points } = diagram;
  const picture = drawSmall(diagram);
  const verdicts = new Map(moves.map(({ square, verdict }) => [square, verdict]));
  if (shape === "edges") {
    for (const edge of picture.querySelectorAll("[data-edge]")) {
      const side = board[edge.dataset.edge];
      edge.classList.add(side === "." ? verdicts.get(Number(edge.dataset.edge)) ?? "taken" : `by-${side}`);
    }
    return picture;
  }
  picture.querySelectorAll(".tile").forEach((tile, square) => tile.classList.add(verdicts.get(square) ?? "taken"));
  board.forEach((side, square) => {
    const [x, y] = points[square];
    picture.append(side === "."
      ? svgElement("use", { href: `#sign-${verdicts.get(square)}`, class: `sign ${verdicts.get(square)}`, x: x - 0.14, y: y - 0.14, width: 0.28, height: 0.28 })
      : svgElement("use", { href: `#stone-${side}`, class: `stone stone-${side}`, x: x - 0.5, y: y - 0.5, width: 1, height: 1 }));
  });
  return picture;
}

/** The stones that are there from the start. */
export const drawStones = ({ stones, shape }) => stones.map(({ side, point: [x, y] }) => {
  const size = shape === "edges" ? 0.6 : 1;
  return svgElement("use", { href: `#stone-${side}`, class: `stone stone-${side}`, x: x - size / 2, y: y - size / 2, width: size, height: size });
});

function drawCell(shape, [x, y]) {
  if (shape === "points") return svgElement("circle", { class: "tile", cx: x, cy: y, r: 0.36 });
  if (shape === "cells") return svgElement("rect", { class: "tile", x: x - 0.45, y: y - 0.45, width: 0.9, height: 0.9, rx: 0.14 });
  const corners = HEXAGON.map(([right, down]) => `${x + right * 0.55},${y + down * 0.55}`);
  return svgElement("polygon", { class: "tile", points: corners.join(" ") });
}

/** A smooth curve through points, straight if they are in line (Catmull and Rom 1974); a circle through three equidistant ones. */
function curve(points) {
  if (points.length === 3) {
    const [a, b, c] = points;
    const sides = [[a, b], [b, c], [c, a]].map(([[x1, y1], [x2, y2]]) => Math.hypot(x2 - x1, y2 - y1));
    if (Math.max(...sides) < 1.01 * Math.min(...sides)) {
      const radius = sides[0] / Math.sqrt(3);
      const turn = (b[0] - a[0]) * (c[1] - a[1]) > (c[0] - a[0]) * (b[1] - a[1]) ? 1 : 0;
      return [`M${a}`, ...[b, c, a].map((to) => `A${radius} ${radius} 0 0 ${turn} ${to}`)].join("");
    }
  }
  const at = (index) => points[Math.min(Math.max(index, 0), points.length - 1)];
  const pieces = points.slice(1).map((to, index) => {
    const [before, from, after] = [at(index - 1), at(index), at(index + 2)];
    const leave = from.map((part, axis) => part + (to[axis] - before[axis]) / 6);
    const arrive = to.map((part, axis) => part - (after[axis] - from[axis]) / 6);
    return `C${leave} ${arrive} ${to}`;
  });
  return `M${points[0]}${pieces.join("")}`;
}
