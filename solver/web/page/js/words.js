// Values in words, as on the command line, but what it calls a ply is a move here: players do not know the word.

import { otherSide } from "./line.js";

export const VERBS = { win: "wins", draw: "draws", loss: "loses" };
const INITIALS = { win: "W", draw: "=", loss: "L" };

/** The value of a move for the side that makes it: the verdict, and the plies to the end including this move, or at most. */
export function moveValue(move) {
  const plies = move.distance ?? move.within ?? null;
  return { verdict: move.verdict, plies: plies === null ? null : plies + 1, isBound: "within" in move };
}

/** Whether some move of a position is not settled. */
export const isUnsettled = ({ moves }) => moves.some(({ verdict }) => !verdict);

/** The value of a position for the side to move. */
export const positionValue = ({ category, distance, within = null }) =>
  ({ verdict: category, plies: distance ?? within, isBound: within !== null });

/** "1 move", "3 moves": those of both sides. */
export const countMoves = (count) => `${count} ${count === 1 ? "move" : "moves"}`;

/** "wins in 3 moves", "wins within 35 moves", "draws", "loses". */
export function describeValue({ verdict, plies: count, isBound }) {
  if (!verdict) return "is not settled yet";
  const timed = verdict !== "draw" && count !== null;
  return VERBS[verdict] + (timed ? ` ${isBound ? "within" : "in"} ${countMoves(count)}` : "");
}

/** The text in a square: "W in 3", "W \u2264 35" for a win within 35 moves, "=", "L". */
export function abbreviateValue({ verdict, plies: count, isBound }) {
  return INITIALS[verdict] + (verdict !== "draw" && count !== null ? ` ${isBound ? "\u2264" : "in"} ${count}` : "");
}

/**
 * The strength of a value's tint, 0 to 1: stronger the nearer the end is; for a draw, the more of the replies
 * to it are mistakes, if that is known (`replies`).
 */
export function fillStrength({ verdict, plies: count }, squares, replies) {
  if (!verdict) return 0;
  if (verdict === "draw") return 0.05 + (replies?.replies ? 0.95 * (1 - replies.holding / replies.replies) : 0);
  if (count === null) return 0.7;
  return 1 - (0.75 * (count - 1)) / Math.max(1, squares - 1);
}

/** "7 of 8 lose", "20 of 21 replies miss the win": how many replies to a move are mistakes; empty if none is, or it is unknown. */
export function countMistakes(counted, noun = "") {
  const mistakes = counted ? counted.replies - counted.holding : 0;
  const fail = counted?.verdict === "draw" ? ["lose", "loses"] : ["miss the win", "misses the win"];
  return mistakes ? `${mistakes} of ${counted.replies}${noun} ${fail[+(mistakes === 1)]}` : "";
}

/** The moves with equal ones ordered by how easily the opponent errs. */
export function sortByTraps(moves, replies) {
  const share = ({ name }) => {
    const { replies: all = 0, holding = 0 } = replies?.get(name) ?? {};
    return all ? holding / all : 1;
  };
  let group = 0;
  const groups = new Map(moves.map((move, at) => [move, isSame(move, moves[at - 1]) ? group : ++group]));
  return [...moves].sort((a, b) => groups.get(a) - groups.get(b) || share(a) - share(b));
}

/** The side that has won or will win with best play: "X", "O", or "" for a draw and if it is unknown. */
export function sideAhead({ terminal, winner, wdl, to_move: mover }) {
  if (terminal) return winner ?? "";
  if (!wdl) return "";
  return wdl > 0 ? mover : otherSide(mover);
}

/** The result of a finished game; ended: "time", "resignation" or "agreement" if it did not end on the board. */
export function describeEnding(winner, ended) {
  const result = winner ? `${winner} has won` : "A draw";
  return result + ({ time: " on time", agreement: " by agreement", resignation: `: ${winner && otherSide(winner)} has resigned` }[ended] ?? "");
}

/** The value of a position with the names of the sides: "X wins in 5 moves", "a draw". */
export function describeResult(answer) {
  const ahead = sideAhead(answer);
  if (!ahead) return answer.ended ? "a draw by agreement" : answer.category ? "a draw" : "unsettled";
  return answer.terminal ? describeEnding(ahead, answer.ended) : `${ahead} ${describeValue({ ...positionValue(answer), verdict: "win" })}`;
}

/** The result of a move, counted from before it, and the best replies: "X draws; the best reply is b2". */
export function describeMove(mover, move, answer) {
  const worth = `${mover} ${describeValue(moveValue(move))}`;
  const { moves } = answer;
  if (!moves.length || !answer.category) return worth;
  if (answer.category === "loss") return `${worth}; every reply loses`;
  const best = bestMoves(moves);
  if (best.length === moves.length && moves.length > 1) return `${worth}; every reply ${VERBS[answer.category]}`;
  if (!best.length) return worth;
  const names = best.map(({ name }) => name);
  if (best.length > MOST_BEST) return `${worth}; ${best.length} of ${moves.length} replies are best`;
  return `${worth}; the best ${best.length > 1 ? "replies are" : "reply is"} ${listMoves(names, "and").join("")}`;
}

const MOST_BEST = 3;

/** Whether two moves have the same value and plies. */
const isSame = (a, b) => a?.verdict === b?.verdict && a?.distance === b?.distance && a?.within === b?.within;

/** The moves with the same value and plies as the first; none if nothing is known. */
export const bestMoves = (moves) => moves.filter((move) => move.verdict && isSame(move, moves[0]));

/** The replies to show: the best ones, if the reply matters. */
export const bestReplies = ({ category, moves }) => {
  const best = category === "loss" ? [] : bestMoves(moves);
  return best.length === moves.length && moves.length > 1 ? [] : best;
};

const MOST_NAMED = 4; // moves in a sentence

/** The parts of a list: "a1", "a1 or b2", "a1, b1, c1, a2 or 3 others". */
export function listMoves(names, word = "or") {
  const parts = names.length > MOST_NAMED + 1 ? [...names.slice(0, MOST_NAMED), `${names.length - MOST_NAMED} others`] : names;
  return parts.flatMap((part, at) => (at ? [at === parts.length - 1 ? ` ${word} ` : ", ", part] : [part]));
}

export const capitalise = (text) => text.charAt(0).toUpperCase() + text.slice(1);
