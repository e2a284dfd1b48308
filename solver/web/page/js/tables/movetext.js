// Parse the moves of a game from text, in all the forms of solver/study/played.py.

import { columnName } from "../line.js";
import { quoted, refused } from "./errors.js";
import { playLegal, squareOf } from "./notation.js";

const HEADING = /^\s*(?:moves|main line|line)\s*:/;
const RESULT = /(?:^|[\s,;(])(?:[xo] (?:wins|won|has won)|(?:a )?draws?|1-0|0-1|1\/2-1\/2|\*)\)?[.\s]*$/;
const PAIR = /[([]\s*([0-9]+)[\s,]+([0-9]+)\s*[)\]]/g;
const COUNT = /(?<![^\s,;])[0-9]+(?:\.+|\))(?![0-9])(?=.*[a-z0-9])/gs; // `1.`, `1...`, `1)`
const BOARD = /^(?=[^._\-/]*[._\-/])[xo._\-/\s#]*$/;
const BETWEEN = /[\s;|/<>()[\]{}"'`→]+/;
const WITHIN = /[,:=]+|(?<=[a-z0-9?!])[-\u2013]+(?=[a-z0-9])/;
const NUMBER = /^[0-9]+$/;
const SIDES = { "x:": "X", "o:": "O" };

/** The possible meanings of numbers, with the square or the name of each. */
const SINGLE = { squares: (square) => square, columns: columnName };
const PAIRED = {
  "rows and columns": (row, column) => columnName(column) + (row + 1),
  "columns and rows": (column, row) => columnName(column) + (row + 1),
};

/** The squares of the moves in a text, from a position on, and the chosen reading if there are several. */
export function readMovetext(game, start, text) {
  const written = checkSides(start, withoutCounts(readWords(game, start, text)));
  const kinds = listReadings(game, written);
  let refusal = null;
  for (const readings of kinds) {
    const found = new Map();
    for (const reading of readings) {
      try {
        const moves = playReading(game, start, written, reading);
        if (!found.has(moves.join())) found.set(moves.join(), { moves, reading });
      } catch (error) {
        if (!["notation_error", "illegal_move"].includes(error.code)) throw error;
        refusal ??= error;
      }
    }
    const [taken, ...others] = found.values();
    if (!taken) continue;
    const isPlain = !others.length && taken.reading === kinds[0][0];
    return { moves: taken.moves, reading: isPlain ? null : describe(taken.reading, others.map(({ reading }) => reading)) };
  }
  throw refusal;
}

function describe(taken, others) {
  const also = others.length ? `; they can also be read ${joinNames(others.map(inWords))}` : "";
  return `The moves are read ${inWords(taken)}${also}.`;
}

function inWords({ numbers, first, fromBottom }) {
  return [numbers && `as ${numbers} counted from ${first}`, fromBottom && "with rows counted from the bottom"].filter(Boolean).join(", ");
}

function joinNames(names, limit = 4) {
  const shown = names.length > limit + 1 ? [...names.slice(0, limit), `${names.length - limit} others`] : names;
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}` : shown[0];
}

/** The squares of the moves in one reading. Throws Refused. */
function playReading(game, start, written, reading) {
  const { rows, columns } = game.diagram;
  const moves = [];
  let position = start;
  for (const move of splitMoves(written, reading)) {
    const name = nameOf(game, move, reading);
    const taken = game.allSquares().filter((square) => position.cells[square]);
    let square = squareOf(game, taken, name);
    if (reading.fromBottom && !columnsOf(game).includes(name)) {
      square = (rows - 1 - Math.floor(square / columns)) * columns + (square % columns);
    }
    moves.push(square);
    position = playNth(game, position, square, moves.length);
  }
  return moves;
}

/** The position after a move of a game. Throws Refused with the number of the move, from 1. */
export function playNth(game, position, square, number) {
  try {
    return playLegal(game, position, square);
  } catch (error) {
    throw refused(error.code, `Move ${number} of the game can't be played: ${error.message}`);
  }
}

/** The moves; two numbers are two moves unless they are a pair. */
const splitMoves = (written, { numbers }) =>
  written.flatMap((move) => (typeof move === "string" || numbers in PAIRED ? [move] : move.map((number) => [number])));

/** The name or the number from 0 of a square, or the name of a column. */
function nameOf(game, move, { numbers, first }) {
  if (typeof move === "string") return move;
  const isCounted = Math.min(...move) >= first;
  const found = isCounted ? (SINGLE[numbers] ?? PAIRED[numbers])(...move.map((number) => number - first)) : "";
  return typeof found === "number" || namesOf(game).includes(found) ? found : `(${move.join(", ")})`;
}

/** The readings of moves, the plainest first; later lists are tried if none of an earlier one fits. */
function listReadings(game, written) {
  const numbers = written.filter((move) => typeof move !== "string");
  const single = game.stride ? ["squares", "columns"] : ["squares"];
  const paired = numbers.every(({ length }) => length === 2) ? Object.keys(PAIRED) : [];
  const kinds = numbers.length > 1 ? [paired, single] : [single, paired];
  const counted = numbers.length ? [0, 1] : [0];
  const upwards = game.stride ? [false, true] : [false];
  const of = (kind) => upwards.flatMap((fromBottom) =>
    kind.flatMap((what) => counted.map((first) => ({ numbers: what, first, fromBottom }))));
  return (numbers.length ? kinds.filter(({ length }) => length) : [[""]]).map(of);
}

/** The moves and the sides in a text, these as `x:` and `o:`. Throws Refused. */
function readWords(game, start, given) {
  const text = given.trim().toLowerCase();
  const words = text.replaceAll(",", " ").split(/\s+/).filter(Boolean);
  if (words.every((word) => game.diagram.names.includes(word))) return words;
  if (BOARD.test(text)) {
    throw refused("notation_error", `${quoted(given.trim())} is a board, which does not show the order of its moves; `
      + "give the moves, such as 'b2 a1 c3', X first.");
  }
  let plain = text.replace(HEADING, "").replace(RESULT, "").trim();
  const isOneMove = !NUMBER.test(plain) || plain.length === 1 || game.legalMoves(start).includes(Number(plain.slice(0, 9)));
  if (!isOneMove) plain = [...plain].join(" "); // a move per digit
  plain = plain.replace(PAIR, " $1,$2 ").replace(COUNT, " ");
  return plain.split(BETWEEN).flatMap((word) => readWord(game, word));
}

function readWord(game, word) {
  const parts = word.split(WITHIN).map((part) => part.replace(/^[?!.]+|[?!.\-\u2013]+$/g, "")).filter(Boolean);
  const moves = parts.flatMap((part) => readPart(game, part));
  const isPair = word.includes(",") && moves.length === 2 && moves.every((move) => typeof move !== "string");
  return isPair ? [moves.flat()] : moves;
}

/** The moves in a word without punctuation: a move, a side, a side and its move, or several names. */
function readPart(game, part) {
  const names = namesOf(game);
  if (names.includes(part)) return [part];
  if (part === "x" || part === "o") return [`${part}:`];
  if (NUMBER.test(part) && part.length < 8 && !names.some((name) => NUMBER.test(name))) return [[Number(part)]];
  const several = part.match(game.stride ? /[a-z][0-9]*/g : /[a-z]+[0-9]+/g) ?? [];
  if (several.join("") === part && several.every((name) => names.includes(name))) return several;
  if ((part[0] === "x" || part[0] === "o") && part.length > 1) return [`${part[0]}:`, ...readPart(game, part.slice(1))];
  return [squareOf(game, [], part)]; // throws
}

/** Remove the numbers that count the moves, if the moves themselves are names. */
function withoutCounts(written) {
  const names = written.filter((move) => typeof move === "string");
  const numbers = written.filter((move) => typeof move !== "string");
  const isCounted = typeof written[0] === "object" && numbers.every(({ length, 0: number }, at) => length === 1 && number === at + 1)
    && names.some((name) => !(name in SIDES));
  return isCounted ? names : written;
}

/** The moves. Throws Refused if one is attributed to the wrong side. */
function checkSides(start, written) {
  const moves = [];
  let side = null;
  for (const move of written) {
    if (move in SIDES) {
      side = SIDES[move];
      continue;
    }
    if (side !== null && side !== "XO"[(start.ply + moves.length) % 2]) {
      throw refused("notation_error", `Move ${moves.length + 1} of the game is attributed to ${side}, but the other side is to move; `
        + "give the moves in the order they were played, X first.");
    }
    side = null;
    moves.push(move);
  }
  return moves;
}

const namesOf = (game) => [...game.diagram.names, ...columnsOf(game)];

/** The names of the columns into which stones drop; none without gravity. */
const columnsOf = ({ stride }) => Array.from({ length: stride }, (_, column) => columnName(column));
