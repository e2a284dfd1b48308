// The position under other rules: normal, misere, torus, gravity.

import { byId, element } from "../dom.js";
import { cellsOf, hasTable } from "../line.js";
import { formatQuery } from "../link.js";
import { capitalise, describeResult } from "../words.js";
import { drawValues } from "./diagram.js";
import { foldedView } from "./folded.js";

export const compareView = (explorer) => foldedView(explorer, byId("compare"), async ({ state, board, games }) => {
  const { rules: [, ...others] } = await explorer.api.compare(state.game, board);
  if (!others.length) return [element("li", {}, "This game has no other rules to compare with.")];
  return others.map((each) => drawVariant(each, games.find(({ game }) => game === each.game)));
}, ({ rules }) => hasTable(rules)); // otherwise it takes too long

function drawVariant({ game, status, answer, problem, build }, rules) {
  const name = rules
    ? element("a", { href: formatQuery([["game", game], ...(answer && answer.ply ? [["position", answer.position]] : [])]) }, game)
    : element("b", {}, game);
  if (!answer) return element("li", {}, name, element("p", {}, ...explain(status, problem, build)));
  return element("li", {},
    ...(rules ? [drawValues(rules.diagram, { board: cellsOf(rules, answer.position), moves: answer.moves })] : []),
    name, element("p", {}, capitalise(describeResult(answer))));
}

function explain(status, problem, build) {
  if (status === "no table") return ["No table: ", element("code", {}, build)];
  return [status === "impossible" ? "This position is impossible there." : problem];
}
