// Announcements for screen readers, of changes outside the focus.

import { byId } from "./dom.js";
import { sideToMove } from "./line.js";
import { headlineText } from "./views/headline.js";

/** Announce a text, even if it is the same as the last one. */
export function announce(text) {
  const region = byId("spoken");
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

export function spokenView() {
  let last = null;

  return (view) => {
    if (view.waiting || !view.now || view.draft) return;
    const said = view.said && !view.state.hints ? ` ${view.said}` : "";
    const key = view.rules.game + view.board + view.state.hints + view.now.terminal + (view.state.live ? said : "");
    const back = view.recovered ? "Connected again. " : "";
    view.recovered = false;
    if (key === last && !back) return;
    if (last !== null) announce(`${back}${describeLastMove(view)}${asSentence(headlineText(view))}${said}`);
    last = key;
  };
}

function describeLastMove({ state, boards, rules }) {
  if (!state.at) return "";
  return `${sideToMove(rules, boards[state.at - 1])} has played ${state.moves[state.at - 1]}. `;
}

/** A text with a full stop, unless it ends with a mark. */
const asSentence = (text) => text.replace(/[^.!?]$/, "$&.");
