// Review a game in any of the textual forms of solver/study.

import { formatQuery } from "../link.js";
import { reviewGame } from "../review.js";
import { answerPosition } from "./answers.js";
import { quoted, refused } from "./errors.js";
import { EMPTY } from "./game.js";
import { playNth, readMovetext } from "./movetext.js";
import { readPosition, squareOf, unreadable } from "./notation.js";

/** `/v1/GAME/review?moves=&position=`: every move of a game, the mistakes, and the losing move. */
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

/** A game as it was played: the position it began in, the squares in their order, and the names of X and O, if given. */
function readScore(game, text, start) {
  const given = readText(text.trim());
  if (typeof given === "string") return checked(game, readStart(game, start), given, null);
  const { game: name = game.name, moves, outcome, x, o } = given;
  if (name !== game.name) {
    throw refused("notation_error", `This is a game of ${quoted(String(name))}, not of ${game.name}; give one of ${game.name}.`);
  }
  if (typeof moves !== "string" && !Array.isArray(moves)) throw refused("notation_error", "The object of a game needs a list of squares, 'moves'; this one has none.");
  const isRecord = outcome !== undefined && x !== undefined && o !== undefined; // in a link `x` and `o` are the players
  const began = start ?? ("start" in given ? given.start : given.position);
  return checked(game, readStart(game, began), moves, isRecord ? [String(x), String(o)] : null);
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

/** The score of moves that can all be played. */
function checked(game, first, given, players) {
  const moves = typeof given === "string" ? readMovetext(game, first, given) : readList(game, first, given);
  if (!moves.length) {
    throw refused("notation_error", "A game to review has at least one move; give the moves, such as 'b2 a1 c3', X first.");
  }
  return { first, moves, players };
}

/** A list of names and pairs is parsed as text; in any other, numbers are squares from 0. */
function readList(game, first, given) {
  if (given.every((move) => typeof move === "string" || Array.isArray(move))) return readMovetext(game, first, given.map((move) => (Array.isArray(move) ? `(${move})` : move)).join(" "));
  const taken = game.allSquares().filter((square) => first.cells[square] !== EMPTY);
  const moves = [];
  for (const move of given) moves.push(squareOf(game, [...taken, ...moves], move));
  return moves;
}

/** The positions of a game, from the first to the last. */
function playOn(game, first, moves) {
  const found = [first];
  moves.forEach((square, at) => found.push(playNth(game, found[at], square, at + 1)));
  return found;
}
