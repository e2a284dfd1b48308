// The theme of an only move and its level, as defined in solver/study/puzzles.py.

import { O, SIGNS, X, completing } from "./game.js";

export const SIGHTS = { easy: 2, medium: 4 }; // plies to look ahead to find the only move of a level
const LONG = 5; // plies of a long win

/** The apparent value of a position to a side that sees a number of plies: 1 win, -1 loss, 0 anything else. */
export function look(game, position, side, plies) {
  const outcome = game.outcome(position);
  if (outcome) return outcome === "draw" ? 0 : outcome === side ? 1 : -1;
  if (plies === 0) return 0;
  const sign = toMove(position) === side ? 1 : -1;
  let best = -sign;
  for (const square of game.legalMoves(position)) {
    const seen = look(game, game.play(position, square), side, plies - 1);
    if (sign * seen > sign * best) best = seen;
    if (best === sign) break;
  }
  return best;
}

/** How many moves look as good as the first, the only one, to a player who sees a number of plies. */
export function countDecoys(game, position, moves, sight) {
  const [best, ...others] = moves.map(({ after, value: { wdl, distance } }) => {
    if (distance === null) return look(game, after, toMove(position), sight - 1);
    return distance < sight ? -wdl : 0;
  });
  return others.filter((seen) => seen >= best).length;
}

/** The level of a puzzle, whose moves are given, the only one first. */
export const levelOf = (game, position, moves) =>
  Object.keys(SIGHTS).find((level) => !countDecoys(game, position, moves, SIGHTS[level])) ?? "hard";

/** The theme of the first move, the only one. counted: the number of replies, and of those that keep the value. */
export function listThemes(game, position, [only, ...others], { replies, holding }) {
  const side = toMove(position);
  const finish = game.outcome(only.after) === side;
  const { wdl, distance } = only.value;
  const found = {
    finish,
    block: !finish && others.every(({ after }) => look(game, after, side, 1) < 0),
    fork: !finish && isFork(game, only.after),
    trap: holding === 1 && replies > 1,
    "long win": wdl < 0 && (distance === null ? look(game, position, side, LONG - 1) < 1 : distance + 1 >= LONG),
  };
  return Object.keys(found).filter((theme) => found[theme]);
}

/** Whether the side that has just moved threatens two lines, and the other side none. */
function isFork(game, after) {
  if (game.misere || game.outcome(after)) return false;
  const threats = (side) =>
    [...completing(game.lines[side], after.cells, side)].filter((square) => game.isVacant(after.cells, square)).length;
  const own = after.ply % 2 ? X : O;
  return threats(own) > 1 && !threats(X + O - own);
}

const toMove = ({ ply }) => SIGNS[ply % 2 ? O : X];
