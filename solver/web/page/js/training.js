// Training: which puzzle is asked for, whether a move is the one, and the streak, which the browser keeps.

import { recall, remember } from "./storage.js";

/** What can be asked for, by the name in the address: what it is called, and the query of the server. */
export const KINDS = {
  rising: { label: "Harder with the streak" },
  easy: { label: "Easy", query: { level: "easy" } },
  medium: { label: "Medium", query: { level: "medium" } },
  hard: { label: "Hard", query: { level: "hard" } },
  finish: { label: "Finish: win at once", query: { theme: "finish" } },
  block: { label: "Block: stop a win", query: { theme: "block" } },
  fork: { label: "Fork: two threats", query: { theme: "fork" } },
  trap: { label: "Trap: one reply holds", query: { theme: "trap" } },
  "long-win": { label: "Long win: five plies or more", query: { theme: "long win" } },
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const RISES = [[6, "hard"], [3, "medium"], [0, "easy"]]; // from these streaks on, as in solver/study/trainer.py

/** The kind that an address names: one of KINDS, a day, or null for anything else; `daily` is today. */
export function readKind(text) {
  if (text === "daily") return today();
  return text !== null && (text in KINDS || DAY.test(text)) ? text : null;
}

/** Whether it is the puzzle of a day. */
export const isDay = (kind) => DAY.test(kind ?? "");

/** Today, the same everywhere on earth. */
export const today = () => new Date().toISOString().slice(0, 10);

/** What the server is asked for a puzzle of a kind; the first query that it can answer counts. */
export function queriesOf(kind, streak) {
  if (isDay(kind)) return [{ day: kind }];
  if (kind !== "rising") return [KINDS[kind].query];
  const [, level] = RISES.find(([least]) => streak.running >= least);
  return [{ level }, {}];
}

/** The one move that reaches the best result; null where there are several, so that the position is no puzzle. */
export function findOnly({ moves }) {
  const best = moves.filter(({ verdict }) => verdict === moves[0].verdict);
  return best.length === 1 && moves.length > 1 ? best[0] : null;
}

const NONE = { running: 0, best: 0, solved: 0, tried: 0, days: 0, lastDay: null };

/** How the person has done at the puzzles of a game. */
export function loadStreak(game) {
  try {
    return { ...NONE, ...JSON.parse(recall(`streak ${game}`)) };
  } catch {
    return { ...NONE }; // what is kept is not ours
  }
}

/** Count an answer, and the day where it was its puzzle; only the first answer of a day counts, a day left out ends it. */
export function countAnswer(streak, right, kind) {
  const running = right ? streak.running + 1 : 0;
  const counted = { ...streak, running, best: Math.max(streak.best, running), solved: streak.solved + Number(right), tried: streak.tried + 1 };
  if (!isDay(kind) || streak.lastDay === kind) return counted;
  const before = new Date(Date.parse(kind) - 86_400_000).toISOString().slice(0, 10);
  return { ...counted, days: right ? (streak.lastDay === before ? streak.days : 0) + 1 : 0, lastDay: kind };
}

const MOST_PAST = 12; // puzzles

/** The puzzles of a game that were answered last, the newest at the end: { position, kind, right }. */
export function loadPast(game) {
  try {
    return JSON.parse(recall(`puzzles ${game}`)) ?? [];
  } catch {
    return []; // what is kept is not ours
  }
}

/** Keep that a puzzle was answered. */
export function savePast(game, puzzle) {
  const others = loadPast(game).filter(({ position }) => position !== puzzle.position);
  remember(`puzzles ${game}`, JSON.stringify([...others, puzzle].slice(-MOST_PAST)));
}

export const saveStreak = (game, streak) => remember(`streak ${game}`, JSON.stringify(streak));
