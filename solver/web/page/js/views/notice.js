// What went wrong, and what to do: one sentence, the command that helps, and a way to try again.

import { byId, element } from "../dom.js";

const LOST = "The server does not answer. Nothing is lost: this page keeps the game and tries again by itself.";

export function noticeView() {
  const box = byId("notice");
  let shown = null;

  return ({ problem, lost, again, waiting }) => {
    if (waiting || problem === shown) return; // while asking again, the notice stays
    shown = problem;
    box.classList.toggle("lost", lost);
    box.replaceChildren(...(problem ? [
      element("p", {}, lost ? LOST : problem.message),
      problem.build ? element("p", {}, "Build it with ", element("code", {}, problem.build)) : null,
      element("button", { type: "button", click: again }, "Try again"),
      lost ? null : element("a", { href: "?" }, "All games"),
    ].filter(Boolean) : []));
  };
}
