// The rules of a game, from the manifest of its table, and its positions: the content of each square, and the ply.

export const EMPTY = 0;
export const X = 1;
export const O = 2;
export const SIGNS = [".", "X", "O"];

export class Game {
  /** name: the game's. rules: `rules` of the manifest. diagram: how the board is written. */
  constructor(name, rules, diagram) {
    const { squares, misere, stride, plies, unfinished, exact, is_grid: isGrid } = rules;
    Object.assign(this, { name, diagram, squares, misere, stride, plies, unfinished, exact, isGrid });
    this.lines = { [X]: rules.x_lines.map(readLine), [O]: rules.o_lines.map(readLine) };
    this.gravity = stride > 0 && stride < squares; // a single row has no gravity
    this.symmetries = rules.symmetries.map(readStep);
    this.boardSymmetries = rules.board_symmetries?.map(readStep) ?? this.symmetries;
    this.start = { cells: new Uint8Array(squares), ply: 0 };
  }

  /** The squares of all completed lines. */
  winningLine({ cells }) {
    return new Set([...completed(this.lines[X], cells, X), ...completed(this.lines[O], cells, O)]);
  }

  /** "X", "O" or "draw" when the game is over, otherwise null. */
  outcome(position) {
    const [owner] = [X, O].filter((side) => hasLine(this.lines[side], position.cells, side));
    if (owner) return SIGNS[this.misere ? X + O - owner : owner];
    return position.ply === this.plies ? this.unfinished ?? "draw" : null;
  }

  /** The value for the side to move, at a ply, of a game in which nobody completes a line. */
  unfinishedWdl(ply) {
    if (!this.unfinished) return 0;
    return this.unfinished === (ply % 2 ? "O" : "X") ? 1 : -1;
  }

  /** Whether a stone may be placed on a square of an unfinished game. */
  isVacant(cells, square) {
    const below = square + this.stride;
    return cells[square] === EMPTY && !(this.gravity && below < this.squares && cells[below] === EMPTY);
  }

  /** The squares that the side to move may take, ascending; none when the game is over. */
  legalMoves(position) {
    if (this.outcome(position)) return [];
    return this.allSquares().filter((square) => this.isVacant(position.cells, square));
  }

  /** The position after a legal move. */
  play({ cells, ply }, square) {
    const after = cells.slice();
    after[square] = ply % 2 ? O : X;
    return { cells: after, ply: ply + 1 };
  }

  allSquares() {
    return [...Array(this.squares).keys()];
  }

  /** The rows as text, "XO./.X./...". */
  board({ cells }) {
    const { rows, columns, cells: places } = this.diagram;
    const text = places.map((place) => (typeof place === "number" ? SIGNS[cells[place]] : place));
    return Array.from({ length: rows }, (_, row) => text.slice(row * columns, (row + 1) * columns).join("")).join("/");
  }

  /** The base-3 hash; above 2^53 it is rounded, like those in the server's answers. */
  hash({ cells }) {
    if (this.squares <= 33) return cells.reduceRight((hash, cell) => 3 * hash + cell, 0);
    return Number(cells.reduceRight((hash, cell) => 3n * hash + BigInt(cell), 0n));
  }
}

/** Whether a side has a line, and no square that would spoil it. */
export const hasLine = (lines, cells, side) => lines.some((line) => isComplete(line, cells, side));

/** The squares of all lines that a side has completed. */
export const completed = (lines, cells, side) =>
  new Set(lines.filter((line) => isComplete(line, cells, side)).flatMap(({ squares }) => squares));

/** The free squares on which one more stone of a side completes a line. */
export function completing(lines, cells, side) {
  const found = new Set();
  for (const { squares, guard } of lines) {
    let missing = -1;
    let many = false;
    for (const square of squares) {
      if (cells[square] === side) continue;
      many = missing >= 0 || cells[square] !== EMPTY;
      missing = square;
      if (many) break;
    }
    if (!many && missing >= 0 && !guard.some((square) => cells[square] === side)) found.add(missing);
  }
  return found;
}

const isComplete = ({ squares, guard }, cells, side) =>
  squares.every((square) => cells[square] === side) && !guard.some((square) => cells[square] === side);

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Squares written as one digit each. */
const readSquares = (text) => Array.from(text, (digit) => DIGITS.indexOf(digit));

/** A step to the smallest image of a set: later steps move no square from `fixed` on. */
const readStep = ({ fixed, permutations }) => ({ fixed, permutations: permutations.map(readSquares) });

/**
 * The smallest image of some sets of squares, as numbers of which the first counts most, and a symmetry that maps to it:
 * after each step only those images are left that are smallest in the squares that later steps leave in place.
 */
export function smallestImage(steps, sets) {
  let [least, found] = [[], [[...steps[0].permutations[0].keys()]]];
  for (const { fixed, permutations } of steps) {
    const kept = new Map();
    least = sets.map(() => Infinity);
    for (const before of found) {
      for (const permutation of permutations) {
        const images = sets.map((squares) => squares.reduce((sum, square) => sum + 2 ** permutation[before[square]], 0));
        const tops = images.map((image) => Math.floor(image / 2 ** fixed));
        const differs = tops.findIndex((top, i) => top !== least[i]);
        if (differs >= 0 && tops[differs] > least[differs]) continue;
        if (differs >= 0) kept.clear();
        least = tops;
        kept.set(images.join(), [before, permutation]);
      }
    }
    found = [...kept.values()].map(([before, permutation]) => before.map((square) => permutation[square]));
  }
  return [least, found[0]];
}

/** A line written as `012`, or as `012-3` if square 3 must not be the same side's. */
function readLine(text) {
  const [squares, guard = ""] = text.split("-");
  return { squares: readSquares(squares), guard: readSquares(guard) };
}
