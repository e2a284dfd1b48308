// The moves as a table, best first, and the main line that best play follows.

import { byId, element, setAttribute, symbol } from "../dom.js";
import { mayMove } from "../explorer.js";
import { describeValue, moveValue } from "../words.js";

export function movesView(explorer) {
  const card = byId("moves");
  const body = card.querySelector("tbody");
  let drawn = null;

  function row(move, best, open) {
    const value = moveValue(move);
    const button = element("button", {
      type: "button",
      class: "move",
      "data-move": move.name,
      "aria-disabled": open ? null : "true",
      "aria-label": `${move.name}, ${describeValue(value)}`,
      click: () => open && explorer.play(move.name),
      focus: () => explorer.consider(move.name),
      blur: () => explorer.consider(null),
    }, move.name);
    return element("tr", {
      class: `${value.verdict}${best ? " best" : ""}`,
      pointerenter: () => explorer.consider(move.name),
      pointerleave: () => explorer.consider(null),
      click: (event) => event.target === button || (open && explorer.play(move.name)),
    },
    element("th", { scope: "row" }, button),
    element("td", { class: "worth" }, symbol(`sign-${value.verdict}`, "sign"), describeValue({ ...value, plies: null })),
    element("td", { class: "number" }, timed(move) ? String(moveValue(move).plies) : "–"));
  }

  return (view) => {
    if (view.waiting) return;
    const { now, state, draft } = view;
    setAttribute(card, "hidden", !now || now.terminal || !state.hints || draft ? "" : null);
    const open = mayMove(view);
    for (const each of body.rows) each.classList.toggle("considered", isConsidered(each, view));
    if (drawn?.now === now && drawn.open === open) return;
    drawn = { now, open };
    const moves = now?.moves ?? [];
    const top = moves[0];
    const best = (move) => move.verdict === top.verdict && move.distance === top.distance;
    body.replaceChildren(...moves.map((move) => row(move, best(move), open)));
    card.classList.toggle("untimed", !moves.some(timed)); // draws, or a table without distances
    card.querySelector(".scroll").scrollTop = 0;
  };
}

const timed = (move) => move.verdict !== "draw" && move.distance !== null;

const isConsidered = (row, { considered }) => row.querySelector("button").dataset.move === considered?.name;

export function mainlineView(explorer) {
  const card = byId("mainline");
  const line = card.querySelector(".line");
  let drawn;

  return (view) => {
    if (view.waiting) return;
    const { mainline, draft, now } = view;
    setAttribute(card, "hidden", mainline?.moves.length && !draft ? null : "");
    if (drawn === mainline || !mainline) return;
    drawn = mainline;
    const { moves, winner } = mainline;
    const begins = now.to_move;
    line.replaceChildren(
      ...moves.map((name, index) => drawStep(explorer, moves, name, index, begins)),
      element("span", { class: "end" }, winner ? `${winner} wins` : "a draw"),
    );
  };
}

function drawStep(explorer, moves, name, index, begins) {
  const side = (index % 2 === 0) === (begins === "X") ? "X" : "O";
  return element("button", {
    type: "button",
    class: `step by-${side}`,
    "aria-label": `Play the main line to ${side} ${name}`,
    click: () => explorer.playLine(moves.slice(0, index + 1)),
  }, symbol(`stone-${side}`, "stone"), name);
}
