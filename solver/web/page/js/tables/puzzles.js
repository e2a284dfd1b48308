// Draw puzzles from a table; seeds and days give the same ones as solver/study/puzzles.py.

import { answerPosition, countReplies, positionName, rankedMoves, squareAnswer } from "./answers.js";
import { refused } from "./errors.js";
import { EMPTY, O, X } from "./game.js";
import { reasonImpossible } from "./legality.js";
import { SplitMix64 } from "./random.js";
import { SIGHTS, countDecoys, levelOf, listThemes } from "./themes.js";
import { VERBS } from "../words.js";

const CHUNK = 10; // positions that are probed together
const MOST_DRAWN = 6000; // positions drawn, the same as on the server
const MOST_FETCHED = 400; // the same if the table is not loaded as a whole, so that most positions are fetched
const MOST_OF_A_DAY = 2000; // positions drawn for a puzzle that is not easy
const MOST_WITHOUT = 20_000; // positions drawn on a day without a puzzle
const SMALL_TABLE = 4_000_000; // bytes of a table that is soon loaded as a whole

/** `/v1/GAME/puzzles?`: puzzles of a seed and a kind, or the puzzle of a day. */
export async function puzzlesAnswer(table, { day, seed = Math.floor(1e6 * Math.random()), count = 1, ...kind }) {
  if (!/^-?\d+$/.test(seed)) throw refused("bad_request", `${seed} is not a seed; write a number such as 7.`);
  const name = day ?? String(BigInt(seed)); // 7 for 007
  const most = table.manifest.bytes > SMALL_TABLE ? MOST_FETCHED : MOST_DRAWN;
  const drawn = day ? [await dailyPuzzle(table, day)] : await drawPuzzles(table, name, Number(count), kind, most);
  return { seed: name, puzzles: await Promise.all(drawn.map((puzzle) => puzzleAnswer(table, puzzle))) };
}

/** The puzzle of a day: the first drawn one that is not easy, if one is found soon. */
async function dailyPuzzle(table, day) {
  if (new Date(day).toJSON()?.slice(0, 10) !== day) throw refused("bad_request", `${day} is not a day; write one such as 2026-11-22.`);
  let first = null;
  for await (const puzzle of meetPuzzles(table, day, MOST_OF_A_DAY)) {
    if (puzzle.decoys) return puzzle;
    first ??= puzzle;
  }
  return first ?? (await drawPuzzles(table, day, 1, {}, MOST_WITHOUT))[0];
}

/** Different puzzles of a kind; fewer if no more are found. */
async function drawPuzzles(table, seed, count, kind, most) {
  const { game } = table;
  if (kind.plies && kind.goal === "draw") {
    throw refused("position_error", "A draw is no win within some plies; leave out the plies, or ask for wins.");
  }
  const found = new Map();
  for await (const puzzle of meetPuzzles(table, seed, most, kind.goal)) {
    const board = game.board(puzzle.position);
    if (isWanted(game, puzzle, kind) && !found.has(board)) found.set(board, puzzle);
    if (found.size === count) break;
  }
  if (found.size) return [...found.values()];
  const { level, goal, theme, plies } = kind;
  const asked = ["puzzle", level && `of level ${level}`, goal && `to ${goal}`, theme && `with the theme ${theme}`,
    plies && `won within ${plies} ${Number(plies) === 1 ? "ply" : "plies"}`];
  const name = asked.filter(Boolean).join(" ");
  throw refused("position_error", `No ${name} was found in ${most.toLocaleString("en")} positions of ${game.name}; choose another kind.`);
}

function isWanted(game, { position, moves, goal, themes }, { level, theme, plies }) {
  const { distance, within } = moves[0].value; // after the move
  return (!theme || themes.includes(theme)) && (!level || level === levelOf(game, position, moves))
    && (!plies || (goal === "win" && (distance ?? within ?? Infinity) < plies));
}

/** Draw unfinished positions uniformly, and yield those that are puzzles. */
async function* meetPuzzles(table, seed, most, goal) {
  const draw = new SplitMix64(`${table.game.name} ${seed}`);
  const live = table.manifest.live.slice(0, table.lastPly - 1); // so that the table has the replies to every move
  for (let drawn = 0; drawn < most; drawn += CHUNK) {
    const positions = Array.from({ length: CHUNK }, () => drawPosition(table.game, draw.weighted(live), draw));
    for (const puzzle of await Promise.all(positions.map((position) => makePuzzle(table, position, goal)))) if (puzzle) yield puzzle;
  }
}

/** A position in which only one move wins, or only one draws, as a puzzle; null for any other. */
export async function makePuzzle(table, position, goal) {
  const { game } = table;
  if ((await table.probe(position)).wdl < 0) return null; // its moves need not be fetched
  const moves = await rankedMoves(table, position);
  const [only, next] = moves;
  const reached = only.value.wdl < 0 ? "win" : "draw";
  if (!next || next.value.wdl === only.value.wdl || (goal && goal !== reached)) return null;
  const themes = listThemes(game, position, moves, await countReplies(table, only.after));
  return { position, moves, goal: reached, decoys: countDecoys(game, position, moves, SIGHTS.easy), themes };
}

/** A puzzle with its solution. */
export async function puzzleAnswer(table, { position, moves, goal, decoys, themes }) {
  const { game } = table;
  const { to_move: mover, moves: answers } = await answerPosition(table, position);
  return {
    ...positionName(game, position),
    to_move: mover,
    task: `${mover} to move: find the only move that ${VERBS[goal]}.`,
    goal,
    level: levelOf(game, position, moves),
    decoys,
    themes,
    solution: squareAnswer(game, moves[0].square),
    moves: answers,
  };
}

/** An unfinished position of this ply, drawn uniformly, the same as solver/game/sampling.py. */
function drawPosition(game, ply, draw) {
  for (;;) {
    const taken = drawSquares(game, ply, draw);
    const x = new Set(draw.sample(taken, Math.ceil(ply / 2)));
    const cells = new Uint8Array(game.squares).fill(EMPTY);
    for (const square of taken) cells[square] = x.has(square) ? X : O;
    const position = { cells, ply };
    if (!reasonImpossible(game, cells) && !game.outcome(position)) return position;
  }
}

/** A number of squares that can all be taken together. */
function drawSquares(game, ply, draw) {
  const { squares, stride } = game;
  if (!stride) return draw.sample(game.allSquares(), ply);
  const most = Math.floor(squares / stride);
  let heights;
  do heights = Array.from({ length: stride }, () => draw.randrange(most + 1)); while (heights.reduce((sum, height) => sum + height) !== ply);
  return heights.flatMap((height, column) => Array.from({ length: height }, (_, level) => squares - (level + 1) * stride + column));
}
