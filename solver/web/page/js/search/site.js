// The search as a script of its own: a worker, or a script of a page from a disk, which may not start workers.

import { openSearch } from "./search.js";

if (globalThis.document) globalThis.openSearch = openSearch;
else {
  let search = null;
  onmessage = async ({ data: { board, position, seconds } }) => {
    try {
      search ??= await openSearch(board);
      postMessage({ value: await search.solve(position, { seconds }) });
    } catch (error) {
      postMessage({ problem: `The search failed: ${error.message}.` });
    }
  };
}
