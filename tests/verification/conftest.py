"""Three engines that are verified once (a bad one, a good one, one with odd faults), and engines in files."""

from collections.abc import Callable
from pathlib import Path

import pytest

from solver.game.position import Position
from solver.verification.answer import EngineAnswer, Failure
from solver.verification.verify import Report, verify
from tests.verification.fakes import THREE, FakeEngine, first, graded, perfect

Write = Callable[..., str]


@pytest.fixture(scope="session")
def bad() -> Report:
    return graded(first)


@pytest.fixture(scope="session")
def good() -> Report:
    return graded(perfect)


@pytest.fixture(scope="session")
def odd() -> Report:
    """One blunder, and one failure whose text is full of special characters."""
    blunder, failing = (Position.parse(THREE, board) for board in ("XX./OO./...", "X../.../..."))

    def mind(position: Position) -> int | EngineAnswer:
        if position == failing:
            return EngineAnswer(None, Failure.EXCEPTION, "ValueError: <b> & | `x` \x07 \"q\", 'é'")
        return 6 if position == blunder else perfect(position)

    return verify(FakeEngine(mind), THREE)


@pytest.fixture(autouse=True)
def _one_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Use one process, because starting another takes longer than these games, and leave time for suggestions."""
    monkeypatch.setattr("solver.verification.suggestion.SECONDS", 60.0)
    monkeypatch.setattr("solver.support.sessions.available_cores", lambda: 1)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """`write(source)` writes agent.py and returns its path."""

    def put(source: str, name: str = "agent.py") -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
        return str(path)

    return put
