// The board: a grid of buttons with one stop for the tab key, stones and verdicts drawn inside.

import { element, setAttribute, symbol } from "../dom.js";
import { mayMove } from "../explorer.js";
import { cellsOf, sideToMove, squareName, squareNumber, withCell } from "../line.js";
import { abbreviateValue, describeValue, fillStrength, moveValue } from "../words.js";

const NEXT = { ".": "X", X: "O", O: "." };
const TYPED = { x: "X", o: "O", ".": ".", Delete: ".", Backspace: "." };

export function boardView(frame, explorer) {
  let shape = "";
  let squares = [];
  let rules = null;
  let view = null;

  function build() {
    shape = `${rules.rows}x${rules.columns}`;
    squares = Array.from({ length: rules.rows * rules.columns }, (_, number) => squareButton(number));
    squares[0].tabIndex = 0;
    const rows = Array.from({ length: rules.rows }, (_, row) =>
      element("div", { role: "row", class: "rank" },
        ...squares.slice(row * rules.columns, (row + 1) * rules.columns)
          .map((square) => element("div", { role: "gridcell", class: "cell" }, square))));
    const letters = Array.from({ length: rules.columns }, (_, column) => squareName(rules, column).slice(0, 1));
    const numbers = Array.from({ length: rules.rows }, (_, row) => String(row + 1));
    frame.style.setProperty("--rows", rules.rows);
    frame.style.setProperty("--columns", rules.columns);
    frame.replaceChildren(
      element("div", { class: "letters", "aria-hidden": "true" }, ...letters.map(coordinate)),
      element("div", { class: "numbers", "aria-hidden": "true" }, ...numbers.map(coordinate)),
      element("div", { class: "grid", role: "grid", "aria-label": "Board" }, ...rows),
    );
  }

  function squareButton(number) {
    return element("button", {
      type: "button",
      class: "square",
      tabindex: "-1",
      "data-square": number,
      click: () => press(number),
      focus: () => stop(number),
      blur: () => explorer.consider(null),
      pointerenter: () => explorer.consider(squareName(rules, number)),
      pointerleave: () => explorer.consider(null),
    });
  }

  /** Make this square the one that the tab key stops at. */
  function stop(number) {
    squares.forEach((square, each) => { square.tabIndex = each === number ? 0 : -1; });
    explorer.consider(squareName(rules, number));
  }

  function press(number) {
    if (view.draft) put(number, NEXT[cellsOf(view.draft.board)[number]]);
    else if (mayMove(view)) explorer.play(squareName(rules, number));
  }

  function put(number, cell) {
    explorer.update({ draft: withCell(rules, view.draft.board, number, cell) }, { replace: true });
  }

  frame.addEventListener("keydown", (event) => {
    const number = Number(event.target.dataset?.square ?? -1);
    if (number < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    const target = neighbour(rules, number, event);
    const typed = view.draft ? TYPED[event.key.length === 1 ? event.key.toLowerCase() : event.key] : undefined;
    if (target !== null) squares[target].focus();
    else if (typed) put(number, typed);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return (next) => {
    view = next;
    if (!view.rules) {
      frame.replaceChildren();
      return;
    }
    rules = view.rules;
    if (shape !== `${rules.rows}x${rules.columns}` || !frame.firstChild) build();
    frame.classList.toggle("drafting", Boolean(view.draft));
    const cells = cellsOf(view.draft ? view.draft.board : view.board);
    const facts = factsOf(view);
    squares.forEach((square, number) => drawSquare(square, cells[number], facts(number), view));
  };
}

const coordinate = (text) => element("span", {}, text);

/** The square that an arrow key, Home or End leads to from here, or null. */
function neighbour({ rows, columns }, number, event) {
  const row = Math.floor(number / columns);
  const column = number % columns;
  const to = {
    ArrowLeft: [row, Math.max(0, column - 1)],
    ArrowRight: [row, Math.min(columns - 1, column + 1)],
    ArrowUp: [Math.max(0, row - 1), column],
    ArrowDown: [Math.min(rows - 1, row + 1), column],
    Home: [row, 0],
    End: [row, columns - 1],
  }[event.key];
  return to ? to[0] * columns + to[1] : null;
}

/** What is to be shown of each square beside its stone. */
function factsOf(view) {
  const { rules, state, now, considered, draft } = view;
  const moves = new Map((now && !draft ? now.moves : []).map((move) => [move.square, move]));
  const last = draft || !state.at ? -1 : squareNumber(rules, state.moves[state.at - 1]);
  const line = new Set((!draft && now?.line) || []);
  const ghost = considered && mayMove(view) ? considered.move.square : -1;
  const reply = considered?.answer?.moves[0]?.square ?? -1;
  return (number) => ({
    name: squareName(rules, number),
    move: moves.get(number) ?? null,
    last: number === last,
    won: line.has(number),
    ghost: number === ghost,
    reply: number === reply,
    floating: Boolean(now) && !now.terminal && !draft && !moves.has(number),
  });
}

function drawSquare(square, cell, fact, view) {
  const { state, rules, draft, waiting } = view;
  const value = fact.move && state.hints ? moveValue(fact.move) : null;
  const playable = draft || (fact.move && mayMove(view));
  square.className = "square";
  square.classList.toggle("empty", cell === ".");
  square.classList.toggle("playable", Boolean(playable));
  square.classList.toggle("floating", cell === "." && fact.floating);
  for (const mark of ["last", "won", "ghost", "reply"]) square.classList.toggle(mark, fact[mark]);
  if (value) square.classList.add(value.verdict);
  square.style.setProperty("--strength", value ? fillStrength(value, rules.rows * rules.columns).toFixed(3) : "0");
  setAttribute(square, "aria-disabled", playable ? null : "true");
  square.setAttribute("aria-label", describeSquare(cell, fact, value));
  const stone = cell !== "." ? cell : fact.ghost ? sideToMove(view.board) : "";
  const content = `${stone}${cell === "." ? "?" : ""} ${value ? abbreviateValue(value) : ""}`;
  if (square.dataset.content === content || (waiting && cell === "." && !stone)) return;
  square.dataset.content = content;
  square.replaceChildren(...(stone ? [symbol(`stone-${stone}`, `stone stone-${stone}`)] : []),
    ...(value ? [drawVerdict(value)] : []));
}

const drawVerdict = (value) =>
  element("span", { class: "verdict" }, symbol(`sign-${value.verdict}`, "sign"), element("span", {}, abbreviateValue(value)));

function describeSquare(cell, fact, value) {
  if (cell !== ".") return `${fact.name}, ${cell}${fact.won ? ", in the line" : ""}${fact.last ? ", last move" : ""}`;
  if (value) return `${fact.name}, empty, ${describeValue(value)}`;
  return `${fact.name}, empty${fact.floating ? ", not playable yet" : ""}`;
}
