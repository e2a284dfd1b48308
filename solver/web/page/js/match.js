// Games in a row between the same players: the tally, and who begins the next game. The browser stores them.

import { otherSide } from "./line.js";
import { opponentOf, personSide } from "./players.js";
import { recallJson, remember } from "./storage.js";

const tallyName = ({ game, players }) => `tally ${game} ${opponentOf(players)}`;

/** The tally: games won by the first player, who is the person against an engine, draws, and games lost by them. */
function loadTally(state) {
  const tally = { won: 0, drawn: 0, lost: 0, side: "X", ...recallJson(tallyName(state)) };
  return { ...tally, side: personSide(state.players) ?? tally.side }; // the side of the first player
}

const save = (state, tally) => remember(tallyName(state), JSON.stringify(tally));

/** Count a finished game. */
export function countGame(state, winner) {
  const tally = loadTally(state);
  tally[winner ? (winner === tally.side ? "won" : "lost") : "drawn"] += 1;
  save(state, tally);
}

/** Clear the tally. */
export const clearTally = (state) => remember(tallyName(state), null);

/** The players of the next game: the loser begins, and after a draw the other side; X always begins. */
export function nextPlayers(state, winner) {
  const { X, O } = state.players;
  if (winner === "O") return state.players;
  const tally = loadTally(state);
  save(state, { ...tally, side: otherSide(tally.side) });
  return { X: O, O: X };
}

/** "You 2, draws 1, computer 0". */
export function describeTally(state) {
  const { won, drawn, lost, side } = loadTally(state);
  const alone = personSide(state.players);
  const [first, second] = alone ? ["You", state.live ? "Friend" : "Computer"] : [`Player 1 (${side})`, `Player 2 (${otherSide(side)})`];
  return won + drawn + lost ? `${first} ${won} \u00b7 Draws ${drawn} \u00b7 ${second} ${lost}` : "";
}
