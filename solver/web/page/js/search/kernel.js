// The search of solver/kernels/search_*.py, assembled for one board: it enters the same nodes and finds the same scores.
// The functions have the same names as there, where they are explained. Each adds its code to an assembly `f`.

import {
  add, and, areEqual, assemble, atLeast, atMost, bits, both, call, choose, chooseNumber, divide, either, equals,
  isBelow, isNone, isZero, leadingZeros, less, makeModule, minus, more, multiply, not, number, numberAt, or, pagesFor,
  plus, shiftRight, shl, shorten, shr, subtract, times, trailingZeros, widen, word, wordAt, xor,
} from "./assembler.js";

export const PAUSED = 98; // no score: the limit of nodes was reached
const OPEN = 99;
const NOTHING = -99;
const MOST = 31;
const MIRRORED_PLIES = 12;
const LEAST_KEPT = 6;
const DATA_BITS = 17;
const RANK = { threat: 48, nearThreat: 12, counterThreat: -4, forced: 20, reply: -2, aside: -4, height: -1 };

// The places in memory, in bytes: the state, the nodes of the stack, then the levels of their lanes, and the table. The
// root is the first lane of the first level.
export const STATE = { nodes: 0, depth: 4 };
const NODES = 64;
const NODE = { size: 32, window: 0, best: 4, lanes: 8, searched: 12, sign: 16, entered: 20, place: 24 };
export const LANE = {
  size: 80, own: 0, other: 8, ownThreats: 16, otherThreats: 24, safe: 32, first: 40, second: 48,
  least: 56, most: 60, ply: 64, rank: 68, order: 72,
};
export const MOST_COLUMNS = 16;
const LEVEL = MOST_COLUMNS * LANE.size;

/** The masks and shifts of a board, and the places in memory that depend on it. */
export function makeGrid(rows, columns, length, memory) {
  const step = rows + 1;
  const column = (1n << BigInt(rows)) - 1n;
  const each = (squares) => Array.from({ length: columns }, (_, at) => squares << BigInt(step * at)).reduce((all, one) => all | one);
  const squareBits = step * columns;
  const bucketBits = Math.max(Math.min(Math.floor(Math.log2(memory / 32)), squareBits), squareBits + DATA_BITS - 64, 0);
  const levels = NODES + (rows * columns + 2) * NODE.size;
  const table = levels + (rows * columns + 2) * LEVEL;
  return {
    rows, columns, length, step, column, levels, table,
    root: levels,
    squares: rows * columns,
    bottom: each(1n),
    top: each(1n << BigInt(rows - 1)),
    sentinels: each(1n << BigInt(rows)),
    board: each(column),
    oddRows: each(0xaaaaaaaaaaaaaaaan & (2n * column + 1n)),
    restBits: squareBits - bucketBits,
    bytes: table + 32 * 2 ** bucketBits,
  };
}

/** The bytes of the WebAssembly of a board, with the functions `start` and `search`. */
export function assembleKernel(grid) {
  const start = assemble([], (f) => startSearch(f, grid));
  const search = assemble(["window", "nodes"], (f, window, nodes) => searchRoot(f, grid, window, nodes));
  const expand = assemble(["node", "level"], (f, node, level) => expandNode(f, grid, node, level));
  const store = assemble(["place", "least", "most", "work"], (f, ...given) => storeBounds(f, grid, ...given));
  const keep = assemble(["node", "score"], (f, node, score) => keepResult(f, grid, node, score));
  return makeModule({ start, search, expand, store, keep }, pagesFor(grid.bytes));
}

const [EXPAND, STORE, KEEP] = [2, 3, 4]; // places of functions in the module

// Boards: search_board.py

const playable = (grid, taken) => and(plus(taken, grid.bottom), grid.board);

function squaresToComplete(f, grid, stones) {
  const found = f.word(shl(stones, 1));
  for (let one = 2; one < grid.length; one++) f.set(found, shl(and(found, stones), 1));
  for (const step of diagonals(grid)) f.set(found, or(found, completingAlong(f, grid, stones, step)));
  return f.word(and(found, grid.board));
}

const diagonals = ({ step }) => [step, step - 1, step + 1];

function completingAlong(f, grid, stones, step) {
  // Runs of stones that end before a square, by their length, to the left and to the right of it.
  const left = [word(grid.board)];
  const right = [word(grid.board)];
  for (let run = 1; run < grid.length; run++) {
    left.push(f.word(shl(run > 1 ? and(left[run - 1], stones) : stones, step)));
    right.push(f.word(shr(run > 1 ? and(right[run - 1], stones) : stones, step)));
  }
  return or(...left.map((before, run) => and(before, right[grid.length - 1 - run])));
}

function startsAlong(f, grid, squares, step) {
  let found = squares;
  let run = 1;
  for (; 2 * run <= grid.length; run *= 2) found = f.word(and(found, shr(found, run * step)));
  return run < grid.length ? f.word(and(found, shr(found, (grid.length - run) * step))) : found;
}

const slantedLines = (f, grid, squares) => or(...diagonals(grid).map((step) => startsAlong(f, grid, squares, step)));

function onLinesAlong(f, grid, squares, step) {
  let covered = startsAlong(f, grid, squares, step);
  let run = 1;
  for (; 2 * run <= grid.length; run *= 2) covered = f.word(or(covered, shl(covered, run * step)));
  return run < grid.length ? f.word(or(covered, shl(covered, (grid.length - run) * step))) : covered;
}

const onLines = (f, grid, squares) => or(...[1, ...diagonals(grid)].map((step) => onLinesAlong(f, grid, squares, step)));

const fromLowest = (grid, squares) =>
  and(or(squares, grid.sentinels, plus(and(grid.board, not(squares)), grid.bottom)), grid.board);

function safeMoves(f, grid, taken, threats) {
  const moves = f.word(playable(grid, taken));
  const forced = f.word(and(moves, threats));
  const kept = and(choose(isZero(forced), moves, forced), not(shr(threats, 1)));
  return f.word(choose(isZero(and(forced, minus(forced, 1))), kept, word(0)));
}

function neverFilled(f, grid, own, other) {
  const twice = (threats) => shl(and(threats, shr(threats, 1)), 1);
  const last = f.word(or(and(own, other), twice(own), twice(other)));
  return f.word(and(shl(fromLowest(grid, last), 1), grid.board));
}

// Bounds: search_bounds.py

const scoreOf = (grid, plies) => shiftRight(subtract(grid.squares + 2, plies), 1);

const negative = (value) => subtract(0, value);

function least(f, one, other) {
  const [a, b] = [f.number(one), f.number(other)];
  return f.number(choose(less(a, b), a, b));
}

function most(f, one, other) {
  const [a, b] = [f.number(one), f.number(other)];
  return f.number(choose(more(a, b), a, b));
}

const columnsUnder = (grid, tops) => minus(shl(tops, 1), shr(tops, grid.rows - 1));

/** The most that the side to move can score against a follow-up of the other side. */
function followUp(f, grid, own, other, threats) {
  const taken = f.word(or(own, other));
  const free = f.word(and(grid.board, not(taken)));
  const oddFirsts = f.word(and(plus(taken, grid.bottom), grid.oddRows));
  const freeInOdd = f.word(minus(and(plus(free, oddFirsts), grid.sentinels), oddFirsts));
  const firsts = f.word(or(and(free, not(freeInOdd), not(grid.oddRows)), and(freeInOdd, grid.oddRows)));
  const answers = f.word(xor(free, firsts));
  const closed = f.word(fromLowest(grid, f.word(and(threats, answers))));
  const ends = f.word(and(firsts, grid.top));
  const closedEnds = f.word(and(ends, closed));
  const openEnds = f.word(and(ends, not(closed)));
  const bound = f.number(MOST);
  const isOdd = f.number(both(bits(openEnds), 1));
  const givenUp = f.word(choose(isOdd, and(closedEnds, minus(0, closedEnds)), word(0)));
  f.if(either(isNone(isOdd), isNone(isZero(givenUp))), () => {
    f.set(closed, and(closed, not(columnsUnder(grid, givenUp))));
    const granted = f.word(columnsUnder(grid, f.word(or(openEnds, givenUp))));
    const gained = f.word(or(own, and(firsts, not(closed)), and(granted, free)));
    const ownLine = f.word(slantedLines(f, grid, gained));
    f.if(isZero(ownLine), () => {
      f.if(isZero(closed), () => {
        const kept = f.word(or(other, and(answers, not(granted))));
        const otherLine = f.word(slantedLines(f, grid, kept));
        f.setNumber(bound, chooseNumber(isZero(otherLine), 0, negative(scoreOf(grid, grid.squares))));
      }, () => {
        const unfilled = add(bits(closed), bits(and(closed, grid.top)));
        f.setNumber(bound, negative(scoreOf(grid, subtract(grid.squares + 2, unfilled))));
      });
    });
  });
  return bound;
}

// The table: search_table.py

/** Set the key of a lane. */
function setKey(f, grid, lane) {
  const field = (offset) => f.word(wordAt(lane, offset));
  const [own, other] = [field(LANE.own), field(LANE.other)];
  const [ownThreats, otherThreats] = [field(LANE.ownThreats), field(LANE.otherThreats)];
  const taken = f.word(or(own, other));
  const never = neverFilled(f, grid, ownThreats, otherThreats);
  const free = f.word(and(grid.board, not(taken), not(never)));
  const firstFree = f.word(plus(taken, grid.bottom));
  const half = (stones, threats) => {
    const left = f.word(and(threats, not(never)));
    const alive = onLines(f, grid, f.word(and(or(stones, free), not(left))));
    return f.word(or(and(alive, stones), shl(left, 1), firstFree));
  };
  const [first, second] = [half(own, ownThreats), half(other, otherThreats)];
  f.if(atMost(numberAt(lane, LANE.ply), MIRRORED_PLIES), () => {
    const [firstImage, secondImage] = [mirror(grid, first), mirror(grid, second)].map((image) => f.word(image));
    const isSmaller = either(
      isBelow(firstImage, first),
      both(areEqual(firstImage, first), isBelow(secondImage, second)),
    );
    f.if(isSmaller, () => {
      f.set(first, firstImage);
      f.set(second, secondImage);
    });
  });
  f.storeWord(lane, LANE.first, first);
  f.storeWord(lane, LANE.second, second);
}

const mirror = ({ columns, step, column }, half) =>
  or(...Array.from({ length: columns }, (_, at) => shl(and(shr(half, step * at), 2n * column + 1n), step * (columns - 1 - at))));

/** The address of the bucket of a lane's key, the bits of it that are kept, and the first word of the key. */
function placeOf(f, grid, lane) {
  const first = f.word(wordAt(lane, LANE.first));
  const factors = [0x9e3779b185ebca87n, 0xc2b2ae3d27d4eb4fn];
  const mixed = f.word(and(xor(times(wordAt(lane, LANE.second), factors[0]), times(first, factors[1])), grid.board | grid.sentinels));
  const entry = f.number(add(multiply(shorten(shr(mixed, grid.restBits)), 32), grid.table));
  return [entry, f.word(and(mixed, (1n << BigInt(grid.restBits)) - 1n)), first];
}

const isEntry = (entry, data, rest, first) =>
  both(areEqual(xor(wordAt(entry, 0), data), first), areEqual(shr(data, DATA_BITS), rest));

const lowerBound = (data) => subtract(shorten(and(data, 63)), 32);
const upperBound = (data) => subtract(shorten(and(shr(data, 6), 63)), 32);

/** The data of a lane's key; 0 if nothing is known. */
function lookUp(f, grid, lane) {
  const [entry, rest, first] = placeOf(f, grid, lane);
  const data = f.word(wordAt(entry, 8));
  f.if(isNone(isEntry(entry, data, rest, first)), () => {
    f.set(data, wordAt(entry, 24));
    f.if(isNone(isEntry(add(entry, 16), data, rest, first)), () => f.set(data, word(0)));
  });
  return data;
}

function storeBounds(f, grid, lane, low, high, nodes) {
  const [entry, rest, first] = placeOf(f, grid, lane);
  const work = least(f, subtract(32, leadingZeros(nodes)), 31);
  const write = () => {
    const facts = either(multiply(work, 1 << 12), either(multiply(add(high, 32), 1 << 6), add(low, 32)));
    const data = f.word(or(shl(rest, DATA_BITS), widen(facts)));
    f.storeWord(entry, 0, xor(first, data));
    f.storeWord(entry, 8, data);
    f.return(0);
  };
  const data = f.word(wordAt(entry, 8));
  const isSecond = f.number(0);
  f.if(isNone(isEntry(entry, data, rest, first)), () => {
    f.setNumber(isSecond, 1);
    f.set(data, wordAt(entry, 24));
    f.if(isNone(isEntry(add(entry, 16), data, rest, first)), () => {
      f.if(less(work, shorten(and(shr(wordAt(entry, 8), 12), 31))), () => f.setNumber(entry, add(entry, 16)), () => {
        f.storeWord(entry, 16, wordAt(entry, 0));
        f.storeWord(entry, 24, wordAt(entry, 8));
      });
      write();
    });
  });
  f.setNumber(entry, add(entry, multiply(isSecond, 16)));
  f.setNumber(low, most(f, low, lowerBound(data)));
  f.setNumber(high, least(f, high, upperBound(data)));
  write();
}

// The search: search_tree.py

/** Prepare the root, whose stones are in memory; 1 if its bounds differ, so that it must be searched. */
function startSearch(f, grid) {
  const root = f.number(grid.root);
  const [own, other] = [f.word(wordAt(root, LANE.own)), f.word(wordAt(root, LANE.other))];
  const taken = f.word(or(own, other));
  const ply = f.number(bits(taken));
  const won = f.word(squaresToComplete(f, grid, own));
  const threats = f.word(and(squaresToComplete(f, grid, other), not(taken)));
  const safe = safeMoves(f, grid, taken, threats);
  const finish = (low, high) => {
    f.storeNumber(root, LANE.least, low);
    f.storeNumber(root, LANE.most, high);
  };
  const settled = (score) => {
    const found = f.number(score);
    finish(found, found);
    f.return(0);
  };
  f.storeNumber(number(0), STATE.depth, -1);
  f.if(isNone(isZero(and(won, playable(grid, taken)))), () => settled(scoreOf(grid, add(ply, 1))));
  f.if(isZero(safe), () => settled(negative(scoreOf(grid, add(ply, 2)))));
  f.if(atLeast(ply, grid.squares - 2), () => settled(0));
  f.storeWord(root, LANE.safe, safe);
  f.storeWord(root, LANE.ownThreats, and(won, not(taken)));
  f.storeWord(root, LANE.otherThreats, threats);
  f.storeNumber(root, LANE.ply, ply);
  setKey(f, grid, root);
  const [low, high] = [f.number(negative(scoreOf(grid, add(ply, 4)))), f.number(scoreOf(grid, add(ply, 3)))];
  const data = lookUp(f, grid, root);
  f.if(isNone(isZero(data)), () => {
    f.setNumber(low, most(f, low, lowerBound(data)));
    f.setNumber(high, least(f, high, upperBound(data)));
  });
  finish(low, high);
  f.return(less(low, high));
}

/** Whether the root scores at least `window`: a bound of its score on that side of the window, or PAUSED. */
function searchRoot(f, grid, window, nodes) {
  const state = number(0);
  const depth = f.number(numberAt(state, STATE.depth));
  const node = f.number(0);
  const level = f.number(0);
  const score = f.number(0);
  f.if(less(depth, 0), () => {
    f.setNumber(depth, 0);
    f.storeNumber(number(NODES), NODE.window, window);
    f.storeNumber(number(NODES), NODE.place, grid.root);
  });
  f.setNumber(node, add(multiply(depth, NODE.size), NODES));
  f.setNumber(level, add(multiply(depth, LEVEL), grid.levels + LEVEL)); // of the lanes
  const isFinished = () => either(
    isNone(equals(score, OPEN)),
    equals(numberAt(node, NODE.searched), numberAt(node, NODE.lanes)),
  );
  f.while(() => number(1), () => {
    f.if(atLeast(numberAt(state, STATE.nodes), nodes), () => {
      f.storeNumber(state, STATE.depth, divide(subtract(node, NODES), NODE.size));
      f.return(PAUSED);
    });
    f.storeNumber(node, NODE.entered, numberAt(state, STATE.nodes));
    f.storeNumber(state, STATE.nodes, add(numberAt(state, STATE.nodes), 1));
    f.setNumber(score, call(EXPAND, node, level));
    f.while(isFinished, () => {
      f.if(equals(score, OPEN), () => f.setNumber(score, numberAt(node, NODE.best)));
      f.if(more(numberAt(node, NODE.lanes), 0), () => f.setNumber(score, call(KEEP, node, score)));
      f.if(equals(node, NODES), () => {
        f.storeNumber(state, STATE.depth, -1);
        f.return(score);
      });
      f.setNumber(score, multiply(score, numberAt(node, NODE.sign)));
      f.setNumber(node, subtract(node, NODE.size));
      f.setNumber(level, subtract(level, LEVEL));
      f.storeNumber(node, NODE.best, most(f, numberAt(node, NODE.best), score));
      f.if(less(score, numberAt(node, NODE.window)), () => f.setNumber(score, OPEN));
    });
    descend(f, node, level);
    f.setNumber(node, add(node, NODE.size));
    f.setNumber(level, add(level, LEVEL));
  });
}

/** Make the child of the next lane a node. */
function descend(f, node, level) {
  const searched = f.number(numberAt(node, NODE.searched));
  const place = f.number(numberAt(add(level, multiply(searched, LANE.size)), LANE.order));
  const isOdd = f.number(both(subtract(numberAt(place, LANE.ply), numberAt(numberAt(node, NODE.place), LANE.ply)), 1));
  const window = f.number(numberAt(node, NODE.window));
  f.storeNumber(node, NODE.searched, add(searched, 1));
  const child = f.number(add(node, NODE.size));
  f.storeNumber(child, NODE.place, place);
  f.storeNumber(child, NODE.sign, chooseNumber(isOdd, -1, 1));
  f.storeNumber(child, NODE.window, chooseNumber(isOdd, subtract(1, window), window));
}

/** Keep the result of a node in the table; returns it. */
function keepResult(f, grid, node, score) {
  const place = f.number(numberAt(node, NODE.place));
  f.if(atLeast(subtract(grid.squares, numberAt(place, LANE.ply)), LEAST_KEPT), () => {
    const isLower = f.number(atLeast(score, numberAt(node, NODE.window)));
    const low = choose(isLower, score, numberAt(place, LANE.least));
    const high = choose(isLower, numberAt(place, LANE.most), score);
    const work = subtract(numberAt(number(0), STATE.nodes), numberAt(node, NODE.entered));
    f.setNumber(isLower, call(STORE, place, low, high, work));
  });
  f.return(score);
}

/** The result of a node that needs no search; otherwise OPEN, and its lanes are in order. */
function expandNode(f, grid, node, level) {
  const place = f.number(numberAt(node, NODE.place));
  const ply = f.number(numberAt(place, LANE.ply));
  const window = f.number(numberAt(node, NODE.window));
  const eachLane = (body) => f.each(level, lanes, LANE.size, body);
  const isOdd = (lane) => both(subtract(numberAt(lane, LANE.ply), ply), 1);
  f.storeNumber(node, NODE.lanes, 0);
  f.storeNumber(node, NODE.searched, 0);
  const lanes = playMoves(f, grid, place, level);
  f.if(less(lanes, 0), () => f.return(scoreOf(grid, add(ply, 3))));
  const bound = f.number(least(f, numberAt(place, LANE.most), scoreOf(grid, add(ply, 5))));
  f.storeNumber(place, LANE.most, bound);
  f.if(less(bound, window), () => f.return(bound));
  const best = f.number(NOTHING);
  eachLane((lane) => {
    playForced(f, grid, lane, add(ply, 1));
    settleLane(f, grid, lane);
    const low = chooseNumber(isOdd(lane), negative(numberAt(lane, LANE.most)), numberAt(lane, LANE.least));
    f.setNumber(best, most(f, best, low));
  });
  f.if(atLeast(best, window), () => f.return(best));
  eachLane((lane) => {
    setKey(f, grid, lane);
    rankLane(f, grid, lane, f.number(subtract(numberAt(lane, LANE.ply), ply)));
  });
  sortLanes(f, grid, { node, level, lanes, place, window, isOdd, eachLane });
}

/** Give each safe move a lane and play it; the number of lanes, or -1 if one of them leaves no safe reply. */
function playMoves(f, grid, place, level) {
  const field = (offset) => f.word(wordAt(place, offset));
  const [own, other, threats, moves] = [LANE.own, LANE.other, LANE.otherThreats, LANE.safe].map(field);
  const lane = f.number(level);
  const lost = f.number(0);
  const move = f.word(0);
  f.while(() => isNone(isZero(moves)), () => {
    f.set(move, and(moves, minus(0, moves)));
    f.set(moves, xor(moves, move));
    const square = f.number(shorten(trailingZeros(move)));
    const at = f.number(divide(square, grid.step));
    const row = subtract(square, multiply(at, grid.step));
    const aside = f.number(subtract(multiply(at, 2), grid.columns - 1));
    const distance = chooseNumber(less(aside, 0), negative(aside), aside);
    f.storeNumber(lane, LANE.rank, add(multiply(row, RANK.height), multiply(distance, RANK.aside)));
    const stones = f.word(or(own, move));
    const taken = f.word(or(other, stones));
    const made = f.word(and(squaresToComplete(f, grid, stones), not(taken)));
    const safe = safeMoves(f, grid, taken, made);
    f.storeWord(lane, LANE.own, other);
    f.storeWord(lane, LANE.other, stones);
    f.storeWord(lane, LANE.ownThreats, and(threats, not(move)));
    f.storeWord(lane, LANE.otherThreats, made);
    f.storeWord(lane, LANE.safe, safe);
    f.setNumber(lost, either(lost, isZero(safe)));
    f.setNumber(lane, add(lane, LANE.size));
  });
  return f.number(chooseNumber(lost, -1, divide(subtract(lane, level), LANE.size)));
}

/** Play on in a lane while there is exactly one safe move. */
function playForced(f, grid, lane, first) {
  const field = (offset) => f.word(wordAt(lane, offset));
  const [own, other, ownThreats, threats, safe] = [LANE.own, LANE.other, LANE.ownThreats, LANE.otherThreats, LANE.safe].map(field);
  const ply = f.number(first);
  const isForced = () => both(
    both(isZero(and(safe, minus(safe, 1))), isNone(isZero(safe))),
    less(ply, grid.squares - 2),
  );
  f.while(isForced, () => {
    const before = f.word(own);
    f.set(own, other);
    f.set(other, or(before, safe));
    f.set(ownThreats, and(threats, not(safe)));
    f.set(threats, and(squaresToComplete(f, grid, other), not(or(own, other))));
    f.set(safe, safeMoves(f, grid, f.word(or(own, other)), threats));
    f.setNumber(ply, add(ply, 1));
  });
  f.storeWord(lane, LANE.own, own);
  f.storeWord(lane, LANE.other, other);
  f.storeWord(lane, LANE.ownThreats, ownThreats);
  f.storeWord(lane, LANE.otherThreats, threats);
  f.storeWord(lane, LANE.safe, safe);
  f.storeNumber(lane, LANE.ply, ply);
}

/** Set the bounds of a lane's score. */
function settleLane(f, grid, lane) {
  const ply = f.number(numberAt(lane, LANE.ply));
  const [low, high] = [f.number(0), f.number(0)];
  f.if(isZero(wordAt(lane, LANE.safe)), () => {
    f.setNumber(low, negative(scoreOf(grid, add(ply, 2))));
    f.setNumber(high, low);
  }, () => f.if(less(ply, grid.squares - 2), () => {
    const words = [LANE.own, LANE.other, LANE.otherThreats].map((offset) => f.word(wordAt(lane, offset)));
    f.setNumber(low, negative(scoreOf(grid, add(ply, 4))));
    f.setNumber(high, least(f, followUp(f, grid, ...words), scoreOf(grid, add(ply, 3))));
  }));
  f.storeNumber(lane, LANE.least, low);
  f.storeNumber(lane, LANE.most, high);
}

/** Add to the rank of a lane, by the threats in its child. */
function rankLane(f, grid, lane, plies) {
  const isOwn = f.number(both(plies, 1));
  const [one, two] = [LANE.otherThreats, LANE.ownThreats].map((offset) => f.word(wordAt(lane, offset)));
  const [own, other] = [f.word(choose(isOwn, one, two)), f.word(choose(isOwn, two, one))];
  const never = neverFilled(f, grid, own, other);
  f.set(own, and(own, not(never)));
  f.set(other, and(other, not(never)));
  const near = f.word(and(own, shl(playable(grid, or(wordAt(lane, LANE.own), wordAt(lane, LANE.other))), 1)));
  const replies = multiply(bits(wordAt(lane, LANE.safe)), chooseNumber(isOwn, 1, -1));
  const parts = [
    [bits(own), RANK.threat], [bits(near), RANK.nearThreat], [bits(other), RANK.counterThreat],
    [subtract(plies, 1), RANK.forced], [replies, RANK.reply],
  ];
  const rank = parts.reduce((sum, [amount, factor]) => add(sum, multiply(amount, factor)), numberAt(lane, LANE.rank));
  f.storeNumber(lane, LANE.rank, rank);
}

/** Return the result of a node if its children's bounds decide it; otherwise order its lanes. */
function sortLanes(f, grid, { node, level, lanes, place, window, isOdd, eachLane }) {
  const [best, highest, dropped] = [NOTHING, NOTHING, NOTHING].map((score) => f.number(score));
  const last = f.number(level);
  const at = f.number(0);
  eachLane((lane) => {
    const low = f.number(numberAt(lane, LANE.least));
    const high = f.number(numberAt(lane, LANE.most));
    const isKept = atLeast(subtract(grid.squares, numberAt(lane, LANE.ply)), LEAST_KEPT);
    f.if(both(less(low, high), isKept), () => {
      const data = lookUp(f, grid, lane);
      f.if(isNone(isZero(data)), () => {
        f.setNumber(low, most(f, low, lowerBound(data)));
        f.setNumber(high, least(f, high, upperBound(data)));
        f.storeNumber(lane, LANE.least, low);
        f.storeNumber(lane, LANE.most, high);
      });
    });
    f.if(isOdd(lane), () => {
      const before = f.number(low);
      f.setNumber(low, negative(high));
      f.setNumber(high, negative(before));
    });
    f.setNumber(best, most(f, best, low));
    f.setNumber(highest, most(f, highest, high));
    f.if(less(high, window), () => f.setNumber(dropped, most(f, dropped, high)), () => {
      const rank = f.number(numberAt(lane, LANE.rank));
      f.setNumber(at, last);
      const before = subtract(at, LANE.size);
      const isBehind = () => both(more(at, level), less(numberAt(numberAt(before, LANE.order), LANE.rank), rank));
      f.while(isBehind, () => {
        f.storeNumber(at, LANE.order, numberAt(before, LANE.order));
        f.setNumber(at, before);
      });
      f.storeNumber(at, LANE.order, lane);
      f.setNumber(last, add(last, LANE.size));
    });
  });
  f.storeNumber(place, LANE.most, least(f, numberAt(place, LANE.most), highest));
  const isEnough = f.number(atLeast(best, window));
  f.if(either(isEnough, equals(last, level)), () => f.return(call(KEEP, node, choose(isEnough, best, highest))));
  f.storeNumber(node, NODE.best, dropped);
  f.storeNumber(node, NODE.lanes, divide(subtract(last, level), LANE.size));
  f.return(OPEN);
}
