// The random numbers of solver/support/splitmix.py, so that a seed gives the same puzzles everywhere.

const BITS = 64;
const END = 1n << 64n;
const wrap = (number) => BigInt.asUintN(BITS, number);

export class SplitMix64 {
  /** seed: a text. */
  constructor(seed) {
    this.state = hashText(seed);
  }

  /** A whole number of 64 bits. */
  next() {
    this.state = wrap(this.state + 0x9e3779b97f4a7c15n);
    let mixed = this.state;
    mixed = wrap((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = wrap((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    return mixed ^ (mixed >> 31n);
  }

  /** A uniform number from 0 to before `end`, which is at most 2^53. */
  randrange(end) {
    const most = END - (END % BigInt(end));
    let number;
    do number = this.next(); while (number >= most);
    return Number(number % BigInt(end));
  }

  /** An index, drawn by its weight. */
  weighted(weights) {
    let rest = this.randrange(weights.reduce((sum, weight) => sum + weight, 0));
    return weights.findIndex((weight) => (rest -= weight) < 0);
  }

  /** A number of the items, in random order. */
  sample(items, count) {
    const pool = [...items];
    for (let place = 0; place < count; place++) {
      const other = place + this.randrange(pool.length - place);
      [pool[place], pool[other]] = [pool[other], pool[place]];
    }
    return pool.slice(0, count);
  }
}

/** The FNV-1a hash of a text in UTF-8, of 64 bits. */
const hashText = (text) =>
  new TextEncoder().encode(text).reduce((hash, byte) => wrap((hash ^ BigInt(byte)) * 0x100000001b3n), 0xcbf29ce484222325n);
