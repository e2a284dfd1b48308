// The trainer below the board: the verdict on an answer, a hint, the solution, the streak, and the next puzzle.

import { byId, element, setAttribute, setShown } from "../dom.js";
import { formatQuery } from "../link.js";
import { columnName, hasGravity } from "../line.js";
import { judge } from "../review.js";
import {
  KINDS, countAnswer, isDay, loadMistakes, loadPast, loadStreak, saveMistakes, savePast, saveStreak, solutionsOf, today,
} from "../training.js";
import { VERBS, capitalise, listMoves } from "../words.js";

const DEEDS = { fork: "makes two threats", block: "stops the win" }; // of a move, by its theme
const LEVELS = ["rising", "easy", "medium", "hard", "mine"];

export function trainerView(explorer, announce) {
  const panel = byId("trainer");
  const kinds = byId("trainer-kind");
  const option = (name) => element("option", { value: name }, KINDS[name].label);
  const themes = Object.keys(KINDS).filter((name) => !LEVELS.includes(name));
  kinds.append(element("option", { value: "daily" }, "Puzzle of the day"), ...LEVELS.map(option),
    element("optgroup", { label: "Themes" }, ...themes.map(option)));
  let puzzle = null; // { start, done: "solved", "shown" or null, counted, said }

  byId("train").addEventListener("click", () => {
    const { state } = explorer;
    if (!state.train) explorer.train(loadStreak(state.game).lastDay === today() ? "rising" : "daily");
  });
  byId("trainer-next").addEventListener("click", () => {
    const { train } = explorer.state;
    explorer.train(isDay(train) ? "rising" : train);
    byId("board").focus();
  });
  byId("trainer-play").addEventListener("click", () => explorer.playOut());
  /** Whether the puzzle is on the board: not while the next one is awaited. */
  const isReady = () => Boolean(puzzle && puzzle.start === explorer.state.start && explorer.view.answers[0]);

  byId("trainer-hint").addEventListener("click", () => {
    if (!isReady()) return;
    puzzle.hinted = true;
    say(`Hint: ${describeHint(explorer)}`);
  });
  byId("trainer-show").addEventListener("click", () => {
    if (!isReady()) return;
    if (puzzle.done) return explorer.update({ hints: true });
    count(false);
    finish("shown");
    byId("trainer-next").focus();
  });
  kinds.addEventListener("change", () => explorer.train(kinds.value));

  function say(text) {
    puzzle.said = text;
    announce(text);
    explorer.show(explorer.view);
  }

  /** Count the first answer; a solution after a hint does not change the streak. */
  function count(right) {
    const { game, train } = explorer.state;
    if (puzzle.counted) return;
    puzzle.counted = true;
    if (!right || !puzzle.hinted) saveStreak(game, countAnswer(loadStreak(game), right, train));
    savePast(game, { position: puzzle.start, kind: train, right });
    if (right && train === "mine") saveMistakes(game, [], puzzle.start);
  }

  /** "Right: b1 makes two threats". */
  function praise(name) {
    const [theme] = themesOf(explorer);
    return `Right: ${name} ${DEEDS[theme] ?? VERBS[explorer.view.answers[0].moves[0].verdict]}`;
  }

  function finish(done) {
    const solutions = solutionsOf(explorer.view.answers[0]);
    const [{ name, verdict }] = solutions;
    const only = solutions.length > 1 ? `${listMoves(solutions.map((each) => each.name), "and").join("")} ${verdict}.` : `only ${name} ${VERBS[verdict]}.`;
    puzzle.done = done;
    puzzle.said = done === "solved" ? capitalise(only) : `The solution: ${only}`;
    announce(puzzle.said);
    if (done === "shown") explorer.update({ hints: true }, { replace: true });
  }

  explorer.tryMove = (name) => {
    const { view: { state, answers } } = explorer;
    if (!state.train || !isReady() || puzzle.done || state.at) return false;
    const right = solutionsOf(answers[0]).some((move) => move.name === name);
    count(right);
    if (right) {
      explorer.solved = praise(name);
      finish("solved");
      return false;
    }
    explorer.tried.add(name);
    say(`${name} ${judge(answers[0], name).verdict === "loss" ? "loses" : "does not win"}. Try again. (It no longer counts.)`);
    explorer.consider(name); // shows the best reply
    return true;
  };

  return (view) => {
    const { state, rules, draft, waiting, answers } = view;
    const open = Boolean(state?.train && rules && !draft);
    setShown(panel, open);
    document.documentElement.classList.toggle("training", open);
    if (!open) puzzle = null;
    if (!open || waiting || !answers[0] || !state.start) return;
    if (puzzle?.start !== state.start) {
      const given = state.at || state.hints; // the link contains the answer
      puzzle = { start: state.start, done: given ? "shown" : null, counted: Boolean(given), said: "", hinted: false };
    }
    const { done } = puzzle;
    kinds.value = isDay(state.train) ? "daily" : state.train;
    setAttribute(kinds.querySelector("[value=mine]"), "disabled", loadMistakes(state.game).length || state.train === "mine" ? null : "");
    byId("trainer-title").textContent = isDay(state.train) ? `Puzzle of ${state.train}` : KINDS[state.train].label;
    byId("trainer-answer").textContent = puzzle.said;
    byId("trainer-answer").className = `answer ${done === "solved" ? "right" : done || !explorer.tried.size || puzzle.said.startsWith("Hint") ? "" : "wrong"}`;
    byId("trainer-about").textContent = done && explorer.puzzle?.position === state.start ? describePuzzle(explorer.puzzle) : "";
    setShown(byId("trainer-hint"), !done);
    setShown(byId("trainer-play"), done === "solved" && answers[0].category === "win" && view.now && !view.now.terminal && state.at === 1);
    setShown(byId("trainer-show"), !state.hints);
    byId("trainer-show").textContent = done ? "Values" : "Solution";
    byId("trainer-next").textContent = done ? "Next puzzle" : "Skip";
    byId("trainer-next").classList.toggle("chief", Boolean(done));
    showStreak(loadStreak(state.game), state.train);
    showPast(state.game);
  };
}

/** The theme of the puzzle, and the column, the row or half of the squares with the solution. */
function describeHint(explorer) {
  const { answers, rules } = explorer.view;
  const [{ square }] = solutionsOf(answers[0]);
  const { coordinates, points, width } = rules.diagram;
  const columns = coordinates && rules.diagram.columns;
  const place = hasGravity(rules) ? `column ${columnName(square % columns)} or beside it`
    : columns ? `row ${Math.floor(square / columns) + 1}` : `the ${points[square][0] * 2 < width ? "left" : "right"} half`;
  const [theme] = themesOf(explorer);
  return (theme ? `${labelOf(theme)}. ` : "") + `Look at ${place}.`;
}

/** The themes of the puzzle on the board, if they are known. */
const themesOf = ({ puzzle, state }) => (puzzle?.position === state.start && puzzle.themes) || [];

const labelOf = (theme) => Object.values(KINDS).find(({ query }) => query?.theme === theme)?.label ?? theme;

/** Links to past puzzles. */
function showPast(game) {
  const past = loadPast(game);
  setShown(byId("trainer-past"), past.length);
  byId("trainer-past").querySelector("ol").replaceChildren(...past.map(({ position, kind, right }, at) => element("li", {}, element("a", {
    href: formatQuery([["game", game], ["position", position], ["train", kind], ["hints", "off"]]),
    class: right ? "right" : "wrong",
    "aria-label": `Puzzle ${at + 1}, ${right ? "solved" : "missed"}`,
  }, `${at + 1} ${right ? "✓" : "✗"}`))));
}

/** The level and the theme of a puzzle: "Medium. Fork: two threats." */
const describePuzzle = ({ level, themes }) => [...(level ? [KINDS[level].label] : []), ...themes.map(labelOf)].map((label) => `${label}.`).join(" ");

function showStreak({ running, best, days }, kind) {
  const daily = isDay(kind) && days > 1 ? `, ${days} days in a row` : "";
  byId("streak").replaceChildren("Streak ", element("b", {}, String(running)), `, best ${best}${daily}`);
}
