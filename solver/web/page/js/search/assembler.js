// A small assembler of WebAssembly: expressions are nested lists of bytes, and a function collects statements.
//
// Words are i64, numbers and addresses i32. A comparison is a number, 1 or 0. A variable is an expression too, so
// `f.word(and(a, b))` declares a variable, and `shl(it, 1)` uses it.

const WORD = 0x7e;
const NUMBER = 0x7f;
const NONE = 0x40;
const [GET, SET] = [0x20, 0x21];
const PAGE = 1 << 16; // bytes of memory

const signed = (value) => {
  const bytes = [];
  for (let rest = BigInt(value); ; rest >>= 7n) {
    const low = Number(rest & 127n);
    const isLast = rest >> 6n === 0n || rest >> 6n === -1n;
    bytes.push(isLast ? low : low | 128);
    if (isLast) return bytes;
  }
};

const unsigned = (value) => (value < 128 ? [value] : [value % 128 | 128, ...unsigned(Math.floor(value / 128))]);

/** A constant word: a number, or a BigInt of up to 64 bits. */
export const word = (value) => [0x42, signed(BigInt.asIntN(64, BigInt(value)))];

/** A constant number. */
export const number = (value) => [0x41, signed(value)];

const asWord = (value) => (Array.isArray(value) ? value : word(value));
const asNumber = (value) => (Array.isArray(value) ? value : number(value));
const words = (code) => (...given) => [given.map(asWord), code];
const numbers = (code) => (...given) => [given.map(asNumber), code];
const several = (code) => (first, ...rest) => rest.reduce((all, next) => [asWord(all), asWord(next), code], first);

const [and, or, xor] = [0x83, 0x84, 0x85].map(several);
const [plus, minus, times, shl, shr] = [0x7c, 0x7d, 0x7e, 0x86, 0x88].map(words);
export const not = (value) => xor(value, -1n);
const [isZero, areEqual, isBelow, trailingZeros] = [0x50, 0x51, 0x54, 0x7a].map(words);
export const bits = (value) => [asWord(value), 0x7b, 0xa7]; // the count of set bits, a number
export const shorten = (value) => [value, 0xa7]; // the low half of a word, as a number
export const widen = (value) => [asNumber(value), 0xad];

const [add, subtract, multiply, both, either, shiftRight] = [0x6a, 0x6b, 0x6c, 0x71, 0x72, 0x75].map(numbers);
const [isNone, equals, less, more, atMost, atLeast] = [0x45, 0x46, 0x48, 0x4a, 0x4c, 0x4e].map(numbers);
export const divide = numbers(0x6e); // of numbers that are not negative
export const leadingZeros = numbers(0x67);
export const choose = (condition, one, other) => [one, other, condition, 0x1b];
export const chooseNumber = (condition, one, other) => choose(condition, asNumber(one), asNumber(other));

/** The content of memory at an address plus an offset in bytes. */
export const wordAt = (address, offset) => [address, 0x29, 3, unsigned(offset)];
export const numberAt = (address, offset) => [address, 0x28, 2, unsigned(offset)];

/** A function being assembled. */
class Assembly {
  constructor(parameters) {
    this.types = parameters.map(() => NUMBER);
    this.parameters = parameters.length;
    this.statements = [];
  }

  declare(type, value) {
    this.types.push(type);
    const variable = [GET, unsigned(this.types.length - 1)];
    this.set(variable, value);
    return variable;
  }

  word(value) {
    return this.declare(WORD, asWord(value));
  }

  number(value) {
    return this.declare(NUMBER, asNumber(value));
  }

  /** Change a variable. */
  set([, place], value) {
    this.statements.push(value, SET, place);
  }

  setNumber(variable, value) {
    this.set(variable, asNumber(value));
  }

  storeWord(address, offset, value) {
    this.statements.push(address, asWord(value), 0x37, 3, unsigned(offset));
  }

  storeNumber(address, offset, value) {
    this.statements.push(address, asNumber(value), 0x36, 2, unsigned(offset));
  }

  return(value) {
    this.statements.push(asNumber(value), 0x0f);
  }

  if(condition, then, otherwise = null) {
    this.statements.push(condition, 0x04, NONE);
    then();
    if (otherwise) {
      this.statements.push(0x05);
      otherwise();
    }
    this.statements.push(0x0b);
  }

  /** Repeat statements while a condition holds; it is evaluated by a function, because it may need statements. */
  while(condition, body) {
    this.statements.push(0x02, NONE, 0x03, NONE);
    const holds = condition();
    this.statements.push(holds, 0x45, 0x0d, 1);
    body();
    this.statements.push(0x0c, 0, 0x0b, 0x0b);
  }

  /** Repeat statements for the addresses of `count` records. */
  each(first, count, size, body) {
    const at = this.number(first);
    const end = this.number(add(first, multiply(count, size)));
    this.while(() => less(at, end), () => {
      body(at);
      this.setNumber(at, add(at, size));
    });
  }

  code() {
    const locals = this.types.slice(this.parameters).map((type) => [1, type]);
    return sized([...unsigned(locals.length), locals, this.statements, number(0), 0x0b]);
  }
}

/** Assemble a function of some numbers that returns a number, by default 0. */
export function assemble(parameters, body) {
  const assembly = new Assembly(parameters);
  body(assembly, ...parameters.map((_, place) => [GET, unsigned(place)]));
  return { parameters, code: assembly.code() };
}

/** The expression that calls the function at a place in the module. */
export const call = (place, ...given) => [given.map(asNumber), 0x10, unsigned(place)];

/** The module of some functions, by the name of each, that import their memory as `env.memory`. */
export function makeModule(functions, pages) {
  const names = Object.keys(functions);
  const list = Object.values(functions);
  const text = (name) => sized([...new TextEncoder().encode(name)]);
  const section = (code, parts) => [code, sized([unsigned(parts.length), parts])];
  return Uint8Array.from([
    [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    section(1, list.map(({ parameters }) => [0x60, unsigned(parameters.length), parameters.map(() => NUMBER), 1, NUMBER])),
    section(2, [[text("env"), text("memory"), 2, 0, unsigned(pages)]]),
    section(3, list.map((_, place) => unsigned(place))),
    section(7, names.map((name, place) => [text(name), 0, unsigned(place)])),
    section(10, list.map(({ code }) => code)),
  ].flat(Infinity));
}

/** The number of pages that hold a number of bytes. */
export const pagesFor = (bytes) => Math.ceil(bytes / PAGE);

const sized = (parts) => {
  const bytes = parts.flat(Infinity);
  return [...unsigned(bytes.length), ...bytes];
};

export {
  and, or, xor, plus, minus, times, shl, shr, isZero, areEqual, isBelow, trailingZeros, add, subtract, multiply, both,
  either, shiftRight, isNone, equals, less, more, atMost, atLeast
};
