// Read the data files of a table: one run of bytes, cut into parts of equal size, from which any piece can be fetched.

import { Refused, Unreachable } from "../api.js";
import { KeptPieces } from "./kept.js";

const WHOLE = 262_144; // bytes of a part that is fetched in one request
const MOST_WHOLE = 16_777_216; // bytes of a part that is fetched whole from a host without ranges
const MOST_HELD = 134_217_728; // bytes of whole parts in memory

export class Source {
  /**
   * base: the address of the folder. manifest: that of the table. get: fetches an address, like `fetch`.
   * storage: the browser's caches for pieces, or null.
   */
  constructor(base, manifest, get, storage) {
    Object.assign(this, { base, manifest, get });
    this.kept = storage && new KeptPieces(storage, manifest.parts[0].split("-")[0]);
    this.wholes = new Map(); // promises of the parts loaded as a whole
    this.first = null; // the promise of the first piece; others wait for it, because it shows whether the host supports ranges
    this.sendsPieces = true; // until proven otherwise
  }

  /** The bytes from `start` to before `end`. */
  async read(start, end) {
    const size = this.manifest.part_size;
    const pieces = [];
    for (let part = Math.floor(start / size); part * size < end; part++) {
      const from = part * size;
      pieces.push(this.readPart(part, Math.max(start - from, 0), Math.min(end - from, size)));
    }
    const found = await Promise.all(pieces);
    return found.length === 1 ? found[0] : joined(found);
  }

  async readPart(part, from, to) {
    if (!this.isFetchedWhole(part)) {
      const kept = await this.kept?.find(this.address(part), from, to);
      if (kept) return kept;
      if (!this.first) return (this.first = this.fetchPiece(part, from, to));
      await this.first.catch(() => {});
    }
    return this.isFetchedWhole(part) ? this.fromWhole(part, from, to) : this.fetchPiece(part, from, to);
  }

  isFetchedWhole(part) {
    return this.sendsPieces ? this.partBytes(part) <= WHOLE : this.partBytes(0) <= MOST_WHOLE; // all parts, or none
  }

  async fromWhole(part, from, to) {
    if (!this.wholes.has(part)) this.keep(part, this.fetchWhole(part));
    return (await this.wholes.get(part)).subarray(from, to);
  }

  async fetchPiece(part, from, to) {
    const response = await this.send(part, { headers: { Range: `bytes=${from}-${to - 1}` } });
    if (response.status === 206) {
      const bytes = await this.bytesOf(response, part, to - from);
      this.kept?.keep(bytes, this.address(part), from, to);
      return bytes;
    }
    this.sendsPieces = false;
    if (this.isFetchedWhole(part)) {
      this.keep(part, this.wholeOf(response, part));
      return this.fromWhole(part, from, to);
    }
    await response.body?.cancel();
    const message = "This game is too large for this site; its smaller games work.";
    console.warn("The host of this site must support HTTP range requests for a table of this size."); // for its owner
    throw new Refused({ code: "no_ranges", message });
  }

  async fetchWhole(part) {
    const kept = await this.kept?.find(this.address(part), 0, this.partBytes(part));
    return kept ?? this.wholeOf(await this.send(part), part);
  }

  async wholeOf(response, part) {
    const bytes = await this.bytesOf(response, part, this.partBytes(part));
    this.kept?.keep(bytes, this.address(part));
    return bytes;
  }

  /** Keep the promise of a part; a failed one is fetched again the next time. */
  keep(part, promise) {
    this.wholes.set(part, promise);
    if (this.wholes.size > 1 && this.wholes.size * this.partBytes(0) > MOST_HELD) this.wholes.delete(this.wholes.keys().next().value);
    promise.catch(() => this.wholes.delete(part));
  }

  async send(part, options) {
    let response;
    try {
      response = await this.get(this.address(part), options);
    } catch (error) {
      throw new Unreachable(error.message);
    }
    if (!response.ok) throw new Unreachable(this.manifest.parts[part]);
    return response;
  }

  async bytesOf(response, part, expected) {
    let found;
    try {
      found = new Uint8Array(await response.arrayBuffer());
    } catch (error) {
      throw new Unreachable(error.message);
    }
    if (found.length === expected) return found;
    throw new Unreachable(`${this.manifest.parts[part]} gave ${found.length} bytes, not ${expected}`);
  }

  address(part) {
    return this.base + this.manifest.parts[part];
  }

  partBytes(part) {
    const { bytes, part_size: size } = this.manifest;
    return Math.min(size, bytes - part * size);
  }
}

function joined(pieces) {
  const all = new Uint8Array(pieces.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
