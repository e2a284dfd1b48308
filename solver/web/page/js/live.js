// Live games between two people on two devices. The server keeps the moves, the sides and the clock: solver/web/live.py.

import { initialState } from "./link.js";
import { FRIENDS, PEOPLE } from "./players.js";
import { recall, remember } from "./storage.js";

const PAUSE = 1000; // milliseconds between two questions whether a person has finished looking back

export class Live {
  constructor(api) {
    this.api = api;
    this.last = null; // what the server last said about a game, with its seat
  }

  /** Begin a game, and go to it. clock: minutes for each side; 0: no clock. */
  async begin(explorer, clock) {
    const { game } = explorer.state;
    await explorer.attempt(async () => {
      const { seat } = await this.send("live", { game, clock });
      explorer.newGame();
      await explorer.update({ ...initialState(game), clock, live: seat, players: FRIENDS, hints: false });
    }, () => this.begin(explorer, clock));
  }

  /** The choices of opponents, by their heading. timed: adds the clocks to a choice. */
  choices(timed) {
    return { "On two devices": timed({ value: "friend", label: "A friend" }) };
  }

  /** Whether a finished game counts: each one counts once, however often the page is loaded. */
  counts({ live }) {
    const name = `${live} ${this.last.round}`;
    const isNew = recall("live") !== name;
    remember("live", name);
    return isNew;
  }

  /** The friend's seat in a game that nobody has joined, or a falsy value. */
  invitation(state) {
    return this.last && this.last.seat === state?.live && this.last.invitation;
  }

  /** Begin the next game with the same friend. */
  async again(explorer) {
    if (!explorer.view.now?.terminal) return;
    this.last.round += 1;
    await explorer.update({ ...explorer.newGame(), hints: false }, { replace: true });
  }

  /** Send the moves on the board, and show those of the friend as they come, until the state changes. */
  async follow(explorer, turn) {
    const { live: seat, game, moves, players } = explorer.state;
    while (turn === explorer.turn) {
      const round = this.last?.seat === seat ? this.last.round : 0;
      const found = await this.send(`live/${seat}`, { round, moves }).catch((error) => this.leave(explorer, error));
      if (turn !== explorer.turn) return;
      const isNew = round && found.round !== round;
      if (isNew && explorer.state.at < moves.length) { // the person looks at the last game
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
        continue;
      }
      const { X, O } = found.left;
      this.last = { ...found, seat, left: { X: 1000 * X, O: 1000 * O } }; // milliseconds
      if (found.game !== game || players[found.side] !== "person" || String(found.moves) !== String(moves)) {
        if (isNew) explorer.newGame();
        if (found.late) explorer.late = { loser: found.late, line: String(found.moves) };
        const at = found.moves.length;
        const seats = { ...FRIENDS, [found.side]: "person" };
        await explorer.update({ game: found.game, live: seat, players: seats, clock: found.clock, moves: found.moves, at, hints: false }, { replace: true });
        return;
      }
      if (found.late && !explorer.late) explorer.endOnTime(found.late);
      explorer.show(explorer.view);
    }
  }

  /** If the server has forgotten the game, go on with its moves on this screen. Throws the error. */
  leave(explorer, error) {
    if (error.status === 404) {
      Object.assign(explorer.state, { live: null, players: PEOPLE });
      explorer.address.write(explorer.state, true);
    }
    throw error;
  }

  send(path, body) {
    return this.api.ask(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  }
}
