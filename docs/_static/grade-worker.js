// Python with this package, which scripts/docs packs into solver.zip: takes a program and a game, and posts the report.

import { loadPyodide } from "https://cdn.jsdelivr.net/npm/pyodide@314.0.7/pyodide.mjs";

const PACKAGES = "https://cdn.jsdelivr.net/pyodide/v314.0.7/full/"; // NumPy and others, for programs that import them

const JUDGE = `
import importlib, sys, traceback
from pathlib import Path

from solver import MnkError, verify

sys.dont_write_bytecode = True


def grade(code, game, tell):
    Path("agent.py").write_text(code, encoding="utf-8")
    sys.modules.pop("agent", None)
    importlib.invalidate_caches()
    try:
        return [verify(importlib.import_module("agent"), game, progress=tell)._repr_html_(), None]
    except MnkError as error:
        return [None, str(error)]
    except Exception as error:
        return [None, "".join(traceback.format_exception_only(error)).strip()]


grade
`;

async function load() {
  const python = await loadPyodide({ packageBaseUrl: PACKAGES });
  const fetched = await fetch(new URL("solver.zip", import.meta.url));
  python.unpackArchive(await fetched.arrayBuffer(), "zip");
  return { python, grade: python.runPython(JUDGE) };
}

const loaded = load();
loaded.catch(() => {}); // it is told to whoever asks

onmessage = async ({ data: { code, game } }) => {
  try {
    const { python, grade } = await loaded;
    await python.loadPackagesFromImports(code);
    postMessage({ state: "Asking" });
    const tell = (done, total) => postMessage({ state: `Asked in ${done.toLocaleString("en")} of ${total.toLocaleString("en")} positions` });
    const [report, error] = grade(code, game, tell).toJs();
    postMessage(error ? { error } : { report });
  } catch (error) {
    postMessage({ error: String(error).trim().split("\n").at(-1) });
  }
};
