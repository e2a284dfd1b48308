// Read a game in any of the forms of solver/study/played.py.

import { isNameOf, splitMoves } from "../line.js";
import { quoted, refused } from "./errors.js";
import { columnsOf, playLegal, readPosition, squareOf, unreadable } from "./notation.js";

const PSQ = /^Piskvorky?\s+(\d{1,6})x(\d{1,6})\b/; // the start of a game of Gomocup's manager: columns, rows
const PSQ_MOVE = /^\s*(\d{1,6})\s*,\s*(\d{1,6})\s*(?:,\s*-?\d+\s*)?$/; // column, row, milliseconds
const OPENING = /^(?:-?\d{1,6},-?\d{1,6},\s+)+-?\d{1,6},-?\d{1,6}$/; // of Gomocup: columns, rows from the centre
const SGF = /^\(\s*;/;
const SGF_PART = /([()])|([A-Za-z]*)\s*\[((?:\\.|[^\]\\])*)\]/gs; // a bracket or a property
const RESULT = /^\{"game": "[^"]*", "seed": -?\d+, "result": /; // the last line of `mnk match --json`
const REPORTED = /^[XO] [^\s,]+(, [XO] [^\s,]+)*$/;

/** `/v1/GAME/played?moves=&position=`: the first position and the moves of a game. */
export function playedAnswer({ game }, text, start, aliases) {
  const { positions: [first], moves, reading } = readScore(game, text, start, aliases);
  return { game: game.name, start: game.board(first), moves: moves.map((square) => game.diagram.names[square]), reading };
}

/** A game as it was played: its positions from the first to the last, and the squares in their order. aliases: names of games. */
export function readScore(game, text, start, aliases = {}) {
  const given = readText(text.trim());
  if (typeof given === "string") return play(game, readStart(game, start), readRecord(game, given) ?? given);
  const { game: name = game.name, moves } = given;
  if (!isNameOf(game.name, String(name), aliases)) {
    throw refused("notation_error", `This is a game of ${quoted(String(name))}, not of ${game.name}; give one of ${game.name}.`);
  }
  if (typeof moves !== "string" && !Array.isArray(moves)) throw refused("notation_error", "The object of a game needs a list of squares, 'moves'; this one has none.");
  return play(game, readStart(game, start ?? ("start" in given ? given.start : given.position)), typeof moves === "string" ? readRecord(game, moves.trim()) ?? moves : moves);
}

/** The object of a record or a link, or else the text. After a record, the result of its match is left out. */
function readText(text) {
  if (text.startsWith("{")) {
    const lines = text.split("\n").filter((line) => line.trim() && !RESULT.test(line));
    try {
      return JSON.parse(lines.length === 1 ? lines[0] : text);
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

/** The moves of a game in PSQ or SGF, or of an opening of Gomocup; null for other texts. Throws Refused. */
function readRecord(game, text) {
  const isBoard = game.isGrid && !game.stride, { rows, columns, names } = game.diagram;
  const header = PSQ.exec(text);
  if (!header && !SGF.test(text) && !(isBoard && OPENING.test(text))) return null;
  if (!isBoard) throw refused("notation_error", `PSQ and SGF have no games of ${game.name}: expected a board of rows and columns; list the moves.`);
  let places = [];
  if (header) {
    if (Number(header[1]) !== columns || Number(header[2]) !== rows) {
      throw refused("notation_error", `This game was played on ${header[1]} columns and ${header[2]} rows, and ${game.name} has ${columns} and `
        + `${rows}; name the game that was played.`);
    }
    const lines = text.split(/\r\n?|\n/).slice(1).filter(Boolean).map((line) => PSQ_MOVE.exec(line));
    const end = lines.indexOf(null); // then come the names
    places = lines.slice(0, end < 0 ? lines.length : end).map(([, column, row]) => [Number(column), Number(row)]);
  } else if (OPENING.test(text)) {
    const numbers = text.split(",").map(Number);
    for (let at = 0; at < numbers.length; at += 2) places.push([Math.floor(columns / 2) + 1 + numbers[at], Math.floor(rows / 2) + 1 + numbers[at + 1]]);
  } else places = readSgf(game, text);
  const off = places.findIndex(([column, row]) => !(column > 0 && column <= columns && row > 0 && row <= rows));
  if (off >= 0) throw refused("notation_error", `Move ${off + 1} of the file is off the board of ${game.name}; give the game that was played.`);
  return places.map(([column, row]) => names[(row - 1) * columns + column - 1]);
}

/** The columns and rows of the moves in the main line of a game in SGF. Throws Refused. */
function readSgf(game, text) {
  const { rows, columns } = game.diagram, properties = [];
  for (const [, bracket, name, value] of text.matchAll(SGF_PART)) {
    if (bracket === ")") break; // the first of all variations ends
    if (name) properties.push([name, name === "SZ" ? value.replace(/\s+/g, "") : value.trim()]);
  }
  const sizes = [`${columns}:${rows}`, columns === rows ? String(columns) : ""];
  const played = properties.filter(([name]) => name === "B" || name === "W");
  const moves = played.slice(0, played.findLastIndex(([, value]) => value) + 1); // empty ones at the end change nothing
  const size = properties.find(([name, value]) => name === "SZ" && !sizes.includes(value))?.[1];
  const wrong = properties.some(([name, value]) => value && ["AB", "AE", "AW"].includes(name)) ? "has stones that were not played"
    : size ? `was played on a board of size ${size}`
      : moves.some(([name, value], at) => !value || name === moves[at - 1]?.[0]) ? "has a pass, or two moves of a side in a row" : "";
  if (wrong) throw refused("notation_error", `This game ${wrong}; give one of ${game.name} from the empty board, in which sides alternate.`);
  return moves.map(([, value]) => [value.codePointAt(0) - 96, value.codePointAt(value.length - 1) - 96]);
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
  const text = given.trim().replace(/(?<!\S)[0-9]+\.+(?=([^\s,;]*))\s*/g, (number, rest) => (game.diagram.names.includes((number + rest).toLowerCase()) ? number : " "));
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
