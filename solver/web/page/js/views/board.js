// The board: buttons with one tab stop, with stones and verdicts drawn inside. Squares with coordinates form a
// grid; others are placed individually, above the lines or edges of the board.

import { element, setAble, setAttribute, svgElement, symbol } from "../dom.js";
import { mayMove } from "../explorer.js";
import {
  carries, cellsOf, columnNames, countSquares, hasGravity, hasTable, isSquare, landing, otherSide, sideToMove, squareName, squareNumber, withCell,
} from "../line.js";
import { mistakeAhead } from "../review.js";
import { abbreviateValue, bestMoves, bestReplies, countMistakes, describeValue, fillStrength, moveValue } from "../words.js";
import { drawBackground, drawStones } from "./diagram.js";
import { drawMarks, drawWithMouse } from "./marks.js";
import { findStrikes } from "./strikes.js";
import { lookOnHold } from "./touch.js";

const NARROW = matchMedia("(max-width: 1020px)"); // where slices are stacked
const MANY_COLUMNS = 12; // columns; a board with more has short texts
const MOST_FITTING = 8; // columns; a board with more scrolls on a phone
const MARKS = ["aimed", "target", "last", "won", "threat", "ghost", "reply", "best", "erred", "better", "wrong"];
const NEXT = { ".": "X", X: "O", O: "." };
const TYPED = { x: "X", o: "O", ".": ".", Delete: ".", Backspace: "." };

export function boardView(frame, explorer) {
  let built = null; // the diagram on the screen
  let source = null; // that of the rules
  let squares = [];
  let rules = null;
  let view = null;
  let pointed = false; // whether a pointer was used last on the board: then arrow keys step through the game
  let aimed = null; // with gravity: the column under the pointer or with the focus

  function build() {
    built = NARROW.matches ? stackSlices(rules.diagram) : rules.diagram;
    squares = built.names.map((_, number) => squareButton(number));
    squares[0].tabIndex = 0;
    frame.style.setProperty("--rows", built.height);
    frame.style.setProperty("--columns", built.width);
    frame.className = `frame shape-${built.shape}${built.coordinates ? "" : " placed"}${built.borders.length ? " sided" : ""}${built.columns > MOST_FITTING ? " wide" : ""}${hasGravity(rules) ? " discs" : ""}`;
    source = rules.diagram;
    frame.replaceChildren(...(built.coordinates ? drawGrid(built, squares) : [drawPlaced(built, squares)]));
  }

  function squareButton(number) {
    return element("button", {
      class: "square",
      tabindex: "-1",
      "data-square": number,
      focus: () => stop(number),
      blur: leave,
      ...lookOnHold({ look: () => consider(number), leave, act: () => press(number) }),
    });
  }

  /** Mark the column of a square as the target of a move; null: none. */
  function aim(number) {
    aimed = number !== null && hasGravity(rules) ? number % rules.diagram.columns : null;
    squares.forEach((square, each) => Object.entries(aims(each)).forEach(([mark, on]) => square.classList.toggle(mark, on)));
  }

  /** Whether a square is in the column of the next move, and whether a stone dropped there lands on it. */
  function aims(number) {
    const isAimed = aimed !== null && number % rules.diagram.columns === aimed && !view.draft && mayMove(view);
    return { aimed: isAimed, target: isAimed && landing(rules, view.board, number) === number };
  }

  function leave() {
    aim(null);
    explorer.consider(null);
  }

  /** The square of a move here: where a dropped stone lands; in a draft this square if it is taken. */
  function meant(number) {
    const board = view.draft ? view.draft.board : view.board;
    const taken = cellsOf(rules, board)[number] !== ".";
    return view.draft && taken ? number : landing(rules, board, number) ?? number;
  }

  function consider(number) {
    aim(number);
    explorer.consider(squareName(rules, meant(number)));
  }

  /** Make this square the tab stop. */
  function stop(number) {
    squares.forEach((square, each) => { square.tabIndex = each === number ? 0 : -1; });
    consider(number);
  }

  function press(number) {
    if (view.draft) put(number, NEXT[cellsOf(rules, view.draft.board)[meant(number)]]);
    else if (mayMove(view)) explorer.play(squareName(rules, meant(number)));
  }

  /** Place or remove a stone; with gravity it lands, and one below another is not removed. */
  function put(square, cell) {
    const number = meant(square);
    if (carries(rules, view.draft.board, number) && cell === ".") cell = "X";
    explorer.update({ draft: withCell(rules, view.draft.board, number, cell) }, { replace: true });
  }

  NARROW.addEventListener("change", () => {
    source = null;
    if (view?.rules) explorer.show(view);
  });
  drawWithMouse(frame, explorer);
  frame.addEventListener("pointerdown", ({ target }) => {
    pointed = true;
    const number = target.dataset.square;
    if (number && !view.draft) explorer.prepare(squareName(rules, meant(Number(number))));
  });
  frame.addEventListener("keydown", (event) => {
    const number = Number(event.target.dataset?.square ?? -1);
    if (number < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    if (pointed && event.key.startsWith("Arrow") && !view.draft && view.state.moves.length) return;
    pointed = false;
    const target = neighbour(built, number, event.key);
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
    if (source !== rules.diagram || !frame.firstChild) build();
    frame.classList.toggle("drafting", Boolean(view.draft));
    const cells = cellsOf(rules, view.draft ? view.draft.board : view.board);
    const facts = factsOf(view, explorer.tried);
    setAttribute(frame.querySelector(".grid"), "aria-busy", view.waiting ? "true" : null);
    squares.forEach((square, number) => drawSquare(square, number, cells[number], { ...facts(number), ...aims(number) }, view));
    drawLines(frame, cells, view, built);
  };
}

const coordinate = (text) => element("span", {}, text);

/** Squares in rows, with letters and numbers in the margins. */
function drawGrid({ rows, columns, cells }, squares) {
  const drawCell = (cell) => (isSquare(cell)
    ? element("div", { role: "gridcell", class: "cell" }, squares[cell])
    : element("div", { role: "gridcell", class: "cell" }, ...(cell === "#" ? [] : [drawStanding(cell)])));
  const ranks = Array.from({ length: rows }, (_, row) =>
    element("div", { role: "row", class: "rank" }, ...cells.slice(row * columns, (row + 1) * columns).map(drawCell)));
  const letters = columnNames({ diagram: { columns } });
  const numbers = Array.from({ length: rows }, (_, row) => String(row + 1));
  return [
    element("div", { class: "letters", "aria-hidden": "true" }, ...letters.map(coordinate)),
    element("div", { class: "numbers", "aria-hidden": "true" }, ...numbers.map(coordinate)),
    element("div", { class: "grid", role: "grid", "aria-label": "Board" }, ...ranks, drawStrikes(columns, rows)),
  ];
}

const drawStanding = (side) =>
  element("span", { class: "standing", role: "img", "aria-label": `${side} from the start` }, symbol("stone", side));

/** The picture above the squares that strikes through a completed line. */
const drawStrikes = (width, height) =>
  svgElement("svg", { class: "strikes", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });

/** Individually placed squares, above the lines or edges of the board. */
function drawPlaced(diagram, squares) {
  const { width, height, points } = diagram;
  const board = element("div", { class: "grid", role: "group", "aria-label": "Board" },
    svgElement("svg", { class: "lines", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
      ...drawBackground(diagram), ...drawStones(diagram)),
    drawStrikes(width, height),
    ...squares.map((square, number) => {
      const cell = element("div", { class: "cell" }, square);
      cell.style.left = `${(100 * points[number][0]) / width}%`;
      cell.style.top = `${(100 * points[number][1]) / height}%`;
      cell.style.setProperty("--share", `${100 / width}%`);
      return cell;
    }));
  board.style.aspectRatio = `${width} / ${height}`;
  return board;
}

/** Show the side of each taken edge, the completed line, and the lines through the considered square. */
function drawLines(frame, cells, { rules, now, draft, considered, state }, diagram) {
  const line = new Set((!draft && now?.line) || []);
  frame.querySelector(".strikes").replaceChildren(...findStrikes({ ...rules, diagram }, [...line]).map(([[x1, y1], [x2, y2]]) =>
    svgElement("line", { class: "strike", x1, y1, x2, y2, pathLength: 1 })), ...drawMarks(rules, diagram.points, draft ? [] : state.marks));
  for (const edge of frame.querySelectorAll("[data-edge]")) {
    const square = Number(edge.dataset.edge);
    edge.setAttribute("class", `edge by-${cells[square] === "." ? "nobody" : cells[square]}${line.has(square) ? " won" : ""}`);
  }
  for (const stroke of frame.querySelectorAll(".stroke")) {
    const through = stroke.dataset.line.split(" ").map(Number);
    const state = through.every((square) => line.has(square)) ? " won" : through.includes(considered?.move.square) ? " near" : "";
    stroke.setAttribute("class", `stroke${state}`);
  }
}

/** The diagram with its slices one below the other, if it has slices side by side. */
function stackSlices(diagram) {
  const { shape, coordinates, points, width, height } = diagram;
  const columns = Array.from({ length: Math.ceil(width) }, (_, x) => points.some(([at]) => Math.floor(at) === x));
  const size = columns.indexOf(false) + 1; // of a slice and the gap after it
  if (shape !== "cells" || coordinates || !size) return diagram;
  const step = height + 0.4;
  const place = ([x, y]) => [x % size, y + Math.floor(x / size) * step];
  const count = Math.ceil(width / size);
  const stones = diagram.stones.map((stone) => ({ ...stone, point: place(stone.point) }));
  return { ...diagram, points: points.map(place), stones, width: size - 1, height: count * step - 0.4 };
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The square that an arrow key, Home or End leads to: at the edge of the board this one; null for other keys. */
function neighbour(diagram, number, key) {
  if (key === "Home" || key === "End") return endOfRow(diagram, number, key === "End");
  if (!(key in STEPS)) return null;
  const [right, down] = STEPS[key];
  let nearest = number;
  let least = Infinity;
  diagram.points.forEach(([x, y], other) => {
    const [dx, dy] = [x - diagram.points[number][0], y - diagram.points[number][1]];
    const ahead = dx * right + dy * down;
    const aside = Math.abs(dx * down) + Math.abs(dy * right);
    if (ahead < 0.05 || aside > 2 * ahead) return;
    const far = ahead + 2 * aside;
    if (far < least - 1e-6) [nearest, least] = [other, far];
  });
  return nearest;
}

/** The first or last square of a row of the text. */
function endOfRow({ cells, columns }, number, last) {
  const row = Math.floor(cells.indexOf(number) / columns);
  const squares = cells.slice(row * columns, (row + 1) * columns).filter(isSquare);
  return squares.at(last ? -1 : 0);
}

/** The display of each square, apart from its stone. */
function factsOf(view, tried) {
  const { rules, state, now, considered, draft } = view;
  const moves = new Map((now && !draft ? now.moves : []).map((move) => [move.square, move]));
  const last = draft || !state.at || !view.boards[state.at] ? -1 : squareNumber(rules, state.moves[state.at - 1]);
  const line = new Set((!draft && now?.line) || []);
  const ghost = considered && mayMove(view) ? considered.move.square : -1;
  const replies = new Set(considered?.answer ? bestReplies(considered.answer).map(({ square }) => square) : []);
  const top = moves.size ? bestMoves(now.moves) : [];
  const best = new Set(top.length < moves.size || moves.size === 1 ? top.map(({ square }) => square) : []); // equal moves are not marked
  const ahead = mistakeAhead(view);
  const held = new Set(ahead?.held);
  const course = state.hints && !draft && now && !hasTable(rules) ? view.mainline?.moves ?? [] : []; // of a proved result
  return (number) => ({
    erred: squareName(rules, number) === ahead?.name,
    better: held.has(squareName(rules, number)),
    threat: Boolean(view.why?.threats.includes(squareName(rules, number))),
    wrong: Boolean(state.train) && !state.hints && !state.at && tried.has(squareName(rules, number)),
    name: squareName(rules, number),
    move: moves.get(number) ?? null,
    last: number === last,
    won: line.has(number),
    ghost: number === ghost,
    reply: replies.has(number),
    step: course.indexOf(squareName(rules, number)) + 1,
    best: best.has(number) && state.hints && !replies.has(number), // a reply is only marked as the other side's
    replies: view.replies?.get(squareName(rules, number)) ?? null,
    floating: !draft && !now?.terminal && (now ? !moves.has(number) : landing(rules, view.board, number) !== number),
    rest: landing(rules, view.board, number), // where a stone dropped here lands
  });
}

function drawSquare(square, number, cell, fact, view) {
  const { state, rules, draft, waiting } = view;
  const value = fact.move?.verdict && state.hints ? moveValue(fact.move) : null;
  const open = cell === "." ? fact.move || fact.floating : hasGravity(rules) && fact.rest !== null; // a stone in a column
  const playable = draft || (open && mayMove(view));
  setAble(square, playable);
  const told = fact.reply ? null : value; // a reply hides the value of a move on its square
  const hold = told ? countMistakes(fact.replies, " replies") : "";
  setAttribute(square, "aria-label", describeSquare(cell, fact, value, hold, rules));
  if (waiting && !draft && cell === "." && square.classList.contains("empty")) return; // its colour changes once, with the answer
  const marks = { empty: cell === ".", playable, floating: cell === "." && fact.floating };
  const drawn = ["square", ...Object.keys(marks).filter((mark) => marks[mark]), ...MARKS.filter((mark) => fact[mark]), value?.verdict ?? ""].join(" ");
  setAttribute(square, "class", drawn);
  const strength = value ? fillStrength(value, countSquares(rules), fact.replies).toFixed(3) : "0";
  if (square.style.getPropertyValue("--strength") !== strength) square.style.setProperty("--strength", strength);
  const mover = sideToMove(rules, view.board);
  const stone = cell !== "." ? cell : fact.ghost ? mover : fact.reply ? otherSide(mover) : "";
  const step = cell === "." && !stone && !told && fact.step;
  const content = `${stone}${cell === "." ? "?" : ""} ${told ? abbreviateValue(told) : ""} ${hold} ${step}`;
  if (square.dataset.content === content) return;
  square.dataset.content = content;
  const stones = stone ? [symbol("stone", stone)] : [];
  if (stone && fact.last) {
    stones[0].classList.add("drops"); // where there is gravity
    square.style.setProperty("--drop", Math.floor(number / rules.diagram.columns) + 1); // rows
  }
  square.replaceChildren(...stones,
    ...(rules.diagram.coordinates || stone ? [] : [element("span", { class: "tag", "aria-hidden": "true" }, fact.name), " "]),
    ...(told ? [drawVerdict(told, hold, rules.diagram)] : []),
    ...(step ? [element("span", { class: `ahead by-${step % 2 ? mover : otherSide(mover)}`, "aria-hidden": "true" }, step)] : []));
}

function drawVerdict(value, hold, diagram) {
  return element("span", { class: "verdict" }, symbol("sign", value.verdict), element("span", {}, fitValue(value, diagram)), " ",
    hold ? element("span", { class: "hold" }, hold) : null);
}

function fitValue(value, { shape, columns }) {
  const short = abbreviateValue(value).replace(" in ", "");
  if (columns > MANY_COLUMNS) return short.replace(/^\w \u2264 /, "\u2264"); // "\u226435"
  return shape === "edges" || (columns > 6 && NARROW.matches) ? short : abbreviateValue(value);
}

/** The accessible name of a square; what is seen on it comes first and in one piece, as speech input needs. */
function describeSquare(cell, fact, value, hold, rules) {
  if (cell !== ".") return `${fact.name}, ${cell}${fact.won ? ", in the line" : ""}${fact.last ? ", last move" : ""}`;
  const mark = (fact.erred ? ", the mistake" : fact.better ? ", better" : fact.wrong ? ", wrong" : "") + (fact.threat ? ", threatened" : "");
  const seen = value && fitValue(value, rules.diagram);
  if (value) return [fact.name, ...(seen.length > 1 ? [seen] : []), ...(hold ? [hold] : []), describeValue(value)].join(", ") + mark;
  if (mark) return `${fact.name}, empty${mark}`;
  if (fact.step) return `${fact.name}, empty, move ${fact.step} of the main line`;
  return `${fact.name}, empty` + (fact.floating ? `, drops to ${squareName(rules, fact.rest)}` : "");
}
