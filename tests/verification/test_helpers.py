"""The helpers of an engine's file: right everywhere, wrong once, failing."""

from collections.abc import Callable
from typing import Any

import pytest

from solver.game.position import Position
from solver.verification.contract import Answer, Failure, Helper
from solver.verification.helpers import check_helpers
from solver.verification.positions import every_position
from solver.verification.verify import verify
from tests.verification.fakes import THREE, FakeEngine, perfect


def helper(say: Callable[[Position], Any]) -> Helper:
    return lambda positions: [say(position) for position in positions]


def winner(position: Position) -> str | None:
    return position.outcome if position.outcome in {"X", "O"} else None


RIGHT: dict[str, Callable[[Position], Any]] = {
    "winner": winner,
    "terminal": lambda position: position.is_over,
    "utility": lambda position: {"X": 10.0, "O": -10.0}.get(position.outcome or "", 0.0),
    "actions": lambda position: frozenset(position.legal_moves),
    "player": lambda position: position.to_move,
}


def no_diagonal(position: Position) -> str | None:
    """The commonest mistake: one diagonal is forgotten."""
    return None if position.winning_line == 1 << 2 | 1 << 4 | 1 << 6 else winner(position)


@pytest.mark.sampled
@pytest.mark.parametrize("name", RIGHT)
def test_right_helpers_are_right_everywhere(name: str) -> None:
    [check] = check_helpers({name: helper(RIGHT[name])}, every_position(THREE))
    assert (check.name, check.wrong) == (name, 0)
    assert check.positions == {"winner": 5478, "terminal": 5478, "utility": 958}.get(name, 4520)


@pytest.mark.parametrize("name", RIGHT)
def test_a_helper_that_is_wrong_once_is_found_out(name: str) -> None:
    boards = {"utility": "XXX/OO./..."}
    board = Position.parse(THREE, boards.get(name, "XX./OO./..."))
    wrong = {"winner": "O", "terminal": True, "utility": -10.0, "actions": frozenset({2, 5}), "player": "O"}

    def say(position: Position) -> Any:
        return wrong[name] if position == board else RIGHT[name](position)

    [check] = check_helpers({name: helper(say)}, every_position(THREE))
    assert check.wrong == 1
    assert check.mistakes[0].position == board


def test_a_winner_without_one_diagonal_is_reported_with_a_position() -> None:
    report = verify(FakeEngine(perfect, {"winner": helper(no_diagonal), "draw": helper(winner)}), THREE)
    [check] = report.helpers
    expected = sum(no_diagonal(position) != winner(position) for position in every_position(THREE))
    assert check.wrong == expected > 0
    assert f"helper winner                  no   wrong in {expected}" in str(report)
    assert "it says None, right is 'X'" in str(report)
    assert report.passed  # the moves are right


def test_a_helper_that_fails_is_wrong_there() -> None:
    failing = helper(lambda position: Answer(None, Failure.EXCEPTION, "IndexError: 9"))
    [check] = check_helpers({"winner": failing}, every_position(THREE))
    assert (check.wrong, check.mistakes[0].said) == (5478, "IndexError: 9")
