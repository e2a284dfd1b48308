// Search positions as a page does. Argument: the folder of the page's modules. Standard input: the board, the memory in
// bytes, the limits, and positions, each the signs of its squares and its ply. Standard output: the value of each position
// as [wdl, distance], or null, its moves if `moves` is true, and the number of nodes.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { canSearch, openSearch } = await import(pathToFileURL(`${process.argv[2]}/search/search.js`));
const { board, memory, limits, moves, positions } = JSON.parse(readFileSync(0));
if (!canSearch(board)) throw new Error("this board can't be searched");
const search = await openSearch(board, memory);
const pair = (value) => value && [value.wdl, value.distance];
const found = [];
for (const [signs, ply] of positions) {
  const position = { cells: Uint8Array.from(signs, (sign) => ".XO".indexOf(sign)), ply };
  if (moves) found.push((await search.moves(position, limits)).map(({ square, value }) => [square, pair(value)]));
  else found.push(pair(await search.solve(position, limits)));
}
const ended = await search.solve({ cells: new Uint8Array(board.rows * board.columns), ply: 0 }, { signal: AbortSignal.abort("enough") })
  .catch((reason) => reason);
console.log(JSON.stringify({ found, nodes: search.nodes, ended }));
