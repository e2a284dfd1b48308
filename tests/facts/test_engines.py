"""The results of published engines, against slow twins of those engines and against the tables."""

import re
import tomllib
from collections.abc import Callable
from functools import cache

import pytest

from solver.game.games import parse_game
from tests import oracle
from tests.conftest import ROOT
from tests.peers.record import COUNTS, records

RULES = parse_game("3,3,3")
LAST = 9  # plies
Scale = Callable[[int], int]


@cache
def outcome(board: str) -> str | None:
    return oracle.outcome(RULES, board)


@cache
def moves(board: str) -> list[int]:
    return oracle.moves(RULES, board)


@cache
def live() -> list[str]:
    """Return every board with a legal move."""
    return [board for level in oracle.levels(RULES) for board in level if moves(board)]


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
def worth(board: str, scale: Scale) -> int:
    """Return the value of a position for the side to move."""
    over = outcome(board)
    if over:
        return 0 if over == "draw" else -scale(LAST - board.count("."))
    return max(after(board, move, scale) for move in moves(board))


def after(board: str, move: int, scale: Scale) -> int:
    """Return the value of a move for the side that makes it."""
    return -worth(oracle.play(board, move), scale)


def minimax(scale: Scale) -> Callable[[str], int]:
    """Return the first move, row by row, of the highest value."""
    return lambda board: max(moves(board), key=lambda move: after(board, move, scale))


def wins(board: str) -> list[int]:
    """Return the moves that win at once."""
    return [move for move in moves(board) if outcome(oracle.play(board, move)) == oracle.mover(board)]


def two_plies(board: str) -> int:
    """Win; else leave no win; else the first move."""
    safe = [move for move in moves(board) if not wins(oracle.play(board, move))]
    return [*wins(board), *safe, *moves(board)][0]


def counts(choose: Callable[[str], int]) -> dict[str, int]:
    """Count its errors over every position with a legal move."""
    found = dict.fromkeys(COUNTS, 0)
    for board in live():
        best, move = worth(board, soon), choose(board)
        played = after(board, move, soon)
        found["positions"] += 1
        found["missed_win_in_one"] += bool(wins(board)) and move not in wins(board)
        if (best > 0, best < 0) != (played > 0, played < 0):
            names = {-1: "loss", 0: "draw", 1: "win"}
            found[f"{names[sign(best)]}_to_{names[sign(played)]}"] += 1
            found["blunders"] += 1
        elif played < best:
            found["slow_wins" if best > 0 else "short_defences"] += 1
    return found


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("engine", "twin"),
    [
        ("Negamax(2)", two_plies), ("Negamax(6)", minimax(soon)), ("ai.evaluate", minimax(soon)),
        ("minimax_decision", minimax(alike)), ("alphabeta_search", minimax(alike)),
        ("alpha_beta_search", minimax(alike)), ("TicTacToeAI.minimax", minimax(late)),
    ],
)  # fmt: skip
def test_published_mistakes_match_slow_twins(engine: str, twin: Callable[[str], int]) -> None:
    (record,) = [record for record in records() if record["engine"] == engine]
    expected = counts(twin)
    assert {**record["found"], "beaten_as_x": 0, "beaten_as_o": 0} == expected
    assert any(record["found"][f"beaten_as_{side}"] for side in "xo") == (expected["blunders"] > 0)


def test_the_versions_are_those_that_the_tests_install() -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    required = [package.partition(";")[0] for package in groups["peers"] if isinstance(package, str)]
    pinned = dict(package.split("==") for package in required if "==" in package)
    assert pinned == {record["package"]: record["version"] for record in records()}


def test_the_table_lists_the_results_and_the_readme_shows_some() -> None:
    assert shown("data/facts/README.md") == [(record["command"], row(record)) for record in records()]
    assert shown("README.md")
    assert {*shown("README.md")} <= {*shown("data/facts/README.md")}


def shown(file: str) -> list[tuple[str, str]]:
    """(command, the other cells) of the engines in a table of the file."""
    text = (ROOT / file).read_text(encoding="utf-8")
    return re.findall(r"^\| `(mnk verify [^`]+)` \| (.+?) \|$", text, re.MULTILINE)


def row(record: dict[str, object]) -> str:
    """Return the cells of an engine in the table, without the command."""
    found = record["found"]
    assert isinstance(found, dict)
    beaten = " and ".join(side for side in "XO" if found[f"beaten_as_{side.lower()}"]) or "no"
    cells = [f"{record['package']} {record['version']}"]
    return " | ".join([*cells, *[f"{found[name]}" for name in ("blunders", "missed_win_in_one", "slow_wins")], beaten])
