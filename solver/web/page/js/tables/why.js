// Explain a move that gives the result away, the same as solver/study/why.py.

import { SIGNS, O, X, completing } from "./game.js";
import { CATEGORIES, mainlineAnswer, positionName, squareAnswer } from "./answers.js";
import { playLegal, readPosition, squareOf } from "./notation.js";

const COUNTS = { 2: "two", 3: "three", 4: "four" };
const MOST_MOVES = 8; // moves of a line in a sentence
const RESULT_VERBS = { 1: "wins", 0: "only draws", "-1": "loses" };

/** `/v1/GAME/why?position=&move=`: the reply that refutes a move, and the threats that decide. */
export async function whyAnswer(table, text, written) {
  const { game } = table;
  const { names } = game.diagram;
  const position = readPosition(game, text);
  const square = squareOf(game, game.allSquares().filter((each) => position.cells[each]), written);
  const after = playLegal(game, position, square);
  const wdl = -(await table.probe(after)).wdl || 0;
  const { moves: line } = await mainlineAnswer(table, game.board(after));
  const side = position.ply % 2 ? X : O; // the other side
  let reason = line.length ? `${SIGNS[side]} answers ${line[0]}` : "";
  let threats = [];
  if (wdl < 0) {
    const found = findThreats(game, after, side, line.map((name) => names.indexOf(name)));
    threats = found.squares.map((each) => names[each]);
    reason = `${SIGNS[side]} wins${line.length ? " after " : ""}${[...line.slice(0, MOST_MOVES), ...(line.length > MOST_MOVES ? ["..."] : [])].join(" ")}`;
    if (threats.length) reason = describe(SIGNS[side], line, found.count, threats);
  }
  return {
    ...positionName(game, position), ...squareAnswer(game, square), verdict: CATEGORIES[wdl],
    sentence: `${names[square]} ${RESULT_VERBS[wdl]}${reason && wdl < 1 ? ": " + reason : ""}.`, line, threats,
  };
}

function describe(side, line, count, threats) {
  const where = `at ${joinNames(threats)}`;
  if (!count) return `${side} wins at once, ${where}`;
  const before = count === 1 ? `${side} answers ${line[0]} and then` : `after ${line.slice(0, count).join(" ")}, ${side}`;
  return `${before} has ${COUNTS[threats.length] ?? threats.length} ways to win, ${where}`;
}

/** "a1, b2 and c3"; beyond five names, the rest is counted. */
function joinNames(all) {
  const names = all.length > 5 ? [...all.slice(0, 4), `${all.length - 4} others`] : all;
  return [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ");
}

/** The squares on which a side wins at once, or whose two threats can't both be stopped, and the moves of the line before. */
function findThreats(game, after, side, line) {
  let position = after;
  for (let count = 0; count <= line.length && !game.misere && game.outcome(position) === null; count++) {
    const own = winningSquares(game, position, side);
    const isTheirs = (position.ply % 2 ? O : X) === side;
    if (isTheirs ? !count && own.length : own.length > 1 && !winningSquares(game, position, X + O - side).length) return { count, squares: own };
    if (count < line.length) position = game.play(position, line[count]);
  }
  return { count: 0, squares: [] };
}

/** The squares on which a side would complete a line if it were to move. */
const winningSquares = (game, { cells }, side) =>
  [...completing(game.lines[side], cells, side)].filter((square) => game.isVacant(cells, square)).sort((a, b) => a - b);
