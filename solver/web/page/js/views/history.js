// The game so far: its moves, those that threw something away marked, and the value after each as a chart.

import { byId, element, setAttribute, svgElement, symbol } from "../dom.js";
import { sideToMove } from "../line.js";
import { describeFault, describeResult } from "../words.js";
import { HEIGHT, drawChart } from "./chart.js";

export function historyView(explorer) {
  const card = byId("history");
  const list = card.querySelector("ol");
  const figure = card.querySelector("figure");
  const picture = byId("chart");
  const told = byId("told");
  let shown = "";
  let draw = () => {};

  new ResizeObserver(() => draw()).observe(figure);
  picture.addEventListener("click", (event) => {
    const at = event.target.closest("[data-at]")?.dataset.at;
    if (at !== undefined) explorer.jump(Number(at));
  });

  return (view) => {
    if (view.waiting) return;
    const { state, answers, draft, considered } = view;
    setAttribute(card, "hidden", view.rules && state.moves.length && !draft ? null : "");
    if (!view.rules) return;
    const complete = answers.length === state.moves.length + 1 && answers.every(Boolean);
    setAttribute(figure, "hidden", complete && state.hints ? null : "");
    if (complete) {
      setAttribute(picture, "aria-label", summarise(answers));
      draw = () => {
        picture.setAttribute("height", HEIGHT);
        const width = picture.clientWidth;
        if (width) picture.replaceChildren(...drawChart(answers, state.at, view.rules, considered?.answer ?? null, width, svgElement));
      };
      draw();
    }
    const drawn = JSON.stringify([view.boards, state.at, state.hints, complete]);
    if (drawn === shown) return;
    shown = drawn;
    list.replaceChildren(...drawSteps(view, complete && state.hints, explorer));
    told.textContent = complete && state.hints ? describeStep(view) : "";
  };
}

const summarise = (answers) =>
  `Value by ply: ${answers.map((answer, at) => `${at}: ${describeResult(answer)}`).join("; ")}.`;

/** What the last move on the board gave away, if anything. */
function describeStep({ state: { moves, at }, answers }) {
  const fault = at ? describeFault(answers[at - 1], answers[at]) : "";
  return fault ? `${moves[at - 1]} ${fault}.` : "";
}

function drawSteps({ state, boards, answers, rules }, judged, explorer) {
  return boards.map((board, at) => {
    const fault = at && judged ? describeFault(answers[at - 1], answers[at]) : "";
    const name = at ? state.moves[at - 1] : "start";
    const side = at ? sideToMove(rules, boards[at - 1]) : "";
    return element("li", {},
      element("button", {
        type: "button",
        class: `step${fault ? " fault" : ""}`,
        "aria-current": at === state.at ? "step" : null,
        "aria-label": `${side} ${name}${fault ? `, ${fault}` : ""}`.trim(),
        click: () => explorer.jump(at),
      }, side ? symbol(`stone-${side}`, `stone stone-${side}`) : null, name, fault ? element("span", { class: "doubt" }, "?") : null));
  });
}
