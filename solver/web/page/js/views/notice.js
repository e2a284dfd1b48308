// Errors: one sentence, the command that helps, and a button to try again.

import { byId, element } from "../dom.js";
import { formatQuery } from "../link.js";

export function noticeView({ api }) {
  const box = byId("notice");
  let shown = "";
  let retry = () => {};

  return ({ problem, lost, again, waiting, state }) => {
    if (waiting) return; // the notice stays during a retry
    const text = problem ? (lost ? lostText(api, state) : problem.message) : "";
    retry = again;
    if (text === shown) return;
    shown = text;
    box.replaceChildren(...(problem ? [
      element("p", {}, ...text.split("`").map((part, at) => (at % 2 ? element("code", {}, part) : part))),
      canHelp(problem, lost) ? element("button", { click: () => retry() }, "Try again") : null,
      meant(text) ? element("a", { href: formatQuery([["game", meant(text)]]) }, meant(text)) : null,
      lost ? null : element("a", { href: "?games" }, "All games"),
    ].filter(Boolean) : []));
  };
}

const lostText = (api, state) => api.live?.hasUnsent(state)
  ? "The server does not respond. Your move will be sent when it does; this page retries automatically." : api.lost;

/** The name of the game that a message suggests, or undefined. */
const meant = (text) => text.match(/perhaps (\S+) is meant/)?.[1];

/** Whether a retry may succeed: the server may be back or less busy, or the table built. */
const canHelp = ({ status, build }, lost) => lost || Boolean(build) || status === 503;
