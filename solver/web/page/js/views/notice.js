// Errors: one sentence, the command that helps, and a button to try again.

import { byId, element } from "../dom.js";

export function noticeView({ api }) {
  const box = byId("notice");
  let shown = null;

  return ({ problem, lost, again, waiting }) => {
    if (waiting || problem === shown) return; // the notice stays during a retry
    shown = problem;
    box.replaceChildren(...(problem ? [
      element("p", {}, ...(lost ? api.lost : problem.message).split("`").map((part, at) => (at % 2 ? element("code", {}, part) : part))),
      canHelp(problem, lost) ? element("button", { click: again }, "Try again") : null,
      lost ? null : element("a", { href: "?games" }, "All games"),
    ].filter(Boolean) : []));
  };
}

/** Whether a retry may succeed: the server may be back or less busy, or the table built. */
const canHelp = ({ status, build }, lost) => lost || Boolean(build) || status === 503;
