// The client of the server. Answers about positions are cached: they change only if a table is rebuilt.

import { formatQuery } from "./link.js";

const MOST_ANSWERS = 2000; // answers
const TIMEOUT = 10_000; // milliseconds

/** The server is unreachable, or did not respond in time. */
export class Unreachable extends Error {}

/** An error that the server returned; `build` is the command that builds a missing table. */
export class Refused extends Error {
  constructor({ status = 500, code = "error", message, build = null }) {
    super(message);
    Object.assign(this, { status, code, build });
  }
}

export class Api {
  constructor(base = "v1") {
    this.base = base;
    this.kept = new Map();
    this.lost = "The server does not respond. Nothing is lost: this page keeps the game and retries automatically.";
  }

  /** The games that have a table, then those with a strategy instead. */
  async games() {
    const { games, strategies = [] } = await this.ask("games");
    return [...games, ...strategies];
  }

  /** A game and its board, for games without either. */
  rules(game) {
    return this.ask(`${encodeName(game)}/rules`);
  }

  /** Well-known games and families of games, with or without tables. */
  gallery() {
    return this.ask("gallery");
  }

  /** The value of a position, and every move in it; `text` is a position in any notation. search: whether it may take a second. */
  async position(game, text, search = true) {
    const answer = (search ? null : this.known(game, text)) ?? await this.askOnce(positionPath(game, text, search));
    if (search) this.kept.set(positionPath(game, answer.position), answer); // also under the rows of its board
    return answer;
  }

  /** The address of the answer about a position. */
  address(game, board) {
    return new URL(`${this.base}/${positionPath(game, board)}`, location.href).href;
  }

  /** The same, requested again, because a search had not settled every move. */
  positionAgain(game, text) {
    this.kept.delete(positionPath(game, text));
    return this.position(game, text);
  }

  /** For each move, how many of its replies keep the value. */
  replies(game, board) {
    return this.askOnce(`${encodeName(game)}/replies${query({ position: board })}`);
  }

  /** A puzzle of a level, of a theme or of a day; never cached. */
  async puzzle(game, kind) {
    return (await this.ask(`${encodeName(game)}/puzzles${query(kind)}`, { cache: "no-store" })).puzzles[0];
  }

  /** The first position and the moves of a game in any notation, without values. */
  played(game, text) {
    return this.askOnce(`${encodeName(game)}/played${query({ moves: text })}`);
  }

  /** The moves of a position up to symmetry. */
  openings(game, board) {
    return this.askOnce(`${encodeName(game)}/openings${query({ position: board, depth: 1 })}`);
  }

  /** A position under its own rules and under others. */
  compare(game, board) {
    return this.askOnce(`${encodeName(game)}/compare${query({ position: board })}`);
  }

  /** The reply that refutes a move, and the threats that decide. */
  why(game, position, move) {
    return this.askOnce(`${encodeName(game)}/why${query({ position, move })}`);
  }

  /** Best play by both sides until the end. */
  mainline(game, board) {
    return this.askOnce(`${encodeName(game)}/mainline${query({ position: board })}`);
  }

  /** The move that an engine plays; never cached, because engines may choose at random. */
  opponent(game, board, engine) {
    return this.ask(`${encodeName(game)}/opponent${query({ position: board, engine })}`, { cache: "no-store" });
  }

  /** The cached answer, or undefined. */
  known(game, board) {
    return this.kept.get(positionPath(game, board)) ?? this.kept.get(positionPath(game, board, false));
  }

  async askOnce(path) {
    if (!this.kept.has(path)) {
      const answer = await this.ask(path);
      if (this.kept.size >= MOST_ANSWERS) this.kept.delete(this.kept.keys().next().value);
      this.kept.set(path, answer);
    }
    return this.kept.get(path);
  }

  async ask(path, options = {}) {
    const response = await this.send(path, options);
    const body = await response.json().catch(() => null);
    if (response.ok && body) return body;
    if (body?.error?.code === "not_found") throw new Refused({ ...body.error, message: "This game's name can't be read." });
    if (body?.error) throw new Refused(body.error);
    throw new Unreachable(path); // a proxy in front of a server that is down responds too, but in another form
  }

  async send(path, options) {
    try {
      return await fetch(`${this.base}/${path}`, { signal: AbortSignal.timeout(TIMEOUT), ...options });
    } catch (error) {
      throw new Unreachable(error.message);
    }
  }
}

const encodeName = (game) => encodeURIComponent(game).replaceAll("%2C", ",");

const positionPath = (game, position, search = true) => `${encodeName(game)}${query({ position, ...(search ? {} : { search }) })}`;

const query = (parameters) => formatQuery(Object.entries(parameters));
