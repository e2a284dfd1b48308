// Read a game in any of the forms of solver/study/played.py.

import { splitMoves } from "../line.js";
import { quoted, refused } from "./errors.js";
import { columnsOf, playLegal, readPosition, squareOf, unreadable } from "./notation.js";

const REPORTED = /^[XO] [^\s,]+(, [XO] [^\s,]+)*$/;

/** `/v1/GAME/played?moves=&position=`: the first position and the moves of a game. */
export function playedAnswer({ game }, text, start) {
  const { positions: [first], moves, reading } = readScore(game, text, start);
  return { game: game.name, start: game.board(first), moves: moves.map((square) => game.diagram.names[square]), reading };
}

/** A game as it was played: its positions from the first to the last, and the squares in their order. */
export function readScore(game, text, start) {
  const given = readText(text.trim());
  if (typeof given === "string") return play(game, readStart(game, start), given);
  const { game: name = game.name, moves } = given;
  if (name !== game.name) {
    throw refused("notation_error", `This is a game of ${quoted(String(name))}, not of ${game.name}; give one of ${game.name}.`);
  }
  if (typeof moves !== "string" && !Array.isArray(moves)) throw refused("notation_error", "The object of a game needs a list of squares, 'moves'; this one has none.");
  return play(game, readStart(game, start ?? ("start" in given ? given.start : given.position)), moves);
}

/** The object of a record or a link, or else the text. */
function readText(text) {
  if (text.startsWith("{")) {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw refused("notation_error", `${quoted(text)} starts as JSON but can't be read: ${error.message}.`);
    }
  }
  if (text.includes("moves=")) {
    const [address] = text.split("#");
    const query = address.slice(address.indexOf("?") + 1);
    return Object.fromEntries([...new URLSearchParams(query)].filter(([, value]) => value));
  }
  return text;
}

function readStart(game, start) {
  if (start === undefined || start === null) return game.start;
  if (typeof start === "number") return readPosition(game, `hash:${start}`);
  if (typeof start === "string") return readPosition(game, start);
  throw unreadable(game, JSON.stringify(start));
}

/** Play a game in each way to read it, and return the first that is legal, with a sentence if others are too. Throws Refused. */
function play(game, first, given) {
  const found = [];
  let problem = null;
  for (const [how, words] of typeof given === "string" ? readMoves(game, simplify(given)) : [["", given]]) {
    try {
      found.push({ ...playWords(game, first, words), reading: `The numbers are read as ${how}.` });
    } catch (error) {
      problem ??= found.length ? null : error;
    }
  }
  if (!found.length) throw problem;
  return problem || found.length > 1 ? found[0] : { ...found[0], reading: null };
}

const simplify = (text) => (REPORTED.test(text.trim()) ? text.trim().replace(/(^|, )[XO] (wins$)?|\?/g, " ") : text);

const PAIR = /[([]\s*([0-9]{1,6})\s*,\s*([0-9]{1,6})\s*[)\]]/g;

/** The ways to read moves, the usual one first: how numbers are read, and the words for the squares. */
function readMoves(game, given) {
  const text = given.trim().replace(/(?<!\S)[0-9]+\.+\s*/g, " ");
  const pairs = [...text.matchAll(PAIR)].map(([, one, other]) => [Number(one), Number(other)]);
  if (pairs.length && game.isGrid && !text.replace(PAIR, "").replace(/[[\], ;\t\n]/g, "")) {
    const orders = [["rows and columns", (pair) => pair], ["columns and rows", ([column, row]) => [row, column]]];
    return orders.flatMap(([order, turn]) => [0, 1].map((base) =>
      [`${order} counted from ${base}`, pairs.map((pair) => squareAt(game, ...turn(pair).map((at) => at - base)))]));
  }
  let words = (text.startsWith("[") ? text.replace(/[[\]"',]/g, " ") : text.replaceAll(",", " ")).split(/\s+/).filter(Boolean);
  if (!words.length || !words.every((word) => /^[0-9]{1,99}$/.test(word)) || game.diagram.names.some((name) => /^\d+$/.test(name))) return [["", words]];
  const columns = columnsOf(game);
  if (columns.length) {
    words = words.flatMap((word) => splitMoves(word, columns, game.diagram.names));
    return [1, 0].map((base) => [`columns counted from ${base}`, words.map((word) => String(BigInt(word) + BigInt(1 - base)))]);
  }
  if (game.squares < 10) words = [...words.join("")];
  return [0, 1].map((base) => [`squares counted from ${base}`, words.map((word) => String(BigInt(word) - BigInt(base)))]);
}

function squareAt({ diagram: { rows, columns, names } }, row, column) {
  const isInside = row >= 0 && row < rows && column >= 0 && column < columns;
  return isInside ? names[row * columns + column] : `(${row};${column})`;
}

/** Play moves from a position; numbers in a list are squares from 0. Throws Refused. */
function playWords(game, first, given) {
  const split = (text) => splitMoves(text, columnsOf(game), game.diagram.names);
  const written = given.flatMap((move) => (typeof move === "string" ? split(move) : [move]));
  const moves = [], positions = [first];
  for (const move of written) {
    const position = positions.at(-1);
    moves.push(squareOf(game, game.allSquares().filter((square) => position.cells[square]), move));
    try {
      positions.push(playLegal(game, position, moves.at(-1)));
    } catch (error) {
      throw refused(error.code, `Move ${moves.length} of the game can't be played: ${error.message}`);
    }
  }
  if (!moves.length) {
    throw refused("notation_error", "A game to review has at least one move; give the moves, such as 'b2 a1 c3', X first.");
  }
  return { positions, moves };
}
