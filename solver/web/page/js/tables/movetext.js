// Parse the moves of a game from text, in all the forms of solver/study/played.py.

import { columnName, splitMoves } from "../line.js";
import { quoted, refused } from "./errors.js";
import { columnsOf, playLegal, squareOf } from "./notation.js";

const HEADING = /^\s*(?:moves|main line|line)\s*:/;
const RESULT = /(?:^|[\s,;(])(?:[xo] (?:wins|won|has won)|(?:a )?draws?|1-0|0-1|1\/2-1\/2|\*)\)?[.\s]*$/;
const PAIR = /[([]\s*([0-9]{1,3})[\s,]+([0-9]{1,3})\s*[)\]]/g;
const COUNT = /(?<![^\s,;])[0-9]+(?:\.+|\))(?![0-9])(?=.*[a-z0-9])/gs; // `1.`, `1...`, `1)`
const BOARD = /^(?=[^._\-/]*[._\-/])[xo._\-/\s#]*$/;
const BETWEEN = /[\s;|/<>()[\]{}"'`→]+/;
const WITHIN = /[,:=]+|(?<=[a-z0-9?!])[-\u2013]+(?=[a-z0-9])/;
const SIDES = { "x:": "X", "o:": "O" };

/** The squares of the moves in a text, from a position on. Throws Refused. */
export function readMovetext(game, start, text) {
  const moves = [];
  let position = start;
  for (const move of checkSides(start, readWords(game, text))) {
    moves.push(squareOf(game, game.allSquares().filter((square) => position.cells[square]), move));
    position = playNth(game, position, moves.at(-1), moves.length);
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

/** The moves and the sides in a text, these as `x:` and `o:`. Throws Refused. */
function readWords(game, given) {
  const text = given.trim().toLowerCase();
  const words = text.replaceAll(",", " ").split(/\s+/).filter(Boolean);
  if (words.every((word) => game.diagram.names.includes(word))) return words;
  if (BOARD.test(text)) {
    throw refused("notation_error", `${quoted(given.trim())} is a board, which does not show the order of its moves; `
      + "give the moves, such as 'b2 a1 c3', X first.");
  }
  const plain = text.replace(HEADING, "").replace(RESULT, "").trim();
  const named = plain.replace(PAIR, (_, row, column) => ` ${nameOf(game, Number(row), Number(column))} `).replace(COUNT, " ");
  const parts = named.split(BETWEEN).flatMap((word) => word.split(WITHIN)).map((part) => part.replace(/^[?!.]+|[?!.\-\u2013]+$/g, ""));
  return parts.filter(Boolean).flatMap((part) => readPart(game, part));
}

/** The name of the square in a row and a column. Throws Refused. */
function nameOf(game, row, column) {
  const name = columnName(column) + (row + 1);
  const { names, rows, columns } = game.diagram;
  if (names.includes(name)) return name;
  throw refused("notation_error", `(${row}, ${column}) is not a square of ${game.name}; write a row and a column up to (${rows - 1}, ${columns - 1}).`);
}

/** The moves in a word without punctuation: a move, a side, a side and its move, or several names. */
function readPart(game, part) {
  if (game.diagram.names.includes(part) || columnsOf(game).includes(part)) return [part];
  if (part === "x" || part === "o") return [`${part}:`];
  const moves = splitMoves(part, columnsOf(game), game.diagram.names);
  const hasSide = moves[0] === part && (part[0] === "x" || part[0] === "o");
  return hasSide ? [`${part[0]}:`, ...readPart(game, part.slice(1))] : moves;
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
