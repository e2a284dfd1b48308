"""Modules are joined into one script that does what they do."""

import subprocess
from pathlib import Path

import pytest
from playwright._impl._driver import compute_driver_executable

from solver.site.bundle import join_modules
from solver.site.page import PAGE

MODULES = {
    "start.js": 'import "./told.js";\nimport { add, two as pair } from "./deep/numbers.js";\n'
    'import {\n  Box,\n  later,\n} from "./deep/box.js";\n\n'
    "later().then((found) => console.log(add(pair, 1), new Box(found).value, globalThis.told));\n",
    "told.js": '// Says a word.\nglobalThis.told = "// told";\n',
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


def test_one_script_does_what_the_modules_do(tmp_path: Path) -> None:
    script = join_modules(write(tmp_path, MODULES), "start.js")
    node = compute_driver_executable()[0]
    done = subprocess.run([node, "-"], input=script, capture_output=True, text=True, check=True)
    assert done.stdout == "3 word2 // told\n"
    assert "A licence." in script
    assert "Says a word" not in script
    assert "Two." not in script


@pytest.mark.parametrize(
    "line",
    [
        'import all from "./told.js";',
        'import * as all from "./told.js";',
        'import { two } from "package";',
        "export default 3;",
        'export * from "./told.js";',
        'export { a as b } from "./told.js";',
    ],
)
def test_another_form_of_import_or_export_is_refused(line: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"start\.js has an import or export of another form"):
        join_modules(write(tmp_path, {**MODULES, "start.js": f"{line}\n"}), "start.js")


def test_modules_that_import_one_another_are_refused(tmp_path: Path) -> None:
    circle = {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}
    with pytest.raises(ValueError, match=r"import one another: a\.js b\.js a\.js"):
        join_modules(write(tmp_path, circle), "a.js")


def test_every_module_of_the_page_is_there_once_and_the_code_is_small() -> None:
    script = join_modules(PAGE / "js", "site.js")
    names = {path.relative_to(PAGE / "js").as_posix() for path in (PAGE / "js").rglob("*.js")} - {"main.js"}
    assert [script.count(f'modules["{name}"] = ') for name in names] == [1] * len(names)
    worker = (PAGE.parent.parent / "site" / "worker.js").stat().st_size
    assert len(script.encode()) + worker < 200_000
