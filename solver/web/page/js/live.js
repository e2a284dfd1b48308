// Live games between two people on two devices. The server keeps the moves, the sides and the clock: solver/web/live.py.

import { formatQuery, initialState } from "./link.js";
import { FRIENDS, PEOPLE, readClock, writeClock } from "./players.js";
import { recall, recallJson, remember } from "./storage.js";
import { drawLive, liveView, showInvitation } from "./views/live.js";

const SECRET_BYTES = 18;

export class Live {
  constructor(api) {
    this.api = api;
    this.last = null; // what the server last said about a game, with its name
    this.secret = recall("secret") ?? btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))));
    remember("secret", this.secret);
  }

  /** The view of the buttons. */
  view(explorer) {
    return liveView(explorer);
  }

  /** The sentences about the game of a view. */
  describe(view, explorer) {
    return drawLive(view, explorer);
  }

  /** What the server last said about the game of a state, or null. */
  of(state) {
    return this.last?.live === state?.live ? this.last : null;
  }

  /** Begin a game, and go to it. clock: the time of each side; "": none. */
  async begin(explorer, clock) {
    const { game } = explorer.state;
    await explorer.attempt(async () => {
      const { minutes, increment } = readClock(clock);
      const { live } = await this.send("live", { game, clock: minutes, increment });
      explorer.newGame();
      await explorer.update({ ...initialState(game), clock, live, players: FRIENDS, hints: false });
    }, () => this.begin(explorer, clock));
  }

  /** Show a link to a game for another device. */
  async invite(explorer, url) {
    await explorer.attempt(async () => showInvitation(await this.api.ask(`invitation${formatQuery([["link", url]])}`)), () => this.invite(explorer, url));
  }

  /** The choices of opponents, by their heading. timed: adds the clocks to a choice. */
  choices(timed) {
    return { "On two devices": timed({ value: "friend", label: "A friend on another device" }) };
  }

  /** Whether a finished game counts: each one counts once, however often the page is loaded. */
  counts(state) {
    const { round, side } = this.of(state) ?? {};
    const name = `${state.live} ${round}`;
    const isNew = side && recall("live") !== name;
    if (isNew) remember("live", name);
    return isNew;
  }

  /** Whether a game waits for its second player. */
  isOpen(state) {
    return state?.live && this.of(state)?.joined === false;
  }

  /** Whether the server may not have the last move on the board. */
  hasUnsent(state) {
    return Boolean(state?.live) && String(this.of(state)?.moves ?? "") !== String(state.moves);
  }

  /** Resign, or offer something: "draw", "take_back" or "again". What both players offer happens. */
  async act(explorer, deed) {
    const { live, moves } = explorer.state; // of which the last may be new to the server
    const { round, taken_back } = this.of(explorer.state) ?? {};
    await this.send(`live/${live}`, { round, taken_back, moves, deed }).catch(() => explorer.refresh()); // which reports a failure
  }

  /** Send the moves on the board, and show those of the friend as they come, until the state changes. */
  async follow(explorer, turn) {
    const { live, game, moves, players, clock } = explorer.state;
    while (turn === explorer.turn) {
      const last = this.of(explorer.state);
      const sent = recallJson("sent");
      const { round = 0, taken_back = 0, change = -1, ...unsent } = last ?? (sent?.live === live ? sent : {});
      const shown = last ? moves : unsent.moves ?? []; // a page that was closed before the server had its move
      if (last && this.hasUnsent(explorer.state)) remember("sent", JSON.stringify({ live, round, taken_back, moves }));
      const found = await this.send(`live/${live}`, { round, taken_back, change, moves: shown }).catch((error) => this.leave(explorer, error));
      if (turn !== explorer.turn) return;
      explorer.recover();
      const { X, O } = found.left;
      this.last = { ...found, live, left: { X: 1000 * X, O: 1000 * O } }; // milliseconds
      const seats = { ...FRIENDS, ...(found.side && { [found.side]: "person" }) };
      if (found.game !== game || String(Object.values(seats)) !== String([players.X, players.O]) || String(found.moves) !== String(moves) || writeClock(found.clock, found.increment) !== clock) {
        if (round && found.round !== round) explorer.newGame();
        await explorer.update({ game: found.game, live, players: seats, clock: writeClock(found.clock, found.increment), moves: found.moves, at: found.moves.length, hints: false }, { replace: true });
        return;
      }
      explorer.markEnded();
      explorer.show(explorer.view);
    }
  }

  /** If the server has forgotten the game, go on with its moves on this screen. Throws the error, which says whether the friend lacks the last one. */
  leave(explorer, error) {
    if (error.status === 404) {
      if (this.hasUnsent(explorer.state)) error.message += " Your last move was not sent.";
      Object.assign(explorer.state, { live: null, players: PEOPLE });
      explorer.address.write(explorer.state, true);
    }
    throw error;
  }

  send(path, body) {
    const all = JSON.stringify({ secret: this.secret, ...body });
    return this.api.ask(path, { method: "POST", body: all, headers: { "Content-Type": "application/json" } });
  }
}
