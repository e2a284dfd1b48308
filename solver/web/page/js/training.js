// Training: the kinds of puzzles, their solution, and the streak, which the browser stores.

import { recallJson, remember } from "./storage.js";
import { VERBS } from "./words.js";

/** The kinds of puzzles, by the name in the URL: the label, and the query for the server. */
export const KINDS = {
  rising: { label: "Harder with the streak" },
  easy: { label: "Easy", query: { level: "easy" } },
  medium: { label: "Medium", query: { level: "medium" } },
  hard: { label: "Hard", query: { level: "hard" } },
  finish: { label: "Finish: win at once", query: { theme: "finish" } },
  block: { label: "Block: stop a win", query: { theme: "block" } },
  fork: { label: "Fork: two threats", query: { theme: "fork" } },
  trap: { label: "Trap: one reply holds", query: { theme: "trap" } },
  "long-win": { label: "Long win: three own moves or more", query: { theme: "long win" } },
  mine: { label: "Mistakes of your own games" },
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const RISES = [[6, "hard"], [3, "medium"], [0, "easy"]]; // from these streaks on

/** The kind that a URL names: one of KINDS, a day, or null for anything else; `daily` is today. */
export function readKind(text) {
  if (text === "daily") return today();
  return text !== null && (text in KINDS || DAY.test(text)) ? text : null;
}

/** Whether a kind is the puzzle of a day. */
export const isDay = (kind) => DAY.test(kind ?? "");

/** Today in UTC, the same everywhere. */
export const today = () => new Date().toISOString().slice(0, 10);

/** The queries for a puzzle of a kind; the first one with an answer counts. */
export function queriesOf(kind, streak) {
  if (isDay(kind)) return [{ day: kind }];
  if (KINDS[kind].query) return [KINDS[kind].query];
  const [, level] = RISES.find(([least]) => streak.running >= least);
  return [{ level }, {}];
}

/** The moves that reach the best result, or none if all do and the position is not a puzzle. */
export function solutionsOf({ moves }) {
  const best = moves.filter(({ verdict }) => verdict === moves[0].verdict);
  return best.length < moves.length ? best : [];
}

/** "find the only move that wins". */
export function describeTask(answer) {
  const { length, 0: { verdict } } = solutionsOf(answer);
  return `find ${length > 1 ? "a" : "the only"} move that ${VERBS[verdict]}`;
}

const NONE = { running: 0, best: 0, solved: 0, tried: 0, days: 0, lastDay: null };

/** The streak at the puzzles of a game. */
export const loadStreak = (game) => ({ ...NONE, ...recallJson(`streak ${game}`) });

/** Count an answer, and its day for a daily puzzle: only the first answer of a day counts, and a missed day ends the streak. */
export function countAnswer(streak, right, kind) {
  const running = right ? streak.running + 1 : 0;
  const counted = { ...streak, running, best: Math.max(streak.best, running), solved: streak.solved + Number(right), tried: streak.tried + 1 };
  if (!isDay(kind) || streak.lastDay === kind) return counted;
  const before = new Date(Date.parse(kind) - 86_400_000).toISOString().slice(0, 10);
  return { ...counted, days: right ? (streak.lastDay === before ? streak.days : 0) + 1 : 0, lastDay: kind };
}

const MOST_PAST = 12; // puzzles

/** The last answered puzzles of a game, the newest at the end: { position, kind, right }. */
export const loadPast = (game) => recallJson(`puzzles ${game}`) ?? [];

/** Store an answered puzzle. */
export function savePast(game, puzzle) {
  const others = loadPast(game).filter(({ position }) => position !== puzzle.position);
  remember(`puzzles ${game}`, JSON.stringify([...others, puzzle].slice(-MOST_PAST)));
}

export const saveStreak = (game, streak) => remember(`streak ${game}`, JSON.stringify(streak));

/** The positions of a game in which a person has made a mistake. */
export const loadMistakes = (game) => recallJson(`mistakes ${game}`) ?? [];

/** Add positions to them, or remove one. */
export function saveMistakes(game, added, removed = null) {
  const kept = new Set([...loadMistakes(game), ...added].filter((position) => position !== removed));
  remember(`mistakes ${game}`, JSON.stringify([...kept].slice(-MOST_PAST)));
}
