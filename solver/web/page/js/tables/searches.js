// The values of positions beyond an opening table: a queue of searches that run in a worker, one at a time.

import { Refused, Unreachable } from "../api.js";

const FIRST_SLICE = 0.05; // seconds; a hard position waits for the next slice, which is four times as long, until the others have had theirs
const MOST_SECONDS = 10; // for one position
const MOST_VALUES = 50_000; // values

export class Searches {
  /** board: its rows, columns and k. startSearch: returns a search of a board, a function like that of `startSearch` below. */
  constructor(game, { rows, columns, k: length }, startSearch) {
    Object.assign(this, { game, board: { rows, columns, length }, startSearch });
    this.search = null;
    this.values = new Map(); // by the cells of a position
    this.waiting = new Map(); // the searches to do, the same
    this.turn = 0;
  }

  /** A number for the searches of one answer; searches with higher numbers come first. */
  nextTurn() {
    return ++this.turn;
  }

  /** The value of an unfinished position for the side to move; null if it takes too long. */
  solve(position, turn) {
    const known = this.known(position);
    if (known) return Promise.resolve(known);
    const name = boardName(position);
    let job = this.waiting.get(name);
    if (!job) {
      const { promise, resolve, reject } = withResolvers();
      job = { name, position, turn, slice: FIRST_SLICE, spent: 0, promise, resolve, reject };
      this.waiting.set(name, job);
      if (this.waiting.size === 1) this.run();
    }
    job.turn = Math.max(job.turn, turn);
    return job.promise;
  }

  known(position) {
    return this.values.get(boardName(position)) ?? null;
  }

  keep(position, value) {
    if (this.values.size >= MOST_VALUES) this.values.delete(this.values.keys().next().value);
    this.values.set(boardName(position), value);
    return value;
  }

  async run() {
    while (this.waiting.size) {
      const job = [...this.waiting.values()].reduce((best, each) => (isBefore(each, best) ? each : best));
      try {
        this.search ??= await this.startSearch(this.board);
        const value = await this.search(job.position, job.slice);
        job.spent += job.slice;
        job.slice *= 4;
        if (!value && job.spent < MOST_SECONDS) continue;
        if (value) this.keep(job.position, value);
        job.resolve(value);
      } catch (error) {
        this.search = null;
        job.reject(error);
      }
      this.waiting.delete(job.name);
    }
  }
}

const boardName = ({ cells }) => cells.join("");

const isBefore = (one, other) => one.turn > other.turn || (one.turn === other.turn && one.spent < other.spent);

function withResolvers() {
  const found = {};
  found.promise = new Promise((resolve, reject) => Object.assign(found, { resolve, reject }));
  return found;
}

/** The search of a board, as a function of a position and seconds. It runs in a worker, or on a page from a disk in the page itself. */
export async function startSearch(board) {
  const address = document.querySelector("script[data-search]").dataset.search;
  if (location.protocol === "file:") {
    const search = await (await loadSearch(address))(board);
    return (position, seconds) => search.solve(position, { seconds });
  }
  const worker = new Worker(address);
  return (position, seconds) => new Promise((resolve, reject) => {
    worker.onmessage = ({ data: { value, problem } }) => (problem ? reject(new Refused({ code: "no_search", message: problem })) : resolve(value));
    worker.onerror = () => reject(new Unreachable(`${address} can't be loaded`));
    worker.postMessage({ board, position, seconds });
  });
}

/** The function `openSearch` of js/search/search.js, from a script of its own. */
async function loadSearch(address) {
  const script = document.createElement("script");
  script.src = address;
  await new Promise((resolve, reject) => {
    Object.assign(script, { onload: resolve, onerror: () => reject(new Unreachable(`${address} can't be loaded`)) });
    document.head.append(script);
  });
  return globalThis.openSearch;
}
