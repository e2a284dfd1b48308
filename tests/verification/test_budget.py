"""A verdict in bounded time, and the same each time."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from solver.errors import EngineError
from solver.game.position import Position
from solver.verification.adapters.open import open_engine
from solver.verification.adapters.retries import MOST_LOST, Retries
from solver.verification.contract import NOT_IN_TIME, Answer, AskOptions, Failure, Progress
from solver.verification.verify import verify
from tests.verification.fakes import THREE, FakeEngine, first, perfect

ASKED = AskOptions(board="flat list", marks="X,O, ", moves="index", workers=1)
LATE = Answer(None, Failure.TIMEOUT, "no answer within 1 s")

Write = Callable[[str], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write an engine into a file; gives what to ask."""

    def write_engine(text: str) -> str:
        file = tmp_path / "engine.py"
        file.write_text(text, encoding="utf-8")
        return f"{file}:best_move"

    return write_engine


DRAWS = {
    "a module's own generator": "import random\nrng = random.Random()\ndraw = lambda free: rng.choice(free)",
    "an order drawn when it is loaded": "import random\norder = random.sample(range(9), 9)\n"
    "draw = lambda free: min(free, key=order.index)",
    "seeding without a seed": "import random\ndef draw(free):\n    random.seed()\n    return random.choice(free)",
    "the order of a set": "draw = lambda free: int(next(iter({str(square) for square in free})))",
    "what was asked before": "asked = []\n"
    "def draw(free):\n    asked.append(1)\n    return free[len(asked) % len(free)]",
}
PLAYS = "\ndef best_move(board):\n    return draw([n for n, mark in enumerate(board) if mark == ' '])\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWS)
def test_answers_are_the_same_however_many_processes_answer(write: Write, name: str) -> None:
    engine = write(DRAWS[name] + PLAYS)
    positions = [Position.start(THREE).play(a).play(b) for a in range(9) for b in range(9) if a != b]
    found = []
    for workers in (1, 3):
        with open_engine(engine, THREE, options=replace(ASKED, workers=workers)) as tested:
            found.append([answer.move for answer in tested.ask(positions)])
    assert found[0] == found[1]
    assert len({*found[0]}) > 1


@pytest.mark.slow
def test_numpy_draws_from_the_seed_too(write: Write) -> None:
    text = "import numpy\nrng = numpy.random.default_rng()\nfirst = numpy.random.permutation(9)\n"
    engine = write(text + "draw = lambda free: free[(int(rng.integers(9)) + int(first[0])) % len(free)]" + PLAYS)
    found = []
    for seed in (1, 1, 2):
        with open_engine(engine, THREE, options=replace(ASKED, seed=seed)) as tested:
            found.append([answer.move for answer in tested.ask([Position.start(THREE)] * 10)])
    assert found[0] == found[1] != found[2]


@pytest.mark.slow
def test_answers_that_differ_are_noticed_without_asking_for_it(write: Write) -> None:
    text = "import os\ndraw = lambda free: free[os.urandom(1)[0] % len(free)]"
    report = verify(write(text + PLAYS), THREE, sample=200, options=ASKED)
    assert any("of 13 positions asked twice were answered differently" in note for note in report.notes)
    report = verify(FakeEngine(first), THREE)
    assert not any("answered differently" in note for note in report.notes)


def test_a_time_out_is_asked_again_before_it_counts() -> None:
    retries, well = Retries(), Answer(4)
    answers = [well, LATE, LATE, well]
    retries.ask(answers, Answer, time.monotonic() + 60)
    assert answers == [well, Answer(1), Answer(2), well]
    assert retries.notes() == ("2 answers came in time only when asked again, with nothing else going on",)


def test_an_engine_that_is_late_again_is_not_asked_for_ever() -> None:
    retries, asked = Retries(), list[int]()

    def put(place: int) -> Answer:
        asked.append(place)
        return LATE

    answers = [LATE] * 10
    retries.ask(answers, put, time.monotonic() + 60)
    assert asked == [*range(MOST_LOST)]
    assert answers == [LATE] * 10
    assert retries.notes() == ()


def test_one_that_was_late_once_is_not_failed(write: Write, tmp_path: Path) -> None:
    mark = tmp_path / "was late"
    text = f"import os, time\nmark = {str(mark)!r}\n"
    text += "def draw(free):\n    if len(free) == 8 and not os.path.exists(mark):\n"
    text += "        open(mark, 'w').close()\n        time.sleep(60)\n    return free[0]"
    with open_engine(write(text + PLAYS), THREE, options=replace(ASKED, seconds_per_move=2)) as tested:
        mark.unlink(missing_ok=True)
        [answer] = tested.ask([Position.start(THREE).play(4)])
    assert (answer.move, answer.failure) == (0, None)
    assert "1 answer came in time only when asked again, with nothing else going on" in tested.remarks()


@pytest.mark.slow
def test_a_verdict_that_hangs_on_time_alone_says_so() -> None:
    def slow(position: Position) -> "int | Answer":
        return perfect(position) if position.ply else LATE

    report = verify(FakeEngine(slow), THREE)
    assert not report.passed
    assert "nothing but time stands against it: it may pass where it is given more (--time)" in report.notes


class SlowEngine(FakeEngine):
    """Takes a while for each answer, and begins none when its time is over."""

    def ask(self, positions: Sequence[Position], progress: Progress | None = None) -> list[Answer]:
        del progress
        return [self._ask(position) for position in positions]

    def _ask(self, position: Position) -> Answer:
        if time.monotonic() > self.until:
            return Answer(None, Failure.TIMEOUT, NOT_IN_TIME)
        time.sleep(0.001)
        return Answer(first(position))


def test_a_budget_gives_a_sample_with_an_interval() -> None:
    report = verify(SlowEngine(first), THREE, budget=2)
    assert report.scope.kind == "sample"
    assert 20 < report.positions < 2000
    low, high = report.interval or (0, 0)
    assert low < 0.5865 < high  # the first empty square is right in 2,651 of 4,520
    assert "a sample of as many positions as there was time for in 2 s (--budget)" in report.notes


def test_a_budget_that_is_large_enough_changes_nothing() -> None:
    report = verify(FakeEngine(perfect), THREE, budget=1000)
    assert report.passed
    assert report.scope.kind == "all"


@pytest.mark.slow
def test_finding_the_convention_takes_no_longer_than_it_may(write: Write) -> None:
    engine = write("import time\ndef best_move(board):\n    time.sleep(0.2)\n    return '?'\n")
    begun = time.monotonic()
    with pytest.raises(EngineError, match=r"The 2 s to find out how it is asked are over\. No way .*it returned '\?'"):
        open_engine(engine, THREE, options=AskOptions(workers=1, seconds_to_detect=2))
    assert time.monotonic() < begun + 10
