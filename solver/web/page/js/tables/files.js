// Fetch the files of a site, or read them from a script if the page can't fetch.

import { Refused, Unreachable } from "../api.js";

const PIECE_TIMEOUT = 60_000; // milliseconds until a response begins, and between two pieces of it
const LARGE = 1_000_000; // bytes of a response whose progress is shown

/** Fetch as `fetch` does. show: called with the bytes of a large response that have arrived, and all; at the end, with nothing. Throws Unreachable. */
export async function fetchFile(address, options, show = () => {}) {
  const control = new AbortController();
  let timer;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(() => control.abort(), PIECE_TIMEOUT);
  };
  wait();
  try {
    const response = await fetch(address, { signal: control.signal, ...options });
    const all = Number(response.headers.get("Content-Length"));
    if (all < LARGE || !response.body) return response;
    let arrived = 0;
    const count = new TransformStream({
      transform: (piece, stream) => {
        wait();
        show(arrived += piece.length, all);
        stream.enqueue(piece);
      },
      flush: () => {
        clearTimeout(timer);
        show();
      },
    });
    return new Response(response.body.pipeThrough(count), response);
  } catch (error) {
    throw new Unreachable(error.message);
  }
}

/** A function like `fetchFile` for the files that a script contains in base64. Throws Refused for others. */
export function readFromScript(address) {
  const loaded = new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.onload = () => resolve(globalThis.siteFiles);
    script.onerror = () => reject(new Unreachable(`${address} can't be read`));
    script.src = address;
    document.head.append(script);
  });
  return async (wanted) => {
    const files = await loaded;
    if (Object.hasOwn(files, wanted)) return new Response(Uint8Array.from(atob(files[wanted]), (sign) => sign.charCodeAt(0)));
    const message = "This table is too large to be opened from a disk. Serve the folder of the site: "
      + "run `python -m http.server` in it, and open http://localhost:8000. "
      + "If a part of the table exceeds 16 MB, the server must support range requests.";
    throw new Refused({ code: "not_served", message });
  };
}

/** The current JSON of a file. get: fetches an address. Throws Refused and Unreachable. */
export async function readJson(get, address) {
  const response = await get(address, { cache: "no-cache" });
  if (!response.ok) {
    const message = `The file ${address} of this site is missing; write the site again.`;
    throw new Refused({ status: response.status, code: "missing_file", message });
  }
  try {
    return await response.json();
  } catch (error) {
    throw new Unreachable(`${address} can't be read: ${error.message}`);
  }
}
