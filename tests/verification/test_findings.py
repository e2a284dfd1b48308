"""A report as a number, a verdict and an assertion; the values that an engine states; a report as a baseline."""

import json
import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from solver.errors import MnkError, TooSlow
from solver.game.games import parse_game
from solver.game.position import Position
from solver.verification.answer import EngineAnswer, Failure
from solver.verification.findings import StatedValues
from solver.verification.verify import Report, assert_perfect, verify
from tests.verification.fakes import THREE, FakeEngine, Mind, first, graded, minimax, perfect, solved, spoiled
from tests.verification.makers import boards
from tests.verification.referee import THREE as GAME


def test_assert_perfect_reports_the_faults() -> None:
    assert_perfect(FakeEngine(minimax), "3,3,3")
    with pytest.raises(AssertionError, match="Win to loss, in 1 of 8 orientations"):
        assert_perfect(FakeEngine(spoiled("XX./OO./...", 6)), "3,3,3")


def test_a_report_is_a_number_and_a_verdict(good: Report, bad: Report) -> None:
    assert (float(good), bool(good)) == (1.0, True)
    assert (float(bad) < 1, bool(bad)) == (True, False)
    assert repr(bad) == "<Report of first on 3,3,3: failed, score 0.4143>"
    assert str(pickle.loads(pickle.dumps(bad))) == str(bad)


def test_an_engine_of_one_side_is_reported_with_the_side_that_passes() -> None:
    def plays_o(position: Position) -> int | EngineAnswer:
        return perfect(position) if position.to_move == "O" else EngineAnswer(None, Failure.EXCEPTION, "only O")

    report = verify(FakeEngine(plays_o), THREE)
    assert report.perfect_side == "O"
    assert "perfect as O (side='O')" in str(report).splitlines()[0]
    shell = replace(report, command=("mnk verify 3,3,3 agent.py --at ", ""))
    assert "perfect as O (--side O)" in str(shell).splitlines()[0]
    assert verify(FakeEngine(plays_o), THREE, side="O").passed
    assert graded(first).perfect_side is None


def test_a_faultless_sample_does_not_pass_an_engine_that_is_beaten() -> None:
    def slow(position: Position) -> int | EngineAnswer:
        return perfect(position) if position.ply else EngineAnswer(None, Failure.TIMEOUT, "")

    report = verify(FakeEngine(slow), THREE, sample=20, seed=1)
    assert (report.wrong, report.passed, report.perfect_side) == (0, False, None)
    lines = str(report).splitlines()
    hint = "as X: timeout on the empty board (more time for a move may help)"
    assert all(hint in line for line in (lines[0], lines[-1]))

    def bad_as_o(position: Position) -> int | EngineAnswer:
        return first(position) if position.to_move == "O" else slow(position)

    report = verify(FakeEngine(bad_as_o), THREE, sample=200, seed=1)
    assert {verdict.position.to_move for verdict in report.verdicts if verdict.fault} == {"O"}
    assert report.perfect_side is None


class Stalling(FakeEngine):
    """Perfect, but it answers no more than `most` positions in time."""

    def __init__(self, most: int) -> None:
        super().__init__(perfect)
        self._most = most

    def ask(self, *given: object) -> bool:
        super().ask(*given)  # type: ignore[arg-type]  # as it comes
        for position in [*self.answers][self._most :]:
            del self.answers[position]
        return False


def test_a_cut_off_verification_says_so() -> None:
    report = verify(Stalling(300), THREE)
    assert (report.scope.kind, len(report.verdicts), report.interval is not None) == ("sample", 300, True)
    assert "option budget" in str(report)


def test_positions_that_were_given_are_graded_all_or_not_at_all() -> None:
    """An engine could stall once it has answered as many as a sample needs."""
    given = boards(GAME, GAME.live[:400])
    with pytest.raises(TooSlow, match="a grade needs 400 positions"):
        verify(Stalling(390), THREE, at=given)


def test_a_report_says_how_many_positions_were_asked_again() -> None:
    class Changing(FakeEngine):
        def count_changes(self, positions: Sequence[Position]) -> int:
            return len(positions)

    [note] = verify(Changing(perfect), THREE, sample=12).notes
    assert "asked again in 12 positions by new processes, it answered differently in 12" in note


@pytest.mark.parametrize(("wrong", "points", "expected"), [(4, 100, 20.0), (4, 20, 4.0), (1, 19.9, 15.92), (2, 7, 4.2)])
def test_points_are_rounded_down_but_lose_nothing_else(wrong: int, points: float, expected: float) -> None:
    spoil = iter(["X../.../...", ".X./.../...", "..X/.../...", ".../X../..."][:wrong])
    boards = {Position.parse(THREE, board) for board in spoil}
    at = ["X../.../...", ".X./.../...", "..X/.../...", ".../X../...", ".../.../X.."]
    losing = {"X../.../...": 1, ".X./.../...": 3, "..X/.../...": 0, ".../X../...": 1}
    engine = FakeEngine(lambda position: losing[position.board] if position in boards else perfect(position))
    assert verify(engine, THREE, at=at, points=points).points == expected


# The values that an engine states


def stating(value: Callable[[Position], float]) -> StatedValues:
    report = verify(FakeEngine(lambda position: EngineAnswer(perfect(position), value=value(position))), THREE)
    assert report.values is not None
    facts = report.json()["values"]
    assert facts["agreeing"] == report.values.agreeing == facts["positions"] - len(facts["disagreeing"])
    assert [one["position"] for one in facts["disagreeing"]] == [
        one.position.board for one in report.values.disagreeing
    ]
    return report.values


def wdl(position: Position) -> int:
    return solved().probe(position).wdl


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("value", "scale"),
    [
        (wdl, "-1 to 1"), (lambda position: wdl(position) * (10 - position.ply), "by sign"),
        (lambda position: (0.96 * wdl(position) + 1) / 2, "0 to 1"),
    ],
)  # fmt: skip
def test_true_values_agree_on_every_scale(value: Callable[[Position], float], scale: str) -> None:
    assert stating(value) == StatedValues(4520, (), scale)


@pytest.mark.slow
def test_wrong_stated_values_are_found_and_missing_ones_ignored() -> None:
    board = Position.parse(THREE, "XX./OO./...")
    wrong = stating(lambda position: -1.0 if position == board else wdl(position))
    assert (wrong.agreeing, [one.position for one in wrong.disagreeing]) == (4519, [board])
    of_x = stating(lambda position: wdl(position) * (1 if position.to_move == "X" else -1))
    assert (of_x.for_x, wrong.for_x, 0 < of_x.agreeing < 4520) == (True, False, True)
    assert stating(lambda position: float("nan") if position == board else wdl(position)).positions == 4519
    assert graded(perfect).values is None


# A report kept as a baseline


@pytest.fixture
def kept(tmp_path: Path) -> Callable[[Report], Path]:
    def keep(report: Report) -> Path:
        path = tmp_path / "baseline.json"
        path.write_text(report.format("json"), encoding="utf-8")
        return path

    return keep


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("before", "now", "worse"),
    [
        (perfect, spoiled("XX./OO./...", 6), ["XX./OO./..."]), (first, first, []), (first, perfect, []),
        (spoiled("X../.O./..X", 6), spoiled("XX./OO./...", 6), ["XX./OO./..."]),
        (spoiled("XX./OO./...", 5), spoiled("XX./OO./...", 6), ["XX./OO./..."]),
        (spoiled("XX./OO./...", 6), spoiled("XX./OO./...", 5), []),
    ],
)  # fmt: skip
def test_only_worse_faults_fail(before: Mind, now: Mind, worse: list[str], kept: Callable[[Report], Path]) -> None:
    path = kept(graded(before))
    report = verify(FakeEngine(now), THREE, baseline=path)
    assert [verdict.position.board for verdict in report.worse] == worse
    assert report.passed == (not worse)
    assert ("Nothing is worse than in baseline.json." in str(report)) == (not worse)
    assert report.json()["baseline"] == {"name": "baseline.json", "worse": len(report.worse)}


def test_a_sample_is_compared_with_a_baseline_in_the_same_positions(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(json.dumps(verify(FakeEngine(first), THREE, sample=100).json()))
    report = verify(FakeEngine(first), THREE, baseline=path)
    assert (len(report.verdicts), report.passed, report.worse) == (100, True, ())


def test_invalid_baselines_are_refused(kept: Callable[[Report], Path], tmp_path: Path, good: Report) -> None:
    path = kept(good)
    with pytest.raises(MnkError, match=r"is of 3,3,3, not of 3,3,3,misere"):
        verify(FakeEngine(first), parse_game("3,3,3,misere"), baseline=path)
    for text in ("", "[]", json.dumps({"game": "3,3,3"}), '{"game": "3,3,3", "faults": [3]}'):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(MnkError, match="--report json"):
            verify(FakeEngine(first), THREE, baseline=path)
    with pytest.raises(MnkError, match="can't be read"):
        verify(FakeEngine(first), THREE, baseline=tmp_path / "none.json")
