"""Proofs: resumed after an interruption, given up in time, and never kept unless the check agrees."""

from pathlib import Path

import pytest

from solver.check.strategy_check import StrategyReport
from solver.errors import CheckFailed, RulesError
from solver.game.games import parse_game
from solver.solve import proof
from solver.solve.proof import ProofState, notes_path, prove_game
from solver.store.paths import strategy_path


def test_a_proof_that_takes_too_long_is_resumed_from_its_notes(tmp_path: Path) -> None:
    rules = parse_game("6,6,4")
    assert prove_game(rules, tmp_path, seconds=1e-9) is None
    assert [path.name for path in tmp_path.iterdir()] == [notes_path(tmp_path, rules).name]
    notes_path(tmp_path, rules).write_bytes(b"damaged")
    states: list[ProofState] = []
    assert prove_game(rules, tmp_path, seconds=300, progress=states.append) == strategy_path(tmp_path, rules)
    assert [path.name for path in tmp_path.iterdir()] == [strategy_path(tmp_path, rules).name]
    assert str(states[-1]).endswith("positions checked")


def test_an_interrupted_proof_keeps_its_notes(tmp_path: Path) -> None:
    rules, calls = parse_game("9,9,5"), 0

    def interrupt(state: ProofState) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prove_game(rules, tmp_path, seconds=300, progress=interrupt)
    assert [path.name for path in tmp_path.iterdir()] == [notes_path(tmp_path, rules).name]


def test_a_strategy_that_the_check_rejects_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "check_strategy", lambda *_: StrategyReport(problems=("In the empty board, no.",)))
    with pytest.raises(CheckFailed, match="which is a fault of this program: In the empty board, no"):
        prove_game(parse_game("6,6,4"), tmp_path)
    assert [*tmp_path.glob("*.sqlite*")] == []


def test_games_without_threats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="choose a game such as 15,15,5"):
        prove_game(parse_game("7,7,4,misere"), tmp_path)
