// Titles of games: from the gallery, or made from their names.

import { capitalise } from "./words.js";

const KNOWN = { "6,7,4,gravity": "Connect Four", "15,15,5": "Gomoku", "4x4x4,4": "Qubic" };
const NUMBER_WORDS = ["", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];
const VARIANT_WORDS = {
  misere: "to lose", gravity: "with gravity", torus: "on a torus", exact: "no longer", full: "whole rows", maker: "Maker and Breaker",
};

/** The title of a game: "Tic-tac-toe", "Four in a row on 4 by 4, to lose". games: the served games, from the API. */
export function titleOf(name, gallery, games = []) {
  if (name in KNOWN) return KNOWN[name];
  const known = gallery?.games.find(({ game }) => game === name);
  if (known) return known.title;
  const [, rows, columns, k, rest] = /^(\d+),(\d+),(\d+)((?:,\w+)*)$/.exec(name) ?? [];
  const variants = (rest ?? "").split(",").filter(Boolean);
  if (rows && variants.every((each) => each in VARIANT_WORDS)) {
    return [`${NUMBER_WORDS[k] ?? k} in a row on ${rows} by ${columns}`, ...variants.map((each) => VARIANT_WORDS[each])].join(", ");
  }
  const served = games.find(({ game }) => game === name);
  return served ? capitalise(served.description.split(/[,;]/)[0]) : name;
}
