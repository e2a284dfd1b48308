// Whose turn it is and what the position is worth, in one line; below it, what a move under the pointer leads to.

import { byId, element, symbol } from "../dom.js";
import { sideToMove, stones } from "../line.js";
import { PLAYERS } from "../players.js";
import { ending, outlook, result, standing } from "../words.js";

export function headlineView() {
  return (view) => {
    if (view.waiting) return;
    if (!view.rules) {
      if (view.problem) byId("verdict").textContent = "Nothing to show yet";
      for (const id of ["rules", "what-if"]) byId(id).textContent = "";
      return;
    }
    byId("rules").textContent = `${capital(view.rules.description)}. ${place(view)}`;
    byId("verdict").replaceChildren(...headline(view));
    byId("what-if").textContent = whatIf(view);
    document.title = `${byId("verdict").textContent} – ${view.rules.game} – Tablebase explorer`;
  };
}

/** The headline as plain text, for screen readers. */
export function headlineText(view) {
  const { now, state } = view;
  if (!now) return `${sideToMove(view.board)} to move.`;
  if (now.terminal) return `${ending(now.winner)}.`;
  return `${now.to_move} to move${state.hints ? ` ${outlook(standing(now))}` : ""}.`;
}

function headline(view) {
  const { now, state, draft } = view;
  const shown = draft ? draft.answer : now;
  if (draft && !shown) return [element("span", {}, "Not a possible position")];
  if (!shown) return [stone(sideToMove(view.board)), element("span", {}, " to move")];
  if (shown.terminal) {
    return [...(shown.winner ? [stone(shown.winner)] : []), element("span", {}, shown.winner ? " has won" : "A draw")];
  }
  const turn = [stone(shown.to_move), element("span", {}, " to move ")];
  if (!state.hints) return turn;
  const value = standing(shown);
  return [...turn, element("span", { class: `outlook ${value.verdict}` },
    symbol(`sign-${value.verdict}`, "sign"), outlook(value))];
}

const stone = (side) =>
  element("span", { class: "side" }, symbol(`stone-${side}`, `stone stone-${side}`), element("span", { class: "hidden" }, side));

function whatIf({ considered, now, state, thinking, draft }) {
  if (draft) return "";
  if (considered) return consequence(considered, now);
  if (!now || now.terminal) return "";
  const player = PLAYERS[state.players[now.to_move]];
  if (thinking) return `${now.to_move} is played by the table: ${player.label}.`;
  if (player.engine) return `${now.to_move} is played by the table. Redo to go on, or try a move yourself.`;
  return state.hints ? "Point at a move to see what it leads to." : "";
}

function consequence({ name, answer }, now) {
  const if_ = `If ${now.to_move} plays ${name}: `;
  if (!answer) return `${if_}…`;
  const reply = answer.moves[0];
  return `${if_}${result(answer)}${reply ? `; the best reply is ${reply.name}` : ""}.`;
}

const place = ({ state, board, draft }) =>
  draft ? "" : `Ply ${stones(board)}${state.at < state.moves.length ? `, ${state.moves.length - state.at} taken back` : ""}.`;

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
