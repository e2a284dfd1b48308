"""Proofs: resumed after an interruption, given up in time, and never kept unless the check agrees."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from solver.check.check_report import StrategyReport
from solver.errors import CheckFailed, RulesError, StorageError
from solver.game.games import parse_game
from solver.search.threats import ProofProgress
from solver.solve import lock, proof
from solver.solve.proof import ProofState, notes_paths, prove_game
from solver.store.paths import strategy_path
from solver.store.strategy_file import is_unfinished_proof
from tests.commands import mnk


def test_a_proof_that_takes_too_long_is_resumed_from_its_notes(tmp_path: Path) -> None:
    rules = parse_game("6,6,4")
    assert prove_game(rules, tmp_path, seconds=1e-9) is None
    assert {*tmp_path.iterdir()} == {*notes_paths(tmp_path, rules).values()}
    for name, content in {"wins": b"damaged", "opening": b"", "holds": b"PK\3\4damaged"}.items():
        (tmp_path / f"mnk-6-6-4.strategy.{name}.npz").write_bytes(content)
    for kind in ("unchecked", "part"):  # of a process that was killed
        (tmp_path / f"{strategy_path(tmp_path, rules).name}.99999999-1-1.{kind}").touch()
    states: list[ProofState] = []
    assert prove_game(rules, tmp_path, seconds=300, progress=states.append) == strategy_path(tmp_path, rules)
    assert [path.name for path in tmp_path.iterdir()] == [strategy_path(tmp_path, rules).name]
    assert str(states[-1]).endswith("positions checked")


def test_an_interrupted_proof_keeps_its_notes(tmp_path: Path) -> None:
    rules = parse_game("9,9,5")

    def interrupt(state: ProofState) -> None:
        if state.win.nodes and state.opening and state.hold.nodes:  # all searches are compiled
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prove_game(rules, tmp_path, seconds=300, progress=interrupt)
    assert {*tmp_path.iterdir()} >= {*notes_paths(tmp_path, rules).values()}


def test_an_interrupted_proof_leaves_a_whole_strategy_in_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = parse_game("6,6,4")
    path = prove_game(rules, tmp_path)
    assert path
    before = path.read_bytes()
    monkeypatch.setattr(proof, "_prove_at_once", lambda *_: None)
    monkeypatch.setattr(proof, "_AHEAD", 0)

    def interrupt(state: ProofState) -> None:
        if state.opening and state.opening.rows:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prove_game(rules, tmp_path, seconds=300, progress=interrupt)
    assert path.read_bytes() == before


def test_other_searches_wait_while_a_win_from_the_empty_board_is_collected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They go on if there is no time to collect it."""
    collecting, went_on, order = Event(), Event(), list[str]()

    def collect_in_vain(show: Callable[..., None]) -> None:
        show(win=ProofProgress(1, 5))
        collecting.set()
        assert not went_on.wait(0.5)
        order.append("given up")
        show(win=ProofProgress(1, 0))

    def search(show: Callable[..., None]) -> None:
        assert collecting.wait(60)
        show()
        order.append("goes on")
        went_on.set()

    monkeypatch.setattr(proof, "_searches", lambda *_: [collect_in_vain, search])
    assert prove_game(parse_game("6,6,4"), tmp_path) is None
    assert order == ["given up", "goes on"]


def test_other_searches_wait_also_for_a_win_without_stored_moves(tmp_path: Path) -> None:
    shown: list[ProofProgress] = []

    def show(win: ProofProgress) -> None:
        shown.append(win)

    found = proof._prove_at_once(parse_game("9,9,5,x=d5+e5+f5"), tmp_path, time.monotonic() + 60, show)
    assert found
    assert (found.rows, shown[-1].rows) == ([], 1)


def test_notes_of_another_form_are_not_used(tmp_path: Path) -> None:
    rules, path = parse_game("6,6,4"), tmp_path / "notes.npz"
    proof._write_notes(path, rules, keys_0=np.zeros(1))
    assert proof._read_notes(path, rules, "keys", "table") is None
    assert proof._read_notes(path, rules, "keys_0") == {"keys_0": np.zeros(1)}


def test_an_interrupted_proof_does_not_wait_for_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, begun = Event(), time.monotonic()
    monkeypatch.setattr(proof, "_searches", lambda *_: [lambda _: compiled.wait(60)])
    monkeypatch.setattr(proof, "is_compiling", lambda: True)
    with pytest.raises(KeyboardInterrupt):
        prove_game(parse_game("6,6,4"), tmp_path, progress=lambda _: signal.raise_signal(signal.SIGINT))
    assert time.monotonic() - begun < 30
    compiled.set()


def test_a_strategy_that_the_check_rejects_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, wrong = parse_game("6,6,4"), StrategyReport(problems=("In the empty board, no.",))
    monkeypatch.setattr(proof, "check_strategy", lambda *_, **__: wrong)
    with pytest.raises(CheckFailed, match="which is a fault of this program: In the empty board, no"):
        prove_game(rules, tmp_path)
    left = [*tmp_path.glob("*.sqlite*")]  # perhaps what was proved position by position
    assert all(is_unfinished_proof(path, rules) for path in left)


KILLED = """
from solver.cli import main
from solver.search import threats
from solver.solve import draw_proof, opening_proof

threats._KEPT_EVERY = draw_proof._KEPT_EVERY = opening_proof._KEPT_EVERY = 0.1
main(prog_name="mnk")
"""


@pytest.mark.slow
@pytest.mark.parametrize(("game", "name"), [("6,6,4,exact", "wins"), ("4,15,4", "opening"), ("7,7,5", "holds")])
def test_a_killed_build_resumes_from_its_notes(game: str, name: str, tmp_path: Path) -> None:
    rules = parse_game(game)
    notes = notes_paths(tmp_path, rules)[name]
    words = ["build", game, "--data", str(tmp_path), "--time", "900", "--force"]
    with subprocess.Popen([sys.executable, "-c", KILLED, *words]) as build:
        while not notes.exists() and build.poll() is None:
            time.sleep(0.01)
        build.kill()  # SIGKILL
    assert build.returncode == -signal.SIGKILL
    path = strategy_path(tmp_path, rules)
    assert not path.exists() or is_unfinished_proof(path, rules)
    resumed = mnk(*words)
    assert "Resuming the interrupted proof" in resumed.stderr
    expected = "O holds: X does not win" if name == "holds" else "X wins within"
    assert f"Proved {game} " in resumed.stdout
    assert expected in resumed.stdout
    assert [path.name for path in tmp_path.iterdir()] == [strategy_path(tmp_path, rules).name]
    assert mnk("check", game, "--data", tmp_path).exit_code == 0


def test_a_second_proof_of_a_game_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "RENEWED", 0.1)
    rules = parse_game("9,9,5")

    def prove_again(_: ProofState) -> None:
        prove_game(rules, tmp_path, seconds=0.1)

    with pytest.raises(StorageError, match="Another build is using the workspace"):
        prove_game(rules, tmp_path, seconds=1, progress=prove_again)
    assert not [*tmp_path.glob("*.parts")]


def test_games_without_threats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="choose a game such as 15,15,5"):
        prove_game(parse_game("7,7,4,misere"), tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_proof_that_waits_for_a_lock_can_be_interrupted(tmp_path: Path) -> None:
    rules = parse_game("9,9,5")
    left = Path(f"{strategy_path(tmp_path, rules)}.parts")
    left.mkdir()
    (left / "lock").write_text(json.dumps({"build": "1", "machine": "another", "process": 1}))

    def interrupt(_: ProofState) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prove_game(rules, tmp_path, progress=interrupt)
    assert left.exists()
