// The game so far: its moves, those that threw something away marked, and the value after each as a chart.

import { attribute, byId, drawn, element, symbol } from "../dom.js";
import { sideToMove } from "../line.js";
import { result, thrownAway } from "../words.js";
import { HEIGHT, chart } from "./chart.js";

export function historyView(explorer) {
  const card = byId("history");
  const list = card.querySelector("ol");
  const figure = card.querySelector("figure");
  const picture = byId("chart");
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
    attribute(card, "hidden", view.rules && state.moves.length && !draft ? null : "");
    if (!view.rules) return;
    const complete = answers.length === state.moves.length + 1 && answers.every(Boolean);
    attribute(figure, "hidden", complete && state.hints ? null : "");
    if (complete) {
      attribute(picture, "aria-label", summary(answers));
      draw = () => {
        picture.setAttribute("height", HEIGHT);
        const width = picture.clientWidth;
        if (width) picture.replaceChildren(...chart(answers, state.at, view.rules, considered?.answer ?? null, width, drawn));
      };
      draw();
    }
    const now = JSON.stringify([view.boards, state.at, state.hints, complete]);
    if (now === shown) return;
    shown = now;
    list.replaceChildren(...steps(view, complete && state.hints, explorer));
  };
}

const summary = (answers) =>
  `Value by ply: ${answers.map((answer, at) => `${at}: ${result(answer)}`).join("; ")}.`;

function steps({ state, boards, answers }, judged, explorer) {
  return boards.map((board, at) => {
    const fault = at && judged ? thrownAway(answers[at - 1], answers[at]) : "";
    const name = at ? state.moves[at - 1] : "start";
    const side = at ? sideToMove(boards[at - 1]) : "";
    return element("li", {},
      element("button", {
        type: "button",
        class: `step${fault ? " fault" : ""}`,
        "aria-current": at === state.at ? "step" : null,
        "aria-label": `${side} ${name}${fault ? `, ${fault}` : ""}`.trim(),
        title: fault || null,
        click: () => explorer.jump(at),
      }, side ? symbol(`stone-${side}`, "stone") : null, name, fault ? element("span", { class: "doubt" }, "?") : null));
  });
}
