// The explorer: actions change the state, the state leads to requests, and their answers are drawn.

import { Refused, Unreachable } from "./api.js";
import {
  boardsOf, columnNames, emptyBoard, hasGravity, hasTable, isBoard, movesOf, otherSide, sideToMove, splitMoves,
} from "./line.js";
import { initialState, read, shared, write } from "./link.js";
import { nextPlayers } from "./match.js";
import { GUESS, LEVEL, PEOPLE, PLAYERS, isAlone, opponentOf, personSide, withOpponent } from "./players.js";
import { isRevealed, mistakeAhead, mistakesOf } from "./review.js";
import { recall, remember } from "./storage.js";
import { titleOf } from "./titles.js";
import { loadMistakes, loadStreak, queriesOf, readKind } from "./training.js";
import { isUnsettled, sortByTraps } from "./words.js";

const FIRST_RETRY = 1000; // milliseconds; each further one waits twice as long
const LAST_RETRY = 16_000;
const MOST_LINES = 5; // requests for a main line
const BUSY = "busy"; // the code of a server with too many long requests
const POSITION_KEYS = ["game", "start", "moves", "at"]; // what changes the position
const MOST_SEARCHES = 30; // requests for the values of one position, of about a second each

export class Explorer {
  /**
   * api: the server. address: reads the state from the URL of the page, and writes it there. show: draws a view.
   * pause: milliseconds before an engine moves, so that people can follow.
   */
  constructor({ api, address, show, pause }) {
    Object.assign(this, { api, address, show, pause });
    this.games = []; // with a table or a strategy, and those that have been opened without either
    this.gallery = null;
    this.puzzle = null; // the last one, with its level and themes
    this.tried = new Set(); // the wrong answers to it
    this.solved = ""; // the headline after the right answer
    this.tryMove = () => false; // answers a puzzle with a move; true if the move is wrong and not played
    this.reveal = false; // whether mistakes are shown before the game is over
    this.practice = false; // whether moves were taken back, so that the game does not count
    this.turn = 0; // counts changes, so that late answers are ignored
    this.wait = FIRST_RETRY;
    this.failure = null; // the problem that is shown, until its action succeeds or another one starts
    this.state = null;
    this.view = null;
    this.pointed = null; // the name of the square under the pointer or with the focus
  }

  /** Request the games, then show that of the URL, or the first one above the others. */
  async begin() {
    const first = !this.view;
    this.state = this.address.read();
    this.view = this.emptyView();
    if (first) this.show(this.view);
    await this.attempt(async () => {
      const gallery = this.api.gallery().catch(() => null); // only titles are missing without it
      this.games = await this.api.games();
      this.gallery = await gallery;
      this.enter();
      await this.refresh();
    }, () => this.begin());
  }

  /** On the first screen, start a game to play. */
  enter() {
    this.newGame();
    this.tried.clear();
    if (this.state.page !== "home") return;
    if (!this.games.length) this.state.page = "games";
    else this.state = { ...initialState(this.games[0].game), players: withOpponent(PEOPLE, this.level), hints: false, page: "home" };
  }

  /** The level that was chosen last. */
  get level() {
    const level = recall("level");
    return level in PLAYERS ? level : LEVEL;
  }

  get rules() {
    return this.rulesOf(this.state?.game) ?? null;
  }

  rulesOf(name) {
    return this.games.find(({ game }) => game === name);
  }

  /** The answer about a position of the game on the board; without a table at once, with the values that are stored. */
  ask(position, game = this.state.game) {
    return this.api.position(game, position, hasTable(this.rulesOf(game) ?? {}));
  }

  /** The URL has changed: back, forward, or a pasted link. */
  async followAddress() {
    this.failure = null;
    this.state = this.address.read();
    this.enter();
    await this.refresh();
  }

  /** Open a link of the page. */
  async follow(href) {
    const { search } = new URL(href, location.href);
    if (!this.mayLeave(new URLSearchParams(search).get("live"))) return;
    history.pushState(null, "", search || "?");
    await this.followAddress();
  }

  /** Change the state, write it to the URL and show the result. */
  async update(change, { replace = false } = {}) {
    if (this.state.live && change.hints && !isOver(this.view)) return; // nobody is helped in a live game
    const state = { ...this.state, page: null, ...(change.players && { live: null }), ...(change.moves && { late: null, main: null }), ...(POSITION_KEYS.some((key) => key in change) && { marks: [] }), ...change };
    if (!state.game) return; // a key on the first screen, which has no state
    if (!this.mayLeave(state.live)) {
      this.show(this.view);
      return;
    }
    this.failure = null;
    this.state = state;
    this.address.write(state, replace);
    await this.refresh();
  }

  /** Whether a state with this live game may follow: the person is asked before they leave one that is played. */
  mayLeave(live) {
    const { state, view } = this;
    const played = state?.live && live !== state.live && this.api.live?.of(state)?.joined && personSide(state.players) && !isOver(view);
    return !played || confirm("Leave this live game? Your friend waits until you return to its address.");
  }

  // Actions

  async play(name, { replace = false } = {}) {
    if (!this.view.now?.moves.some((move) => move.name === name) || this.tryMove(name)) return;
    this.reveal = false;
    await this.update(this.lineWith([name]), { replace });
  }

  /** Request the answer about the position after a move, which is about to be played. */
  prepare(name) {
    const move = this.view.now?.moves.find((each) => each.name === name);
    if (move) this.ask(move.position).catch(() => {}); // it is requested again when it is needed
  }

  async undo() {
    const target = this.previousTurn();
    this.practice ||= !this.view.now?.terminal;
    if (target !== null) await this.jump(target);
  }

  async redo() {
    const target = this.nextTurn();
    if (target !== null) await this.jump(target);
  }

  async jump(at) {
    if (at !== this.state.at) await this.update({ at });
  }

  /** Go forward or back by a number of moves. */
  async step(by) {
    await this.jump(Math.max(0, Math.min(this.state.moves.length, this.state.at + by)));
  }

  /** The positions before the mistakes of the game, if they may be shown. */
  mistakes() {
    return isRevealed(this.view) ? mistakesOf(this.view).map(({ number }) => number - 1) : [];
  }

  /** Go to the position before the next mistake, or before the previous one. */
  async toMistake(by) {
    const { at } = this.state;
    const all = this.mistakes();
    const found = by > 0 ? all.find((each) => each > at) : all.findLast((each) => each < at);
    if (found !== undefined) await this.jump(found);
  }

  /** Go to the position before a mistake, with the moves that were better. */
  async showMistake(at) {
    Object.assign(this, { reveal: true, practice: this.practice || !this.view.now.terminal });
    await this.jump(at);
  }

  /** Play on from the position on the board, against the opponent or else perfect play. */
  async retry() {
    const { moves, at, players } = shared(this.state);
    const side = otherSide(this.view.now.to_move);
    Object.assign(this, { reveal: false, practice: true });
    await this.update({ moves: moves.slice(0, at), hints: false, lesson: false, players: { ...PEOPLE, [side]: isAlone(players) ? "perfect" : opponentOf(players) } });
  }

  /** Start the next game between the same players. */
  async rematch() {
    const { now, state } = this.view;
    if (state.live) return isOver(this.view) ? this.api.live.act(this, "again") : undefined;
    if (!now?.terminal || state.hints) return this.restart();
    await this.update({ ...this.newGame(), start: "", players: nextPlayers(state, now.winner) });
  }

  newGame() {
    Object.assign(this, { reveal: false, practice: false, solved: "" });
    return { moves: [], at: 0, late: null };
  }

  async restart() {
    this.newGame();
    if (this.state.moves.length) await this.update({ moves: [], at: 0 });
    else if (this.state.start) await this.update({ start: "" });
    else await this.refresh();
  }

  async choose(game) {
    const { players, clock, hints, lesson, chapters, chapter } = shared(this.state);
    this.newGame();
    await this.update({ ...initialState(game), players, clock, hints, lesson, chapters, chapter });
  }

  async swap() {
    const { X, O } = this.state.players;
    await this.update({ players: { X: O, O: X } });
  }

  /** Play against a level, or let two people play, without hints. */
  async playAgainst(level = this.level, clock = this.state.clock) {
    if (level === "friend") return this.api.live.begin(this, clock);
    remember("level", level);
    const { players, moves } = this.state;
    const mover = this.view.now?.to_move ?? "X";
    const seats = isAlone(players) && moves.length && mover === "O" ? { X: level, O: "person" } : withOpponent(players, level);
    await this.update({ players: seats, clock, hints: false, train: null, lesson: false, draft: null, ...(this.view.now?.terminal && this.newGame()) });
  }

  /** End the game on one screen, because this side has run out of time. */
  endOnTime(loser) {
    this.state.late = loser;
    this.address.write(this.state, true);
    this.markEnded();
    this.show(this.view);
  }

  /** End the game of the view if it ended on time, by resignation or by agreement. */
  markEnded() {
    const { view } = this;
    const { at, moves, late } = view.state;
    const live = this.api.live?.of(view.state);
    const ended = view.state.live ? String(live?.moves) === String(moves) && live.ended : late && { winner: otherSide(late), by: "time" };
    const last = view.answers[moves.length];
    if (!ended || !last || last.terminal) return;
    const end = view.answers[moves.length] = { ...last, terminal: true, winner: ended.winner, to_move: null, moves: [], ended: ended.by };
    if (at === moves.length) view.now = end;
    view.reviewed = null;
  }

  /** Show the value of every move. */
  async explore() {
    await this.update({ players: PEOPLE, hints: true, train: null, lesson: false });
  }

  /** Go to a chapter of a lesson, if there is one of this number. */
  async openChapter(chapter, chapters = this.state.chapters) {
    if (!chapters[chapter]) return;
    this.newGame();
    await this.update({ ...read(chapters[chapter][1]), lesson: true, chapters, chapter });
  }

  /** The link of the position as a chapter. */
  chapterLink() {
    return write({ ...shared(this.state), lesson: false, chapters: [] });
  }

  async playLine(names) {
    await this.update(this.lineWith(names));
  }

  /** The line with these moves from the position on the board. With values, others than those of the game are a variation of it. */
  lineWith(names) {
    const { moves, at, main, hints } = this.state;
    const next = [...moves.slice(0, at), ...names];
    const played = main ?? moves;
    if (!hints) return { moves: next, at: next.length };
    if (String(played.slice(0, next.length)) === String(next)) return { moves: played, at: next.length };
    return { moves: next, at: next.length, main: main || at < moves.length ? played : null };
  }

  /** Go from a variation to a position of the game. */
  async leaveVariation(at) {
    await this.update({ moves: this.state.main, at });
  }

  /** Request a puzzle of a kind, and show it without values. */
  async train(kind) {
    this.tried.clear();
    await this.update({ train: readKind(kind), start: "", ...this.newGame(), hints: false, draft: null, lesson: false, players: PEOPLE });
  }

  /** Play on after the right answer to a puzzle, against perfect defence. */
  async playOut() {
    this.practice = true;
    await this.update({ train: null, players: { ...PEOPLE, [this.view.now.to_move]: "perfect" } });
  }

  /** Put a puzzle on the board, and replace the URL that requested it. */
  async drawPuzzle() {
    const { state: { game, train }, turn } = this;
    const own = train === "mine" && loadMistakes(game);
    const puzzle = own?.length ? { position: own[Math.floor(Math.random() * own.length)], themes: [] } : await this.requestPuzzle();
    if (turn !== this.turn) return; // meanwhile the person has gone on
    this.puzzle = puzzle;
    await this.update({ start: this.puzzle.position, moves: [], at: 0, hints: false, players: PEOPLE }, { replace: true });
  }

  async requestPuzzle() {
    const { game, train } = this.state;
    const [first, other] = queriesOf(train, loadStreak(game));
    try {
      return await this.api.puzzle(game, first);
    } catch (error) {
      if (error.code !== "position_error" || !other) throw error;
      return this.api.puzzle(game, other); // no puzzle of this level: any
    }
  }

  /** Start setting up a position from the one on the board. */
  async startSetup() {
    await this.update({ draft: this.view.board });
  }

  /** Start from the position that was set up, or with its moves; an impossible position stays, with an error. */
  async finishSetup() {
    const { answer, moves, start } = this.view.draft ?? {};
    if (!answer) return;
    const first = moves ? start ?? "" : answer.position;
    const rules = this.rulesOf(answer.game);
    const change = { start: rules && first === emptyBoard(rules) ? "" : first, moves: moves ?? [], at: moves?.length ?? 0, draft: null };
    await this.update({ game: answer.game, players: shared(this.state).players, ...change });
  }

  /** Consider a move; null: none. */
  async consider(name) {
    const { view } = this;
    this.pointed = name;
    if ((view.considered?.name ?? null) === name) return;
    const move = name && (this.state.hints || (this.state.train && !this.state.at && this.tried.has(name))) && view.now?.moves.find((each) => each.name === name);
    if (!move && !view.considered) return;
    view.considered = move ? { name, move, answer: null } : null;
    this.show(view);
    if (!move) return;
    const [answer] = await Promise.allSettled([this.ask(move.position)]);
    if (view.considered?.name !== name || this.view !== view) return;
    view.considered.answer = answer.value ?? null; // without an answer only the verdict of the move is shown
    this.show(view);
  }

  /** Review a pasted game, under the rules that its text names or else the current ones. Throws Refused. */
  async reviewText(game, text) {
    const { game: found, start, moves, reading } = await this.readGame(text, game);
    this.newGame();
    const rules = this.rulesOf(found);
    const first = rules && start === emptyBoard(rules) ? "" : start;
    await this.update({ ...initialState(found), start: first, moves, at: moves.length });
    if (!reading) return;
    this.view.reading = reading;
    this.show(this.view);
  }

  // The positions of a game in which a person is to move

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

  // Requests and drawing

  async refresh() {
    const turn = ++this.turn;
    if (!this.state.game) {
      this.view = this.emptyView();
      this.show(this.view);
      return;
    }
    await this.attempt(async () => {
      this.view = { ...this.emptyView(), ...this.knownView(), waiting: true };
      const { answers, draft } = this.view;
      if (draft || !answers.length || !answers.every(Boolean)) this.show(this.view);
      const view = await this.load();
      if (turn !== this.turn) return;
      this.view = view;
      this.markEnded();
      this.show(view);
      this.consider(this.pointed); // the pointer may have stopped before the answer
      this.awaitLine(view);
      this.settle(view);
      this.explainMistake(view);
      if (!hasTable(view.rules ?? {})) this.complete(view);
      await this.letEngineMove(turn);
      if (view.state.live) await this.api.live?.follow(this, turn);
    }, () => this.refresh(), () => turn === this.turn);
  }

  /** Ask until a search has settled every move, showing values as they arrive; then count the replies. */
  async settle(view) {
    const { state, board } = view;
    const whole = view.rules && hasTable(view.rules);
    if (!whole && !state.hints) return;
    const isOpen = () => this.view === view && view.now && isUnsettled(view.now) && (whole || view.now.source !== "strategy");
    for (let left = MOST_SEARCHES; left && isOpen(); left--) {
      view.searching = !whole;
      const [{ value, reason }] = await Promise.allSettled([this.api.positionAgain(state.game, board)]);
      if (this.view !== view) return;
      const found = value && countSettled(value) > countSettled(view.now);
      if (value) view.answers[state.at] = view.now = value;
      else if (reason.build) Object.assign(view, { problem: reason, again: () => this.begin() }); // the table could be built
      else if (reason.code === BUSY) await sleep(FIRST_RETRY);
      if (!whole && !found && reason?.code !== BUSY) break; // a search for threats finds nothing more
      this.show(view);
    }
    if (this.view !== view) return;
    if (!whole) this.show(Object.assign(view, { searching: false }));
    if (!view.line && view.now?.category) this.awaitLine(Object.assign(view, { line: this.lineOf(view) }));
    if (whole) this.countReplies(view);
  }

  /** Ask for the other positions of a game without a table, one after the other. */
  async complete(view) {
    if (view.boards.every((_, at) => view.answers[at])) return;
    for (const [at, board] of view.boards.entries()) {
      if (view.answers[at]) continue;
      const [{ value }] = await Promise.allSettled([this.ask(board, view.state.game)]);
      if (this.view !== view || !value) return;
      view.answers[at] = value;
    }
    this.show(view);
  }

  /** The promise of the main line or of the error, or null if no best move is known. */
  lineOf({ state, now }) {
    if (now.terminal || !now.moves[0].verdict || (hasTable(this.rules) ? isUnsettled(now) : !now.category)) return null;
    return state.hints && !engineToMove(state, now) ? this.api.mainline(state.game, now.position).catch((error) => error) : null;
  }

  /** Show the main line as soon as it is known. It is requested again if a search has not settled it, or if the server is busy or unreachable. */
  async awaitLine(view) {
    for (let left = MOST_LINES; this.view === view && view.line; left--) {
      const found = await view.line;
      if (this.view !== view) return;
      if (!(found.code === "unsettled" || found.code === BUSY || found instanceof Unreachable) || !left) {
        Object.assign(view, found.moves ? { mainline: found } : { line: null, openLine: found.code === "unsettled" });
        this.show(view);
        return;
      }
      await sleep(FIRST_RETRY);
      if (this.view === view) view.line = this.lineOf(view);
    }
  }

  /** Explain the mistake that is shown; without an answer the explanation is left out. */
  async explainMistake(view) {
    const ahead = mistakeAhead(view);
    const why = ahead && await this.api.why(view.state.game, view.board, ahead.name).catch(() => null);
    if (this.view === view && why) this.show(Object.assign(view, { why }));
  }

  /** Request how many replies to each move keep the value, and show it; without an answer it is left out. */
  async countReplies(view) {
    if (!view.now?.moves.length || !view.state.hints || view.draft || isUnsettled(view.now)) return;
    const [answer] = await Promise.allSettled([this.api.replies(view.state.game, view.board)]);
    if (this.view !== view || !answer.value) return;
    view.replies = new Map(answer.value.moves.map((move) => [move.name, move]));
    this.show(view);
    const [first] = sortByTraps(view.now.moves, view.replies);
    if (!view.line || [undefined, first.name].includes((await view.line).moves?.[0])) return;
    const [rest] = await Promise.allSettled([this.api.mainline(view.state.game, first.position)]); // the line of the first move in the list
    if (this.view !== view || !rest.value) return;
    view.mainline = { ...rest.value, moves: [first.name, ...rest.value.moves] };
    this.show(view);
  }

  /** Run an action. If the server is unreachable or busy, say so, and retry until it answers or another action starts. */
  async attempt(action, again, current = () => true) {
    clearTimeout(this.timer);
    const before = this.failure; // of the last try
    try {
      await action();
      if (current() && this.failure === before) this.recover();
    } catch (error) {
      if (!current()) return;
      if (!(error instanceof Unreachable || error instanceof Refused)) throw error;
      const lost = error instanceof Unreachable;
      this.failure = { problem: error, lost, again };
      this.view = { ...this.view, waiting: false, thinking: false, ...this.failure };
      this.show(this.view);
      if (!lost && error.code !== BUSY) return;
      this.timer = setTimeout(again, this.wait);
      this.wait = Math.min(2 * this.wait, LAST_RETRY);
    }
  }

  /** Take the notice of a failure away, because its action has succeeded. */
  recover() {
    this.wait = FIRST_RETRY;
    if (!this.failure) return;
    const { lost, problem } = this.failure;
    this.failure = null;
    Object.assign(this.view, { lost: false, again: null, recovered: lost, problem: this.view.problem === problem ? null : this.view.problem });
    this.show(this.view);
  }

  emptyView() {
    const { state, rules } = this;
    const board = rules ? emptyBoard(rules) : "";
    return {
      games: this.games, gallery: this.gallery, rules, state, board, boards: [board], answers: [], now: null, ahead: null,
      mainline: null, line: null, openLine: false, replies: null, why: null, game: null,
      reveal: this.reveal, solved: this.solved, considered: null, draft: null, waiting: false, thinking: false, lost: false, problem: null, again: null, recovered: false, ...this.failure,
    };
  }

  /** Split moves that the link has written together, such as `ddd`, which takes the columns of the game. */
  splitLine() {
    const { state, rules } = this;
    const moves = splitMoves(state.moves.join(" "), hasGravity(rules) ? columnNames(rules) : [], rules.diagram.names);
    if (moves.length !== state.moves.length) Object.assign(state, { moves, at: moves.length });
  }

  /** The boards of the line, which are known before any answer. */
  knownView() {
    const { state, rules } = this;
    if (!rules) return {};
    this.splitLine();
    const start = isBoard(rules, state.start) ? state.start : emptyBoard(rules);
    const boards = boardsOf(rules, start, state.moves);
    if (!boards) return {};
    const answers = boards.map((board) => this.api.known(state.game, board));
    const ahead = state.at && answers[state.at - 1]?.moves.find(({ position }) => position === boards[state.at]);
    return {
      // The value of a move is known before the answer about the position it leads to.
      ahead: ahead && { ...ahead, to_move: ahead.terminal ? null : sideToMove(rules, boards[state.at]), moves: [] },
      boards, board: boards[state.at], answers, draft: state.draft === null ? null : { board: isBoard(rules, state.draft) ? state.draft : this.view.draft?.board ?? boards[state.at] },
    };
  }

  async load() {
    const { state, rules, api } = this;
    if (!rules) {
      // The game has another spelling, its table has been built since, or it has none.
      const { turn } = this;
      const found = await api.rules(state.game); // throws for an unknown game
      this.games = await api.games();
      if (turn !== this.turn) return null;
      if (!this.rulesOf(found.game)) this.games.push(found);
      await this.update({ game: found.game }, { replace: true });
      return null;
    }
    const first = await this.ask(state.start || "start", state.game);
    if (!hasTable(rules)) state.train = null; // puzzles need every value
    if (state.train && !state.start) {
      await this.drawPuzzle();
      return null;
    }
    let problem = null;
    if (state.live && !api.live) {
      problem = new Refused({ status: 404, code: "no_live_game", message: "This site has no server for live games; two people can play here on one screen or by links." });
      Object.assign(state, { live: null, players: PEOPLE });
    }
    const cut = (length) => { // a bad link: its last legal position is shown, with the reason
      problem = new Refused(illegalLink(state.moves, length));
      Object.assign(state, { moves: state.moves.slice(0, length), at: Math.min(state.at, length) });
    };
    if (!boardsOf(rules, first.position, state.moves)) cut(firstFailure(rules, first.position, state.moves));
    const boards = boardsOf(rules, first.position, state.moves);
    state.moves = movesOf(rules, first.position, state.moves); // with gravity a column may name its square
    // Without a table an answer can take 100 kB, so the others come later.
    const isNeeded = (at) => hasTable(rules) || at === state.at || at === boards.length - 1;
    let asked = await Promise.allSettled(boards.map((board, at) => (isNeeded(at) ? this.ask(board, state.game) : api.known(state.game, board))));
    if (asked.some(({ reason }) => reason?.status === 400)) asked = await Promise.allSettled(boards.map((board) => this.ask(board, state.game)));
    let answers = asked.map(({ value }) => value);
    const failed = state.moves.findIndex((name, at) => answers[at] && !answers[at].moves.some((move) => move.name === name));
    if (failed >= 0) {
      cut(failed);
      answers = answers.slice(0, failed + 1);
    }
    for (const { reason } of asked.slice(0, answers.length)) if (reason) throw reason;
    const now = answers[state.at];
    const line = this.lineOf({ state, now });
    const game = this.gameOf(first.position);
    const draft = state.draft === null ? null : await this.judgeDraft(state.draft);
    return { ...this.emptyView(), ...(problem && { problem }), boards: boards.slice(0, answers.length), answers, now, board: boards[state.at], line, draft, game };
  }

  /** The game of which the line is a variation, as far as its answers are known, or null. */
  gameOf(start) {
    const { state, rules } = this;
    const boards = state.main && boardsOf(rules, start, state.main);
    return boards && { state: { ...state, moves: state.main, at: boards.length - 1 }, boards, rules, answers: boards.map((board) => this.api.known(state.game, board)) };
  }

  /** The board that is being set up, or the pasted game, with its answer or its error. */
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
      const answer = await this.ask(text || "start", game);
      return { board: answer.position, answer, problem: "" };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const board = isBoard(this.rules, text) ? text : this.view.draft?.board ?? this.view.board;
      return { board, answer: null, problem: (refused ?? error).message };
    }
  }

  /** The game of a text, a link or a record, as a draft. Throws Refused. */
  async readGame(text, asked = this.state.game) {
    const { game, start, moves, reading } = await this.api.played(namedGame(text) ?? asked, text);
    const rules = this.rulesOf(game) ?? await this.api.rules(game);
    const last = boardsOf(rules, start, moves).at(-1);
    const answer = await this.ask(last, game);
    const found = { game, answer, start, moves, reading, note: reading, problem: "" };
    if (game === this.state.game) return { ...found, board: last };
    const title = titleOf(game, this.gallery, this.games);
    return { ...found, board: this.view.board, note: `This is a game of ${title}; the button below opens it.` };
  }

  /** Let an engine move if it is to move at the end of the line. */
  async letEngineMove(turn) {
    const { state, view } = this;
    const engine = engineToMove(state, view.now);
    if (!engine || (view.problem && !this.failure)) return;
    this.view.thinking = true;
    this.show(this.view);
    const [known] = await Promise.all([this.api.opponent(state.game, view.board, engine).catch((error) => {
      if (error.code !== "unsettled") throw error;
    }), sleep(this.pause)]);
    const move = known ?? await this.api.opponent(state.game, view.board, GUESS);
    // The reply shares the history entry of the move before it, so that "back" leads to the person's turn.
    if (turn !== this.turn) return;
    await this.play(move.name, { replace: true });
    if (!known) this.show(Object.assign(this.view, { guessed: true }));
  }
}

/** The game that a link or a record names, or undefined. */
const namedGame = (text) => {
  const [, named] = /[?&]game=([^&#\s]+)/.exec(text) ?? /"game"\s*:\s*"([^"]+)"/.exec(text) ?? [];
  try {
    return named && decodeURIComponent(named);
  } catch {
    return named; // cut inside an escape: the answer says what is wrong
  }
};

/** Text that is a position, not a game: a board, a hash, or nothing. */
const POSITION = /^(?:[xo._\-\s#0]*|[xo._\-\s#0-2]*\/[xo._\-\s#/0-2]*|start|hash:.*)$/i;

/** The engine to move at the end of the line, or null. */
function engineToMove({ players, at, moves, draft }, { to_move: side }) {
  return side && at === moves.length && draft === null ? PLAYERS[players[side]]?.engine : null;
}

const countSettled = ({ category, moves }) => Number(Boolean(category)) + moves.filter(({ verdict }) => verdict).length;

/** Whether the game of a view has ended, whichever of its positions is shown. */
export const isOver = ({ answers }) => Boolean(answers.at(-1)?.terminal);

/** Whether a person may move: it is their turn, or they look back and try another move. */
export function mayMove({ state, now, draft }) {
  if (!now || now.terminal || draft) return false;
  const old = state.at < state.moves.length;
  return state.live ? !old && state.players[now.to_move] === "person" : old || state.players[now.to_move] === "person";
}

/** The number of moves before the first that can't be played. */
const firstFailure = (rules, start, moves) => moves.findIndex((_, at) => !boardsOf(rules, start, moves.slice(0, at + 1)));

/** The error of a link with a move that can't be played. */
const illegalLink = (moves, at) => ({
  status: 400,
  code: "illegal_moves",
  message: `Move ${at + 1} of this link, ${moves[at]}, can't be played after ${at ? moves.slice(0, at).join(" ") : "the start"}. The board shows the position before it.`,
});

const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));
