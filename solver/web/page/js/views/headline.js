// The side to move and the value of the position; below, the result of the move under the pointer.

import { byId, element, setAttribute, symbol } from "../dom.js";
import { sideToMove, stones } from "../line.js";
import { PLAYERS } from "../players.js";
import { reviewGame } from "../review.js";
import { capitalise, describeEnding, describeMistakes, describeMove, describeValue, positionValue } from "../words.js";

const IMPOSSIBLE = "Not a possible position";

const TOUCH = matchMedia("(hover: none)");

export function headlineView(explorer) {
  byId("again").addEventListener("click", () => {
    explorer.restart();
    byId("board").focus(); // the button disappears
  });

  return (view) => {
    if (view.waiting) return;
    if (!view.rules) {
      if (view.problem) byId("verdict").textContent = "No such table here";
      for (const id of ["rules", "what-if"]) byId(id).textContent = "";
      return;
    }
    setAttribute(byId("legend"), "hidden", view.state.hints ? null : "");
    setAttribute(byId("legend-draws"), "hidden", view.rules.draws ? null : "");
    byId("rules").textContent = `${capitalise(view.rules.description)}. ${describePlace(view)}`;
    byId("verdict").replaceChildren(...drawHeadline(view));
    byId("what-if").textContent = describeConsidered(view);
    const over = view.now?.terminal && !view.draft;
    setAttribute(byId("again"), "hidden", over && view.state.moves.length && !view.state.train ? null : "");
    document.title = `${headlineText(view)} – ${view.rules.game} – Tablebase explorer`;
  };
}

/** The headline as plain text, for the title and for screen readers. */
export function headlineText({ now, state, draft, board, rules }) {
  const shown = draft ? draft.answer : now;
  if (draft && !shown) return IMPOSSIBLE;
  if (!shown) return `${sideToMove(rules, board)} to move`;
  if (shown.terminal) return describeEnding(shown.winner);
  return `${shown.to_move} to move${state.hints ? ` ${describeValue(positionValue(shown))}` : ""}`;
}

function drawHeadline(view) {
  const { now, state, draft } = view;
  const shown = draft ? draft.answer : now;
  if (draft && !shown) return [element("span", {}, IMPOSSIBLE)];
  if (!shown) return [drawStone(sideToMove(view.rules, view.board)), element("span", {}, " to move")];
  if (shown.terminal) {
    return [...(shown.winner ? [drawStone(shown.winner)] : []), element("span", {}, shown.winner ? " has won" : "A draw")];
  }
  const turn = [drawStone(shown.to_move), element("span", {}, " to move ")];
  if (!state.hints) return turn;
  const value = positionValue(shown);
  if (!value.verdict) return [...turn, element("span", {}, describeValue(value))];
  return [...turn, element("span", { class: `outlook ${value.verdict}` },
    symbol(`sign-${value.verdict}`, "sign"), describeValue(value))];
}

const drawStone = (side) =>
  element("span", { class: "side" }, symbol(`stone-${side}`, `stone stone-${side}`), element("span", { class: "hidden" }, side));

function describeConsidered(view) {
  const { considered, now, state, thinking, draft } = view;
  if (draft) return "";
  if (considered) return describeConsequence(considered, now);
  if (!now) return "";
  if (now.terminal) return describeGame(view);
  const player = PLAYERS[state.players[now.to_move]];
  if (thinking) return `${now.to_move} is played by the table: ${player.label.toLowerCase()}.`;
  if (player.engine) return `${now.to_move} is played by the table. Redo to continue, or try a move yourself.`;
  if (!state.hints) return "";
  return TOUCH.matches ? "Hold a square to see the result of a move there." : "Point at a move to see its result.";
}

/** The mistakes of the finished game. */
function describeGame({ state, answers }) {
  const moves = state.moves.slice(0, state.at);
  if (!moves.length || !state.hints || !answers.every(({ category }) => category)) return "";
  return describeMistakes(reviewGame(answers.slice(0, state.at + 1), moves).moves);
}

function describeConsequence({ name, move, answer }, now) {
  const if_ = `If ${now.to_move} plays ${name}`;
  return answer ? `${if_}, ${describeMove(now.to_move, move, answer)}.` : `${if_}: …`;
}

const describePlace = ({ state, board, draft, rules }) =>
  draft ? "" : `Ply ${stones(rules, board)}${state.at < state.moves.length ? `, ${state.moves.length - state.at} taken back` : ""}.`;
