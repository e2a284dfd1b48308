// Solve positions with the npm package @renju-note/quintet, which was compiled for bundlers: node loads it by hand.
//
// usage: node quintet.mjs quintet_bg.wasm < positions.json
//
// The input is a list of [blacks, whites, black]: codes of points, and whether Black attacks. The output is a list of
// [moves or null, processor seconds], of the second of two passes.
import { readFileSync } from "node:fs";

const { exports: wasm } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(process.argv[2])), {});
const DEEPEST = 112;

function pass(points) {
  const at = wasm.__wbindgen_malloc(points.length);
  new Uint8Array(wasm.memory.buffer).set(points, at);
  return [at, points.length];
}

function solve([blacks, whites, black]) {
  const result = wasm.__wbindgen_export_0.value - 16;
  wasm.__wbindgen_export_0.value = result;
  wasm.solve_vcf(result, ...pass(blacks), ...pass(whites), black, DEEPEST);
  const [at, length] = new Int32Array(wasm.memory.buffer, result, 2);
  wasm.__wbindgen_export_0.value += 16;
  if (at === 0) return null;
  const moves = [...new Uint8Array(wasm.memory.buffer, at, length)];
  wasm.__wbindgen_free(at, length);
  return moves;
}

function timed(position) {
  const begun = process.cpuUsage();
  const moves = solve(position);
  const { user, system } = process.cpuUsage(begun);
  return [moves, (user + system) / 1e6];
}

const positions = JSON.parse(readFileSync(0));
positions.forEach(solve);
console.log(JSON.stringify(positions.map(timed)));
