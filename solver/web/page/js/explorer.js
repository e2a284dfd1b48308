// The explorer itself: what the person does changes the state, the state is asked about, the answers are drawn.

import { Refused, Unreachable } from "./api.js";
import { boardsOf, cellsOf, emptyBoard, isBoard, movesOf, sideToMove, squareName } from "./line.js";
import { initialState } from "./link.js";
import { PLAYERS } from "./players.js";
import { titleOf } from "./titles.js";
import { loadStreak, queriesOf, readKind } from "./training.js";
import { bestMoves } from "./words.js";

const FIRST_RETRY = 1000; // milliseconds; each further one waits twice as long
const LAST_RETRY = 16_000;
const MOST_EXAMPLES = 4; // games that are asked for one in which a reply can be wrong
const LINE_PATIENCE = 200; // milliseconds that a position waits for its main line, which many probes make

export class Explorer {
  /**
   * api: the server. address: reads the state from the address of the page, and writes it there. show: draws a view.
   * pause: milliseconds before an engine moves, so that a person can follow.
   */
  constructor({ api, address, show, pause }) {
    Object.assign(this, { api, address, show, pause });
    this.games = [];
    this.gallery = null;
    this.example = null; // the position above the gallery
    this.puzzle = null; // the last one that was asked for: its level and themes
    this.turn = 0; // counts changes, so that late answers are dropped
    this.wait = FIRST_RETRY;
    this.state = null;
    this.view = null;
    this.pointed = null; // the name of the square under the pointer, or with the focus
  }

  /** Ask for the games, then show what the address stands for: a game, or without one the gallery. */
  async begin() {
    const first = !this.view;
    this.state = this.address.read();
    this.view = this.emptyView();
    if (first) this.show(this.view);
    await this.attempt(async () => {
      const gallery = this.api.gallery().catch(() => null); // titles alone are missing without it
      this.games = await this.api.games();
      if (this.state.game) this.gallery = await gallery;
      else await this.findGallery();
      await this.refresh();
    }, () => this.begin());
  }

  /** Ask for the gallery, and for what stands above it: a game there with a table in which a reply can be wrong. */
  async findGallery() {
    const gallery = await this.api.gallery();
    const ready = gallery.games.filter(({ table }) => table).map(({ game }) => game);
    for (const game of [...ready, ...this.games.map((each) => each.game)].slice(0, MOST_EXAMPLES)) {
      const example = await this.findExample(game);
      const canErr = example && bestMoves(example.moves).length < example.moves.length;
      if (canErr || !this.example) this.example = example;
      if (canErr) break;
    }
    this.gallery = gallery;
  }

  /** Ask for the position of a game after its first move. */
  async findExample(game) {
    const rules = this.games.find((each) => each.game === game);
    if (!rules) return null;
    const played = squareName(rules, 0);
    const answer = await this.api.position(game, `moves:${played}`).catch(() => null);
    return answer?.moves.length ? { game, played, board: cellsOf(rules, answer.position), moves: answer.moves } : null;
  }

  get rules() {
    return this.games.find(({ game }) => game === this.state?.game) ?? null;
  }

  /** The address changed under us: back, forward, or a link pasted. */
  async followAddress() {
    this.state = this.address.read();
    if (this.state.game || this.example) await this.refresh();
    else await this.begin();
  }

  /** Change the state, write it to the address and show what follows from it. */
  async update(change, { replace = false } = {}) {
    const state = { ...this.state, ...change };
    if (!state.game) return; // a key on the first screen, where there is nothing to change
    this.state = state;
    this.address.write(state, replace);
    await this.refresh();
  }

  // What a person can do

  async play(name, { replace = false } = {}) {
    const { moves, at } = this.state;
    if (!this.view.now?.moves.some((move) => move.name === name)) return;
    await this.update({ moves: [...moves.slice(0, at), name], at: at + 1 }, { replace });
  }

  async undo() {
    const target = this.previousTurn();
    if (target !== null) await this.jump(target);
  }

  async redo() {
    const target = this.nextTurn();
    if (target !== null) await this.jump(target);
  }

  async jump(at) {
    if (at !== this.state.at) await this.update({ at });
  }

  async restart() {
    if (this.state.moves.length) await this.update({ moves: [], at: 0 });
    else if (this.state.start) await this.update({ start: "" });
    else await this.refresh();
  }

  async choose(game) {
    await this.update({ ...initialState(game), players: this.state.players, hints: this.state.hints });
  }

  async swap() {
    const { X, O } = this.state.players;
    await this.update({ players: { X: O, O: X } });
  }

  /** Let the table play the side that is not to move, as well as it can. */
  async playTable() {
    const side = sideToMove(this.rules, this.view.board);
    await this.update({ players: { X: "person", O: "person", [side === "X" ? "O" : "X"]: "perfect" } });
  }

  async playLine(names) {
    const { moves, at } = this.state;
    await this.update({ moves: [...moves.slice(0, at), ...names], at: at + names.length });
  }

  /** Ask for a puzzle of a kind, and show it without any values. */
  async train(kind) {
    await this.update({ train: readKind(kind), start: "", moves: [], at: 0, hints: false, draft: null });
  }

  async stopTraining() {
    await this.update({ train: null, hints: true });
  }

  /** Put a puzzle on the board, in the place of the address that asked for one. */
  async drawPuzzle() {
    const { game, train } = this.state;
    const queries = queriesOf(train, loadStreak(game));
    let puzzle = await this.api.puzzle(game, queries[0]).catch((error) => {
      if (error.code !== "position_error" || queries.length < 2) throw error; // no puzzle of this level: take any
      return null;
    });
    puzzle ??= await this.api.puzzle(game, queries[1]);
    this.puzzle = puzzle;
    const people = { X: "person", O: "person" };
    await this.update({ start: puzzle.position, moves: [], at: 0, hints: false, players: people }, { replace: true });
  }

  /** Begin to set up a position with the one on the board. */
  async startSetup() {
    await this.update({ draft: this.view.board });
  }

  /** Take what was set up as the new beginning, moves as the game; an impossible position stays and is complained about. */
  async finishSetup() {
    const { answer, moves, start } = this.view.draft ?? {};
    if (!answer) return;
    const first = moves ? start ?? "" : answer.position;
    const rules = this.games.find((each) => each.game === answer.game);
    const change = { start: first === emptyBoard(rules) ? "" : first, moves: moves ?? [], at: moves?.length ?? 0, draft: null };
    await this.update({ game: answer.game, ...change });
  }

  /** What if this move were played? null: nothing is considered. */
  async consider(name) {
    const { view } = this;
    this.pointed = name;
    if ((view.considered?.name ?? null) === name) return;
    const move = name && this.state.hints && view.now?.moves.find((each) => each.name === name);
    view.considered = move ? { name, move, answer: null } : null;
    this.show(view);
    if (!move) return;
    const [answer] = await Promise.allSettled([this.api.position(this.state.game, move.position)]);
    if (view.considered?.name !== name || this.view !== view) return;
    view.considered.answer = answer.value ?? null; // without an answer the verdict of the move stands alone
    this.show(view);
  }

  /** Review a game that is pasted: of the game that its text names, else of this one. Throws Refused. */
  async reviewText(game, text) {
    const { game: found, start, moves } = await this.readGame(text, game);
    const first = start === emptyBoard(this.games.find((each) => each.game === found)) ? "" : start;
    await this.update({ ...initialState(found), start: first, moves, at: moves.length });
  }

  // The moments of a game at which a person has the move

  previousTurn() {
    return this.personsTurns().findLast((at) => at < this.state.at) ?? null;
  }

  nextTurn() {
    return this.personsTurns().find((at) => at > this.state.at) ?? null;
  }

  personsTurns() {
    const { players, moves } = this.state;
    const all = this.view.boards.map((_, at) => at);
    if (players.X !== "person" && players.O !== "person") return all;
    return all.filter((at) => at === moves.length || players[sideToMove(this.rules, this.view.boards[at])] === "person");
  }

  // Asking and drawing

  async refresh() {
    const turn = ++this.turn;
    if (!this.state.game) {
      this.view = this.emptyView();
      this.show(this.view);
      return;
    }
    await this.attempt(async () => {
      this.view = { ...this.emptyView(), ...this.knownView(), waiting: true };
      this.show(this.view);
      const view = await this.load();
      if (turn !== this.turn) return;
      this.view = view;
      this.show(view);
      this.consider(this.pointed); // the pointer may have come to rest before the answer
      this.awaitLine(view);
      this.countReplies(view);
      await this.letEngineMove(turn);
    }, () => this.refresh(), () => turn === this.turn);
  }

  /** Show the main line that a view did not wait for, when it is known; without an answer nothing is missing. */
  async awaitLine(view) {
    if (view.mainline) return;
    view.mainline = await view.line;
    if (this.view === view && view.mainline) this.show(view);
  }

  /** Ask how many replies to each move hold, and show it when it is known; without an answer nothing is missing. */
  async countReplies(view) {
    if (!view.now?.moves.length || !view.state.hints || view.draft) return;
    const [answer] = await Promise.allSettled([this.api.replies(view.state.game, view.board)]);
    if (this.view !== view || !answer.value) return;
    view.replies = new Map(answer.value.moves.map((move) => [move.name, move]));
    this.show(view);
  }

  /** Do something; when the server is lost, say so, and try again until it is back or the person does another thing. */
  async attempt(action, again, current = () => true) {
    clearTimeout(this.timer);
    try {
      await action();
      if (current()) this.wait = FIRST_RETRY;
    } catch (error) {
      if (!current()) return;
      if (!(error instanceof Unreachable || error instanceof Refused)) throw error;
      const lost = error instanceof Unreachable;
      this.view = { ...this.view, waiting: false, thinking: false, problem: error, lost, again };
      this.show(this.view);
      if (!lost) return;
      this.timer = setTimeout(again, this.wait);
      this.wait = Math.min(2 * this.wait, LAST_RETRY);
    }
  }

  emptyView() {
    const { state, rules } = this;
    const board = rules ? emptyBoard(rules) : "";
    return {
      games: this.games, gallery: this.gallery, rules, state, board, boards: [board], answers: [], now: null,
      mainline: null, line: null, replies: null,
      considered: null, draft: null, waiting: false, thinking: false, lost: false, problem: null, again: null,
    };
  }

  /** The stones of the line, known before any answer. */
  knownView() {
    const { state, rules } = this;
    if (!rules) return {};
    const start = isBoard(rules, state.start) ? state.start : emptyBoard(rules);
    const boards = boardsOf(rules, start, state.moves);
    if (!boards) return {};
    const answers = boards.map((board) => this.api.known(state.game, board));
    return { boards, board: boards[state.at], answers, draft: state.draft === null ? null : { board: state.draft } };
  }

  async load() {
    const { state, rules, api } = this;
    const first = await api.position(state.game, state.start || "start"); // an unknown game is refused here
    if (!rules) {
      // The game has another spelling, or its table was built meanwhile.
      this.games = await api.games();
      await this.update({ game: first.game }, { replace: true });
      return null;
    }
    if (state.train && !state.start) {
      await this.drawPuzzle();
      return null;
    }
    const boards = boardsOf(rules, first.position, state.moves);
    if (!boards) throw new Refused(notALine(state.moves));
    state.moves = movesOf(rules, first.position, state.moves); // with gravity a column may stand for its square
    const answers = await Promise.all(boards.map((board) => api.position(state.game, board)));
    const legal = state.moves.every((name, at) => answers[at].moves.some((move) => move.name === name));
    if (!legal) throw new Refused(notALine(state.moves));
    const now = answers[state.at];
    const line = now.terminal || !state.hints || engineToMove(state, now) ? null : api.mainline(state.game, now.position).catch(() => null);
    const mainline = (await Promise.race([line, sleep(LINE_PATIENCE)])) ?? null;
    const draft = state.draft === null ? null : await this.judgeDraft(state.draft);
    return { ...this.emptyView(), boards, answers, now, board: boards[state.at], mainline, line, draft };
  }

  /** The board that is being set up, or the game that is pasted, with its answer or with what is wrong with it. */
  async judgeDraft(text) {
    const { game } = this.state;
    let refused = null;
    if (!POSITION.test(text)) {
      try {
        return await this.readGame(text);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        refused = /\d/.test(text) || namedGame(text) ? error : null;
      }
    }
    try {
      const answer = await this.api.position(game, text || "start");
      return { board: answer.position, answer, problem: "" };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const board = isBoard(this.rules, text) ? text : this.view.draft?.board ?? this.view.board;
      return { board, answer: null, problem: (refused ?? error).message };
    }
  }

  /** The game that is written, linked or recorded in any way, as a draft. Throws Refused. */
  async readGame(text, asked = this.state.game) {
    const { game, positions, moves, reading } = await this.api.review(namedGame(text) ?? asked, text);
    const last = positions.at(-1).position;
    const answer = await this.api.position(game, last);
    const found = { game, answer, start: positions[0].position, moves: moves.map(({ name }) => name), problem: "" };
    if (game === this.state.game) return { ...found, board: last, reading };
    const title = titleOf(game, this.gallery, this.games);
    return { ...found, board: this.view.board, reading: `This is a game of ${title} (${game}); the button below opens it.` };
  }

  /** Let an engine move if it is its turn at the end of the line. */
  async letEngineMove(turn) {
    const { state, view } = this;
    const engine = engineToMove(state, view.now);
    if (!engine) return;
    this.view.thinking = true;
    this.show(this.view);
    const [move] = await Promise.all([this.api.opponent(state.game, view.board, engine), sleep(this.pause)]);
    // The reply belongs to the entry of the move that it answers: "back" then leads to the person's turn.
    if (turn === this.turn) await this.play(move.name, { replace: true });
  }
}

/** The game that a link or a record names; undefined where the text names none. */
const namedGame = (text) => {
  const [, named] = /[?&]game=([^&#\s]+)/.exec(text) ?? /"game"\s*:\s*"([^"]+)"/.exec(text) ?? [];
  return named && decodeURIComponent(named);
};

/** What is a position rather than a game: a board, a hash, or nothing. */
const POSITION = /^(?:[xo._\-\s#0]*|[xo._\-\s#0-2]*\/[xo._\-\s#/0-2]*|\d*|start|hash:.*)$/i;

/** The engine that moves now, at the end of the line; null if none does. */
function engineToMove({ players, at, moves, draft }, { to_move: side }) {
  return side && at === moves.length && draft === null ? PLAYERS[players[side]].engine : null;
}

/** Whether a person may move now: it is their turn, or they look back and try something else. */
export function mayMove({ state, now, draft }) {
  if (!now || now.terminal || draft) return false;
  return state.players[now.to_move] === "person" || state.at < state.moves.length;
}

const notALine = (moves) => ({
  status: 400,
  code: "illegal_moves",
  message: `The moves of this link, ${moves.join(" ")}, can't all be played; restart, or set up a position.`,
});

const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));
