// A clock for two people on one screen: the time of the side to move runs from the first move to the end of the game.
// It stops while a position is reviewed or values are shown; after a flag has fallen, it does not run again in this game.

import { byId, setShown, setText } from "../dom.js";
import { otherSide, sideToMove } from "../line.js";
import { isAlone } from "../players.js";

const STEP = 200; // milliseconds
const WARNING = 30_000; // milliseconds that are announced

export function clockView(explorer, announce) {
  let minutes = 0; // the time that is set
  let left = {}; // milliseconds of each side
  let running = ""; // the side whose time runs
  let measured = 0;

  function show() {
    const shown = ["X", "O"].map((side) => `${side === running ? "\u25b8" : ""}${side} ${format(left[side])}`);
    setText(byId("clock"), shown.join(" \u00b7 "));
  }

  function tick() {
    const time = performance.now();
    const before = left[running];
    const after = Math.max(0, before - time + measured);
    measured = time;
    if (!running) return;
    left[running] = after;
    if (before > WARNING && after <= WARNING) announce(`${running} has ${WARNING / 1000} seconds.`);
    if (!after) end();
    show();
  }

  /** The side to move has run out of time, so the other side has won. */
  function end() {
    const { view } = explorer;
    const winner = otherSide(running);
    if (!view.now) return; // until the answer about the position
    running = "";
    view.now = view.answers[view.state.at] = { ...view.now, terminal: true, winner, to_move: null, moves: [], late: true };
    view.reviewed = null;
    explorer.show(view);
    announce(`${winner} has won on time.`);
  }

  setInterval(tick, STEP);

  return ({ state, rules, board, now, draft }) => {
    tick();
    const clock = state && rules && isAlone(state.players) && ![state.hints, state.train, state.embed, state.lesson, draft].some(Boolean) ? state.clock : 0;
    const over = now?.terminal;
    setShown(byId("clock"), clock && !over);
    running = "";
    if (!clock) return;
    if (clock !== minutes || !state.moves.length) left = { X: clock * 60_000, O: clock * 60_000 };
    minutes = clock;
    const side = sideToMove(rules, board);
    if (!over && state.moves.length && state.at === state.moves.length && left.X && left.O) running = side;
    show();
  };
}

/** "2:59". */
function format(time) {
  const seconds = Math.ceil(time / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
