// The game so far: its moves with marked mistakes, and a chart of the values.

import { byId, element, setAble, setAttribute, setShown, setText, svgElement, symbol } from "../dom.js";
import { sideToMove } from "../line.js";
import { isRevealed, reviewOf, summarise } from "../review.js";
import { describeResult } from "../words.js";
import { HEIGHT, drawChart } from "./chart.js";
import { link } from "./coach.js";

export function historyView(explorer) {
  const card = byId("history");
  const list = card.querySelector("ol");
  const figure = card.querySelector("figure");
  const picture = byId("chart");
  let shown = "";
  let plotted = []; // the answers in the chart
  let draw = () => {};
  let width = 0;

  new ResizeObserver(([{ contentRect }]) => {
    width = contentRect.width;
    draw();
  }).observe(figure);
  byId("mistake-back").addEventListener("click", () => explorer.toMistake(-1));
  byId("mistake-on").addEventListener("click", () => explorer.toMistake(1));
  picture.addEventListener("click", (event) => {
    const at = event.target.closest("[data-at]")?.dataset.at;
    if (at !== undefined) explorer.jump(Number(at));
  });

  return (view) => {
    if (view.waiting) return;
    const { state, answers, draft, considered } = view;
    setShown(card, view.rules && state.moves.length && !draft);
    if (!view.rules) return;
    const review = isRevealed(view) ? reviewOf(view) : null;
    setShown(figure, review);
    document.documentElement.classList.toggle("reviewing", Boolean(review && card.hidden === false));
    const picked = [...answers, state.at, considered?.answer];
    if (review && (picked.length !== plotted.length || picked.some((each, at) => each !== plotted[at]))) {
      plotted = picked;
      setAttribute(picture, "aria-label", describeChart(answers));
      draw = () => {
        picture.setAttribute("height", HEIGHT);
        if (width) picture.replaceChildren(...drawChart(answers, state.at, view.rules, considered?.answer ?? null, width, svgElement));
      };
      draw();
    }
    const mistakes = explorer.mistakes();
    for (const [id, target] of [["mistake-back", mistakes.findLast((at) => at < state.at)], ["mistake-on", mistakes.find((at) => at > state.at)]]) {
      setShown(byId(id), mistakes.length);
      setAble(byId(id), target !== undefined);
    }
    setText(byId("reading"), view.reading ?? "");
    const drawn = JSON.stringify([view.boards, state, Boolean(review), review?.moves.map(({ kind }) => kind)]);
    if (drawn === shown) return;
    shown = drawn;
    list.replaceChildren(...drawSteps(view, review, explorer));
    showReview(view.game ?? view, review && view.game ? reviewOf(view.game) : review);
  };
}

const describeChart = (answers) =>
  "Value by move: " + answers.map((answer, at) => `${at}: ${describeResult(answer)}`).join("; ") + ".";

/** The losing move, and the accuracy of both sides. */
function showReview(view, review) {
  setShown(byId("review"), review);
  if (!review) return;
  const { moves, lost_at: number } = review;
  const [start, name, end] = summarise(view.answers.at(-1), moves[number - 1], moves);
  byId("lost").replaceChildren(start, ...(name ? [link(view, name, { at: number - 1 }), end] : []));
  byId("accuracy").replaceChildren(...["X", "O"].map((side) => element("div", {},
    element("dt", {}, symbol("stone", side), element("span", { class: "hidden" }, side)),
    element("dd", {}, ...describeAccuracy(review.sides[side])))));
}

function describeAccuracy({ kept, decisions }) {
  if (!decisions) return ["no real choice yet"];
  return [element("b", {}, `${Math.round((100 * kept) / decisions)} %`), ` ${kept} of ${decisions}`];
}

/** The moves of the game. A variation of it stands in parentheses, where it begins, with a way back. */
function drawSteps(view, review, explorer) {
  const { state: { moves, main }, game } = view;
  if (!game) return drawLine(view, review, view.state.at, (at) => explorer.jump(at));
  const begins = moves.findIndex((name, at) => name !== main[at]);
  const back = (at) => explorer.leaveVariation(at);
  const steps = drawLine(game, isRevealed(view) ? reviewOf(game) : null, begins > view.state.at ? view.state.at : -1, back);
  const variation = drawLine(view, review, view.state.at, (at) => explorer.jump(at)).slice(begins + 1);
  const button = element("button", { class: "inline", click: () => back(begins) }, "Back to the game");
  return [...steps.slice(0, begins + 2), element("li", { class: "variation" }, element("ol", { class: "line", "aria-label": "Variation" }, ...variation), button), ...steps.slice(begins + 2)];
}

function drawLine({ state, boards, rules }, review, current, go) {
  return boards.map((board, at) => {
    const judged = at ? review?.moves[at - 1] : null;
    const fault = judged?.kind === "mistake" ? judged.sentence.replace(`${judged.name} `, "") : "";
    const name = at ? state.moves[at - 1] : "start";
    const side = at ? sideToMove(rules, boards[at - 1]) : "";
    return element("li", {},
      element("button", {
        class: `step${fault ? " fault" : ""}`,
        "aria-current": at === current ? "step" : null,
        "aria-label": (`${side} ${name}` + (fault ? `, ${fault}` : "")).trim(),
        click: () => go(fault ? at - 1 : at), // before a mistake, where the better moves are
      }, side ? symbol("stone", side) : null, name, fault ? element("span", { class: "doubt" }, "?") : null));
  });
}
