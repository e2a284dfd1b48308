// Values in words, the same ones that the command line uses.

const VERBS = { win: "wins", draw: "draws", loss: "loses" };
const LETTERS = { win: "W", draw: "=", loss: "L" };
const OTHER = { win: "loss", draw: "draw", loss: "win" };

export const otherSide = (side) => (side === "X" ? "O" : "X");

/** What a move is worth to the one who plays it: the verdict, and the plies to the end with this move. */
export function worth(move) {
  return { verdict: move.verdict, plies: move.distance === null ? null : move.distance + 1 };
}

/** What a position is worth to the side to move. */
export const standing = (answer) => ({ verdict: answer.category, plies: answer.distance });

/** The same value seen by the other side. */
export const flipped = ({ verdict, plies }) => ({ verdict: OTHER[verdict], plies });

export const plies = (count) => `${count} ${count === 1 ? "ply" : "plies"}`;

/** "wins in 3 plies", "draws", "loses". */
export function outlook({ verdict, plies: count }) {
  const timed = verdict !== "draw" && count !== null;
  return VERBS[verdict] + (timed ? ` in ${plies(count)}` : "");
}

/** What stands in a square: "W in 3", "=", "L". */
export function brief({ verdict, plies: count }) {
  return LETTERS[verdict] + (verdict !== "draw" && count !== null ? ` in ${count}` : "");
}

/** How strongly a value shows, 0 to 1: a near end strongly, a far one faintly. */
export function strength({ verdict, plies: count }, squares) {
  if (verdict === "draw") return 0.16;
  if (count === null) return 0.7;
  return 1 - (0.75 * (count - 1)) / Math.max(1, squares - 1);
}

/** How a finished game ended. */
export const ending = (winner) => (winner ? `${winner} has won` : "A draw");

/** The value of a position by names: "X wins in 5 plies", "a draw". */
export function result(answer) {
  if (answer.terminal) return answer.winner ? `${answer.winner} has won` : "a draw";
  if (answer.category === "draw") return "a draw";
  const ahead = answer.category === "win" ? answer.to_move : otherSide(answer.to_move);
  return `${ahead} ${outlook({ verdict: "win", plies: answer.distance })}`;
}

/** How much a move threw away: "win to draw" and so on; empty when it kept the value. */
export function thrownAway(before, after) {
  const had = before.wdl;
  const has = after.terminal && !after.winner ? 0 : -after.wdl;
  if (has >= had) return "";
  const names = { 1: "a win", 0: "a draw", "-1": "a loss" };
  return `gives ${names[had]} away for ${names[has]}`;
}
