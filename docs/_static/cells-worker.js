// Python with this package, which scripts/docs packs into solver.zip: takes a cell and those above it, and posts the
// output of each cell that it runs.

import { loadPyodide } from "https://cdn.jsdelivr.net/npm/pyodide@314.0.7/pyodide.mjs";

const PACKAGES = "https://cdn.jsdelivr.net/pyodide/v314.0.7/full/"; // NumPy and others, for cells that need them
const QUIET = { messageCallback() {}, errorCallback() {} };

async function load() {
  const python = await loadPyodide({ packageBaseUrl: PACKAGES });
  const fetched = await fetch(new URL("solver.zip", import.meta.url));
  python.unpackArchive(await fetched.arrayBuffer(), "zip");
  const module = python.pyimport("cells");
  const tell = (done, total) => postMessage({ state: `Asked in ${done.toLocaleString("en")} of ${total.toLocaleString("en")} positions` });
  return { python, module, cells: module.start(tell) };
}

const loaded = load();
loaded.catch(() => {}); // each request reports the error

async function fetchPackages(python, names) {
  postMessage({ state: `Fetching ${names.join(", ")}` });
  await python.loadPackagesFromImports(names.map((name) => `import ${name}`).join("\n"), QUIET).catch(() => {});
}

async function run({ python, module, cells }, name, code) {
  const lacking = module.imports(code).toJs();
  if (lacking.length) await fetchPackages(python, lacking);
  postMessage({ name, state: "Running" });
  let [html, error, missing, reached] = cells.run(name, code).toJs();
  if (missing && !lacking.includes(missing)) {
    await fetchPackages(python, [missing]);
    [html, error, missing, reached] = cells.run(name, code).toJs();
  }
  postMessage({ name, html, error, reached });
  return !error;
}

onmessage = async ({ data }) => {
  try {
    const python = await loaded;
    const codes = new Map(data);
    const needed = python.cells.needed(python.python.toPy(data)).toJs();
    for (const name of [...needed, data.at(-1)[0]]) {
      if (!(await run(python, name, codes.get(name)))) break;
    }
    postMessage({ done: true });
  } catch (error) {
    postMessage({ done: true, failed: String(error).trim().split("\n").at(-1) });
  }
};
