// Review a game as it is written down: solver/study/score.py lists the forms, of which text alone is read here.

import { formatQuery } from "../link.js";
import { reviewGame } from "../review.js";
import { answerPosition } from "./answers.js";
import { quoted, refused } from "./errors.js";
import { EMPTY } from "./game.js";
import { playLegal, readPosition, squareOf, unreadable } from "./notation.js";

const RESULT = /[,;(]?\s*\b(?:[xo] (?:wins|has won)|(?:a )?draws?|1-0|0-1|1\/2-1\/2|\*)\)?[.\s]*$/i;
const PREFIX = /^\s*(?:moves|main line|line)\s*:/i;
const NUMBER = /(?<!\S)\d+\.+(?!\d)\s*/g; // of a move: `1.` or `1...`
const BOARD = /^[xo._\-/\s#]*[._\-/][xo._\-/\s#]*$/i;
const SIDES = ["x", "o", "x:", "o:"];

/** `/v1/GAME/review?moves=&position=`: every move of a game, the mistakes, and where it was lost. */
export async function reviewAnswer(table, text, start) {
  const { game } = table;
  const { first, moves, players } = readScore(game, text, start);
  const positions = playOn(game, first, moves);
  const answers = await Promise.all(positions.map((position) => answerPosition(table, position)));
  const names = moves.map((square) => game.diagram.names[square]);
  const began = first.ply ? [["position", game.board(first)]] : [];
  const link = formatQuery([["game", game.name], ...began, ["moves", names.join(",")]]);
  return { game: game.name, players, ...reviewGame(answers, names), link };
}

/** A game as it was played: the position it began in, the squares in their order, and the names of X and O, if told. */
function readScore(game, text, start) {
  const given = readText(text.trim());
  if (Array.isArray(given)) return checked(game, readStart(game, start), given, null);
  const { game: name = game.name, moves, outcome, x, o } = given;
  if (name !== game.name) {
    throw refused("notation_error", `This is a game of ${quoted(String(name))}, not of ${game.name}; give one of ${game.name}.`);
  }
  const squares = typeof moves === "string" ? moves.replaceAll(",", " ").split(/\s+/).filter(Boolean) : moves;
  if (!Array.isArray(squares)) throw refused("notation_error", "The object of a game has a list of squares, 'moves'; this one has none.");
  const isRecord = outcome !== undefined && x !== undefined && o !== undefined; // in a link `x` and `o` say who plays
  const began = start ?? ("start" in given ? given.start : given.position);
  return checked(game, readStart(game, began), squares, isRecord ? [String(x), String(o)] : null);
}

/** The object that is written or linked, or else the words for the squares. */
function readText(text) {
  if (text.startsWith("{")) {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw refused("notation_error", `${quoted(text)} begins as JSON and can't be read as such: ${error.message}.`);
    }
  }
  if (text.includes("moves=")) {
    const [address] = text.split("#");
    const query = address.slice(address.indexOf("?") + 1);
    return Object.fromEntries([...new URLSearchParams(query)].filter(([, value]) => value));
  }
  if (BOARD.test(text)) {
    throw refused("notation_error", `${quoted(text)} is a board, which does not tell the order of its moves; `
      + "give the moves, such as 'b2 a1 c3', X first.");
  }
  const words = text.replace(PREFIX, "").replace(RESULT, "").replace(NUMBER, " ").split(/[\s,;]+/);
  return words.map((word) => word.replace(/[?!]+$/, "")).filter(Boolean);
}

function readStart(game, start) {
  if (start === undefined || start === null) return game.start;
  if (typeof start === "number") return readPosition(game, `hash:${start}`);
  if (typeof start === "string") return readPosition(game, start);
  throw unreadable(game, JSON.stringify(start));
}

/** The score of moves that can all be played; the letters of the sides between them are passed over. */
function checked(game, first, given, players) {
  const { names } = game.diagram;
  const taken = game.allSquares().filter((square) => first.cells[square] !== EMPTY);
  const moves = [];
  for (const move of given) {
    const word = String(move).toLowerCase();
    if (!SIDES.includes(word) || names.includes(word)) moves.push(squareOf(game, [...taken, ...moves], move));
  }
  if (!moves.length) {
    throw refused("notation_error", "A game to review has at least one move; give the moves, such as 'b2 a1 c3', X first.");
  }
  return { first, moves, players };
}

/** The positions of a game, from the first to the last. */
function playOn(game, first, moves) {
  const found = [first];
  moves.forEach((square, at) => {
    try {
      found.push(playLegal(game, found.at(-1), square));
    } catch (error) {
      throw refused(error.code, `Move ${at + 1} of the game can't be played: ${error.message}`);
    }
  });
  return found;
}
