// Locate positions on pages: the page of a position, its place there, and the value of its bits. docs/reference/file-format.md
// describes pages. A set of squares is a number, the sum of 2^s over its squares: at most 49, so no BigInt is needed.

import { EMPTY, O, X, completing, smallestImage } from "./game.js";

const BINOMIAL = Array.from({ length: 40 }, () => Array(40).fill(0));
for (let n = 0; n < 40; n++) {
  BINOMIAL[n][0] = 1;
  for (let k = 1; k <= n; k++) BINOMIAL[n][k] = BINOMIAL[n - 1][k - 1] + BINOMIAL[n - 1][k];
}

export class Layout {
  constructor(game, timed) {
    Object.assign(this, { game, timed });
  }

  /** The place of a position: the key of its page, the number of stones in the key, and the rank. */
  locate({ cells, ply }) {
    const { game } = this;
    const first = squaresOf(cells, (cell) => cell === X || (game.gravity && cell === O));
    const [[key], element] = smallestImage(game.symmetries, [first]);
    const second = squaresOf(cells, (cell) => cell === (game.gravity ? X : O));
    const images = second.map((square) => element[square]).sort((a, b) => a - b);
    const inKey = new Uint8Array(game.squares);
    for (const square of first) inKey[element[square]] = 1;
    const allowed = game.gravity ? 1 : 0;
    let rank = first.length && !game.gravity && ply % 2 === 0 ? BINOMIAL[game.squares - first.length][first.length - 1] : 0;
    let index = 0;
    let chosen = 0;
    for (let square = 0; chosen < images.length; square++) {
      if (square === images[chosen]) rank += BINOMIAL[index][++chosen];
      if (inKey[square] === allowed) index++;
    }
    return { key, stones: first.length, rank };
  }

  /** The size of a page by the stones in its key: the bytes of a plane, and the digits of a count. */
  pageSize(stones) {
    const { game } = this;
    const positions = game.gravity
      ? BINOMIAL[stones][Math.ceil(stones / 2)]
      : BINOMIAL[game.squares - stones + 1][stones];
    const first = game.gravity ? stones + 1 : Math.max(2 * stones, 1);
    const left = Math.max(game.plies - first + 1, 0);
    const odd = Math.floor((left + (first % 2)) / 2);
    const digits = this.timed ? Math.max(bitLength(Math.max(odd, left - odd)), 1) : 1;
    const plane = Math.ceil(positions / 8);
    return { plane, digits, bytes: plane * (1 + digits) };
  }

  /** The value for the side to move from the bits of a raw page, or null if they encode none. */
  value(raw, { plane, digits }, rank, ply) {
    const { game, timed } = this;
    let at = rank >> 3;
    const bit = () => (raw[at] >> (rank & 7)) & 1;
    const sign = bit();
    let count = 0;
    for (let digit = 0; digit < digits; digit++) {
      at += plane;
      count += bit() << digit;
    }
    if (count === 0) return sign ? null : { wdl: game.unfinishedWdl(ply), distance: timed ? game.plies - ply : null };
    const last = game.plies % 2 === sign ? game.plies - 1 : game.plies; // odd for X, even for O
    const end = last - 2 * (count - 1);
    if (end <= ply || (!timed && count > 1)) return null;
    return { wdl: (ply % 2 === sign) !== game.misere ? 1 : -1, distance: timed ? end - ply : null };
  }

  /** The value of an unfinished position that threats decide, which has no bits; otherwise null. */
  decidedByThreats({ cells, ply }) {
    const { game, timed } = this;
    if (game.gravity || game.misere || game.plies !== game.squares) return null;
    const own = ply % 2 ? O : X;
    if (completing(game.lines[own], cells, own).size) return { wdl: 1, distance: timed ? 1 : null };
    const threats = completing(game.lines[X + O - own], cells, X + O - own).size;
    return threats > 1 ? { wdl: -1, distance: timed ? 2 : null } : null;
  }
}

const bitLength = (number) => (number ? 32 - Math.clz32(number) : 0);

export function squaresOf(cells, wanted) {
  const found = [];
  for (let square = 0; square < cells.length; square++) if (cells[square] !== EMPTY && wanted(cells[square])) found.push(square);
  return found;
}
