// Store pieces of tables in the browser's caches, for offline use.

/** The browser's caches, or null if they are unavailable. */
export function openCaches() {
  try {
    return globalThis.caches ?? null;
  } catch {
    return null;
  }
}

export class KeptPieces {
  /** storage: the caches. mark: the hash of a version of a table, at the start of its parts' names. */
  constructor(storage, mark) {
    this.opened = open(storage, mark).catch(() => null);
  }

  /** The bytes of a file from `from` to before `to`, or null if they are not stored. */
  async find(address, from, to) {
    const found = await this.opened;
    for (const [name, start] of [[address, from], [pieceName(address, from, to), 0]]) {
      if (!found?.names.has(absolute(name))) continue;
      const blob = await (await found.cache.match(name))?.blob();
      const bytes = new Uint8Array(await blob?.slice(start, start + to - from).arrayBuffer() ?? 0);
      if (bytes.length === to - from) return bytes;
    }
    return null;
  }

  /** Store a file, or its bytes from `from` to before `to`. */
  async keep(bytes, address, from, to) {
    const found = await this.opened;
    const name = from === undefined ? address : pieceName(address, from, to);
    // Caches reject the status 206 of pieces. If there is no room, the piece is fetched again the next time.
    await found?.cache.put(name, new Response(bytes)).then(() => found.names.add(absolute(name)), () => {});
  }
}

/** A cache, and its addresses. The service worker, solver/web/site/worker.js, uses the same name. */
async function open(storage, mark) {
  const cache = await storage.open(`tables ${new URL(".", location.href).pathname} ${mark}`);
  return { cache, names: new Set((await cache.keys()).map(({ url }) => url)) };
}

const pieceName = (address, from, to) => `${address}?${from}-${to}`;
const absolute = (address) => new URL(address, location.href).href;
