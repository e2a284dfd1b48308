// Which positions can arise in play, and why the others cannot; the same as solver/game/legality.py.

import { EMPTY, O, SIGNS, X, completed, hasLine } from "./game.js";

const SEARCH_LIMIT = 200_000; // positions; after this many a position is accepted. Python bears three times as many

/** The reason, as a clause, why no legal moves lead to these stones; null if some do. */
export function reasonImpossible(game, cells) {
  return reasonStones(cells) ?? reasonFloating(game, cells) ?? reasonLines(game, cells) ?? reasonOutOfOrder(game, cells);
}

function reasonStones(cells) {
  const [x, o] = [count(cells, X), count(cells, O)];
  if (x - o === 0 || x - o === 1) return null;
  return `X has ${phraseStones(x)} and O has ${phraseStones(o)}, but X moves first and the sides take turns, `
    + "so X must have as many as O or one more";
}

function reasonFloating(game, cells) {
  if (!game.gravity) return null;
  const floating = game.allSquares().find((square) => cells[square] !== EMPTY && cells[square + game.stride] === EMPTY);
  return floating === undefined ? null : `the stone on ${game.diagram.names[floating]} floats above an empty square`;
}

function reasonLines(game, cells) {
  const owners = [X, O].filter((side) => hasLine(game.lines[side], cells, side));
  if (owners.length === 2) return "both sides have a line, but the game ends with the first one";
  if (!owners.length) return null;
  const [owner] = owners;
  if (owner !== movedLast(cells)) return `${SIGNS[owner]} has a line, so ${SIGNS[X + O - owner]} can't have moved after it`;
  return before(game, cells).length ? null : `${SIGNS[owner]}'s line can't have been completed by the last move`;
}

/** If the order of moves matters, search it backwards from the position. */
function reasonOutOfOrder(game, cells) {
  let found = true;
  if (game.gravity) found = leadsBack(cells, (each) => before(game, each));
  else if (game.exact) {
    // Without gravity the sides do not interfere: each must be able to place its own stones.
    found = [X, O].every((side) => leadsBack(onlySide(cells, side), (each) => sideBefore(game.lines[side], each, side)));
  }
  return found ? null : "no order of moves leads there";
}

/** The unfinished boards from which one move leads here. */
function before(game, cells) {
  const mover = movedLast(cells);
  if (hasLine(game.lines[X + O - mover], cells, X + O - mover)) return [];
  const taken = (square) => cells[square] === mover && !(game.gravity && square >= game.stride && cells[square - game.stride]);
  const found = game.allSquares().filter(taken).map((square) => without(cells, square));
  return found.filter((rest) => !hasLine(game.lines[mover], rest, mover));
}

/** A side's stones minus one, without a line; stones outside longer rows are ignored, as they can be placed at any time. */
function sideBefore(lines, cells, side) {
  const longer = lines.flatMap(({ squares, guard }) => guard.map((end) => ({ squares: [...squares, end], guard: [] })));
  const found = ownSquares(cells, side).map((square) => without(cells, square));
  return found.filter((rest) => !hasLine(lines, rest, side)).map((rest) => {
    const kept = completed(longer, rest, side);
    return rest.map((cell, square) => (kept.has(square) ? cell : EMPTY));
  });
}

/** Whether steps back lead to the empty board; a depth-first search that visits each board once. */
function leadsBack(start, stepsBack) {
  const seen = new Set([start.join("")]);
  const waiting = [start];
  while (waiting.length && seen.size <= SEARCH_LIMIT) {
    const cells = waiting.pop();
    if (cells.every((cell) => cell === EMPTY)) return true;
    for (const earlier of stepsBack(cells)) {
      const name = earlier.join("");
      if (!seen.has(name)) waiting.push(earlier);
      seen.add(name);
    }
  }
  return waiting.length > 0;
}

const ownSquares = (cells, side) => [...cells.keys()].filter((square) => cells[square] === side);
const onlySide = (cells, side) => cells.map((cell) => (cell === side ? cell : EMPTY));
const movedLast = (cells) => (count(cells, X) > count(cells, O) ? X : O);
const count = (cells, side) => cells.reduce((total, cell) => total + (cell === side), 0);
const phraseStones = (number) => `${number} ${number === 1 ? "stone" : "stones"}`;

function without(cells, square) {
  const rest = cells.slice();
  rest[square] = EMPTY;
  return rest;
}
