"""The package as users see it: its names, types and commands, and the modules that an import loads."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

import solver
from solver import open_tablebase, parse_game
from solver.game.game_files import read_rules
from solver.store.paths import SHIPPED, table_path
from tests.conftest import ROOT

HEAVY = {"click", "llvmlite", "numba", "numpy", "sqlite_utils", "xxhash", "zstandard"}
UNASKED = {
    "difflib", "fractions", "html", "shutil", "solver.study.answers", "solver.drawing.canvas", "typing_extensions",
}  # fmt: skip
"""Modules that a probe must not load; each takes a millisecond or more."""


def heavy_modules(code: str, *arguments: str) -> set[str]:
    """Return the modules of HEAVY and UNASKED that a new interpreter has loaded after running the code."""
    code += "\nimport json, sys; print(json.dumps(list(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return (HEAVY | UNASKED) & set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("name", solver.__all__)
def test_public_name_resolves(name: str) -> None:
    assert getattr(solver, name) is not None
    assert name in dir(solver)


def test_public_names_are_listed_once_and_all_errors_are_among_them() -> None:
    errors = import_module("solver.errors")
    exceptions = {
        name for name, member in vars(errors).items() if isinstance(member, type) and issubclass(member, Exception)
    }
    assert len(set(solver.__all__)) == len(solver.__all__)
    assert exceptions <= set(solver.__all__)


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Rulez'"):
        _ = solver.Rulez  # type: ignore[attr-defined]


def test_commands_of_pyproject_can_be_called() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(project["scripts"]) == {"mnk", "build-table"}
    for target in project["scripts"].values():
        module, _, function = target.partition(":")
        assert callable(getattr(import_module(module), function))


@pytest.mark.parametrize(
    "code",
    [
        "import solver", "from solver import parse_game; parse_game('4,4,4').symmetries",
        "from solver import Position, parse_game; Position.parse(parse_game('3,3,3'), 'XO./.X./...').canonical()",
        "from solver import MnkError, open_tablebase",
    ],
)  # fmt: skip
def test_rules_and_positions_load_nothing_heavy(code: str) -> None:
    assert heavy_modules(code) == set()


@pytest.mark.parametrize(
    "code",
    ["from solver import Choice, Engine, list_engines, make_engine, register", "from solver import Terms, play_match"],
)
def test_engines_and_matches_load_no_arrays_and_no_compiler(code: str) -> None:
    assert not heavy_modules(code) & HEAVY


def test_tables_that_come_with_the_package_have_the_known_digests_and_their_lines() -> None:
    for game, digest in (
        ("3,3,3", "5258e5ac2e807411"),
        ("4,4,4", "84cad96afc120a22"),
        ("6,7,4,gravity", "ed44e55f6631689b"),
    ):
        with open_tablebase(table_path(SHIPPED, parse_game(game))) as table:
            assert (table.table.meta["digest"] or "").startswith(digest)
            assert read_rules(table.table.meta["rules"] or "").is_same_game(table.rules)


PROBE = """
import sys
from solver import Position, open_tablebase
with open_tablebase(sys.argv[1]) as tablebase:
    start = Position.start(tablebase.rules)
    tablebase.probe(start), tablebase.moves(start), tablebase.best_move(start), tablebase.mainline(start)
"""


@pytest.mark.parametrize(("game", "needed"), [("3,3,3", set()), ("4,4,4", {"zstandard"})])
def test_probing_loads_only_what_the_file_needs(table_file: Callable[..., Path], game: str, needed: set[str]) -> None:
    assert heavy_modules(PROBE, str(table_file(game))) <= needed


def test_a_query_from_the_shell_loads_no_arrays_and_no_compiler(table_file: Callable[..., Path]) -> None:
    path = table_file("3,3,3")
    code = "import sys; from solver.cli import main; main(sys.argv[1:], standalone_mode=False)"
    arguments = ["query", "3,3,3", "XO./.X./...", "--data", str(path.parent)]
    assert heavy_modules(code, *arguments) == {"click"}


WITHOUT_BUILD = """
import sys
for name in ("llvmlite", "numba", "numpy", "sqlite_utils", "xxhash", "zstandard"):
    sys.modules[name] = None  # the import fails, as without the extra `build`
"""


@pytest.mark.sampled
@pytest.mark.parametrize(
    "command",
    [
        "query 3,3,3 XO./.X./...", "query 4,4,4 start", "query 6,7,4,gravity ddd", "show 3,3,3", "games",
        "verify 3,3,3 random",
    ],
)  # fmt: skip
def test_commands_that_read_tables_work_without_the_extra_build(table_file: Callable[..., Path], command: str) -> None:
    table_file("4,4,4")
    code = WITHOUT_BUILD + "from solver.cli import main; main(sys.argv[1:])"
    environment = {**os.environ, "MNK_DATA": str(table_file("3,3,3").parent)}
    arguments = [sys.executable, "-c", code, *command.split()]
    done = subprocess.run(arguments, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (1 if command.startswith("verify") else 0, False)


@pytest.mark.parametrize("game", ["3,3,3", "4,4,4"])
def test_a_game_is_played_and_reviewed_without_the_extra_build(game: str) -> None:
    code = WITHOUT_BUILD + "from solver.cli import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", code, "play", game, "--side", "both"]
    moves = "a1\nb2\na2\nb3\na3\nb1\na4\n"
    done = subprocess.run(command, cwd=ROOT, input=moves, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "X has won" in done.stdout
    assert re.search(r"X: .*%", done.stdout)


def test_probing_and_help_work_without_the_extra_build(table_file: Callable[..., Path]) -> None:
    code = PROBE + "    tablebase.strategy(start.play(0).play(1))\nimport pydoc; pydoc.render_doc('solver')"
    for game in ("3,3,3", "4,4,4"):
        subprocess.run([sys.executable, "-c", WITHOUT_BUILD + code, str(table_file(game))], cwd=ROOT, check=True)


@pytest.mark.parametrize(
    "code",
    [
        "solver.build_table('3,3,3')", "solver.open_tablebase(sys.argv[1]).table.probe_many([0])",
        "solver.count_positions(None)", "import solver.engines.learner", "import solver.export.observations",
        "from solver.course.game_trees import *; measure_tree(Position.start(parse_game('3,3,3')))",
    ],
)  # fmt: skip
def test_a_feature_that_needs_the_extra_build_names_it(table_file: Callable[..., Path], code: str) -> None:
    code = f"{WITHOUT_BUILD}\nimport solver\ntry: {code}\nexcept solver.MissingExtra as error: print(error)"
    command = [sys.executable, "-c", code, str(table_file("3,3,3"))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "`pip install 'mnk-tablebase[build]'`" in done.stdout


def test_the_version_to_cite_is_that_of_the_package_and_dated_if_it_is_released() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, date = re.findall(r"^## \[(.+)\] - (.+)$", changes, re.MULTILINE)[0]
    assert version == cited["version"] == solver.__version__
    assert str(cited.get("date-released", "unreleased")) == date


def test_a_browser_is_asked_for_packages_that_it_has() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [Requirement(text) for text in project["dependencies"]]
    there = {"sys_platform": "emscripten", "python_version": "3.14"}
    assert {one.name for one in needed if not one.marker or one.marker.evaluate(there)} == {"click", "numpy"}
