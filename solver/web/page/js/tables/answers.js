// Answers about positions, from a table, in the JSON of the API.

import { SIGNS } from "./game.js";
import { readPosition } from "./notation.js";
import { damaged } from "./table.js";

const SOON = 3; // moves; a win in at most this many is the quickest, because an unsettled move wins in three at the earliest
const PATIENCE = 1000; // milliseconds to wait for a search
const POINT_OF_VIEW = "side to move";
export const CATEGORIES = { 1: "win", 0: "draw", "-1": "loss" };

/** `/v1/GAME?position=`: a position, its value, and every move in it, best first. */
export const positionAnswer = async (table, text) => answerPosition(table, readPosition(table.game, text), searchMoves);

/** The same for a parsed position. evaluate: returns the value and the moves if some of them are searched. Throws Refused. */
export async function answerPosition(table, position, evaluate = probeAll) {
  const { game } = table;
  const isSearched = position.ply >= table.lastPly
    && game.legalMoves(position).some((square) => !game.outcome(game.play(position, square)));
  const [value, moves] = await (isSearched ? evaluate : probeAll)(table, position);
  const over = game.outcome(position) !== null;
  const line = [...game.winningLine(position)].sort((a, b) => a - b);
  return {
    game: game.name,
    ...valueFacts(game, position, value),
    ply: position.ply,
    to_move: over ? null : SIGNS[1 + (position.ply % 2)],
    line: line.length ? line : null,
    point_of_view: POINT_OF_VIEW,
    source: over ? "rules" : isSearched ? "search" : "table",
    moves: moves.map((move) => moveAnswer(game, move)),
  };
}

const probeAll = (table, position) => Promise.all([table.probe(position), rankedMoves(table, position)]);

/** The value of a position and its moves, best first; those that a search does not settle soon are null and come last. */
export async function searchMoves(table, position) {
  const { game } = table;
  const turn = table.searches.nextTurn();
  let timer;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, PATIENCE, null); });
  const soon = (each) => Promise.race([table.find(each, turn), late]);
  const moves = await Promise.all(game.legalMoves(position).map(async (square) => {
    const after = game.play(position, square);
    return { square, after, value: await soon(after) };
  }));
  clearTimeout(timer);
  moves.sort(compareMoves);
  const known = position.ply > table.lastPly ? table.searches.known(position) : await table.probe(position);
  const value = known ?? settledValue(moves);
  if (value && !known && moves.at(-1).value) table.searches.keep(position, value);
  return [value, moves];
}

/** The value of a position that follows from its sorted moves, or null, as in solver/search/truth.py. */
export function settledValue(moves) {
  const [{ value: first }, { value: last }] = [moves[0], moves.at(-1)];
  if (!first || (!last && first.wdl >= 0)) return null;
  const best = { wdl: -first.wdl || 0, distance: first.distance + 1 };
  if (last || best.distance <= SOON) return best;
  return { wdl: 1, distance: null, within: best.distance };
}

/** `/v1/GAME/mainline?position=`: best play by both sides until the end. */
export async function mainlineAnswer(table, text) {
  const { game } = table;
  const position = readPosition(game, text);
  const value = await table.probe(position);
  const names = [];
  let end = { after: position, value };
  while (game.outcome(end.after) === null) {
    end = await bestMove(table, end);
    names.push(game.diagram.names[end.square]);
  }
  return {
    ...positionName(game, position),
    moves: names,
    result: CATEGORIES[value.wdl],
    winner: winnerOf(game, end.after),
    point_of_view: POINT_OF_VIEW,
  };
}

/** `/v1/GAME/replies?position=`: the moves, best first, and how many of the replies to each keep the value. */
export async function repliesAnswer(table, text) {
  const { game } = table;
  const position = readPosition(game, text);
  const moves = await rankedMoves(table, position);
  const counted = await Promise.all(moves.map(async (move) => ({ ...moveAnswer(game, move), ...(await countReplies(table, move.after)) })));
  counted.sort((a, b) => a.wdl - b.wdl || delay({ value: a }) - delay({ value: b }) || share(a) - share(b));
  return { ...positionName(game, position), point_of_view: POINT_OF_VIEW, moves: counted };
}

/** The share of replies that keep the value. */
const share = ({ replies, holding }) => (replies ? holding / replies : 1);

/**
 * The first of the ranked moves. The value of the position determines that of the best moves, so few others are read: one
 * first, which is usually enough; then twice as many each time, because a host sends several as fast as one.
 */
async function bestMove(table, { after: position, value: { wdl, distance } }) {
  const isBest = ({ value }) => value.wdl === -wdl && (!wdl || distance === null || value.distance === distance - 1);
  const squares = table.game.legalMoves(position);
  for (let first = 0, count = 1; first < squares.length; first += count, count *= 2) {
    const best = (await probeMoves(table, position, squares.slice(first, first + count))).find(isBest);
    if (best) return best;
  }
  throw damaged(`no move leads to the value of ${table.game.board(position)}`);
}

/** Every legal move with the position after it and the value there, best first, equals by square. */
export async function rankedMoves(table, position) {
  const found = await probeMoves(table, position, table.game.legalMoves(position));
  return found.sort(compareMoves);
}

export const compareMoves = (a, b) => {
  if (!a.value || !b.value) return Number(!a.value) - Number(!b.value) || a.square - b.square;
  return a.value.wdl - b.value.wdl || delay(a) - delay(b) || a.square - b.square;
};

const probeMoves = (table, position, squares) => Promise.all(squares.map(async (square) => {
  const after = table.game.play(position, square);
  return { square, after, value: await table.probe(after) };
}));

/** The moves with the same result and distance as the first. */
export const bestOf = (moves) =>
  moves.filter((move) => move.value.wdl === moves[0].value.wdl && delay(move) === delay(moves[0]));

/** The number of moves of a position, and of those that keep its value. */
export async function countReplies(table, position) {
  const values = (await rankedMoves(table, position)).map(({ value }) => value.wdl);
  return { replies: values.length, holding: values.filter((wdl) => wdl === values[0]).length };
}

/** The order of moves with the same result: quick wins first, slow losses first. */
const delay = ({ value }) => -value.wdl * (value.distance ?? 0);

const winnerOf = (game, position) => {
  const outcome = game.outcome(position);
  return outcome === "draw" ? null : outcome;
};

export const positionName = (game, position) =>
  ({ game: game.name, position: game.board(position), hash: game.hash(position) });

/** A value; null if a search has not settled it. */
export const valueAnswer = (value) =>
  (value ? { wdl: value.wdl, category: CATEGORIES[value.wdl], distance: value.distance, ...("within" in value && { within: value.within }) } : { wdl: null, category: null, distance: null });

const valueFacts = (game, position, value) => ({
  position: game.board(position),
  hash: game.hash(position),
  terminal: game.outcome(position) !== null,
  winner: winnerOf(game, position),
  ...valueAnswer(value),
});

export const squareAnswer = (game, square) => ({ square, name: game.diagram.names[square] });

const moveAnswer = (game, { square, after, value }) => ({
  ...squareAnswer(game, square),
  ...valueFacts(game, after, value),
  verdict: value && CATEGORIES[-value.wdl],
});
