"""The bundle of the page, and its memory of the parts that it fetches."""

import json
import re
from pathlib import Path

import pytest
from page_bundle import first_line, join_modules, read_sources

from solver.web.site.page import BUNDLE, PAGE, PREVIEW, page_files, served_files
from tests.conftest import ROOT
from tests.web.site.conftest import run_node

MODULES = {
    "start.js": 'import "./said.js";\nimport { add, two } from "./deep/numbers.js";\n'
    'import {\n  Box,\n  later,\n} from "./deep/box.js";\n\n'
    "later().then((found) => console.log(add(two, 1), new Box(found).value, globalThis.said));\n",
    "said.js": '// Says a word.\nglobalThis.said = "// said";\n',
    "deep/numbers.js": "/** Two. */\nexport const two = 2;\nexport function add(a, b) { return a + b; }\n",
    "deep/box.js": 'import { two } from "./numbers.js";\nimport { word } from "../word.js";\n'
    "export class Box { constructor(value) { this.value = value; } }\n"
    "export async function later() { return word + two; }\n",
    "word.js": '/*! Kept.\n\nA licence. */\nvar word = "word";\nexport { word };\n',
}


def write(folder: Path, modules: dict[str, str]) -> Path:
    for name, text in modules.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_one_script_does_the_same_as_the_modules(tmp_path: Path) -> None:
    script = join_modules(write(tmp_path, MODULES), "start.js")
    assert run_node("-", stdin=script) == "3 word2 // said\n"


@pytest.mark.parametrize(
    "line",
    [
        'import * as all from "./said.js";',
        'import { add as sum } from "./deep/numbers.js";',
        'import { two } from "package";',
        "export default 3;",
    ],
)
def test_other_forms_of_import_and_export_are_refused(line: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"start\.js"):
        join_modules(write(tmp_path, {**MODULES, "start.js": f"{line}\n"}), "start.js")


def test_a_name_of_two_modules_is_refused(tmp_path: Path) -> None:
    twice = {**MODULES, "start.js": f"{MODULES['start.js']}const word = 1;\n"}
    with pytest.raises(ValueError, match=r"start\.js and word\.js both declare word"):
        join_modules(write(tmp_path, twice), "start.js")


def test_circular_imports_are_refused(tmp_path: Path) -> None:
    circle = {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}
    with pytest.raises(ValueError, match=r"a\.js b\.js a\.js"):
        join_modules(write(tmp_path, circle), "a.js")


def test_the_bundle_is_made_from_the_present_sources() -> None:
    sources = read_sources()
    assert {file.name for file in BUNDLE.iterdir()} == {*sources}
    for name, text in sources.items():
        assert (BUNDLE / name).read_text(encoding="utf-8").startswith(first_line(text)), "run scripts/page"
    assert "Arjun Barrett" in (BUNDLE / "site.js").read_text(encoding="utf-8")  # the licence of a decoder


def test_the_scripts_contain_every_module_and_are_small() -> None:
    scripts = read_sources().values()
    kinds = "(?:async function|function|class|const)"
    for path in (PAGE / "js").rglob("*.js"):
        for name in re.findall(rf"^export {kinds} (\w+)", path.read_text(), re.MULTILINE):
            declared = re.compile(rf"\b{kinds} {name}\b")
            assert any(declared.search(script) for script in scripts), (path, name)
    site, served = page_files(searches=True), served_files()
    assert sum(map(len, site.values())) < 230_000
    assert sum(map(len, served.values())) < 180_000
    assert len((BUNDLE / "search.js").read_bytes()) < 50_000
    loaded = sum(len(data) for name, data in site.items() if not name.startswith("page-search") and name != PREVIEW)
    rounded = [round(size, -4) // 1000 for size in (sum(map(len, served.values())), loaded, len(site[PREVIEW]))]
    said = (ROOT / "docs" / "explanation" / "compared.md").read_text(encoding="utf-8")
    assert (
        f"takes 8 requests and {rounded[0]} kB before compression. A site takes {rounded[1]} kB and its tables" in said
    )
    assert f"load a picture of {rounded[2]} kB." in said
    reading = ("answers", "errors", "fzstd", "game", "layout", "legality", "notation", "source", "table")
    assert sum((PAGE / "js" / "tables" / f"{name}.js").stat().st_size for name in reading) < 65_000


def test_the_progress_of_a_large_file_is_shown(modules: Path) -> None:
    program = """const { fetchFile } = await import(`${process.argv[2]}/tables/files.js`);
const piece = new Uint8Array(600_000);
const headers = { "Content-Length": String(2 * piece.length) };
const shown = [];
const read = async (pieces) => {
  globalThis.fetch = async () => new Response(new ReadableStream({
    pull(stream) { if (pieces--) stream.enqueue(piece); else stream.close(); } }), pieces > 1 ? { headers } : {});
  const response = await fetchFile("0.bin", {}, (...told) => shown.push(told));
  return (await response.arrayBuffer()).byteLength;
};
console.log(JSON.stringify([await read(1), await read(2), shown]));
process.exit();"""
    found = json.loads(run_node("--input-type=module", "-", modules, stdin=program))
    assert found == [600_000, 1_200_000, [[600_000, 1_200_000], [1_200_000, 1_200_000], []]]
