// The review of a game, made from the answers about its positions; tests compare it with solver/study/review.py.

import { hasTable, otherSide } from "./line.js";
import { personSide } from "./players.js";
import { VERBS, bestMoves, capitalise, countMoves, describeEnding, describeResult, isUnsettled, listMoves } from "./words.js";

/** The review of the game of a view, or null if an answer is missing or no value is known. */
export function reviewOf(view) {
  const { state: { moves }, answers, rules } = view;
  if (!moves.length || answers.length <= moves.length || !answers.every(Boolean)) return null;
  if (!(hasTable(rules) ? answers.every(isValued) : answers.some((answer) => isValued(answer) && !answer.terminal))) return null;
  return (view.reviewed ??= reviewGame(answers, moves));
}

const isValued = ({ category }) => category;

/** Whether the mistakes of a game may be shown: with hints, and after the end. */
export const isRevealed = ({ state, answers, reveal }) => state.hints || reveal || Boolean(answers.at(-1)?.terminal && !state.train);

/** The mistakes to go through: those of the person against an engine if there are any, otherwise all. */
export function mistakesOf(view) {
  const all = reviewOf(view)?.moves.filter(({ kind }) => kind === "mistake") ?? [];
  const own = all.filter(({ side }) => side === personSide(view.state.players));
  return own.length ? own : all;
}

/** The mistake that is made in the position of a view, if it may be shown, or null. */
export function mistakeAhead(view) {
  if (view.draft || view.waiting || view.state.train || !isRevealed(view)) return null;
  const next = reviewOf(view)?.moves[view.state.at];
  return next?.kind === "mistake" ? next : null;
}

/**
 * Review a game, in the JSON of the server. answers: those of its positions, from the first to the last; names: the
 * squares played.
 */
export function reviewGame(answers, names) {
  const moves = names.map((name, at) => ({ number: at + 1, ...judge(answers[at], name) }));
  const lost = moves.findLast(({ kind }) => kind === "mistake");
  const last = answers.at(-1);
  return {
    positions: answers.map(({ position, ply, to_move, wdl, category, distance }) => ({ position, ply, to_move, wdl, category, distance })),
    moves,
    outcome: last.terminal ? last.winner ?? "draw" : null,
    lost_at: lost?.number ?? null,
    sides: { X: reviewSide(moves, "X"), O: reviewSide(moves, "O") },
    summary: summarise(last, lost, moves).join(""),
  };
}

/** Judge a move among all moves of a position. */
export function judge({ moves, to_move: side, category }, name) {
  const [best] = moves;
  const played = moves.find((move) => move.name === name);
  const isOpen = isUnsettled({ moves });
  if (!played.verdict || (isOpen && best.verdict !== "win")) {
    return { square: played.square, name, side, value: category, verdict: played.verdict, decision: false, legal: moves.length, held: [], kind: "unsettled", sentence: null };
  }
  const held = moves.filter(({ verdict }) => verdict === best.verdict);
  const facts = {
    square: played.square, name, side, value: best.verdict, verdict: played.verdict, decision: moves.some(({ verdict }) => verdict && verdict !== best.verdict),
    legal: moves.length, held: held.map((move) => move.name),
  };
  const isUntimed = [played, best].some(({ distance }) => distance === null); // which is quicker is unknown
  if (played.verdict === best.verdict && (isUntimed || played.distance === best.distance)) return { ...facts, kind: "best", sentence: null };
  const then = describeResult({ ...played, terminal: played.distance === 0, to_move: otherSide(side) });
  if (played.verdict === best.verdict) {
    const when = best.distance ? `in ${countMoves(best.distance)}` : "at once";
    const better = listNames(bestMoves(moves));
    const sentence = best.verdict === "win" ? `${name} is slow: ${then}; ${better} wins ${when}.`
      : `${name} loses sooner than necessary: ${then}, after ${better} ${when}.`;
    return { ...facts, kind: "slow", sentence };
  }
  const only = held.length === 1 && !isOpen ? "only " : "";
  const sentence = `${name} throws the ${best.verdict} away: ${then}; ${only}${listNames(held)} ${VERBS[best.verdict]}.`;
  return { ...facts, kind: "mistake", sentence };
}

const listNames = (moves) => listMoves(moves.map(({ name }) => name)).join("");

function reviewSide(moves, side) {
  const own = moves.filter((move) => move.side === side);
  const decisions = own.filter(({ decision }) => decision).length;
  const mistakes = own.filter(({ kind }) => kind === "mistake").length;
  const slow = own.filter(({ kind }) => kind === "slow").length;
  const kept = decisions - mistakes;
  return { moves: own.length, decisions, kept, mistakes, slow, accuracy: decisions ? toTenths((100 * kept) / decisions) : null };
}

/** Round to a tenth, half to even, as Python does. */
function toTenths(number) {
  const low = Math.floor(10 * number);
  const rest = 10 * number - low;
  return (low + (rest > 0.5 || (rest === 0.5 && low % 2) ? 1 : 0)) / 10;
}

/** A sentence on where the result was lost, in parts: of three, the second is the name of the losing move. */
export function summarise(last, lost, moves) {
  if (last.ended) return [`${describeEnding(last.winner, last.ended)}.`];
  const unsettled = moves.filter(({ kind }) => kind === "unsettled").length;
  const end = describeEnd(last) + (unsettled ? ` ${countMoves(unsettled)} could not be judged.` : "");
  if (!lost) return [`No ${unsettled ? "known " : ""}mistakes${last.terminal ? "" : " so far"}. ${end}`];
  const which = moves.filter(({ kind }) => kind === "mistake").length > 1 ? "last mistake" : "mistake";
  return [`Move ${lost.number}, `, lost.name, `, was the ${which}. ${lost.side} could still have ${MISSED[lost.value]}. ${end}`];
}

/** What a mistake missed, by the value before it. */
export const MISSED = { win: "won", draw: "drawn" };

/** A sentence about the result of a game, which may not be over. */
function describeEnd(last) {
  if (last.terminal) return `${capitalise(describeResult(last))}.`;
  if (!last.category) return "The position is unsettled.";
  return `With best play, ${last.category === "draw" ? "this is a draw" : describeResult(last)}.`;
}
