// Single-letter keys and the list of them. They can be switched off, because they may clash with other tools.

import { byId, element } from "./dom.js";
import { toggleTheme } from "./theme.js";
import { toggle } from "./views/setup.js";

const KEY = "letters";

const LETTERS = {
  u: ["take back", (explorer) => explorer.undo()],
  r: ["redo", (explorer) => explorer.redo()],
  n: ["begin again", (explorer) => explorer.restart()],
  s: ["set up a position, or stop that", (explorer) => toggle(explorer)],
  w: ["swap sides", (explorer) => explorer.swap()],
  h: ["hints on or off", (explorer) => explorer.update({ hints: !explorer.state.hints })],
  b: ["go to the board", () => focusBoard()],
  d: ["dark or light", () => toggleTheme()],
  "?": ["this list", () => byId("help").showModal()],
};

const OTHERS = [
  ["Arrows, Home, End", "move on the board"],
  ["Enter, Space", "play on the square"],
  ["x, o, .", "put a stone or none, in a set-up"],
];

export const focusBoard = () => document.querySelector('.square[tabindex="0"]')?.focus();

export function bindKeys(explorer) {
  const box = byId("letters");
  box.checked = stored() !== "off";
  box.addEventListener("change", () => store(box.checked ? "on" : "off"));
  byId("help-open").addEventListener("click", () => byId("help").showModal());
  byId("help").querySelector("dl").append(
    ...[...OTHERS, ...Object.entries(LETTERS).map(([key, [meaning]]) => [key, meaning])].flatMap(([keys, meaning]) => [
      element("dt", {}, ...keys.split(", ").map((key) => element("kbd", {}, key))),
      element("dd", {}, meaning),
    ]),
  );

  document.addEventListener("keydown", (event) => {
    const busy = event.target.closest("input[type=text], select, dialog[open]");
    if (busy || !box.checked || event.ctrlKey || event.altKey || event.metaKey || !explorer.state) return;
    const action = LETTERS[event.key.toLowerCase()]?.[1];
    if (!action) return;
    event.preventDefault();
    action(explorer);
  });
}

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage may be closed to us
  }
}

function store(value) {
  try {
    localStorage.setItem(KEY, value);
  } catch { /* then it lasts as long as the page */ }
}
