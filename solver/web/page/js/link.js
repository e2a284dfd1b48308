// The address of the page holds the game, the position, the moves and the settings, so that a link shows the same.

import { PLAYERS } from "./players.js";
import { readKind } from "./training.js";

/** The state of the page: what the person chose; everything else follows from it. */
export const initialState = (game) => ({
  game,
  start: "", // the position that the line begins with, "" for the empty board
  moves: [], // names of squares
  at: 0, // how many of the moves stand on the board
  players: { X: "person", O: "person" },
  hints: true,
  draft: null, // the board that is being set up
  embed: false, // within another page: the board alone
  train: null, // the kind of puzzle, or the day of it; null: no training
});

/** The state that an address stands for. */
export function read(search) {
  const given = new URLSearchParams(search);
  const moves = (given.get("moves") ?? "").toLowerCase().split(/[\s,]+/).filter(Boolean);
  const at = Number.parseInt(given.get("at") ?? "", 10);
  const player = (side) => (given.get(side) in PLAYERS ? given.get(side) : "person");
  return {
    game: given.get("game") ?? "", // none: the gallery
    start: given.get("position") ?? "",
    moves,
    at: at >= 0 && at <= moves.length ? at : moves.length,
    players: { X: player("x"), O: player("o") },
    hints: given.get("hints") !== "off",
    draft: given.get("setup"),
    embed: given.get("embed") === "1",
    train: readKind(given.get("train")),
  };
}

/** The query part of the address of a state. */
export function write(state) {
  const parts = [["game", state.game]];
  if (state.start) parts.push(["position", state.start]);
  if (state.moves.length) parts.push(["moves", state.moves.join(",")]);
  if (state.at < state.moves.length) parts.push(["at", state.at]);
  if (state.players.X !== "person") parts.push(["x", state.players.X]);
  if (state.players.O !== "person") parts.push(["o", state.players.O]);
  if (state.train !== null) parts.push(["train", state.train]);
  if (state.embed) parts.push(["embed", 1]);
  if (!state.hints) parts.push(["hints", "off"]);
  if (state.draft !== null) parts.push(["setup", state.draft]);
  return formatQuery(parts);
}

/** Pairs of names and values as a query. Slashes and commas are legal there and easier to read as they are. */
export const formatQuery = (pairs) =>
  "?" +
  pairs.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%2F", "/").replaceAll("%2C", ",")}`).join("&");
