"""Errors: missing extras and quoted input."""

import re
import tomllib
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, cast

import pytest

from solver.engines.learner import Learner
from solver.engines.match import Terms
from solver.errors import InputError, MissingExtra, MissingTable, MnkError, missing_extra, quoted
from solver.export.table import list_positions
from solver.game.games import parse_game
from solver.game.position import Position
from solver.search.folder import Library
from solver.search.truth import Truth, open_truth
from solver.solve.build import build_table
from solver.study.openings import list_openings
from solver.study.puzzles import daily_puzzle, draw_puzzles
from tests.conftest import PACKAGE, ROOT


def test_a_missing_extra_is_named_with_the_command_that_installs_it() -> None:
    error = missing_extra("Parquet", "export")
    assert isinstance(error, MissingExtra)
    assert str(error).endswith("run `pip install 'mnk-tablebase[export]'`.")
    assert str(missing_extra("PNG", "pictures", "draw SVG")).endswith(", or draw SVG.")


def test_every_extra_that_a_message_names_exists() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    code = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    named = {*re.findall(r'missing_extra\("[^"]+", "(\w+)"', code)}
    assert named
    assert named <= {*project["optional-dependencies"]}


def test_a_message_has_no_control_characters_and_a_bounded_length() -> None:
    for error in (MnkError("\x1b[31m\x9b\u202e\udcff\r"), MissingTable("\x1b[31m\x9b\u202e\udcff\r", "build")):
        assert str(error) == r"\x1b[31m\x9b\u202e\udcff\r"
    assert str(MnkError("Zwölf\nboxes → 2")) == "Zwölf\nboxes → 2"
    long = str(MnkError(f"The word {'a' * 10_000} is wrong; write another."))
    assert len(long) < 2100
    assert long.startswith("The word a")
    assert long.endswith("a is wrong; write another.")


START = Position.start(parse_game("3,3,3"))

CALLS: dict[str, Callable[[Truth], object]] = {
    "depth is '0'; give a whole number, 1 or more": lambda truth: truth.strategy(START, depth=0),
    "depth is '-1'": lambda truth: list_openings(truth, -1),
    "games is '0'": lambda truth: draw_puzzles(truth, 1, games=0),
    "games is '-1'": lambda truth: daily_puzzle(truth, date(2026, 1, 1), games=-1),
    "plies is '-1'": lambda truth: draw_puzzles(truth, 1, plies=-1),
    "There is no level 'foo'; choose one of easy, medium, hard": lambda truth: draw_puzzles(
        truth, 1, level=cast("Any", "foo")
    ),
    "first is '5'; give a whole number, from 0 to 2": lambda truth: list_positions(truth.table, (5, 2)),
    "first is '-5'": lambda truth: list_positions(truth.table, (-5, 0)),
    "last is '30'; give a whole number, from 0 to 9": lambda truth: list_positions(truth.table, (20, 30)),
    "seconds is 'nan'; give a number, 0 or more": lambda _: open_truth("3,3,3", seconds=float("nan")),
    "seconds is '-3'": lambda _: Library("", seconds=-3),
    "search_bytes is '-1'": lambda _: Library("", search_bytes=-1),
    "workers is '0'": lambda _: build_table("2,2,2", workers=0),
    "workers is 'True'": lambda _: build_table("2,2,2", workers=True),
    "workers is '4'": lambda _: build_table("2,2,2", workers="4"),
    "workers is '2.5'": lambda _: build_table("2,2,2", workers=2.5),
    "memory is '-5'": lambda _: build_table("2,2,2", memory=-5),
    "The workspace is empty": lambda _: build_table("2,2,2", workspace=""),
    "There is no square True on the board of 3,3,3; play 0 to 8": lambda _: START.play(True),
    "The argument games is '0'": lambda _: Terms(START, games=0),
    "clock is '-1'": lambda _: Terms(START, clock=-1),
    "clock is 'nan'": lambda _: Terms(START, clock=float("nan")),
    "alpha is '5'; give a number, from 0 to 1": lambda _: Learner(START.rules, alpha=5),
    "episodes is '-5'": lambda _: Learner(START.rules).train(-5),
    "episodes is '2.5'": lambda _: Learner(START.rules).train(2.5),  # type: ignore[arg-type]
    "The player '' is neither X nor O": lambda _: Learner(START.rules).value(START, ""),
    "The player 'XO' is neither X nor O": lambda _: Learner(START.rules).value(START, "XO"),
    "This learner is for 2,2,2, but": lambda _: Learner(parse_game("2,2,2")).value(START, "X"),
}


@pytest.mark.parametrize("message", CALLS)
def test_numbers_and_names_out_of_range_are_refused(
    message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with open_truth("3,3,3", tmp_path) as truth, pytest.raises(InputError, match=re.escape(message)):
        CALLS[message](truth)


def test_long_input_is_quoted_short_and_on_one_line() -> None:
    assert quoted("4,4") == "'4,4'"
    assert quoted("a\nb") == r"'a\nb'"
    assert quoted("x" * 1000, limit=20) == repr("x" * 17 + "...")
