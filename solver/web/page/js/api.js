// Ask the server. Answers about positions are kept: they change only if a table is built again.

import { formatQuery } from "./link.js";

const MOST_KEPT = 2000; // answers
const TIMEOUT = 10_000; // milliseconds

/** The server could not be reached, or did not answer in time. */
export class Unreachable extends Error {}

/** The server answered that something is wrong; `build` is the command that makes a missing table. */
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
    this.lost = "The server does not answer. Nothing is lost: this page keeps the game and tries again by itself.";
  }

  /** The games whose tables are there. */
  async games() {
    return (await this.ask("games")).games;
  }

  /** Well-known games and families of games, whether or not there are tables. */
  gallery() {
    return this.ask("gallery");
  }

  /** What a position is worth, and every move in it; `text` may be anything that can be read as a position. */
  position(game, text) {
    return this.askOnce(`${game}${query({ position: text })}`);
  }

  /** How many of the replies to each move hold. */
  replies(game, board) {
    return this.askOnce(`${game}/replies${query({ position: board })}`);
  }

  /** A puzzle of a kind: a level, a theme, or that of a day; asked anew each time. */
  async puzzle(game, kind) {
    return (await this.ask(`${game}/puzzles${query(kind)}`, { cache: "no-store" })).puzzles[0];
  }

  /** A game in any notation that people and programs write, read and reviewed. */
  review(game, text) {
    return this.askOnce(`${game}/review${query({ moves: text })}`);
  }

  /** The moves of a position up to symmetry. */
  openings(game, board) {
    return this.askOnce(`${game}/openings${query({ position: board, depth: 1 })}`);
  }

  /** A position under its own rules and under others. */
  compare(game, board) {
    return this.askOnce(`${game}/compare${query({ position: board })}`);
  }

  /** The address of a picture of a position. */
  picture(game, board, format, hints) {
    return `${this.base}/${game}/picture${query({ position: board, format, hints: hints ? "on" : "off" })}`;
  }

  /** Best play of both sides to the end. */
  mainline(game, board) {
    return this.askOnce(`${game}/mainline${query({ position: board })}`);
  }

  /** The move that an engine plays; asked anew each time, because engines may draw lots. */
  opponent(game, board, engine) {
    return this.ask(`${game}/opponent${query({ position: board, engine })}`, { cache: "no-store" });
  }

  /** The answer if it is here already, otherwise undefined. */
  known(game, board) {
    return this.kept.get(`${game}${query({ position: board })}`);
  }

  async askOnce(path) {
    if (!this.kept.has(path)) {
      const answer = await this.ask(path);
      if (this.kept.size >= MOST_KEPT) this.kept.delete(this.kept.keys().next().value);
      this.kept.set(path, answer);
    }
    return this.kept.get(path);
  }

  async ask(path, options = {}) {
    const response = await this.send(path, options);
    let body;
    try {
      body = await response.json();
    } catch {
      // A proxy in front of a server that is down answers too, but not in our form.
      throw new Unreachable(`the answer to ${path} (status ${response.status}) can't be read`);
    }
    if (response.ok) return body;
    throw new Refused({ status: response.status, ...(body.error ?? { message: response.statusText }) });
  }

  async send(path, options) {
    try {
      return await fetch(`${this.base}/${path}`, { signal: AbortSignal.timeout(TIMEOUT), ...options });
    } catch (error) {
      throw new Unreachable(error.message);
    }
  }
}

const query = (parameters) => formatQuery(Object.entries(parameters));
