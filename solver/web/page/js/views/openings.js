// The first moves of a game up to symmetry: the value of each, and a small board with the values of its replies.

import { byId, element, symbol } from "../dom.js";
import { cellsOf, hasTable } from "../line.js";
import { countMistakes, describeResult, describeValue, moveValue } from "../words.js";
import { drawValues } from "./diagram.js";
import { foldedView } from "./folded.js";

const LAST = 3; // the ply after which hardly any moves are symmetric

export const openingsView = (explorer) => foldedView(explorer, byId("openings"), async ({ state, board, rules, now }) => {
  const { plies: [{ openings }] } = await explorer.api.openings(state.game, board);
  const answers = await Promise.all(openings.map(({ position }) => explorer.api.position(state.game, position)));
  return openings.map((opening, at) => drawOpening(explorer, rules, now, opening, answers[at]));
}, ({ now, rules }) => hasTable(rules) && now.ply <= LAST && !now.terminal);

function drawOpening(explorer, rules, now, { moves: [name], replies, holding }, answer) {
  const move = now.moves.find((each) => each.name === name);
  const matters = replies && answer.category !== "loss"; // if all replies lose, none is a mistake
  return element("li", {},
    drawValues(rules.diagram, { board: cellsOf(rules, answer.position), moves: answer.moves }),
    element("div", {},
      element("button", {
        class: "step",
        "aria-label": `Play ${name}, which ${describeValue(moveValue(move))}`,
        click: () => explorer.playLine([name]),
      }, symbol("stone", now.to_move), name),
      describeResult(answer)),
    element("p", {}, ...(matters ? [countMistakes({ replies, holding, verdict: answer.category }, " replies")] : [])));
}
