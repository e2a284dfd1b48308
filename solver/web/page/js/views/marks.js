// Circles and arrows on the board, written as b2 and a1-c3, and drawn with the right button of the mouse.

import { svgElement } from "../dom.js";
import { squareName, squareNumber } from "../line.js";

const GAP = 0.3; // from the middle of a square to the end of an arrow
const HEAD = 0.26; // the length of its head

/** The squares of a mark. Names of squares may contain a hyphen. */
function squaresOfMark(rules, mark) {
  const whole = squareNumber(rules, mark);
  if (whole >= 0) return [whole];
  const parts = mark.split("-");
  return parts.slice(1).map((_, at) => [parts.slice(0, at + 1), parts.slice(at + 1)].map((each) => squareNumber(rules, each.join("-"))))
    .find((squares) => squares.every((square) => square >= 0)) ?? [];
}

/** Whether a mark names no square or arrow of a board. */
export const unknownMark = (rules, mark) => !squaresOfMark(rules, mark).length;

/** The marks as children of an SVG of the board's size. */
export const drawMarks = (rules, points, marks) => marks.flatMap((mark) => {
  const [from, to] = squaresOfMark(rules, mark).map((square) => points[square]);
  if (!from) return [];
  if (!to) return [svgElement("circle", { class: "marked", cx: from[0], cy: from[1], r: 0.4 })];
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const [dx, dy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const [x, y] = [to[0] - dx * GAP, to[1] - dy * GAP];
  const sides = [1, -1].map((sign) => `L${x} ${y}L${x - HEAD * (dx - sign * dy * 0.7)} ${y - HEAD * (dy + sign * dx * 0.7)}`);
  return [svgElement("path", { class: "marked", d: `M${from[0] + dx * GAP} ${from[1] + dy * GAP}${sides[0]}M${x} ${y}${sides[1]}` })];
});

/** Draw with the right button: a click for a circle, a stroke for an arrow; the same again takes it away. */
export function drawWithMouse(frame, explorer) {
  const squareAt = ({ target }) => target.closest?.("[data-square]")?.dataset.square;
  let from = null; // where the right button was pressed
  frame.addEventListener("pointerdown", (event) => { from = event.button === 2 ? squareAt(event) ?? null : null; });
  frame.addEventListener("contextmenu", (event) => from !== null && event.preventDefault());
  addEventListener("pointerup", (event) => {
    const to = squareAt(event);
    if (event.button !== 2 || from === null || to === undefined) return;
    const { rules, state: { marks } } = explorer;
    const mark = [from, ...(to === from ? [] : [to])].map((square) => squareName(rules, square)).join("-");
    explorer.update({ marks: marks.includes(mark) ? marks.filter((each) => each !== mark) : [...marks, mark] }, { replace: true });
  });
}
