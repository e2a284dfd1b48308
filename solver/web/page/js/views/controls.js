// The game, the players, hints, and the buttons below the board.

import { byId, element, setAttribute } from "../dom.js";
import { PLAYERS } from "../players.js";
import { titleOf } from "../titles.js";

export function controlsView(explorer) {
  for (const side of ["X", "O"]) {
    const select = byId(`player-${side}`);
    const options = Object.entries(PLAYERS).map(([name, { label }]) => element("option", { value: name }, label));
    select.append(options[0], element("optgroup", { label: "The table plays" }, ...options.slice(1)));
    select.addEventListener("change", () =>
      explorer.update({ players: { ...explorer.state.players, [side]: select.value } }));
  }
  byId("game").addEventListener("change", (event) => explorer.choose(event.target.value));
  byId("hints").addEventListener("change", (event) => explorer.update({ hints: event.target.checked }));
  byId("undo").addEventListener("click", () => explorer.undo());
  byId("redo").addEventListener("click", () => explorer.redo());
  byId("restart").addEventListener("click", () => explorer.restart());
  byId("swap").addEventListener("click", () => explorer.swap());
  byId("play-table").addEventListener("click", () => {
    explorer.playTable();
    byId("board").focus(); // the button disappears
  });

  return (view) => {
    const { state, games, rules } = view;
    if (!state) return;
    showGames(byId("game"), view);
    for (const side of ["X", "O"]) byId(`player-${side}`).value = state.players[side];
    byId("hints").checked = state.hints;
    const alone = state.players.X === "person" && state.players.O === "person";
    setAttribute(byId("swap"), "hidden", alone ? "" : null);
    setAttribute(byId("play-table"), "hidden", alone ? null : "");
    byId("play-table").classList.toggle("chief", !view.draft && !view.now?.terminal); // otherwise another button is the main one
    const idle = !view.draft && rules;
    setAble("undo", idle && explorer.previousTurn() !== null);
    setAble("redo", idle && explorer.nextTurn() !== null);
    setAble("restart", idle && (state.moves.length > 0 || state.start !== ""));
    setAble("setup", Boolean(rules));
  };
}

// Unlike disabled, aria-disabled keeps the keyboard focus.
const setAble = (id, possible) => setAttribute(byId(id), "aria-disabled", possible ? null : "true");

function showGames(select, { games, gallery, rules, state: { game: asked } }) {
  const names = games.map(({ game }) => game);
  if (!rules && asked) names.unshift(asked); // a link may name a game that is not served
  const labels = names.map((name) => (name === titleOf(name, gallery, games) ? name : `${titleOf(name, gallery, games)} (${name})`));
  if (String([...select.options].map(({ text }) => text)) !== String(labels)) {
    select.replaceChildren(...names.map((name, at) => element("option", { value: name }, labels[at])));
  }
  select.value = asked;
}
