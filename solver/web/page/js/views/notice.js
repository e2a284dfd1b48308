// What went wrong, and what to do: one sentence, the command that helps, and a way to try again.

import { byId, element } from "../dom.js";

export function noticeView({ api }) {
  const box = byId("notice");
  let shown = null;

  return ({ problem, lost, again, waiting }) => {
    if (waiting || problem === shown) return; // while asking again, the notice stays
    shown = problem;
    box.classList.toggle("lost", lost);
    box.replaceChildren(...(problem ? [
      element("p", {}, lost ? api.lost : problem.message),
      problem.build ? element("p", {}, "Build it with ", element("code", {}, problem.build)) : null,
      canHelp(problem, lost) ? element("button", { type: "button", click: again }, "Try again") : null,
      lost ? null : element("a", { href: "?" }, "All games"),
    ].filter(Boolean) : []));
  };
}

/** Whether the same question may have an answer later: the server is back or less busy, or the table is built. */
const canHelp = ({ status, build }, lost) => lost || Boolean(build) || status === 503;
