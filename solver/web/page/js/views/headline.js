// The side to move and the value of the position; below, the teacher, or the result of the move under the pointer.

import { byId, element, setAttribute, setShown, setText, symbol } from "../dom.js";
import { isOver } from "../explorer.js";
import { hasGravity, hasTable, sideToMove } from "../line.js";
import { PLAYERS, opponentOf, personSide } from "../players.js";
import { titleOf } from "../titles.js";
import { describeTask, solutionsOf } from "../training.js";
import { capitalise, describeEnding, describeMove, describeValue, positionValue } from "../words.js";
import { drawCoach } from "./coach.js";

const TOUCH = matchMedia("(hover: none)");

export function headlineView(explorer) {
  byId("again").addEventListener("click", () => {
    explorer.rematch();
    byId("board").focus(); // the button disappears
  });

  return (view) => {
    if (view.waiting) {
      if (view.ahead && !view.draft) showVerdict(view);
      return;
    }
    if (!view.rules) {
      if (view.problem) byId("verdict").textContent = "No such table here";
      for (const id of ["rules", "what-if"]) byId(id).textContent = "";
      return;
    }
    setShown(byId("legend"), view.state.hints);
    setShown(byId("legend-draws"), view.rules.draws);
    const name = titleOf(view.rules.game, view.gallery, view.games);
    const rules = `${capitalise(view.rules.description)}. ${describePlace(view)}`;
    setText(byId("rules"), view.state.lesson ? name : view.state.page ? `${name}. ${rules}` : rules);
    // These views have no other title.
    for (const [id, isTitle] of [["rules", view.state.lesson], ["verdict", view.state.embed && !view.state.lesson]]) {
      setAttribute(byId(id), "role", isTitle ? "heading" : null);
      setAttribute(byId(id), "aria-level", isTitle ? 1 : null);
    }
    showVerdict(view);
    const coach = view.considered ? [] : [...(explorer.api.live?.describe(view, explorer) ?? []), ...drawCoach(view, explorer)];
    if (coach.length) replace(byId("what-if"), coach);
    else setText(byId("what-if"), describeConsidered(view));
    if (!view.considered) view.said = coach.filter((part) => !part.matches?.(".deeds")).map((part) => part.textContent ?? part).join("").trim();
    const over = view.now?.terminal && !view.draft;
    const watches = view.state.live && !personSide(view.state.players);
    setShown(byId("again"), over && view.state.moves.length && !view.state.train && !watches);
  };
}

/** Show the position and the game in the title of the window. */
export function showTitle(view) {
  if (view.waiting || !view.rules) return;
  const title = `${headlineText(view)} – ${titleOf(view.rules.game, view.gallery, view.games)} – Solved games`;
  if (document.title !== title) document.title = title;
}

/** Draw the headline. */
const showVerdict = (view) => replace(byId("verdict"), drawHeadline(view));

/** Replace the content of an element, unless the same is on the screen. */
function replace(node, parts) {
  const next = node.cloneNode();
  next.append(...parts);
  if (!next.isEqualNode(node)) node.replaceChildren(...next.childNodes);
}

/** The headline as plain text, for the title and for screen readers. */
export const headlineText = (view) => drawHeadline(view).map(({ textContent }) => textContent).join("").replace(/^. (?=Your)/, "");

/** Whether the right answer to a puzzle is on the board. */
const isSolved = ({ state, solved, draft }) => solved && state.train && state.at === 1 && !draft;

/** Whether a puzzle is open and unsolved. */
const isTask = ({ train, hints, at }, answer) => train && !hints && !at && solutionsOf(answer).length;

/** "You win!" for the only person, "X has won" for others; "You win on time!", "X has won: O has resigned". */
function describeOutcome({ players, train }, winner, ended) {
  const side = train ? null : personSide(players);
  if (!side || !winner) return describeEnding(winner, ended);
  const on = ended === "time" ? " on time" : "";
  if (ended === "resignation") return winner === side ? "You win: your friend has resigned" : "You have resigned";
  return winner === side ? `You win${on}!` : `You lose${on}`;
}

function drawHeadline(view) {
  const { now, ahead, state, draft } = view;
  if (isSolved(view)) return [element("span", { class: "outlook win" }, view.solved)];
  const shown = draft ? draft.answer : now ?? ahead;
  if (draft && !shown) return [element("span", {}, "Not a possible position")];
  if (!shown) return [drawStone(sideToMove(view.rules, view.board)), element("span", {}, " to move")];
  if (shown.terminal) {
    const text = describeOutcome(state, shown.winner, shown.ended);
    return text.startsWith(shown.winner) ? [drawStone(shown.winner), element("span", {}, text.slice(1))] : [element("span", {}, text)];
  }
  if (isTask(state, shown)) return [drawStone(shown.to_move), element("span", {}, ` to move: ${describeTask(shown)}`)];
  const yours = !state.hints && personSide(state.players) === shown.to_move && !(state.live && isOver(view));
  const turn = [drawStone(shown.to_move), element("span", {}, yours ? " Your move" : ` to move${state.hints ? ": " : ""}`)];
  if (!state.hints) return turn;
  const { category } = shown;
  return [...turn, element("span", { class: `outlook ${category}` }, category ? symbol("sign", category) : null, describeOutlook(shown, view))];
}

/** "wins in 5 moves", "a draw". */
function describeOutlook(answer, { rules, searching }) {
  if (answer.category === "draw") return "a draw";
  return answer.category || searching || hasTable(rules) ? describeValue(positionValue(answer)) : "nothing is known";
}

const drawStone = (side) =>
  element("span", { class: "side" }, symbol("stone", side), element("span", { class: "hidden" }, side));

function describeConsidered(view) {
  const { considered, now, state, thinking, draft, guessed, rules } = view;
  if (draft) return "";
  if (considered) return describeConsequence(considered, now);
  if (!now || now.terminal) return "";
  const engine = PLAYERS[state.players[now.to_move]]?.engine;
  const challenge = describeChallenge(view);
  if (challenge) return challenge;
  if (thinking) return "The computer is thinking.";
  if (guessed) return "The computer knew no best move and tried one.";
  if (engine) return `The computer plays ${now.to_move}. Redo to continue, or try a move yourself.`;
  if (!state.hints) return state.moves.length || state.train || state.live ? "" : `${TOUCH.matches ? "Tap" : "Click"} a ${hasGravity(rules) ? "column to drop a disc" : "square"}. ${hasTable(rules) ? "This page knows the value of every position, and shows your mistakes." : "This page knows the values of a few positions of this game."}`;
  return TOUCH.matches ? "Hold a square to see its result." : "Point at a square to see its result.";
}

/** The claim of a strategy that the computer follows, before the person's first move; empty if there is none. */
function describeChallenge({ answers, state: { players, moves, start } }) {
  const person = personSide(players);
  const { source, category } = answers[0] ?? {};
  if (!person || start || source !== "strategy" || opponentOf(players) !== "perfect" || moves.length > 1) return "";
  const side = category === "win" ? "X" : "O"; // of a draw: X never loses with a first move, so O is the one that holds
  return side !== person && moves.length === Number(person === "O") ? `Nobody beats ${side} here. Try.` : "";
}

function describeConsequence({ name, move, answer }, now) {
  if (!move.verdict) return answer ? `If ${now.to_move} plays ${name}, nothing is known.` : "";
  const if_ = `If ${now.to_move} plays ${name}`;
  return answer ? `${if_}, ${describeMove(now.to_move, move, answer)}.` : `${if_}: …`;
}

const describePlace = ({ state: { hints, at, moves }, draft }) =>
  draft || !hints || !moves.length ? "" : `Move ${at} of ${moves.length}.`;
