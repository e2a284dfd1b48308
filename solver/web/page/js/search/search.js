// Exact values of positions on boards with gravity that are too large for a table: the counterpart of
// solver/search/gravity.py, in WebAssembly, which the page must allow ('wasm-unsafe-eval').
//
//   const search = await openSearch({ rows: 6, columns: 7, length: 4 });
//   await search.solve(position, { seconds: 1 });     // { wdl, distance }, or null if a second is not enough
//
// A position is { cells, ply } as in tables/game.js, and its game is not over. A search runs in slices of a few
// milliseconds, and a page can do other work between them.

import { X } from "../tables/game.js";
import { assembleKernel, LANE, makeGrid, MOST_COLUMNS, PAUSED, STATE } from "./kernel.js";

const MEMORY = 64 << 20; // bytes
const SLICE = 10_000; // nodes, about 10 ms
const MOST_ROWS = 19;

/** Whether k in a row with gravity and no other variant can be searched on a board. */
export const canSearch = ({ rows, columns, length }) =>
  (rows + 1) * columns <= 64 && columns <= MOST_COLUMNS && rows <= MOST_ROWS && length >= 2;

/** The search of a board, which remembers its results in a given number of bytes. */
export async function openSearch({ rows, columns, length }, memory = MEMORY) {
  const grid = makeGrid(rows, columns, length, memory);
  const bytes = new WebAssembly.Memory({ initial: Math.ceil(grid.bytes / (1 << 16)) });
  const { instance } = await WebAssembly.instantiate(assembleKernel(grid), { env: { memory: bytes } });
  return new Search(grid, bytes, instance.exports);
}

class Search {
  constructor(grid, memory, kernel) {
    Object.assign(this, { grid, kernel, before: 0 });
    this.words = new DataView(memory.buffer);
    this.turn = Promise.resolve(); // one search at a time has the stack
  }

  /** The number of positions entered. */
  get nodes() {
    return this.before + this.read(STATE.nodes);
  }

  /** The value for the side to move, `{ wdl, distance }`; null if the limits are reached. Results are remembered. */
  solve(position, limits = {}) {
    const found = this.turn.then(() => this.find(position, limits));
    this.turn = found.catch(() => {});
    return found;
  }

  async find(position, { seconds = Infinity, nodes = Infinity }) {
    const lastMoment = performance.now() + 1000 * seconds;
    this.before = this.nodes; // the count in memory ends at 2^31
    this.write(STATE.nodes, 0);
    this.placeRoot(position);
    this.kernel.start();
    const { root } = this.grid;
    let [low, high, highest] = [this.read(root + LANE.least), this.read(root + LANE.most), 0];
    while (low < high) {
      if (low > 0 || high < 0) highest ||= Math.max(high, -low);
      const window = nextWindow(low, high, highest);
      const score = await this.ask(window, { lastMoment, nodes });
      if (score === null) return null;
      if (score >= window) low = score;
      else high = score;
      this.write(root + (score >= window ? LANE.least : LANE.most), score);
    }
    return this.valueOf(position, low);
  }

  /** A bound of the root's score, on its side of the window; null if the limits are reached. */
  async ask(window, { lastMoment, nodes }) {
    for (;;) {
      const score = this.kernel.search(window, Math.min(this.read(STATE.nodes) + SLICE, nodes));
      if (score !== PAUSED) return score;
      if (this.read(STATE.nodes) >= nodes || performance.now() >= lastMoment) return null;
      await yieldToPage();
    }
  }

  /** Write the stones of both sides into memory. */
  placeRoot({ cells, ply }) {
    const { rows, columns, step, root } = this.grid;
    const halves = { [LANE.own]: [0, 0], [LANE.other]: [0, 0] };
    cells.forEach((side, square) => {
      if (!side) return;
      const bit = (square % columns) * step + rows - 1 - Math.floor(square / columns);
      const isOwn = (side === X) === (ply % 2 === 0);
      halves[isOwn ? LANE.own : LANE.other][bit >> 5] |= 1 << (bit & 31);
    });
    for (const [field, [low, high]] of Object.entries(halves)) {
      this.write(root + Number(field), low);
      this.write(root + Number(field) + 4, high);
    }
  }

  /** The value of a score, see solver/kernels/search_bounds.py. */
  valueOf({ ply }, score) {
    const { squares } = this.grid;
    if (!score) return { wdl: 0, distance: squares - ply };
    const last = squares + 2 - 2 * Math.abs(score); // or one ply earlier, if the winner does not play at `last`
    const isWinners = ((last - ply) & 1) === Number(score > 0);
    return { wdl: Math.sign(score), distance: last - ply - Number(!isWinners) };
  }

  read(place) {
    return this.words.getInt32(place, true);
  }

  write(place, value) {
    this.words.setInt32(place, value, true);
  }
}

/** The score to test next, above `low` and at most `high`, see solver/kernels/search_tree.py. */
function nextWindow(low, high, highest) {
  if (low <= 0 && high > 0) return 1;
  if (low < 0 && high >= 0) return 0;
  for (const fifths of [4, 3]) {
    const score = Math.floor((fifths * highest + 4) / 5);
    if (low < score && score <= high) return score;
    if (low <= -score && -score < high) return 1 - score;
  }
  return low > 0 ? low + 1 : high;
}

/** Let the page do pending work; a timer would wait for 4 ms. */
function yieldToPage() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
