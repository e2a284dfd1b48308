// Single-letter keys and their list. They can be switched off, because they may clash with other tools.

import { byId, element } from "./dom.js";
import { recall, remember } from "./storage.js";
import { toggleTheme } from "./theme.js";
import { openPaste } from "./views/paste.js";
import { toggle } from "./views/setup.js";

const KEY = "letters";

const LETTERS = {
  u: ["take back", (explorer) => explorer.undo()],
  y: ["redo", (explorer) => explorer.redo()],
  r: ["begin again", (explorer) => explorer.rematch()],
  s: ["start or stop setting up a position", (explorer) => toggle(explorer)],
  v: ["paste a game to review it", (explorer) => openPaste(explorer)],
  w: ["swap sides", (explorer) => explorer.swap()],
  t: ["puzzles, or stop", (explorer) => (explorer.state.train ? explorer.stopTraining() : explorer.train("rising"))],
  l: ["lesson: large, for a projector", (explorer) => explorer.update({ lesson: !explorer.state.lesson })],
  h: ["show or hide values", (explorer) => explorer.update({ hints: !explorer.state.hints })],
  b: ["go to the board", () => document.querySelector('.square[tabindex="0"]')?.focus()],
  d: ["switch between dark and light", () => toggleTheme()],
  "?": ["show this list", () => byId("help").showModal()],
};

/** The arrow keys, where no square has the keyboard focus; those for mistakes also scroll the page. */
const ARROWS = {
  ArrowLeft: (explorer) => explorer.step(-1),
  ArrowRight: (explorer) => explorer.step(1),
  ArrowUp: (explorer) => explorer.toMistake(-1),
  ArrowDown: (explorer) => explorer.toMistake(1),
};

const OTHERS = [
  ["Left, Right", "one move back or forward"],
  ["Up, Down", "previous or next mistake"],
  ["Arrows, Home, End", "move on the board"],
  ["Enter, Space", "play on the square"],
  ["x, o, .", "when setting up: place or clear"],
];

export function bindKeys(explorer) {
  const box = byId("letters");
  box.checked = recall(KEY) !== "off";
  box.addEventListener("change", () => remember(KEY, box.checked ? "on" : "off"));
  byId("help-open").addEventListener("click", () => byId("help").showModal());
  byId("help").querySelector("dl").append(
    ...[...OTHERS, ...Object.entries(LETTERS).map(([key, [meaning]]) => [key, meaning])].flatMap(([keys, meaning]) => [
      element("dt", {}, ...keys.split(", ").map((key) => element("kbd", {}, key))),
      element("dd", {}, meaning),
    ]),
  );

  document.addEventListener("keydown", (event) => {
    const busy = event.target.closest("input[type=text], select, textarea, dialog[open]");
    if (busy || event.ctrlKey || event.altKey || event.metaKey || !explorer.state?.game) return;
    const arrow = explorer.state.moves.length && (event.key in ARROWS) && (!/Up|Down/.test(event.key) || explorer.mistakes().length);
    const action = arrow ? ARROWS[event.key] : box.checked && LETTERS[event.key.toLowerCase()]?.[1];
    if (!action) return;
    event.preventDefault();
    action(explorer);
  });
}
