// Opponents that read a table, the same as in solver/engines/builtin/perfect.py.

import { bestOf, compareMoves, positionName, searchMoves, squareAnswer } from "./answers.js";
import { quoted, refused } from "./errors.js";
import { readPosition } from "./notation.js";
import { PLAYERS } from "../players.js";

/** The engines of the levels: perfect, random, or graded with a strength. */
const ENGINE = /^(?:(perfect):ties=traps|(random)|(graded):strength=(1|0\.\d+))$/;

const DISTRIBUTIONS = { perfect: drawPerfect, graded: drawGraded, random: drawAny };

/** `/v1/GAME/opponent?position=&engine=`: a move of an opponent. draw: returns a number from 0 to before 1, like `Math.random`. */
export async function opponentAnswer(table, text, engine = PLAYERS.perfect.engine, draw = Math.random) {
  const position = readPosition(table.game, text);
  const chances = await distribution(table, position, engine);
  let rest = draw();
  const [square] = chances.find(([, chance]) => (rest -= chance) < 0) ?? chances.at(-1); // sums of fractions are rounded
  return { ...positionName(table.game, position), engine, ...squareAnswer(table.game, square) };
}

/** The possible moves of an opponent, pairs of a square and a probability. Throws Refused. */
export async function distribution(table, position, engine) {
  const { game } = table;
  const [, perfect, random, graded, strength] = ENGINE.exec(engine) ?? [];
  const draw = DISTRIBUTIONS[perfect ?? random ?? graded];
  if (!draw) throw refused("engine_error", `The opponent ${quoted(engine)} is unavailable here; choose a level of the page.`);
  if (game.outcome(position)) {
    throw refused("position_error", `The game is over in ${game.board(position)}, so there is no move to make.`);
  }
  return draw(table, position, Number(strength));
}

/** The moves that keep the value and leave the largest share of replies as mistakes; of those, the best ones. Throws Refused if none is known. */
async function drawPerfect(table, position) {
  const moves = provenMoves(await foundMoves(table, position));
  if (!moves) throw table.unsettled(position);
  const kept = moves.filter(({ value }) => value.wdl === moves[0].value.wdl);
  const parts = await Promise.all(kept.map(async ({ after, value: { wdl } }) => {
    const replies = await foundMoves(table, after);
    return replies.filter(({ value }) => value && -value.wdl < wdl).length / (replies.length || 1);
  }));
  const most = Math.max(...parts);
  return evenly(bestOf(kept.filter((_, at) => parts[at] === most)));
}

/** A best move or a careless one. Where no best move is known, it guesses; at full strength it does not wait for long searches, because perfect play has. */
async function drawGraded(table, position, share) {
  const isSearched = share === 1 && position.ply >= table.lastPly;
  const moves = isSearched ? (await searchMoves(table, position))[1] : await foundMoves(table, position);
  const proven = provenMoves(moves);
  const chances = new Map();
  for (const [part, chosen] of [[share, proven ? bestOf(proven) : likelyMoves(moves)], [1 - share, moves]]) {
    for (const [square, chance] of evenly(chosen)) chances.set(square, (chances.get(square) ?? 0) + part * chance);
  }
  return [...chances].filter(([, chance]) => chance);
}

/** Every legal move, best first, as in `rankedMoves`; those that a search does not settle have the value null and come last. */
async function foundMoves(table, position) {
  const moves = table.game.legalMoves(position).map(async (square) => {
    const after = table.game.play(position, square);
    return { square, after, value: await table.find(after) };
  });
  return (await Promise.all(moves)).sort(compareMoves);
}

/** The moves with a known value, if the first of them keeps the value of the position for certain; otherwise null. */
function provenMoves(moves) {
  const known = moves.filter(({ value }) => value);
  return known.length === moves.length || known[0]?.value.wdl < 0 ? known : null;
}

/** The moves to try where no best move is known: those that are not known to lose. One of them is unknown. */
const likelyMoves = (moves) => moves.filter(({ value }) => !(value?.wdl > 0));

async function drawAny(table, position) {
  return evenly(table.game.legalMoves(position).map((square) => ({ square })));
}

const evenly = (moves) => moves.map(({ square }) => [square, 1 / moves.length]);
