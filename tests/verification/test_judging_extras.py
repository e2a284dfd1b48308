"""The helpers of a file, the values that an engine states, and the baseline."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from solver.errors import EngineError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.contract import Answer, Failure, Helper
from solver.verification.helpers import check_helpers
from solver.verification.positions import every_position
from solver.verification.report import Report
from solver.verification.stated_values import StatedValues
from solver.verification.verify import verify
from tests.verification.fakes import THREE, FakeEngine, first, perfect, solved, spoiled


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


def stating(value: Callable[[Position], float]) -> StatedValues:
    report = verify(FakeEngine(lambda position: Answer(perfect(position), value=value(position))), THREE)
    assert report.values is not None
    assert report.json()["values"]["agreeing"] == report.values.agreeing
    return report.values


def wdl(position: Position) -> int:
    return solved().probe(position).wdl


def for_x(position: Position) -> int:
    return wdl(position) * (1 if position.to_move == "X" else -1)


@pytest.mark.parametrize(
    ("value", "scale", "perspective"),
    [
        (wdl, "-1 to 1", "the side to move"),
        (lambda position: wdl(position) * (10 - position.ply), "by sign", "the side to move"),
        (lambda position: (0.96 * wdl(position) + 1) / 2, "0 to 1", "the side to move"),
        (for_x, "-1 to 1", "X"),
        (lambda position: (for_x(position) * 0.9 + 1) / 2, "0 to 1", "X"),
    ],
)
def test_true_values_agree_on_every_scale(value: Callable[[Position], float], scale: str, perspective: str) -> None:
    values = stating(value)
    assert (values.agreement, values.scale, values.perspective, values.worst) == (1.0, scale, perspective, ())
    assert values.correlation == 1.0 or (scale == "by sign" and values.correlation == pytest.approx(0.733, abs=0.001))


def test_values_that_are_wrong_in_one_position_are_found_out() -> None:
    board = Position.parse(THREE, "XX./OO./...")
    values = stating(lambda position: -1.0 if position == board else wdl(position))
    assert values.agreeing == 4519
    [worst] = values.worst
    assert (worst.position, worst.stated, worst.truth) == (board, -1.0, 1)


def test_values_that_mean_nothing_have_no_rank_correlation() -> None:
    draw = Random(0)
    assert abs(stating(lambda _: draw.uniform(-1, 1)).correlation or 0) < 0.1
    assert stating(lambda _: 0.5).correlation is None


def test_an_engine_that_tells_quick_wins_from_slow_ones_is_held_to_it() -> None:
    def quick(position: Position) -> float:
        value = solved().probe(position)
        return value.wdl * (20 - (value.distance or 0))

    assert stating(quick).correlation == 1.0
    assert (stating(lambda position: quick(position) ** 3).correlation) == 1.0  # only the order counts
    assert (stating(lambda position: wdl(position) * 30 - quick(position)).correlation or 0) < 1.0


def test_an_engine_that_states_nothing_is_not_compared() -> None:
    assert verify(FakeEngine(perfect), THREE).values is None


@pytest.fixture
def kept(tmp_path: Path) -> Callable[[Report], Path]:
    def keep(report: Report) -> Path:
        path = tmp_path / "baseline.json"
        path.write_text(report.format("json"), encoding="utf-8")
        return path

    return keep


def test_what_was_wrong_before_is_no_news(kept: Callable[[Report], Path]) -> None:
    path = kept(verify(FakeEngine(first), THREE))
    again = verify(FakeEngine(first), THREE, baseline=path)
    assert (again.passed, again.exit_code, again.worse) == (True, 0, ())
    assert again.blunders == 1869
    assert "Nothing is worse than in baseline.json." in str(again)
    assert verify(FakeEngine(perfect), THREE, baseline=path).passed


@pytest.mark.parametrize("before", [perfect, spoiled("X../.O./..X", 6)])
def test_what_got_worse_fails(before: Callable[[Position], int], kept: Callable[[Report], Path]) -> None:
    path = kept(verify(FakeEngine(before), THREE))
    report = verify(FakeEngine(spoiled("XX./OO./...", 6)), THREE, baseline=path)
    assert [verdict.position.board for verdict in report.worse] == ["XX./OO./..."]
    assert report.exit_code == 1


def test_a_worse_kind_of_blunder_is_news(kept: Callable[[Report], Path]) -> None:
    path = kept(verify(FakeEngine(spoiled("XX./OO./...", 5)), THREE))
    assert verify(FakeEngine(spoiled("XX./OO./...", 5)), THREE, baseline=path).passed
    assert not verify(FakeEngine(spoiled("XX./OO./...", 6)), THREE, baseline=path).passed


def test_a_baseline_that_is_none_is_refused(kept: Callable[[Report], Path], tmp_path: Path) -> None:
    path = kept(verify(FakeEngine(perfect), THREE))
    with pytest.raises(EngineError, match=r"is of 3,3,3, not of 3,3,3,misere"):
        verify(FakeEngine(first), Rules.parse("3,3,3,misere"), baseline=path)
    for text in ("", "[]", json.dumps({"game": "3,3,3"}), '{"game": "3,3,3", "faults": [3]}'):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(EngineError, match="--format json -o FILE"):
            verify(FakeEngine(first), THREE, baseline=path)
    with pytest.raises(EngineError, match="can't be read"):
        verify(FakeEngine(first), THREE, baseline=tmp_path / "none.json")
