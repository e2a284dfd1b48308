// Search positions as a page does. Argument: the folder of the page's modules. Standard input: the board, the memory in
// bytes, the limits, and positions, each the signs of its squares and its ply. Standard output: the value of each position
// as [wdl, distance], or null, and the number of nodes.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { canSearch, openSearch } = await import(pathToFileURL(`${process.argv[2]}/search/search.js`));
const { board, memory, limits, positions } = JSON.parse(readFileSync(0));
if (!canSearch(board)) throw new Error("this board can't be searched");
const search = await openSearch(board, memory);
const found = [];
for (const [signs, ply] of positions) {
  const value = await search.solve({ cells: Uint8Array.from(signs, (sign) => ".XO".indexOf(sign)), ply }, limits);
  found.push(value && [value.wdl, value.distance]);
}
console.log(JSON.stringify({ found, nodes: search.nodes }));
