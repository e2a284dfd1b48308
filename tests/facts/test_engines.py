"""The results of published engines, against slow twins of those engines and against the tables."""

import json
import re
import tomllib
from collections.abc import Callable
from functools import cache

import pytest

from tests.conftest import ROOT
from tests.peers.record import COUNTS, NPM, PAGE, records, row
from tests.verification.referee import THREE, Decide

LAST = 9  # plies
Scale = Callable[[int], int]


def soon(ply: int) -> int:
    """A value of winning at a ply: sooner is better."""
    return 2 * LAST - ply


def late(ply: int) -> int:
    """A value of winning at a ply: later is better, the mistake of counting the depth from the root upwards."""
    return ply


def alike(ply: int) -> int:
    """A value of winning at a ply: all plies are equal."""
    return 1


@cache
def worths(cells: str, scale: Scale) -> dict[int, int]:
    """Return the value of each move for the side that makes it."""
    return {
        square: scale(LAST - child.count("."))
        if THREE.wins(child, square)
        else -max(worths(child, scale).values(), default=0)
        for square, child in THREE.children(cells).items()
    }


def minimax(scale: Scale) -> Decide:
    """Return the first move, row by row, of the highest value."""
    return lambda cells: max(worths(cells, scale), key=worths(cells, scale).__getitem__)


def wins(cells: str) -> list[int]:
    """Return the moves that win at once."""
    return [square for square, child in THREE.children(cells).items() if THREE.wins(child, square)]


def two_plies(cells: str) -> int:
    """Win; else leave no win; else the first move."""
    children = THREE.children(cells)
    return [*wins(cells), *(square for square, child in children.items() if not wins(child)), *children][0]


def counts(choose: Decide) -> dict[str, int]:
    """Count its errors over every position with a legal move."""
    found = THREE.count(choose, THREE.live)
    others = {"blunders": "wrong", "slow_wins": "slow_win", "short_defences": "short_defence"}
    return {name: found[others.get(name, name)] for name in COUNTS}


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("engine", "twin"),
    [
        ("Negamax(2)", two_plies), ("Negamax(6)", minimax(soon)), ("ai.evaluate", minimax(soon)),
        ("minimax_decision", minimax(alike)), ("alphabeta_search", minimax(alike)),
        ("alpha_beta_search", minimax(alike)), ("TicTacToeAI.minimax", minimax(late)),
        ("BoardNode.getbestmove", minimax(alike)), ("AI(Unbeatable)", minimax(alike)),
    ],
)  # fmt: skip
def test_published_mistakes_match_slow_twins(engine: str, twin: Decide) -> None:
    (record,) = [record for record in records() if record["engine"] == engine]
    expected = counts(twin)
    assert {**record["found"], "beaten_as_x": 0, "beaten_as_o": 0} == expected
    assert any(record["found"][f"beaten_as_{side}"] for side in "xo") == (expected["blunders"] > 0)


def test_the_versions_are_those_that_the_tests_install() -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    required = [package.partition(";")[0] for package in groups["peers"] if isinstance(package, str)]
    pinned = dict(package.split("==") for package in required if "==" in package)
    pinned |= json.loads((NPM.parent / "package.json").read_text(encoding="utf-8"))["dependencies"]
    assert pinned == {record["package"]: record["version"] for record in records()}


def test_the_page_lists_the_results() -> None:
    rows = re.findall(r"^\| `(mnk verify [^`]+)` \| (.+?) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [(record["command"], row(record)) for record in records()]
