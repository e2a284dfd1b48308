// Live games between two people on two devices. The server keeps the moves, the sides and the clock: solver/web/live.py.

import { initialState } from "./link.js";
import { FRIENDS } from "./players.js";

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

  /** Begin the next game with the same friend. */
  async again(explorer) {
    this.last.round += 1;
    await explorer.update({ ...explorer.newGame(), hints: false }, { replace: true });
  }

  /** Send the moves on the board, and show those of the friend as they come, until the state changes. */
  async follow(explorer, turn) {
    const { live: seat, game, moves, players } = explorer.state;
    while (turn === explorer.turn) {
      const round = this.last?.seat === seat ? this.last.round : 0;
      const found = await this.send(`live/${seat}`, { round, moves });
      if (turn !== explorer.turn) return;
      this.last = { ...found, seat };
      if (found.game !== game || players[found.side] !== "person" || String(found.moves) !== String(moves)) {
        if (round && found.round !== round) explorer.newGame();
        const at = found.moves.length;
        const seats = { ...FRIENDS, [found.side]: "person" };
        await explorer.update({ game: found.game, live: seat, players: seats, clock: found.clock, moves: found.moves, at }, { replace: true });
        return;
      }
      if (found.late) explorer.endOnTime(found.late);
      explorer.show(explorer.view);
    }
  }

  send(path, body) {
    return this.api.ask(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  }
}
