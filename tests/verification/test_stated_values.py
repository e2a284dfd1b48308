"""The values that an engine states, on scales of every kind."""

from collections.abc import Callable
from random import Random

import pytest
from solver.verification.contract import Answer
from solver.verification.stated_values import StatedValues

from solver.game.position import Position
from solver.verification.verify import verify
from tests.verification.fakes import THREE, FakeEngine, perfect, solved


def stating(value: Callable[[Position], float]) -> StatedValues:
    report = verify(FakeEngine(lambda position: Answer(perfect(position), value=value(position))), THREE)
    assert report.values is not None
    assert report.json()["values"]["agreeing"] == report.values.agreeing
    return report.values


def wdl(position: Position) -> int:
    return solved().probe(position).wdl


def for_x(position: Position) -> int:
    return wdl(position) * (1 if position.to_move == "X" else -1)


@pytest.mark.sampled
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


@pytest.mark.slow
def test_values_that_are_wrong_in_one_position_are_found_out() -> None:
    board = Position.parse(THREE, "XX./OO./...")
    values = stating(lambda position: -1.0 if position == board else wdl(position))
    assert values.agreeing == 4519
    [worst] = values.worst
    assert (worst.position, worst.stated, worst.truth) == (board, -1.0, 1)


@pytest.mark.slow
def test_values_that_mean_nothing_have_no_rank_correlation() -> None:
    draw = Random(0)
    assert abs(stating(lambda _: draw.uniform(-1, 1)).correlation or 0) < 0.1
    assert stating(lambda _: 0.5).correlation is None


@pytest.mark.slow
def test_an_engine_that_tells_quick_wins_from_slow_ones_is_held_to_it() -> None:
    def quick(position: Position) -> float:
        value = solved().probe(position)
        return value.wdl * (20 - (value.distance or 0))

    assert stating(quick).correlation == 1.0
    assert (stating(lambda position: quick(position) ** 3).correlation) == 1.0  # only the order counts
    assert (stating(lambda position: wdl(position) * 30 - quick(position)).correlation or 0) < 1.0


@pytest.mark.slow
def test_an_engine_that_states_nothing_is_not_compared() -> None:
    assert verify(FakeEngine(perfect), THREE).values is None
