// The value of a game by ply. Up is good for X, down for O; the nearer the end, the further from the middle.

import { countSquares } from "../line.js";
import { positionValue, sideAhead } from "../words.js";

export const HEIGHT = 204; // pixels, like all lengths here
const TOP = 24;
const BOTTOM = 156;
const LEFT = 66;
const RIGHT = 18;
const MIDDLE = (TOP + BOTTOM) / 2;
const HALF = (BOTTOM - TOP) / 2;
const ROOM_FOR_MARK = 12; // pixels per ply with room for a full-size question mark
const ROOMY = 24; // pixels per ply with room for a mark and a count
const NEAREST = 0.4; // the share of the height of the slowest win

/** The children of the chart's SVG: `considered` is an answer one ply ahead, `make` creates an SVG element. */
export function drawChart(answers, at, rules, considered, width, make) {
  const squares = countSquares(rules);
  const last = Math.max(answers.length - 1, considered ? at + 1 : 0, 1);
  const x = (ply) => LEFT + ((width - LEFT - RIGHT) * ply) / last;
  const points = answers.map((answer, ply) => ({
    ...plotValue(answer, squares), x: x(ply), ply, fault: ply > 0 && isWorse(answer, answers[ply - 1]), gap: !answer.category,
  }));
  const parts = [...drawFrame(make, last, x, width, rules), drawNow(make, points[at])];
  if (considered) parts.push(...drawAhead(make, points[at], { ...plotValue(considered, squares), x: x(at + 1) }));
  const known = (point) => point && !point.gap;
  const path = points.map((point, index) => known(point) ? `${known(points[index - 1]) ? "L" : "M"}${point.x.toFixed(1)} ${point.y.toFixed(1)}` : "").join("");
  parts.push(make("path", { class: "curve", d: path }));
  const step = x(1) - x(0);
  return [...parts, ...points.flatMap((point) => drawMark(make, point, point.ply === at, step))];
}

/** Whether a move into a position made the result worse, if both values are known. */
const isWorse = (after, before) => Boolean(after.category && before.category) && -after.wdl < before.wdl;

/** The height of a value, the side ahead (X, O, or "" for a draw) and the plies to the end. */
function plotValue(answer, squares) {
  const ahead = sideAhead(answer);
  const left = answer.terminal ? 0 : positionValue(answer).plies;
  const near = left === null ? 1 : 1 - left / Math.max(1, squares);
  const out = ahead === "" ? 0 : NEAREST + (1 - NEAREST) * near;
  return { y: MIDDLE - (ahead === "O" ? -out : out) * HALF, ahead, left };
}

/** The background of the curve; moves are counted from the first of this game, as in its review. */
function drawFrame(make, last, x, width, { draws }) {
  const label = (text, y) => make("text", { class: "label", x: LEFT - 14, y: y + 4, "text-anchor": "end" }, text);
  const every = [1, 2, 5, 10].find((count) => count * (x(1) - x(0)) >= ROOMY) ?? 20;
  const ticks = Array.from({ length: last + 1 }, (_, ply) => ply).filter((ply) => ply % every === 0);
  return [
    make("rect", { class: "band", x: LEFT - 6, y: TOP - 8, width: width - LEFT - RIGHT + 14, height: HALF * 2 + 16, rx: 8 }),
    make("line", { class: "middle", x1: LEFT - 6, x2: width - RIGHT + 8, y1: MIDDLE, y2: MIDDLE }),
    label("X wins", TOP + 6), ...(draws ? [label("draw", MIDDLE)] : []), label("O wins", BOTTOM - 6),
    ...ticks.map((ply) => make("text", { class: "tick", x: x(ply), y: HEIGHT - 8, "text-anchor": "middle" }, String(ply))),
  ];
}

const drawNow = (make, point) =>
  make("line", { class: "now", x1: point.x, x2: point.x, y1: TOP - 8, y2: BOTTOM + 8 });

const drawAhead = (make, from, to) => [
  make("line", { class: "ahead", x1: from.x, y1: from.y, x2: to.x, y2: to.y }),
  make("circle", { class: "goal", cx: to.x, cy: to.y, r: 5.5 }),
];

/**
 * A point: a cross if X wins, a ring if O wins, a dot for a draw. If there is room, the plies to the end are on the
 * side of the middle, and the mark of a mistake on the other.
 */
function drawMark(make, { x, y, ply, ahead: side, left, fault, gap }, current, step) {
  const size = Math.min(1, Math.max(0.4, step / ROOMY)); // in a long game marks shrink to dots
  const arm = 4.5 * size;
  const shape = {
    X: () => make("path", { class: "stone stone-X", d: `M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}M${x + arm} ${y - arm}l${-2 * arm} ${2 * arm}` }),
    O: () => make("circle", { class: "stone stone-O", cx: x, cy: y, r: 5 * size }),
    "": () => make("circle", { class: "sign-draw", cx: x, cy: y, r: 3.5 * size }),
  }[side]();
  const target = make("rect", { class: "target", "data-at": ply, x: x - Math.min(24, step) / 2, y: TOP - 8, width: Math.min(24, step), height: BOTTOM - TOP + 16 });
  if (gap) return [target];
  const counted = side && left !== null && left > 0 && (current || step >= ROOMY);
  return [
    make("circle", { class: current ? "halo current" : "halo", cx: x, cy: y, r: current ? 10 : 10 * size }),
    shape,
    ...(counted ? [make("text", { class: "count", x, y: side === "X" ? y + 24 : y - 15, "text-anchor": "middle" }, String(left))] : []),
    ...(fault ? [make("text", { class: step < ROOM_FOR_MARK ? "fault small" : "fault", x, y: side === "O" ? y + 22 : y - 13, "text-anchor": "middle" }, "?")] : []),
    target,
  ];
}
