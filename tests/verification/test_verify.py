"""A report as a number, a verdict and an assertion."""

import pytest
from solver.verification.contract import Answer

from solver.game.position import Position
from solver.verification.verify import Report, assert_perfect, verify
from tests.verification.fakes import THREE, FakeEngine, minimax, perfect, spoiled


@pytest.mark.slow
def test_the_repetitions_are_counted() -> None:
    def mind(position: Position) -> Answer:
        return Answer(perfect(position), others=(Answer(position.legal_moves[-1]),))

    report = verify(FakeEngine(mind), THREE, repeat=2)
    assert report.unstable == report.json()["unstable"] > 1000
    assert "always answers alike           no" in str(report)


def test_assert_perfect_says_what_is_wrong() -> None:
    assert_perfect(FakeEngine(minimax), "3,3,3")
    assert_perfect(FakeEngine(perfect), "3,3,3", fastest=True)
    with pytest.raises(AssertionError, match="slow wins"):
        assert_perfect(FakeEngine(minimax), "3,3,3", fastest=True)
    with pytest.raises(AssertionError, match="Win to loss, in 1 of 8 orientations"):
        assert_perfect(FakeEngine(spoiled("XX./OO./...", 6)), "3,3,3")


def test_a_report_is_a_number_and_a_verdict(good: Report, bad: Report) -> None:
    assert (float(good), bool(good), good.exit_code) == (1.0, True, 0)
    assert (float(bad) < 1, bool(bad), bad.exit_code) == (True, False, 1)
    assert repr(bad) == "<Report of first on 3,3,3: failed, score 0.5865>"
