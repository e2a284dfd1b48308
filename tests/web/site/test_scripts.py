"""The page's modules as one script, its chart, and its memory of the parts that it fetches."""

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from solver.web.site.page import PAGE, join_modules
from tests.web.site.conftest import run_node

MODULES = {
    "start.js": 'import "./said.js";\nimport { add, two as pair } from "./deep/numbers.js";\n'
    'import {\n  Box,\n  later,\n} from "./deep/box.js";\n\n'
    "later().then((found) => console.log(add(pair, 1), new Box(found).value, globalThis.said));\n",
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
    assert "A licence." in script
    assert "Says a word" not in script
    assert "Two." not in script


@pytest.mark.parametrize(
    "line",
    [
        'import all from "./said.js";',
        'import * as all from "./said.js";',
        'import { two } from "package";',
        "export default 3;",
        'export * from "./said.js";',
        'export { a as b } from "./said.js";',
    ],
)
def test_other_forms_of_import_and_export_are_refused(line: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"start\.js"):
        join_modules(write(tmp_path, {**MODULES, "start.js": f"{line}\n"}), "start.js")


def test_circular_imports_are_refused(tmp_path: Path) -> None:
    circle = {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}
    with pytest.raises(ValueError, match=r"a\.js b\.js a\.js"):
        join_modules(write(tmp_path, circle), "a.js")


def test_the_script_contains_every_module_once_and_is_small() -> None:
    script = join_modules(PAGE / "js", "site.js")
    names = {path.relative_to(PAGE / "js").as_posix() for path in (PAGE / "js").rglob("*.js")} - {"main.js"}
    assert [script.count(f'modules["{name}"] = ') for name in names] == [1] * len(names)
    assert len(script.encode()) + (PAGE.parent / "site" / "worker.js").stat().st_size < 200_000
    reading = ("answers", "errors", "fzstd", "game", "layout", "legality", "notation", "source", "table")
    assert sum((PAGE / "js" / "tables" / f"{name}.js").stat().st_size for name in reading) < 65_000


# Parts of tables from hosts without ranges

FETCHING = """
const { Source } = await import(process.argv[1]);
const size = 16_000_000;
const asked = [];
const get = async (address) => { asked.push(address); return new Response(new Uint8Array(size).fill(asked.length)); };
const parts = Array.from({ length: 12 }, (_, part) => `mark-${part}.bin`);
const source = new Source("base/", { bytes: parts.length * size, part_size: size, parts }, get);
const found = [];
for (let part = 0; part < parts.length; part++) found.push((await source.read(part * size, part * size + 1))[0]);
await source.read(11 * size + 5, 11 * size + 9);
const held = source.wholes.size;
await source.read(0, 1);
console.log(JSON.stringify({ found, held, asked: asked.length }));
"""


def test_parts_that_were_fetched_whole_leave_memory_again(modules: Path) -> None:
    source = (modules / "tables" / "source.js").as_uri()
    found = json.loads(run_node("--input-type=module", "-e", FETCHING, source))
    assert found == {"found": [*range(1, 13)], "held": 8, "asked": 13}


# The chart of a game

HEIGHT, SMALL = 9, 6  # pixels of a figure or a question mark, whose line of text is .78rem or .55rem
WIDTH = 7  # pixels of one


def answers(values: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """The answers of a game's positions from (1 X wins, 0 a draw, -1 O wins; plies to the end)."""
    return [
        {
            "wdl": value if ply % 2 == 0 else -value,
            "distance": left,
            "terminal": left == 0 and value != 0,
            "winner": {1: "X", -1: "O", 0: None}[value],
            "to_move": "XO"[ply % 2],
            "ply": ply + 4,
        }
        for ply, (value, left) in enumerate(values)
    ]


SHORT = [(0, 0), (1, 3), (0, 0), (-1, 5), (1, 2), (-1, 3), (1, 1)]
LONG = [*[((ply % 3) - 1, 9) for ply in range(24)], (1, 1)]


@pytest.fixture(scope="module")
def charts(modules: Path) -> list[list[dict[str, Any]]]:
    asked = [[answers(game), 1, width] for game in (SHORT, LONG) for width in (270, 600)]
    drawn = run_node(Path(__file__).with_name("chart.mjs"), modules, stdin=json.dumps(asked))
    found: list[list[dict[str, Any]]] = json.loads(drawn)
    return found


def box(part: dict[str, Any]) -> tuple[float, float, float, float]:
    """The left, right, top and bottom of a text."""
    is_small = "small" in part["class"]
    wide = (WIDTH - 2 * is_small) * len(part["text"]) / 2
    return part["x"] - wide, part["x"] + wide, part["y"] - (SMALL if is_small else HEIGHT), part["y"]


def test_texts_do_not_overlap(charts: list[list[dict[str, Any]]]) -> None:
    for chart in charts:
        texts = [part for part in chart if part["tag"] == "text" and part["class"] != "label"]
        for one, other in combinations(texts, 2):
            (left, right, top, bottom), (begin, end, upper, lower) = box(one), box(other)
            assert right <= begin or end <= left or bottom <= upper or lower <= top, (one, other)


def test_a_mark_is_at_the_point_of_its_move(charts: list[list[dict[str, Any]]]) -> None:
    for chart, game in zip(charts, (SHORT, SHORT, LONG, LONG), strict=True):
        faults = [part for part in chart if part["tag"] == "text" and "fault" in part["class"]]
        halos = [part for part in chart if "halo" in part.get("class", "")]
        known = answers(game)
        wrong = [ply for ply in range(1, len(known)) if -known[ply]["wdl"] < known[ply - 1]["wdl"]]
        assert [fault["x"] for fault in faults] == [halos[ply]["cx"] for ply in wrong]
        assert all(abs(fault["y"] - halos[ply]["cy"]) < 25 for fault, ply in zip(faults, wrong, strict=True))


def test_moves_are_counted_from_the_start_of_the_game(charts: list[list[dict[str, Any]]]) -> None:
    ticks = [part["text"] for part in charts[1] if part.get("class") == "tick"]
    assert ticks == [str(move) for move in range(len(SHORT))]
