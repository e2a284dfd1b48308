// Parse positions in all the notations of solver/game/notation.py.

import { columnName, splitMoves } from "../line.js";
import { quoted, refused } from "./errors.js";
import { EMPTY, O, X } from "./game.js";
import { reasonImpossible } from "./legality.js";

const HOLE = "#";
const CELL_SIGNS = { x: X, o: O, ".": EMPTY, _: EMPTY, "-": EMPTY, 0: EMPTY, " ": EMPTY };
const CELL_DIGITS = { 0: EMPTY, 1: X, 2: O };

/** The position of a text. Throws Refused with the server's message. */
export function readPosition(game, text) {
  const found = readCells(game, text);
  if (Array.isArray(found)) return playAll(game, found);
  const reason = reasonImpossible(game, found);
  if (reason) throw refused("impossible_position", `This position of ${game.name} can't arise in play: ${reason}.`);
  return { cells: found, ply: found.filter((cell) => cell !== EMPTY).length };
}

/** The cells of a board, or an array of moves. */
function readCells(game, given) {
  const text = given.trim();
  const { names } = game.diagram;
  if (["", "start"].includes(text.toLowerCase())) return [];
  const [, prefix = "", rest = ""] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (prefix.toLowerCase() === "moves") return rest.trim() ? readCellsOfMoves(game, rest) : [];
  if (prefix.toLowerCase() === "hash") return readHash(game, rest.trim());
  if (names.includes(text)) return [names.indexOf(text)];
  if (text.length === game.squares && /^[012]+$/.test(text)) return Uint8Array.from(text, (digit) => CELL_DIGITS[digit]);
  const cells = /^\d+$/.test(text) ? null : boardCells(game, withoutCoordinates(game, given));
  return cells ?? readCellsOfMoves(game, text);
}

function readHash(game, text) {
  const end = 3n ** BigInt(game.squares);
  if (!/^\d+$/.test(text) || text.length > game.squares + 1 || BigInt(text) >= end) {
    throw refused("notation_error", `${quoted(text)} is not the base-3 hash of a position of ${game.name}; `
      + `write a number from 0 to ${end - 1n}.`);
  }
  const cells = new Uint8Array(game.squares);
  let rest = BigInt(text);
  for (let square = 0; rest; square++) {
    cells[square] = Number(rest % 3n);
    rest /= 3n;
  }
  return cells;
}

function readCellsOfMoves(game, text) {
  const { names } = game.diagram;
  if (!(/\d/.test(text) || game.stride) && names.every((name) => /\d/.test(name))) throw unreadable(game, text);
  const moves = [];
  for (const move of splitMoves(text, columnsOf(game), names)) moves.push(squareOf(game, moves, move));
  return moves;
}

/** The names of the columns in which stones drop; none without gravity. */
export const columnsOf = ({ stride }) => Array.from({ length: stride }, (_, column) => columnName(column));

/** The square of a word such as `b2` or `4`, with gravity also of a column's letters or number; or of a number. */
export function squareOf(game, taken, written) {
  const word = String(written).trim().toLowerCase();
  const columns = columnsOf(game);
  if (typeof written === "string" && game.diagram.names.includes(word)) return game.diagram.names.indexOf(word);
  const counted = columns.length && typeof written === "string" && /^[0-9]+$/.test(word);
  const column = counted ? Number(word) - 1 : columns.indexOf(word);
  if (counted && !(column in columns)) {
    throw refused("notation_error", `${quoted(word)} is not a column of ${game.name}; write ${columns[0]} to ${columns.at(-1)}, or 1 to `
      + `${columns.length}. A base-3 hash is written hash:88.`);
  }
  if (column < 0) return readSquare(game, word, written);
  for (let square = lastOf(game, column); square >= 0; square -= game.stride) if (!taken.includes(square)) return square;
  throw refused("notation_error", `The column ${columnName(column)} is full; choose another.`);
}

const lastOf = (game, column) => column + game.stride * (Math.ceil((game.squares - column) / game.stride) - 1);

function readSquare(game, word, written) {
  const { names } = game.diagram;
  const hasNumbers = typeof written !== "string" || !names.some((name) => /^\d+$/.test(name));
  const named = typeof written === "string" ? names.indexOf(word) : -1;
  if (named >= 0) return named;
  if (/^\d{1,7}$/.test(word) && hasNumbers && Number(word) < game.squares) return Number(word);
  const numbers = hasNumbers ? `, or 0 to ${game.squares - 1}` : "";
  const advice = typeof written === "string" && hasNumbers && /^\d{1,7}$/.test(word) ? `; a base-3 hash is written hash:${Number(word)}` : "";
  throw refused("notation_error", `${quoted(String(written))} is not a square of ${game.name}; `
    + `write ${names[0]} to ${names.at(-1)}${numbers}${advice}.`);
}

/** The cells of a written board, or null if the text is not a board. */
function boardCells(game, text) {
  const { rows, columns, cells: places, names } = game.diagram;
  const byRows = text.includes("/") || text.trim().includes("\n");
  const signs = byRows ? { ...CELL_SIGNS, ...CELL_DIGITS } : CELL_SIGNS;
  const known = (sign) => sign.toLowerCase() in signs || "/\r\n\t".includes(sign) || (sign === HOLE && !game.isGrid);
  if (![...text].every(known)) return null;
  const pieces = byRows ? text.replace(/^[\r\n]+|[\r\n]+$/g, "").replaceAll("/", "\n").split(/\r\n|\r|\n/) : flatRows(game, text);
  const found = pieces.map((row) => (row.length === columns ? row : row.replace(/\s+/g, ""))).filter(Boolean);
  if (found.length !== rows || found.some((row) => row.length !== columns)) throw wrongSize(game, text.trim(), found);
  const cells = new Uint8Array(game.squares);
  const written = found.join("").toLowerCase();
  places.forEach((square, place) => {
    if (typeof square !== "number") return;
    if (written[place] === HOLE) {
      throw refused("notation_error", `${quoted(text.trim())} has no square where ${game.name} has ${names[square]}; `
        + `write ${HOLE} only there: ${example(game)}.`);
    }
    cells[square] = signs[written[place]];
  });
  return cells;
}

/** Split a board without `/` and newlines into rows: words of full width, or a single word. */
function flatRows(game, text) {
  const { rows, columns, cells: places } = game.diagram;
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === rows && words.every((word) => word.length === columns)) return words;
  let cells = text.length === game.squares || text.length === rows * columns ? text : words.join("");
  if (cells.length === game.squares && cells.length < rows * columns) { // without holes
    const given = cells;
    cells = places.map((square) => (typeof square === "number" ? given[square] : square)).join("");
  }
  return Array.from({ length: Math.ceil(cells.length / columns) }, (_, row) => cells.slice(row * columns, (row + 1) * columns));
}

/** Remove the column letters and row numbers of a printed board; return other text unchanged. */
function withoutCoordinates(game, text) {
  const { rows, columns } = game.diagram;
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.split(/\s+/).filter(Boolean)).filter(({ length }) => length);
  const [head = [], ...others] = lines;
  const named = head.length === columns && head.every((name, column) => name === columnName(column));
  if (!named || others.length !== rows || others.some(([number], row) => number !== String(row + 1))) return text;
  return others.map(([, ...cells]) => cells.join("")).join("/").replace(/[()]/g, "");
}

const playAll = (game, moves) => moves.reduce((position, square) => playLegal(game, position, square), game.start);

/** The position after a move. Throws Refused if it is illegal. */
export function playLegal(game, position, square) {
  if (game.outcome(position) || !game.isVacant(position.cells, square)) throw illegalMove(game, position, square);
  return game.play(position, square);
}

function illegalMove(game, position, square) {
  const outcome = game.outcome(position);
  const where = `${game.diagram.names[square]} (square ${square})`;
  if (outcome) {
    const result = outcome === "draw" ? "a draw" : `won by ${outcome}`;
    return refused("illegal_move", `The game is over (${result}), so no stone can be placed on ${where}.`);
  }
  if (position.cells[square] !== EMPTY) return refused("illegal_move", `${where} is taken; play an empty square.`);
  return refused("illegal_move", `A stone on ${where} would float; play the lowest empty square of a column.`);
}

function wrongSize(game, given, rows) {
  const { rows: m, columns } = game.diagram;
  const total = rows.reduce((sum, row) => sum + row.length, 0);
  const found = total === game.squares ? `rows of ${rows.map((row) => row.length).join(", ")} squares` : `${total} squares`;
  return refused("notation_error", `${quoted(given)} has ${found}, but the board of ${game.name} has ${game.squares}: `
    + `write ${m} rows of ${columns}, such as ${example(game)}.`);
}

export function unreadable(game, given) {
  const { names, columns } = game.diagram;
  const letters = Array.from({ length: columns }, (_, column) => columnName(column));
  if (/^\d+,\d+,\d+(,(exact|full|misere|torus))*$/.test(game.name) && given.toLowerCase().split(/\s+/).every((word) => !word || letters.includes(word))) {
    return refused("notation_error", `${quoted(given)} names columns, and in ${game.name} a move is a square such as ${names[0]}; `
      + `the game in which stones drop is ${game.name},gravity.`);
  }
  return refused("notation_error", `${quoted(given)} can't be read as a position of ${game.name}; `
    + `write its rows, such as ${example(game)}, its moves, such as '${names[0]} ${names.at(-1)}', or its base-3 hash.`);
}

const example = (game) => quoted(game.board(game.start), 40);
