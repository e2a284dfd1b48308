// Opponents that read a table, the same as in solver/engines/builtin/perfect.py.

import { bestOf, countReplies, positionName, rankedMoves, squareAnswer } from "./answers.js";
import { quoted, refused } from "./errors.js";
import { readPosition } from "./notation.js";
import { PLAYERS } from "../players.js";
import { SplitMix64 } from "./random.js";

const WHOLE = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const TIES = ["fastest", "random", "traps"];

/** The default of each option, its kind in words, and its parser. */
const seed = ["none", "a whole number or none", (text) => (text.toLowerCase() === "none" ? null : readNumber(WHOLE, text))];
const ties = ["fastest", TIES.join(" or "), (text) => (TIES.includes(text) ? text : undefined)];
const strength = ["0.5", "a number", (text) => readNumber(DECIMAL, text)];
const OPTIONS = { perfect: { seed, ties }, graded: { seed, strength }, random: { seed } };

const DISTRIBUTIONS = { perfect: drawPerfect, graded: drawGraded, random: drawAny };

/** `/v1/GAME/opponent?position=&engine=`: a move of an opponent. draw: returns a number from 0 to before 1, like `Math.random`. */
export async function opponentAnswer(table, text, engine = PLAYERS.perfect.engine, draw = Math.random) {
  const position = readPosition(table.game, text);
  const { chances, seed: given } = await distribution(table, position, engine);
  let rest = given === null ? draw() : new SplitMix64(String(given)).randrange(2 ** 53) / 2 ** 53;
  const [square] = chances.find(([, chance]) => (rest -= chance) < 0) ?? chances.at(-1); // sums of fractions are rounded
  return { ...positionName(table.game, position), engine, ...squareAnswer(table.game, square) };
}

/** The possible moves of an opponent, pairs of a square and a probability, and its seed. Throws Refused. */
export async function distribution(table, position, engine) {
  const [name, options] = readEngine(table, position, engine);
  return { chances: await DISTRIBUTIONS[name](table, position, options), seed: options.seed };
}

async function drawPerfect(table, position, { ties: way }) {
  const moves = await rankedMoves(table, position);
  if (way === "traps") return evenly(await mostTraps(table, moves));
  return evenly(way === "random" ? bestOf(moves) : bestOf(moves).slice(0, 1));
}

/** The moves that keep the value and leave the largest share of replies as mistakes; of those, the best ones. */
async function mostTraps(table, moves) {
  const kept = moves.filter(({ value }) => value.wdl === moves[0].value.wdl);
  const parts = await Promise.all(kept.map(async ({ after }) => {
    const { replies, holding } = await countReplies(table, after);
    return (replies - holding) / (replies || 1);
  }));
  const most = Math.max(...parts);
  return bestOf(kept.filter((_, at) => parts[at] === most));
}

async function drawGraded(table, position, { strength: share }) {
  const moves = await rankedMoves(table, position);
  const chances = new Map();
  for (const [part, chosen] of [[share, bestOf(moves)], [1 - share, moves]]) {
    for (const [square, chance] of evenly(chosen)) chances.set(square, (chances.get(square) ?? 0) + part * chance);
  }
  return [...chances].filter(([, chance]) => chance);
}

async function drawAny(table, position) {
  return evenly(table.game.legalMoves(position).map((square) => ({ square })));
}

const evenly = (moves) => moves.map(({ square }) => [square, 1 / moves.length]);

/** The name and the options of an opponent such as `graded:strength=0.5`. */
function readEngine(table, position, text) {
  const { game } = table;
  const [name, written] = splitOnce(text, ":");
  if (!Object.hasOwn(OPTIONS, name)) {
    throw engineError(`The opponent ${quoted(text)} is unavailable here; choose one of ${Object.keys(OPTIONS).join(", ")}.`);
  }
  if (game.outcome(position)) {
    throw refused("position_error", `The game is over in ${game.board(position)}, so there is no move to make.`);
  }
  const options = readOptions(name, written);
  if (options.strength < 0 || options.strength > 1) {
    const given = Number.isInteger(options.strength) ? options.strength.toFixed(1) : options.strength;
    throw engineError(`The strength of a graded engine lies between 0 and 1, not ${given}.`);
  }
  return [name, options];
}

/** The options of an engine, given or by default. */
function readOptions(name, written) {
  const known = OPTIONS[name];
  const given = {};
  for (const part of written.split(",").map((each) => each.trim()).filter(Boolean)) {
    const [key, text] = splitOnce(part, "=");
    if (!Object.hasOwn(known, key)) {
      const all = Object.entries(known).map(([each, [initial]]) => `${each}=${initial}`).join(", ");
      throw engineError(`The engine ${name} has no option ${quoted(key)}; it knows ${all}.`);
    }
    const [initial, kind, read] = known[key];
    const option = `The option ${key} of the engine ${name}`;
    if (key in given) throw engineError(`${option} is given twice; once is enough.`);
    if (!part.includes("=")) throw engineError(`${option} needs a value: ${key}=${initial}.`);
    given[key] = read(text);
    if (given[key] === undefined) throw engineError(`${option} can't be ${quoted(text)}; it is ${kind}.`);
  }
  const initials = Object.entries(known).map(([key, [initial, , read]]) => [key, read(initial)]);
  return { ...Object.fromEntries(initials), ...given };
}

const readNumber = (form, text) => (form.test(text) ? Number(text) : undefined);

/** The text before and after the first occurrence of a separator. */
function splitOnce(text, sign) {
  const at = text.indexOf(sign);
  return at < 0 ? [text.trim(), ""] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

const engineError = (message) => refused("engine_error", message);
