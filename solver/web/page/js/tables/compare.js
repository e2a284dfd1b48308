// Compare a position under all rules that a site has tables for, as solver/study/comparison.py does.

import { Refused } from "../api.js";
import { positionAnswer } from "./answers.js";
import { readPosition } from "./notation.js";

const VARIANTS = ["misere", "torus", "gravity"];

/**
 * `/v1/GAME/compare?position=`: a position under its own rules and under others, those that have a table.
 * names: the games of the site. openTable: returns the table of a game.
 */
export async function compareAnswer(names, openTable, name, text) {
  const { game } = await openTable(name);
  const board = game.board(readPosition(game, text));
  const found = await Promise.all(listRelatives(names, name).map((other) => openTable(other)));
  const relatives = found.filter((table) => String(table.game.diagram.names) === String(game.diagram.names));
  return { position: board, rules: await Promise.all(relatives.map((table) => underRules(table, board))) };
}

/** The game itself, then those that differ from it in one variant: the normal one, misere, torus and gravity. */
function listRelatives(names, name) {
  const plain = (each) => each.split(",").filter((part) => !VARIANTS.includes(part)).join(",");
  const variants = (each) => each.split(",").filter((part) => VARIANTS.includes(part)).join();
  const wanted = ["", ...VARIANTS];
  const others = names.filter((each) => each !== name && plain(each) === plain(name) && wanted.includes(variants(each)));
  return [name, ...others.sort((a, b) => wanted.indexOf(variants(a)) - wanted.indexOf(variants(b)))];
}

async function underRules(table, board) {
  const found = { game: table.game.name, description: table.facts.description, status: "answered", answer: null, problem: null, build: null };
  try {
    return { ...found, answer: await positionAnswer(table, board) };
  } catch (error) {
    if (!(error instanceof Refused && ["impossible_position", "notation_error"].includes(error.code))) throw error;
    return { ...found, status: "impossible", problem: error.message };
  }
}
