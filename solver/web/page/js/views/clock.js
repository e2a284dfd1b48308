// A clock for two people: the time of the side to move runs from the first move to the end of the game.
// On one screen, it stops while a position is reviewed or values are shown. In a live game, the server sets it. After a flag has fallen, it does not run again in this game.

import { byId, setShown, setText } from "../dom.js";
import { isOver } from "../explorer.js";
import { sideToMove } from "../line.js";
import { isAlone, readClock } from "../players.js";

const STEP = 200; // milliseconds
const WARNING = 30_000; // milliseconds that are announced and marked

export function clockView(explorer, announce) {
  let set = ""; // the clock that is set
  let played = 0; // the number of moves when the clock was last drawn
  let left = {}; // milliseconds of each side
  let running = ""; // the side whose time runs
  let measured = 0;
  let said = null; // what the server last said about a live game

  function show() {
    const shown = ["X", "O"].map((side) => `${side === running ? "\u25b8" : ""}${side} ${format(left[side])}`);
    setText(byId("clock"), shown.join(" \u00b7 "));
    byId("clock").classList.toggle("low", left[running] <= WARNING);
  }

  function tick() {
    const time = performance.now();
    const before = left[running];
    const after = Math.max(0, before - time + measured);
    measured = time;
    if (!running) return;
    left[running] = after;
    if (before > WARNING && after <= WARNING) announce(`${running} has ${WARNING / 1000} seconds.`);
    if (!after && !explorer.state.live) end(); // in a live game, the server decides
    show();
  }

  /** The side to move has run out of time, so the other side has won. */
  function end() {
    const loser = running;
    running = "";
    explorer.endOnTime(loser);
  }

  setInterval(tick, STEP);

  return ({ state, rules, boards, answers, draft }) => {
    tick();
    const clock = state && rules && (state.live || isAlone(state.players)) && ![state.hints, state.train, state.embed, state.lesson, draft].some(Boolean) ? state.clock : "";
    const over = isOver({ answers });
    setShown(byId("clock"), clock && !over);
    const mover = running;
    running = "";
    if (!clock) return;
    const { minutes, increment } = readClock(clock);
    if (clock !== set || !state.moves.length) left = { X: minutes * 60_000, O: minutes * 60_000 };
    else if (mover && state.moves.length === played + 1) left[mover] += 1000 * increment;
    set = clock;
    played = state.moves.length;
    const last = state.live && explorer.api.live?.of(state);
    if (last && last !== said) left = { ...last.left };
    said = last;
    const { length } = state.moves;
    if (!over && length && (last ? last.joined : state.at === length) && left.X && left.O) running = sideToMove(rules, boards[length]);
    show();
  };
}

/** "2:59". */
function format(time) {
  const seconds = Math.ceil(time / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
