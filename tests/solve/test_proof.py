"""Proofs: resumed after an interruption, given up in time, and never kept unless the check agrees."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Event
from typing import get_args

import numpy as np
import pytest

from solver.check.check_report import StrategyReport
from solver.errors import CheckFailed, RulesError
from solver.game.games import parse_game
from solver.solve import proof
from solver.solve.proof import ProofState, _WinNotes, notes_path, prove_game
from solver.store.paths import strategy_path
from solver.store.strategy_file import Claim
from tests.commands import mnk


def test_a_proof_that_takes_too_long_is_resumed_from_its_notes(tmp_path: Path) -> None:
    rules = parse_game("6,6,4")
    assert prove_game(rules, tmp_path, seconds=1e-9) is None
    assert {*tmp_path.iterdir()} == {notes_path(tmp_path, rules, claim) for claim in get_args(Claim)}
    notes_path(tmp_path, rules, "wins").write_bytes(b"damaged")
    notes_path(tmp_path, rules, "holds").write_bytes(b"PK\3\4damaged")
    (tmp_path / f"{strategy_path(tmp_path, rules).name}.99999999-1-1.unchecked").touch()  # of a process that was killed
    states: list[ProofState] = []
    assert prove_game(rules, tmp_path, seconds=300, progress=states.append) == strategy_path(tmp_path, rules)
    assert [path.name for path in tmp_path.iterdir()] == [strategy_path(tmp_path, rules).name]
    assert str(states[-1]).endswith("positions checked")


def test_resumed_searches_keep_what_each_has_found(tmp_path: Path) -> None:
    rules, none = parse_game("6,6,4"), np.zeros((0, 2), np.int32)
    notes = _WinNotes(rules, tmp_path / "notes.npz")
    assert [len(keys) for keys, _ in map(notes.earlier, range(2))] == [0, 0]
    for order, numbers in enumerate(([[0, 7], [3, 4]], [[5, 6], [0, 9]])):
        notes.keep(order, (np.array([2 * order + 1, 2 * order + 11], np.uint64), np.array(numbers, np.int32)))
    resumed = _WinNotes(rules, tmp_path / "notes.npz")
    assert [[*map(int, keys)] for keys, _ in map(resumed.earlier, range(2))] == [[1, 11, 13], [3, 13, 1]]
    resumed.keep(0, (np.array([], np.uint64), none))  # an earlier note of the other search stays
    assert [[*map(int, keys)] for keys, _ in map(_WinNotes(rules, tmp_path / "notes.npz").earlier, range(2))] == [
        [13], [3, 13],
    ]  # fmt: skip


def test_an_interrupted_proof_keeps_its_notes(tmp_path: Path) -> None:
    rules = parse_game("9,9,5")

    def interrupt(state: ProofState) -> None:
        if state.wins and state.hold.nodes:  # both searches are compiled
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prove_game(rules, tmp_path, seconds=300, progress=interrupt)
    assert {*tmp_path.iterdir()} == {notes_path(tmp_path, rules, claim) for claim in get_args(Claim)}


def test_an_interrupted_proof_does_not_wait_for_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, begun = Event(), time.monotonic()
    monkeypatch.setattr(proof, "_searches", lambda *_: [lambda _: compiled.wait(60)])
    monkeypatch.setattr(proof, "is_compiling", lambda: True)
    with pytest.raises(KeyboardInterrupt):
        prove_game(parse_game("6,6,4"), tmp_path, progress=lambda _: signal.raise_signal(signal.SIGINT))
    assert time.monotonic() - begun < 30
    compiled.set()


def test_a_strategy_that_the_check_rejects_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = StrategyReport(problems=("In the empty board, no.",))
    monkeypatch.setattr(proof, "check_strategy", lambda *_, **__: wrong)
    with pytest.raises(CheckFailed, match="which is a fault of this program: In the empty board, no"):
        prove_game(parse_game("6,6,4"), tmp_path)
    assert [*tmp_path.glob("*.sqlite*")] == []


KILLED = """
from solver.cli import main
from solver.search import threats
from solver.solve import draw_proof

threats._KEPT_EVERY = draw_proof._KEPT_EVERY = 0.1
main(prog_name="mnk")
"""


@pytest.mark.slow
@pytest.mark.parametrize(("game", "claim"), [("6,6,4,exact", "wins"), ("7,7,5", "holds")])
def test_a_killed_build_resumes_from_its_notes(game: str, claim: Claim, tmp_path: Path) -> None:
    rules = parse_game(game)
    notes = notes_path(tmp_path, rules, claim)
    words = ["build", game, "--data", str(tmp_path), "--time", "300", "--force"]
    with subprocess.Popen([sys.executable, "-c", KILLED, *words]) as build:
        while not notes.exists() and build.poll() is None:
            time.sleep(0.01)
        build.kill()  # SIGKILL
    assert build.returncode == -signal.SIGKILL
    assert not strategy_path(tmp_path, rules).exists()
    resumed = mnk(*words)
    assert "Resuming the interrupted proof" in resumed.stderr
    expected = {"wins": "X wins within", "holds": "O holds: X does not win"}[claim]
    assert f"Proved {game} " in resumed.stdout
    assert expected in resumed.stdout
    assert [path.name for path in tmp_path.iterdir()] == [strategy_path(tmp_path, rules).name]
    assert mnk("check", game, "--data", tmp_path).exit_code == 0


def test_games_without_threats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="choose a game such as 15,15,5"):
        prove_game(parse_game("7,7,4,misere"), tmp_path)
