// Keep pieces of tables in the caches of the browser, so that they are there again without a network.

/** The caches of the browser; null where they are closed to the page. */
export function openCaches() {
  try {
    return globalThis.caches ?? null;
  } catch {
    return null;
  }
}

export class KeptPieces {
  /** storage: the caches. mark: what tells versions of a table apart, and begins the names of its parts. */
  constructor(storage, mark) {
    this.opened = open(storage, mark).catch(() => null);
  }

  /** The bytes of a file from `from` to before `to`; null where they are not kept. */
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

  /** Keep a whole file, or the bytes of it from `from` to before `to`. */
  async keep(bytes, address, from, to) {
    const found = await this.opened;
    const name = from === undefined ? address : pieceName(address, from, to);
    // Pieces come with status 206, which caches refuse; without room for it, it is fetched again the next time.
    await found?.cache.put(name, new Response(bytes)).then(() => found.names.add(absolute(name)), () => {});
  }
}

/** A cache, and the addresses in it. The service worker, solver/site/worker.js, knows it by the same name. */
async function open(storage, mark) {
  const cache = await storage.open(`tables ${new URL(".", location.href).pathname} ${mark}`);
  return { cache, names: new Set((await cache.keys()).map(({ url }) => url)) };
}

const pieceName = (address, from, to) => `${address}?${from}-${to}`;
const absolute = (address) => new URL(address, location.href).href;
