"""A source that lacks some values: nothing is graded, claimed or played on a value that nobody knows."""

import os
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from solver.engines.builtin.greedy import GreedyEngine
from solver.engines.builtin.perfect import GradedEngine, PerfectEngine
from solver.engines.match import Terms, play_match
from solver.errors import GraderError, Unsettled
from solver.game.position import Position
from solver.search.truth import Truth, open_truth
from solver.tablebase import Tablebase
from solver.verification import verify as module
from solver.verification.answer import EngineAnswer, Failure
from solver.verification.grade import Blunder, Verdict, group_blunders, judge
from solver.verification.player import open_engines
from solver.verification.refutation import find_refutation
from solver.verification.verify import verify
from tests.commands import TableFile
from tests.verification.fakes import THREE, FakeEngine, Partial, first, graded, perfect, solved, spoiled

WON, DRAWN, LOST = "XX./OO./...", "X../.O./..X", "XO./X../..."


def judged(board: str, move: int, *unknown: str, failure: Failure | None = None) -> Any:
    return judge(Partial(*unknown), Position.parse(THREE, board), EngineAnswer(move, failure))


def test_a_move_without_a_value_is_not_judged_except_in_a_lost_position() -> None:
    assert judged(WON, 6, "XX./OO./X..") is None
    assert judged(DRAWN, 1, DRAWN) is None
    lost = judged(LOST, 2, "XOO/X../...")
    assert (lost.fault, lost.inaccuracy, lost.value.wdl) == (None, None, -1)


def test_a_move_with_a_value_is_judged_whatever_the_others_are() -> None:
    """The values that are known decide what a mistake is, what a random player can expect, and which moves are best."""
    blunder = judged(WON, 6, "XX./OO./..X")
    assert (blunder.fault, blunder.best, len(blunder.options)) == (Blunder.WIN_TO_LOSS, (2,), 4)
    assert blunder.critical
    assert blunder.chance == sum(value.wdl == 1 for _, value in blunder.options) / 4
    worse = [
        f"X{'O' * (i == 1)}{'.' * (i != 1)}{'O' if i == 2 else '.'}/.O./{'O' if i == 6 else '.'}.X" for i in (2, 6)
    ]
    assert not judged(DRAWN, 1, *worse).critical


def test_a_failure_is_a_fault_in_any_position() -> None:
    failed = judged(DRAWN, 1, DRAWN, failure=Failure.CRASH)
    assert (failed.fault, failed.value, failed.critical, failed.best, failed.inaccuracy) == (
        "crash",
        None,
        False,
        (),
        None,
    )


def test_the_line_after_a_blunder_ends_where_the_best_move_is_unknown() -> None:
    [verdict] = [one for one in graded(spoiled(WON, 6)).verdicts if one.fault]
    [whole], [cut] = (group_blunders(source, [verdict], []) for source in (solved(), Partial("XX./OOO/X..")))
    assert (whole.line, cut.line) == ((5,), ())


def test_a_refutation_needs_no_values_but_marks_only_known_mistakes() -> None:
    [whole, part] = [
        find_refutation(source, THREE, "X", FakeEngine(first))[0] for source in (solved(), Partial("XO./.../..."))
    ]
    assert (whole.line, whole.mistakes) == (part.line, (2, 4))
    assert part.mistakes == (4,)
    unknown, _ = find_refutation(Partial("start"), THREE, "O", FakeEngine(perfect))
    assert (unknown.beaten, unknown.complete, unknown.lost_anyway) == (False, True, False)


@pytest.fixture
def truth(monkeypatch: pytest.MonkeyPatch) -> Partial:
    truth = Partial("X../.../...")
    monkeypatch.setattr(module, "open_truth", lambda *_: truth)
    return truth


def test_positions_without_a_value_are_left_out_of_a_report(truth: Partial) -> None:
    """The perfect engine opens with a1, whose value is unknown, and answers a1 in a position of unknown value."""
    report = verify(FakeEngine(perfect), THREE)
    assert len(report.verdicts) == 4518
    assert "2 positions left out, because the value of the engine's move is unknown" in report.notes
    assert (report.passed, report.scope.kind) == (True, "sample")
    for name in ("text", "json", "junit", "gradescope", "html"):
        assert report.format(name)
    truth.unknown.add(Position.start(THREE))
    crash = EngineAnswer(None, Failure.CRASH)
    report = verify(FakeEngine(lambda _: crash), THREE, at=["start", WON])
    assert [fault["value"] and fault["value"]["wdl"] for fault in report.json()["faults"]] == [None, 1]
    assert [report.format(name) for name in ("text", "junit", "html")]
    assert verify(FakeEngine(lambda _: EngineAnswer(4, value=0.5)), THREE, at=[DRAWN, WON]).values is not None
    for at in ("start", ["start", WON]):  # the second could pass, although the first was not graded
        with pytest.raises(GraderError, match=r"unknown in 1 position of [12], such as \.\.\./"):
            verify(FakeEngine(perfect), THREE, at=at)


@pytest.mark.parametrize(
    ("sample", "known", "needed"), [(None, 299, 300), (None, 300, 0), (400, 299, 300), (50, 44, 45), (50, 45, 0)]
)
def test_a_grade_needs_enough_known_values(
    sample: int | None, known: int, needed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine could play moves of unknown value wherever it does not know a good one."""
    judged: list[Position] = []

    def judge_some(truth: Truth, position: Position, answer: EngineAnswer) -> Verdict | None:
        judged.append(position)
        return judge(truth, position, answer) if len(judged) <= known else None

    monkeypatch.setattr(module, "judge", judge_some)
    if not needed:
        assert len(verify(FakeEngine(perfect), THREE, sample=sample).verdicts) == known
        return
    with pytest.raises(GraderError, match=f"a grade needs {needed} known values; ask for a larger sample") as refused:
        verify(FakeEngine(perfect), THREE, sample=sample)
    assert refused.value.positions == (sample or 4520)


# Engines that play from a source


def engine(make: type[Any], *unknown: str, **options: Any) -> Any:
    made = make(**options)
    made.truth = Partial(*unknown)
    return made


@pytest.mark.parametrize("ties", ["fastest", "random", "traps"])
def test_the_perfect_engine_plays_a_proven_best_move_or_none(ties: str) -> None:
    assert engine(PerfectEngine, "XX./OO./..X", ties=ties).choose(Position.parse(THREE, WON)).move == 2
    edges = [f"X{'O' if i == 1 else '.'}./{'O' if i == 3 else '.'}O{'O' if i == 5 else '.'}/.{'O' if i == 7 else '.'}X"
             for i in (1, 3, 5, 7)]  # fmt: skip
    assert engine(PerfectEngine, *edges[1:], ties=ties).choose(Position.parse(THREE, DRAWN)).move == 1
    with pytest.raises(Unsettled):
        engine(PerfectEngine, *edges, ties=ties).choose(Position.parse(THREE, DRAWN))


def test_a_trap_counts_the_mistakes_that_are_known() -> None:
    """After b2, all replies but corners lose; if these are unknown, the corners keep their traps."""
    assert {*engine(PerfectEngine, ties="traps").distribution(Position.start(THREE))} == {0, 2, 6, 8}
    replies = [f"X{cells[:2]}/{cells[2:5]}/{cells[5:]}" for cells in ("." * i + "O" + "." * (7 - i) for i in range(8))]
    assert {*engine(PerfectEngine, *replies, ties="traps").distribution(Position.start(THREE))} == {2, 6, 8}


def test_the_graded_engine_mixes_known_best_moves_and_all_moves() -> None:
    chances = engine(GradedEngine, "XX./OO./..X").distribution(Position.parse(THREE, WON))
    assert chances == {2: Fraction(6, 10), **dict.fromkeys((5, 6, 7, 8), Fraction(1, 10))}


def test_the_graded_engine_guesses_no_move_that_is_known_to_lose() -> None:
    """The greedy player takes a corner, which loses; the draws beside them are unknown here."""
    position = Position.parse(THREE, DRAWN)
    assert {*GreedyEngine().distribution(position)} == {2, 6}
    guessing = engine(GradedEngine, DRAWN, *(position.play(square).board for square in (1, 3, 5, 7)), strength=1)
    assert {*guessing.distribution(position)} == {1, 3, 5, 7}


# What is opened is closed, and nothing else


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Tablebase]:
    """The tables that the test opens, in the order in which they are opened."""
    tables: list[Tablebase] = []
    read = Tablebase.open

    def watched(*given: Any) -> Tablebase:
        tables.append(read(*given))
        return tables[-1]

    monkeypatch.setattr(Tablebase, "open", watched)
    return tables


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[Tablebase]:
    """The tables that the test closes."""
    tables: list[Tablebase] = []
    close = Tablebase.close

    def watched(table: Tablebase) -> None:
        tables.append(table)
        close(table)

    monkeypatch.setattr(Tablebase, "close", watched)
    return tables


def test_engines_close_only_the_values_that_they_opened(
    table_file: TableFile, opened: list[Tablebase], closed: list[Tablebase]
) -> None:
    path, terms = str(table_file("3,3,3")), Terms(Position.start(THREE), games=1)
    play_match(["perfect", "graded"], terms, tables=path)
    with open_engines(THREE, path) as open_engine:
        open_engine("perfect")
    assert len(opened) == 3
    assert {*map(id, opened)} == {*map(id, closed)}
    with open_truth(THREE, path) as own:
        play_match(["perfect", "graded"], terms, tables=own)
        assert own.table not in closed


def test_a_verification_closes_only_the_values_that_it_opened(
    table_file: TableFile, opened: list[Tablebase], closed: list[Tablebase]
) -> None:
    path = str(table_file("3,3,3"))
    for side in (None, "x"):
        with suppress(GraderError):
            verify(FakeEngine(perfect), THREE, tables=path, side=side)
        assert opened[-1] in closed
    with Tablebase.open(path) as own:
        for tables in (own, open_truth(THREE, own)):
            verify(FakeEngine(perfect), THREE, at="start", tables=tables)
        assert own not in closed


def test_an_engine_that_cannot_be_started_leaves_no_descriptor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("sys.executable", str(tmp_path / "absent"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = os.listdir("/proc/self/fd")
    with pytest.raises(FileNotFoundError):
        verify("random", THREE)
    assert os.listdir("/proc/self/fd") == before
    assert [*tmp_path.iterdir()] == []
