// Values in words, the same ones that the command line uses.

const VERBS = { win: "wins", draw: "draws", loss: "loses" };
const LETTERS = { win: "W", draw: "=", loss: "L" };

const otherSide = (side) => (side === "X" ? "O" : "X");

/** What a move is worth to the one who plays it: the verdict, and the plies to the end with this move. */
export function moveValue(move) {
  return { verdict: move.verdict, plies: move.distance === null ? null : move.distance + 1 };
}

/** What a position is worth to the side to move. */
export const positionValue = (answer) => ({ verdict: answer.category, plies: answer.distance });

const countPlies = (count) => `${count} ${count === 1 ? "ply" : "plies"}`;

/** "wins in 3 plies", "draws", "loses". */
export function describeValue({ verdict, plies: count }) {
  const timed = verdict !== "draw" && count !== null;
  return VERBS[verdict] + (timed ? ` in ${countPlies(count)}` : "");
}

/** What stands in a square: "W in 3", "=", "L". */
export function abbreviateValue({ verdict, plies: count }) {
  return LETTERS[verdict] + (verdict !== "draw" && count !== null ? ` in ${count}` : "");
}

/** How strongly a value shows, 0 to 1: a near end strongly, a far one faintly. */
export function fillStrength({ verdict, plies: count }, squares) {
  if (verdict === "draw") return 0.16;
  if (count === null) return 0.7;
  return 1 - (0.75 * (count - 1)) / Math.max(1, squares - 1);
}

/** The side that has won or will win with best play: "X", "O", or "" for a draw. */
export function sideAhead({ terminal, winner, wdl, to_move: mover }) {
  if (terminal) return winner ?? "";
  if (wdl === 0) return "";
  return wdl > 0 ? mover : otherSide(mover);
}

/** How a finished game ended. */
export const describeEnding = (winner) => (winner ? `${winner} has won` : "A draw");

/** The value of a position by names: "X wins in 5 plies", "a draw". */
export function describeResult(answer) {
  const ahead = sideAhead(answer);
  if (!ahead) return "a draw";
  return answer.terminal ? describeEnding(ahead) : `${ahead} ${describeValue({ verdict: "win", plies: answer.distance })}`;
}

/** How much a move threw away: "win to draw" and so on; empty when it kept the value. */
export function describeFault(before, after) {
  const had = before.wdl;
  const has = after.terminal && !after.winner ? 0 : -after.wdl;
  if (has >= had) return "";
  const names = { 1: "a win", 0: "a draw", "-1": "a loss" };
  return `gives ${names[had]} away for ${names[has]}`;
}
