// Probe a table in the browser, which reads pages from data files on demand.

import { Refused } from "../api.js";
import { readJson } from "./files.js";
import { decompress } from "./fzstd.js";
import { Game } from "./game.js";
import { Layout } from "./layout.js";
import { Searches } from "./searches.js";
import { Source } from "./source.js";

const FORMAT = 2;
const UNREACHABLE = 255; // the code of an impossible position
const CRC_BYTES = 4;
const MOST_BYTES = 33_554_432; // bytes of raw pages

export class Table {
  /**
   * manifest: the JSON of manifest.json. base: the address of its folder. get: fetches an address, like `fetch`.
   * storage: the browser's caches for pieces, or null. startSearch: see searches.js.
   */
  constructor(manifest, base, get, storage = null, startSearch = null) {
    if (manifest.format !== FORMAT) {
      const message = `The table has format ${manifest.format}, but this page reads ${FORMAT}; write the site again.`;
      throw new Refused({ code: "unsupported_table", message });
    }
    this.facts = manifest.game;
    this.manifest = manifest;
    this.game = new Game(manifest.game.game, manifest.rules, manifest.game.diagram);
    this.timed = manifest.game.metric === "distance";
    this.layout = new Layout(this.game, this.timed);
    this.lastPly = manifest.opening_plies ?? Infinity; // later positions are searched
    this.searches = new Searches(this.game, manifest.game, startSearch);
    this.source = new Source(base, manifest, get, storage);
    this.pages = new Map(); // promises of raw pages, the last used one at the end
    this.leaves = new Map(); // promises of leaves of the index
    this.keptBytes = 0;
  }

  /** The value of a position for the side to move: { wdl, distance }. Throws Unreachable and Refused. */
  async probe(position) {
    const value = await this.find(position);
    if (value) return value;
    throw this.unsettled(position);
  }

  /** The error of a position that a search does not settle. */
  unsettled({ ply }) {
    const message = `A search did not settle the position of ${this.game.name} after ${ply} moves; try again, or give a later position.`;
    return new Refused({ status: 404, code: "unsettled", message });
  }

  /** The same, or null if a search does not settle it. Searches for later turns are done first. */
  async find(position, turn = 0) {
    if (this.manifest.storage === "positions") return this.denseValue(position);
    const { game, layout } = this;
    const outcome = game.outcome(position);
    if (outcome) return this.valueOver(outcome, position.ply);
    if (position.ply > this.lastPly) return this.searches.solve(position, turn);
    const decided = layout.decidedByThreats(position);
    if (decided) return decided;
    const { key, stones, rank } = layout.locate(position);
    const size = layout.pageSize(stones);
    const value = layout.value(await this.page(key, stones, size.bytes), size, rank, position.ply);
    if (!value) throw damaged(`position ${rank} of page ${key} has bits that encode no value`);
    return value;
  }

  valueOver(outcome, ply) {
    const toMove = ply % 2 ? "O" : "X";
    return { wdl: outcome === "draw" ? 0 : outcome === toMove ? 1 : -1, distance: this.timed ? 0 : null };
  }

  /** The array of a small table, with a byte for each hash: (wdl + 1) * 16 + distance. */
  async denseValue(position) {
    this.dense ??= again(this.fetchDense(), () => { this.dense = null; });
    const code = (await this.dense)[this.game.hash(position)];
    if (code !== UNREACHABLE) return { wdl: (code >> 4) - 1, distance: this.timed ? code & 15 : null };
    const message = `${this.game.board(position)} can't arise in play of ${this.game.name}.`;
    throw new Refused({ status: 400, code: "impossible_position", message });
  }

  async fetchDense() {
    return unpack(await this.source.read(0, this.manifest.bytes), 3 ** this.game.squares);
  }

  /** The raw page of a key, cached while there is room. */
  page(key, stones, bytes) {
    const kept = this.pages.get(key);
    this.pages.delete(key);
    if (!kept) this.keptBytes += bytes;
    this.pages.set(key, kept ?? again(this.fetchPage(key, stones, bytes), () => this.forget(key, bytes)));
    if (this.keptBytes > MOST_BYTES) {
      const [oldest] = this.pages.keys();
      this.forget(oldest, this.layout.pageSize(stonesOf(oldest)).bytes);
    }
    return this.pages.get(key);
  }

  forget(key, bytes) {
    if (this.pages.delete(key)) this.keptBytes -= bytes;
  }

  async fetchPage(key, stones, bytes) {
    this.top ??= again(this.fetchTop(), () => { this.top = null; });
    const place = stones * 2 ** this.game.squares + key;
    const at = lastUpTo((await this.top).places, place);
    if (at < 0) throw damaged(`page ${key} is missing`);
    if (!this.leaves.has(at)) this.leaves.set(at, again(this.fetchLeaf(at), () => this.leaves.delete(at)));
    const { places, starts } = await this.leaves.get(at);
    const found = lastUpTo(places, place);
    if (places[found] !== place) throw damaged(`page ${key} is missing`);
    return unpack(await this.source.read(starts[found], starts[found + 1]), bytes);
  }

  /** The top of the index: for each leaf the place of its first page, and the offsets of its pages and entries. */
  async fetchTop() {
    const { data, leaves, top } = this.manifest.index;
    const numbers = varints(await this.source.read(data + leaves, data + leaves + top));
    const [places, starts, entries] = [[], [0], [data]];
    for (let i = 0; i < numbers.length; i += 3) {
      places.push((places.at(-1) ?? 0) + numbers[i]);
      starts.push(starts.at(-1) + numbers[i + 1]);
      entries.push(entries.at(-1) + numbers[i + 2]);
    }
    return { places, starts, entries };
  }

  /** A leaf of the index: the place of each page, and its offset. */
  async fetchLeaf(at) {
    const top = await this.top;
    const numbers = varints(await this.source.read(top.entries[at], top.entries[at + 1]));
    const [places, starts] = [[], [top.starts[at]]];
    for (let i = 0; i < numbers.length; i += 2) {
      places.push((places.at(-1) ?? top.places[at]) + numbers[i]);
      starts.push(starts.at(-1) + numbers[i + 1]);
    }
    return { places, starts };
  }
}

/** Fetch a manifest, and open the table in its folder. */
export async function openTable(base, get, storage, startSearch) {
  return new Table(await readJson(get, `${base}manifest.json`), base, get, storage, startSearch);
}

/** Return a promise that calls `forget` if it fails, so that it is made again the next time. */
function again(promise, forget) {
  promise.catch(forget);
  return promise;
}

/** Decompress a stored page: a Zstandard frame or the page itself, then the CRC-32 of the page. */
function unpack(data, bytes) {
  const payload = data.subarray(0, -CRC_BYTES);
  let raw = payload;
  try {
    if (payload.length !== bytes) raw = decompress(payload, new Uint8Array(bytes));
  } catch (error) {
    throw damaged(`a page can't be decompressed, ${error.message}`);
  }
  const stored = new DataView(data.buffer, data.byteOffset + payload.length, CRC_BYTES).getUint32(0, true);
  if (raw.length !== bytes || crc32(raw) !== stored) throw damaged("the checksum of a page is wrong");
  return raw;
}

export const damaged = (reason) =>
  new Refused({ code: "damaged_table", message: `The table of this site is damaged: ${reason}; write the site again.` });

/** The integers in bytes of 7 bits each, lowest first; all bytes of a number but the last have the high bit set. */
function varints(bytes) {
  const found = [];
  let number = 0;
  let weight = 1;
  for (const byte of bytes) {
    number += (byte & 127) * weight;
    weight *= 128;
    if (byte < 128) {
      found.push(number);
      number = 0;
      weight = 1;
    }
  }
  return found;
}

/** The index of the last number that is not greater, or -1. */
function lastUpTo(ascending, number) {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function stonesOf(key) {
  let count = 0;
  for (let rest = key; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2;
  return count;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}
