// The URL of the page has the game, the position, the moves and the settings, so that a link shows the same.

import { CLOCKS, FRIENDS, PEOPLE, PLAYERS, isAlone } from "./players.js";
import { readKind } from "./training.js";

/** The state of the page: the choices that determine everything else. */
export const initialState = (game) => ({
  game,
  start: "", // the first position of the line, "" for the empty board
  moves: [], // names of squares
  at: 0, // the number of moves played on the board
  main: null, // the moves of the game of which the line is a variation
  players: PEOPLE,
  clock: "", // one of CLOCKS, as the server may have others; "": none
  late: null, // the side that has run out of time on one screen
  live: null, // the name of a live game with a friend elsewhere
  hints: true,
  draft: null, // the board that is being set up
  embed: false, // embedded in another page: only the board
  train: null, // the kind or the day of the puzzle; null: no training
  lesson: false, // large, for a projector
  chapters: [], // of a lesson: the comment and the link of each
  chapter: 0, // the number of the current one
  marks: [], // circles and arrows on the position: "b2", "a1-c3"
  page: null, // "home": the first screen; "games": the list of all games; null: one game
});

/** The state of a URL. */
export function read(search) {
  const given = new URLSearchParams(search);
  const line = (name) => (given.get(name) ?? "").toLowerCase().split(/[\s,]+/).filter(Boolean);
  const moves = line("moves");
  const at = Number.parseInt(given.get("at") ?? "", 10);
  const player = (side) => (given.get(side) in PLAYERS ? given.get(side) : "person");
  const live = given.get("live");
  const players = live ? FRIENDS : { X: player("x"), O: player("o") };
  const game = given.get("game") ?? "";
  return {
    game,
    start: given.get("position") ?? "",
    moves,
    main: given.has("main") ? line("main") : null,
    at: at >= 0 && at <= moves.length ? at : moves.length,
    players,
    live,
    late: ["X", "O"].find((side) => given.get("late") === side) ?? null,
    clock: CLOCKS.find((clock) => given.get("clock") === clock) ?? "",
    hints: !live && given.has("hints") ? given.get("hints") !== "off" : isAlone(players),
    draft: given.get("setup"),
    embed: given.get("embed") === "1",
    train: readKind(given.get("train")),
    lesson: given.get("lesson") === "1",
    chapters: readLesson(given.get("chapters") ?? ""),
    chapter: Number.parseInt(given.get("chapter") ?? "", 10) || 0,
    marks: line("marks"),
    page: game ? null : given.has("games") ? "games" : "home",
  };
}

/** The chapters of a lesson in a link or a file: none if the text is not a lesson. */
export function readLesson(text) {
  try {
    const found = JSON.parse(text);
    const chapters = Array.isArray(found) ? found : found.lesson;
    const isChapter = ([comment, link]) => typeof comment === "string" && /^\?game=/.test(link);
    return Array.isArray(chapters) && chapters.every(isChapter) ? chapters : [];
  } catch {
    return [];
  }
}

/** The state outside a live game: its moves for two people on this screen. */
export const shared = (state) => (state.live ? { ...state, live: null, players: PEOPLE } : state);

/** The query of the URL of a state. */
export function write(state) {
  if (state.page === "games") return "?games";
  const parts = [["game", state.game]];
  if (state.start) parts.push(["position", state.start]);
  if (state.live) parts.push(["live", state.live]); // the server has the moves and the sides
  else {
    if (state.moves.length) parts.push(["moves", state.moves.join(",")]);
    if (state.at < state.moves.length) parts.push(["at", state.at]);
    if (state.main) parts.push(["main", state.main.join(",")]);
    if (state.players.X !== "person") parts.push(["x", state.players.X]);
    if (state.players.O !== "person") parts.push(["o", state.players.O]);
  }
  if (state.clock && isAlone(state.players)) parts.push(["clock", state.clock]);
  if (state.late) parts.push(["late", state.late]);
  if (state.train !== null) parts.push(["train", state.train]);
  if (state.embed) parts.push(["embed", 1]);
  if (state.lesson) parts.push(["lesson", 1]);
  if (state.marks.length) parts.push(["marks", state.marks.join(",")]);
  if (state.chapters.length) parts.push(["chapters", JSON.stringify(state.chapters)], ["chapter", state.chapter]);
  if (state.hints !== isAlone(state.players)) parts.push(["hints", state.hints ? "on" : "off"]);
  if (state.draft !== null) parts.push(["setup", state.draft]);
  return formatQuery(parts);
}

/** Names and values as a query. Slashes and commas are legal there and more readable unescaped. */
export const formatQuery = (pairs) =>
  "?" +
  pairs.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%2F", "/").replaceAll("%2C", ",")}`).join("&");
