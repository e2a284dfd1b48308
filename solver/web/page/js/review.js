// The review of a game, from the answers about its positions: as solver/study/review.py, which the tests compare.

import { otherSide } from "./line.js";
import { bestMoves, describeEnding, describeResult } from "./words.js";

const KEPT = { win: "wins", draw: "draws" };
const MOST_NAMED = 4; // moves in a sentence

/**
 * Review a game. answers: those of its positions, from the first to the last; names: the squares played.
 * Returns the moves, with `kind` (best, slow or mistake), `decision` (could something be given away?), and a `sentence`
 * about one that is not a best one; the `sides`; `lostAt`, the number of the last mistake; and a `summary`.
 */
export function reviewGame(answers, names) {
  const moves = names.map((name, at) => ({ number: at + 1, name, ...judge(answers[at], name) }));
  const lost = moves.findLast(({ kind }) => kind === "mistake");
  const sides = { X: reviewSide(moves, "X"), O: reviewSide(moves, "O") };
  return { moves, sides, lostAt: lost?.number ?? null, summary: summarise(answers.at(-1), lost) };
}

/** Judge a move among all moves of a position. */
export function judge({ moves, to_move: side }, name) {
  const [best] = moves;
  const played = moves.find((move) => move.name === name);
  const decision = moves.at(-1).verdict !== best.verdict;
  const facts = { side, value: best.verdict, decision };
  if (played.verdict === best.verdict && played.distance === best.distance) return { ...facts, kind: "best", sentence: null };
  const then = describeAfter(otherSide(side), played);
  if (played.verdict === best.verdict) {
    const when = best.distance ? `in ${best.distance} ${best.distance === 1 ? "ply" : "plies"}` : "at once";
    const how = best.verdict === "win" ? "slow" : "too quick";
    return { ...facts, kind: "slow", sentence: `${name} is ${how}: ${then}, with ${listNames(bestMoves(moves))} ${when}.` };
  }
  const held = moves.filter(({ verdict }) => verdict === best.verdict);
  const only = held.length === 1 ? "only " : "";
  const sentence = `${name} gives a ${best.verdict} away: ${then}; ${only}${listNames(held)} ${KEPT[best.verdict]}.`;
  return { ...facts, kind: "mistake", sentence };
}

/** What a move leads to: "X wins in 5 plies", "X has won", "a draw". */
function describeAfter(mover, { category, distance, wdl }) {
  if (distance === 0 && category !== "draw") return describeEnding(wdl > 0 ? mover : otherSide(mover));
  return describeResult({ wdl, distance, to_move: mover });
}

/** "b2", "a1 or b2", "a1, b1, c1, a2 or 3 others". */
function listNames(moves) {
  const names = moves.map(({ name }) => name);
  const shown = names.length > MOST_NAMED + 1 ? [...names.slice(0, MOST_NAMED), `${names.length - MOST_NAMED} others`] : names;
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}` : shown[0];
}

function reviewSide(moves, side) {
  const own = moves.filter((move) => move.side === side);
  const decisions = own.filter(({ decision }) => decision).length;
  const mistakes = own.filter(({ kind }) => kind === "mistake").length;
  const slow = own.filter(({ kind }) => kind === "slow").length;
  const kept = decisions - mistakes;
  return { moves: own.length, decisions, kept, mistakes, slow, accuracy: decisions ? (100 * kept) / decisions : null };
}

function summarise(last, lost) {
  const end = describeResult(last);
  if (!lost) return `Nobody gave anything away: ${end}.`;
  return `${lost.side} gave the ${lost.value} away with move ${lost.number}, ${lost.name}: ${end}.`;
}
