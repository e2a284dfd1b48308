// The teacher, in a sentence: a mistake as it is made, the result of a game, and each mistake with the moves that were better.

import { element } from "../dom.js";
import { otherSide } from "../line.js";
import { shared, write } from "../link.js";
import { PEOPLE, isAlone, personSide } from "../players.js";
import { MISSED, isRevealed, mistakeAhead, mistakesOf, reviewOf } from "../review.js";
import { saveMistakes } from "../training.js";
import { VERBS, listMoves } from "../words.js";

const LETS = { "win draw": "only draws", "win loss": "loses", "draw loss": "loses" };
const letsThrough = ({ value, verdict }) => LETS[`${value} ${verdict}`];

/** The sentence about the position on the board, with links and buttons; empty if there is nothing to say. */
export function drawCoach(view, explorer) {
  const { state, draft } = view;
  const review = reviewOf(view);
  if (!review || draft || state.train) return [];
  const person = personSide(state.players);
  const who = (side) => (person ? (side === person ? "You" : state.live ? "Your friend" : "The computer") : side);
  const ahead = mistakeAhead(view);
  const mistakes = mistakesOf(view);
  const buttons = (...all) => element("span", { class: "deeds" }, ...all.map(([label, click]) => element("button", { class: "inline", click }, label)));
  if (ahead) {
    const at = mistakes.indexOf(ahead);
    const count = mistakes.length > 1 && at >= 0 ? `Mistake ${at + 1} of ${mistakes.length}: ${who(ahead.side).replace(/^[YT]/, (sign) => sign.toLowerCase())}` : who(ahead.side);
    return [`${count} played `, link(view, ahead.name, { at: state.at + 1 }), `, which ${letsThrough(ahead)}`, element("span", { class: "because" }, ...because(view.why)), ". ", ...listBetter(view, ahead), " ",
      buttons(["Try again from here", () => explorer.retry()],
        ...(mistakes.some(({ number }) => number > ahead.number) ? [["Next mistake", () => explorer.toMistake(1)]] : []))];
  }
  const last = review.moves[state.at - 1];
  const over = view.now?.terminal;
  if (over && view.now.ended) return view.now.ended === "time" ? [`${who(otherSide(view.now.winner))} ran out of time.`] : [];
  if (over && !mistakes.length) return review.moves.some(({ kind }) => kind === "unsettled") ? [] : ["No mistakes."];
  if (over || (isRevealed(view) && last?.kind === "mistake")) {
    const { side, value, number, name } = over ? mistakes.at(-1) : last;
    return [`Move ${number}, `, link(view, name, { at: number - 1 }), `, was ${over && mistakes.length > 1 ? "the last mistake" : over ? "the mistake" : "a mistake"}. ${who(side)} could still have ${MISSED[value]}. `,
      buttons(["Show me", () => explorer.showMistake(number - 1)])];
  }
  if (isRevealed(view)) return last?.kind === "slow" ? [last.sentence] : [];
  const made = person && !state.live && review.moves.slice(0, state.at).findLast(({ side }) => side === person);
  if (made?.kind !== "mistake" || state.at < state.moves.length) return [];
  return [`${made.name} was a mistake: it ${letsThrough(made)}. `,
    buttons(["Take it back", () => explorer.undo()], ["Show me", () => explorer.showMistake(made.number - 1)])];
}

/** ": X answers a3 and then has two ways to win, at a2 and b3" */
const because = (why) => why ? [why.sentence.slice(why.sentence.indexOf(":"), -1)] : [];

/** A move in a sentence as a link to the state of a view with a change. */
export const link = ({ state }, name, change) => element("a", { href: write({ ...shared(state), ...change }) }, name);

/** "b2 wins.", "a1, b1 or c1 draw." */
function listBetter(view, { held, value }) {
  const { moves, at, main } = view.state;
  const after = (name) => ({ moves: [...moves.slice(0, at), name], at: at + 1, main: main ?? moves, hints: true, players: PEOPLE });
  return [...listMoves(held.map((name) => link(view, name, after(name)))), ` ${held.length > 1 ? value : VERBS[value]}.`];
}

/** Store the mistakes of people as puzzles, when a game ends. */
export function keepMistakes(view) {
  const { state, answers } = view;
  const { moves } = reviewOf(view) ?? { moves: [] };
  const person = personSide(state.players);
  const own = moves.filter(({ kind, side }) => kind === "mistake" && (side === person || isAlone(state.players)));
  saveMistakes(state.game, own.map(({ number }) => answers[number - 1].position));
}
