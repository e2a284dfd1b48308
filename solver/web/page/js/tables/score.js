// Read a game in any of the forms of solver/study/played.py.

import { splitMoves } from "../line.js";
import { quoted, refused } from "./errors.js";
import { columnsOf, playLegal, readPosition, squareOf, unreadable } from "./notation.js";

const REPORTED = /^[XO] [^\s,]+(, [XO] [^\s,]+)*$/;

/** `/v1/GAME/played?moves=&position=`: the first position and the moves of a game. */
export function playedAnswer({ game }, text, start) {
  const { positions: [first], moves } = readScore(game, text, start);
  return { game: game.name, start: game.board(first), moves: moves.map((square) => game.diagram.names[square]) };
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

/** Play moves from a position; numbers in a list are squares from 0. Throws Refused. */
function play(game, first, given) {
  const plain = (text) => (REPORTED.test(text) ? text.replace(/(^|, )[XO] (wins$)?|\?/g, " ") : text);
  const split = (text) => splitMoves(plain(text), columnsOf(game), game.diagram.names);
  const written = typeof given === "string" ? split(given) : given.flatMap((move) => (typeof move === "string" ? split(move) : [move]));
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
