// The game, the kind of use, the opponent, the tally, hints, and the buttons below the board.

import { byId, element, setAble, setAttribute, setShown, setText } from "../dom.js";
import { isOver } from "../explorer.js";
import { hasTable } from "../line.js";
import { clearTally, countGame, describeTally } from "../match.js";
import { CLOCKS, PLAYERS, isAlone, opponentOf, readClock } from "../players.js";
import { titleOf } from "../titles.js";
import { keepMistakes } from "./coach.js";

export function controlsView(explorer) {
  const level = byId("opponent");
  let live = null; // the game that is being played
  const [person, ...levels] = Object.entries(PLAYERS).map(([value, { label }]) => ({ value, label }));
  const timed = (who) => [who, ...CLOCKS.map((clock) => ({ value: `${who.value} ${clock}`, label: `${who.label}, ${describeClock(clock)}` }))];
  const groups = { "Against the computer": levels, "On one screen": timed(person) };
  Object.assign(groups, explorer.api.live?.choices(timed));
  for (const [label, options] of Object.entries(groups)) {
    level.append(element("optgroup", { label }, ...options.map(({ value, label: text }) => element("option", { value }, text))));
  }
  level.addEventListener("change", () => {
    const [opponent, clock = ""] = level.value.split(" ");
    explorer.playAgainst(opponent, clock);
  });
  for (const [id, action] of Object.entries({
    undo: () => explorer.undo(), redo: () => explorer.redo(), restart: () => explorer.rematch(), swap: () => explorer.swap(),
    "tab-play": () => isPlay(explorer) || explorer.playAgainst(), "tab-explore": () => explorer.explore(),
    "clear-tally": () => { clearTally(explorer.state); explorer.show(explorer.view); },
    "lesson-end": () => explorer.update({ lesson: false }),
  })) byId(id).addEventListener("click", action);
  byId("game").addEventListener("change", (event) => explorer.choose(event.target.value));
  byId("hints").addEventListener("change", (event) => explorer.update({ hints: event.target.checked }));

  /** Count a game that was played here without hints and without taking moves back. */
  function followGame({ state, now, waiting, draft }) {
    if (waiting || !now) return;
    const played = !state.hints && !state.train && !draft;
    if (now.terminal && live === state.game && played) {
      keepMistakes(explorer.view);
      if (state.live ? explorer.api.live.counts(state) : !explorer.practice) countGame(state, now.winner);
    }
    live = played && !now.terminal ? state.game : null;
  }

  return (view) => {
    const { state, rules } = view;
    if (!state) return;
    showGames(byId("game"), view);
    followGame(view);
    const alone = isAlone(state.players);
    const tally = state.game && !state.hints && !state.train ? describeTally(state) : "";
    const root = document.documentElement.classList;
    root.toggle("lesson", state.lesson);
    root.toggle("playing", isPlay(explorer));
    root.toggle("versus", isPlay(explorer) || !alone);
    const chosen = opponentOf(state.players) + ((alone || state.live) && state.clock ? ` ${state.clock}` : "");
    if (level.value !== chosen) level.value = chosen;
    byId("hints").checked = state.hints;
    const open = !state.live || isOver(view); // in a live game, values are shown after the end
    setShown(byId("hints").parentNode, open);
    setAble(byId("tab-explore"), open);
    setText(byId("tally"), tally);
    setShown(byId("tally").parentNode, tally);
    setShown(byId("swap"), !alone && !state.live && byId("again").hidden); // after a game the loser begins
    for (const [id, on] of [["tab-play", isPlay(explorer)], ["tab-explore", state.hints && !state.train && state.game], ["train", state.train]]) {
      setAttribute(byId(id), "aria-pressed", String(Boolean(on)));
    }
    const idle = !view.draft && rules;
    setAble(byId("undo"), idle && explorer.previousTurn() !== null);
    setAble(byId("redo"), idle && explorer.nextTurn() !== null);
    setAble(byId("restart"), idle && open && (state.moves.length > 0 || state.start !== ""));
    setAble(byId("setup"), Boolean(rules));
    setShown(byId("train"), !rules || hasTable(rules)); // puzzles need every value
  };
}

/** "3 minutes each, and 2 s for each move". */
function describeClock(clock) {
  const { minutes, increment } = readClock(clock);
  const time = `${minutes} ${minutes === 1 ? "minute" : "minutes"} each`;
  return increment ? `${time}, and ${increment} s for each move` : time;
}

const isPlay = ({ state }) => Boolean(state.game && !state.hints && !state.train);

function showGames(select, { games, gallery, state: { game: asked } }) {
  const names = games.map(({ game }) => game);
  if (asked && !names.includes(asked)) names.unshift(asked); // a link may name a game that is not served
  const labels = names.map((name) => titleOf(name, gallery, games));
  if (String([...select.options].map(({ text }) => text)) !== String(labels)) {
    select.replaceChildren(...names.map((name, at) => element("option", { value: name }, labels[at])));
  }
  if (select.value !== asked) select.value = asked;
}
