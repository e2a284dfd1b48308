// The trainer above the board: the task, the verdict on the answer, the streak, and the next puzzle.

import { byId, element, setAttribute } from "../dom.js";
import { formatQuery } from "../link.js";
import { judge } from "../review.js";
import { KINDS, countAnswer, findOnly, isDay, loadPast, loadStreak, savePast, saveStreak, today } from "../training.js";

const LEVELS = ["rising", "easy", "medium", "hard"];

export function trainerView(explorer, announce) {
  const panel = byId("trainer");
  const kinds = byId("trainer-kind");
  const option = (name) => element("option", { value: name }, KINDS[name].label);
  const themes = Object.keys(KINDS).filter((name) => !LEVELS.includes(name));
  kinds.append(...LEVELS.map(option), element("option", { value: "daily" }, "Puzzle of the day"),
    element("optgroup", { label: "Themes" }, ...themes.map(option)));
  let asked = null; // the position of the puzzle that is open
  let answered = null; // the position of the answered puzzle, and the move, or null

  byId("train").addEventListener("click", () => (explorer.state.train ? explorer.stopTraining() : explorer.train("rising")));
  byId("trainer-stop").addEventListener("click", () => {
    explorer.stopTraining();
    byId("train").focus(); // the button disappears
  });
  byId("trainer-next").addEventListener("click", () => explorer.train(isDay(kindOf(explorer)) ? "rising" : kindOf(explorer)));
  byId("trainer-show").addEventListener("click", () => {
    answer(explorer.view, null);
    byId("trainer-next").focus();
  });
  kinds.addEventListener("change", () => explorer.train(kinds.value));

  /** Count the answer, a move or null for none, and show the values of the moves. */
  function answer({ state, answers }, name) {
    const only = findOnly(answers[0]);
    if (!only || isAnswered(state)) return;
    answered = { start: state.start, name };
    if (asked === state.start) { // otherwise the link contained the answer
      saveStreak(state.game, countAnswer(loadStreak(state.game), name === only.name, state.train));
      savePast(state.game, { position: state.start, kind: state.train, right: name === only.name });
      announce(describeAnswer(answers[0], name));
    }
    queueMicrotask(() => explorer.update({ hints: true }, { replace: true }));
  }

  const isAnswered = ({ start }) => answered?.start === start;

  return (view) => {
    const { state, rules, draft, waiting } = view;
    const open = Boolean(state?.train && rules && !draft);
    setAttribute(panel, "hidden", open ? null : "");
    document.documentElement.classList.toggle("training", open);
    setAttribute(byId("train"), "aria-pressed", open ? "true" : "false");
    if (!open) [asked, answered] = [null, null];
    if (!open || waiting || !view.answers[0]) return;
    kinds.value = isDay(state.train) ? "daily" : state.train;
    const only = findOnly(view.answers[0]);
    if (!only) return;
    const mover = view.answers[0].to_move;
    byId("task").textContent = `${mover} to move: find the only move that ${only.verdict === "win" ? "wins" : "draws"}.`;
    byId("trainer-title").textContent = isDay(state.train) ? `Puzzle of ${state.train}` : "Find the only move";
    if (!state.moves.length && !state.hints && !isAnswered(state)) asked = state.start;
    if (!isAnswered(state) && (state.at > 0 || state.hints)) answer(view, state.at ? state.moves[0] : null);
    showAnswer(view, only);
    showStreak(loadStreak(state.game));
    showPast(state.game);
  };

  function showAnswer({ state, answers }, only) {
    const done = isAnswered(state);
    const name = done ? answered.name : null;
    const told = byId("trainer-answer");
    told.textContent = done ? describeAnswer(answers[0], name) : "";
    told.className = `answer ${done && name === only.name ? "right" : "wrong"}`;
    const { puzzle } = explorer;
    byId("trainer-about").textContent = !done ? "Every other move gives the result away. Play it on the board; the values of the moves appear afterwards."
      : puzzle?.position === state.start ? describePuzzle(puzzle) : "";
    setAttribute(byId("trainer-show"), "hidden", done ? "" : null);
    byId("trainer-next").textContent = done ? "Next puzzle" : "Another puzzle";
    byId("trainer-next").classList.toggle("chief", done);
  }
}

/** Links to past puzzles. */
function showPast(game) {
  const past = loadPast(game);
  setAttribute(byId("trainer-past"), "hidden", past.length ? null : "");
  byId("trainer-past").querySelector("ol").replaceChildren(...past.map(({ position, kind, right }, at) => element("li", {}, element("a", {
    href: formatQuery([["game", game], ["position", position], ["train", kind], ["hints", "off"]]),
    class: right ? "right" : "wrong",
    "aria-label": `Puzzle ${at + 1}, ${right ? "solved" : "missed"}`,
  }, `${at + 1} ${right ? "✓" : "✗"}`))));
}

/** The level and the theme of a puzzle: "Medium. Fork: two threats." */
const describePuzzle = ({ level, themes }) => {
  const labels = themes.map((theme) => Object.values(KINDS).find(({ query }) => query?.theme === theme)?.label ?? theme);
  return [KINDS[level]?.label ?? level, ...labels].map((label) => `${label}.`).join(" ");
};

const kindOf = ({ state }) => state.train;

function describeAnswer(answer, name) {
  const only = findOnly(answer);
  const does = only.verdict === "win" ? "wins" : "draws";
  if (name === null) return `It is ${only.name}: nothing else ${does}.`;
  return name === only.name ? `Right: only ${name} ${does}.` : `No: ${judge(answer, name).sentence}`;
}

function showStreak({ running, best, days, lastDay }) {
  const daily = lastDay && days ? [`, ${days} ${days === 1 ? "day" : "days"} in a row`] : [];
  byId("streak").replaceChildren("Streak ", element("b", {}, String(running)), `, best ${best}`, ...daily,
    lastDay === today() ? ", today's is done" : "");
}
