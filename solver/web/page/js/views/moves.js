// The moves as a table, best first, and the main line.

import { byId, element, setShown, symbol } from "../dom.js";
import { mayMove } from "../explorer.js";
import { hasTable, sideToMove } from "../line.js";
import { VERBS, bestMoves, countMistakes, describeValue, moveValue, sortByTraps } from "../words.js";
import { lookOnHold } from "./touch.js";

export function movesView(explorer) {
  const card = byId("moves");
  const body = card.querySelector("tbody");
  const scroller = card.querySelector(".scroll");
  let drawn = null;
  let scrolled = false;

  scroller.addEventListener("scroll", () => { scrolled = true; });

  function row(move, best, open) {
    const value = moveValue(move);
    const button = element("button", {
      class: "move",
      "data-move": move.name,
      "aria-disabled": open ? null : "true",
      "aria-label": `${move.name}, ${describeValue(value)}`,
      focus: () => explorer.consider(move.name),
      blur: () => explorer.consider(null),
    }, move.name);
    return element("tr", {
      class: `${value.verdict}${best ? " best" : ""}`,
      ...lookOnHold({
        look: () => explorer.consider(move.name),
        leave: () => explorer.consider(null),
        act: () => open && explorer.play(move.name),
      }),
    },
    element("th", { scope: "row" }, button),
    element("td", { class: "worth" }, value.verdict ? symbol("sign", value.verdict) : null, describeValue({ ...value, plies: null })),
    element("td", { class: "hold" }),
    element("td", { class: "number" }, timed(move) ? `${value.isBound ? "≤ " : ""}${value.plies}` : "–"));
  }

  return (view) => {
    if (view.waiting) return;
    const { now, state, draft, rules } = view;
    const listed = !now || hasTable(rules) ? now?.moves ?? [] : now.moves.filter(({ verdict }) => verdict); // most are unsettled
    setShown(card, listed.length && state.hints && !draft);
    const open = mayMove(view);
    if (drawn?.now !== now || drawn.open !== open) {
      drawn = { now, open };
      const best = new Set(bestMoves(listed));
      body.replaceChildren(...listed.map((move) => row(move, best.has(move), open)));
      const [first] = listed;
      const isEven = best.size === listed.length && listed.length > 1;
      byId("moves-title").textContent = isEven ? `Every move ${describeValue(moveValue(first))}.` : "Moves, best first";
      card.classList.toggle("untimed", !listed.some(timed)); // draws, or a table without distances
      if (scrolled) scroller.scrollTop = 0;
      scrolled = false;
    }
    if (drawn.replies !== view.replies) {
      drawn.replies = view.replies;
      const rows = new Map([...body.rows].map((each) => [each.querySelector("button").dataset.move, each]));
      const order = sortByTraps(listed, view.replies).map(({ name }) => rows.get(name));
      if (order.some((each, at) => each !== body.rows[at])) body.append(...order);
    }
    for (const each of body.rows) {
      each.classList.toggle("considered", isConsidered(each, view));
      drawReplies(each.querySelector(".hold"), view.replies?.get(each.querySelector("button").dataset.move));
    }
  };
}

/** How many replies are mistakes, as a number and as a bar. */
function drawReplies(cell, counted) {
  const text = countMistakes(counted);
  if (cell.textContent === text) return;
  cell.replaceChildren(...(text ? [element("span", { class: "bar" }, element("span", {})), text] : []));
  cell.querySelector(".bar > span")?.style.setProperty("width", `${100 - (100 * counted.holding) / counted.replies}%`);
}

const timed = (move) => move.verdict && move.verdict !== "draw" && moveValue(move).plies !== null;

const isConsidered = (row, { considered }) => row.querySelector("button").dataset.move === considered?.name;

export function mainlineView(explorer) {
  const card = byId("mainline");
  const line = card.querySelector(".line");
  let drawn;
  let explained;

  return (view) => {
    if (view.waiting) return;
    const { why, state } = view;
    setShown(byId("why"), why);
    if (why && explained !== why) {
      byId("why-title").textContent = `Why ${why.name} ${VERBS[why.verdict]}`;
      byId("why").querySelector("p").textContent = why.sentence;
      const moves = [why.name, ...why.line];
      byId("why").querySelector(".line").replaceChildren(...moves.map((name, index) => drawStep(explorer, moves, name, index, sideToMove(view.rules, view.boards[state.at]))));
    }
    explained = why;
    const { mainline, draft, now } = view;
    const shown = mainline ? mainline.moves.length : view.line || view.openLine;
    setShown(card, shown && !draft);
    const key = mainline ?? view.openLine;
    if (drawn === key) return;
    drawn = key;
    line.textContent = view.openLine ? "The search has not settled it." : "…"; // while it is unknown
    if (!mainline) return;
    const { moves, winner, result } = mainline;
    const begins = now.to_move;
    line.replaceChildren(
      ...moves.map((name, index) => drawStep(explorer, moves, name, index, begins)),
      element("span", { class: "end" }, winner ? `${winner} wins` : result === "draw" ? "a draw" : "…"),
    );
  };
}

function drawStep(explorer, moves, name, index, begins) {
  const side = (index % 2 === 0) === (begins === "X") ? "X" : "O";
  return element("button", {
    class: `step by-${side}`,
    "aria-label": `Play this line to ${side} ${name}`,
    click: () => explorer.playLine(moves.slice(0, index + 1)),
  }, symbol("stone", side), name);
}
