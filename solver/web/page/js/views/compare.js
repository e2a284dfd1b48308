// The position under other rules: normal, misere, torus, gravity. The server is asked when the card is opened.

import { byId, element, setAttribute } from "../dom.js";
import { cellsOf } from "../line.js";
import { formatQuery } from "../link.js";
import { describeResult } from "../words.js";
import { drawValues } from "./diagram.js";

export function compareView(explorer) {
  const card = byId("compare");
  const list = card.querySelector("ul");
  let shown = null; // the game and the board whose comparison is there

  async function fill(view) {
    const asked = `${view.state.game} ${view.board}`;
    if (shown === asked) return;
    shown = asked;
    const [answer] = await Promise.allSettled([explorer.api.compare(view.state.game, view.board)]);
    if (shown !== asked) return;
    const games = new Map(view.games.map((each) => [each.game, each]));
    const rules = answer.value?.rules.slice(1) ?? [];
    list.replaceChildren(...(answer.value ? rules.map((each) => draw(each, games.get(each.game))) : [element("li", {}, "The server does not answer.")]));
    if (!rules.length && answer.value) list.replaceChildren(element("li", {}, "This game has no other rules to compare with."));
  }

  card.addEventListener("toggle", () => card.open && explorer.view?.now && fill(explorer.view));

  return (view) => {
    const there = view.rules && view.now && !view.draft && view.state.hints;
    setAttribute(card, "hidden", there ? null : "");
    if (there && !view.waiting && card.open) fill(view);
  };
}

function draw({ game, status, answer, problem, build }, rules) {
  const name = status === "answered" || status === "impossible"
    ? element("a", { href: formatQuery([["game", game], ...(answer && answer.ply ? [["position", answer.position]] : [])]) }, game)
    : element("b", {}, game);
  if (!answer) return element("li", {}, name, element("p", {}, ...explain(status, problem, build)));
  return element("li", {},
    ...(rules ? [drawValues(rules.diagram, { board: cellsOf(rules, answer.position), moves: answer.moves })] : []),
    name, element("p", {}, capitalise(describeResult(answer))));
}

function explain(status, problem, build) {
  if (status === "no table") return ["No table: ", element("code", {}, build)];
  return [status === "impossible" ? "The position can't arise there." : problem];
}

const capitalise = (text) => text.charAt(0).toUpperCase() + text.slice(1);
