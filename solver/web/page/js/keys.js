// Single-letter keys and their list. They can be switched off, because they may clash with other tools.

import { byId, element, isAble } from "./dom.js";
import { recall, remember } from "./storage.js";
import { toggleTheme } from "./theme.js";

const SETTING = "letters";

/** The keys, with the button that each presses, or its action; with several buttons, the first that can be pressed. */
const KEYS = {
  u: ["take back", "undo"],
  y: ["redo", "redo"],
  r: ["begin again", "again", "restart"],
  s: ["start or stop setting up a position", "setup-cancel", "setup"],
  v: ["paste a game to review it", "review-open"],
  w: ["swap sides", "swap"],
  t: ["puzzles, or stop", ({ state }) => press(state.train ? "tab-explore" : "train")],
  l: ["lesson: large, for a projector", (explorer) => press("lesson-end") || (canPress("share-open") && explorer.update({ lesson: true }))],
  h: ["show or hide values", "hints", "trainer-show"],
  b: ["go to the board", () => document.querySelector('.square[tabindex="0"]')?.focus()],
  d: ["switch between dark and light", () => toggleTheme()],
  "?": ["show this list", "help-open"],
};

/** Whether a button is there and can be pressed. */
const canPress = (id) => byId(id).checkVisibility({ visibilityProperty: true }) && isAble(byId(id));

/** Press the first of these buttons that can be pressed; return whether there is one. */
function press(...ids) {
  const found = ids.find(canPress);
  if (found) byId(found).click();
  return Boolean(found);
}

/** The arrow keys, where no square has the keyboard focus; those for mistakes also scroll the page. */
const ARROWS = {
  ArrowLeft: (explorer) => explorer.step(-1),
  ArrowRight: (explorer) => explorer.step(1),
  ArrowUp: (explorer) => explorer.toMistake(-1),
  ArrowDown: (explorer) => explorer.toMistake(1),
};

/** Keys of clickers for projectors. */
const CHAPTERS = { PageUp: -1, PageDown: 1 };

const OTHERS = [
  ["Left, Right", "one move back or forward"],
  ["Up, Down", "previous or next mistake"],
  ["PageUp, PageDown", "previous or next chapter of a lesson"],
  ["Arrows, Home, End", "move on the board"],
  ["Enter, Space", "play on the square"],
  ["x, o, .", "when setting up: place or clear"],
];

export function bindKeys(explorer) {
  const box = byId("letters");
  box.checked = recall(SETTING) !== "off";
  box.addEventListener("change", () => remember(SETTING, box.checked ? "on" : "off"));
  for (const name of ["help", "about"]) byId(`${name}-open`).addEventListener("click", () => byId(name).showModal());
  if (explorer.api.address) byId("about-api").append(element("a", { href: "openapi.json" }, "The API for programs")); // a site has none
  byId("help").querySelector("dl").append(
    ...[...OTHERS, ...Object.entries(KEYS).map(([key, [meaning]]) => [key, meaning])].flatMap(([keys, meaning]) => [
      element("dt", {}, ...keys.split(", ").map((key) => element("kbd", {}, key))),
      element("dd", {}, meaning),
    ]),
  );

  document.addEventListener("keydown", (event) => {
    const busy = event.target.closest("input[type=text], select, textarea, dialog[open]");
    if (busy || event.ctrlKey || event.altKey || event.metaKey || !explorer.state?.game) return;
    const { chapter, chapters, lesson } = explorer.state;
    if (event.key in CHAPTERS && lesson && chapters.length) {
      event.preventDefault();
      explorer.openChapter(chapter + CHAPTERS[event.key]);
      return;
    }
    const arrow = explorer.state.moves.length && (event.key in ARROWS) && (!/Up|Down/.test(event.key) || explorer.mistakes().length);
    const [, ...does] = (box.checked && KEYS[event.key.toLowerCase()]) || [];
    if (!arrow && !does.length) return;
    event.preventDefault();
    if (arrow) ARROWS[event.key](explorer);
    else if (typeof does[0] === "function") does[0](explorer);
    else press(...does);
  });
}
