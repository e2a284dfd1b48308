"""Prove what a game is worth when its table would be too large: a strategy that wins, or one that holds.

    prove_game(parse_game("6,6,4"), Path("data"), seconds=600)       # writes data/mnk-6-6-4.strategy.sqlite

Both are searched for at the same time, each on a core. A strategy is checked against every reply before it is kept.
"""

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from threading import Event
from typing import Final, NamedTuple

import numpy as np

from solver.check.strategy_check import StrategyReport, check_strategy
from solver.errors import CheckFailed
from solver.game.lines import mask_of
from solver.game.position import Position
from solver.game.rules import Rules
from solver.search.threats import Notes, Proof, ProofProgress, Prover
from solver.store.disk import disk_errors_reported
from solver.store.paths import strategy_path
from solver.store.strategy_file import Header, Row, canonical, write_strategy
from solver.support.english import plural
from solver.support.files import process_path, whole_file

SECONDS: Final = 600.0  # the default time limit of a proof

_NOTES = ".notes.npz"
_METHOD = "proof-number search with threats, null moves and continuous fours at the leaves"


class ProofState(NamedTuple):
    """The progress of the proofs of one game."""

    win: ProofProgress | None  #: That of a win of X.
    check: StrategyReport | None  #: That of the check, which comes last.

    def __str__(self) -> str:
        if self.check:
            return f"{self.check.positions:,} positions checked"
        if self.win is None:
            return "preparing the search"
        if self.win.rows:
            return f"{self.win.rows:,} moves of the strategy collected"
        return f"{plural(self.win.nodes, 'position')} searched for a win of X"


class _Stopped(Exception):
    """The search is to stop: the other one has succeeded, or the caller was interrupted."""


def prove_game(
    rules: Rules, folder: Path, *, seconds: float = SECONDS, progress: Callable[[ProofState], None] = lambda _: None
) -> Path | None:
    """Prove that X wins, or that O holds; write the strategy to `folder` and return its path.

    Returns None if nothing is proved in `seconds`. What a search for a win has found is kept beside the strategy, so
    that the next call resumes it, also after a kill. Raises RulesError for a game without threats, StorageError, and
    CheckFailed if the check of the strategy fails, which is a fault of this package.
    """
    path, prover, stop = strategy_path(folder, rules), Prover(rules), Event()
    latest: list[ProofProgress] = []

    def show(state: ProofProgress) -> None:
        latest[:] = [state]
        if stop.is_set():
            raise _Stopped

    with ThreadPoolExecutor(2) as pool:
        win: Future[Proof | None] = pool.submit(_prove_win, prover, path, seconds, show)
        waiting: set[Future[object]] = {win}  # type: ignore[arg-type]
        try:
            while waiting:
                done, waiting = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
                progress(ProofState(latest[0] if latest else None, None))
                if any(future.result() is not None for future in done):
                    break
        finally:
            stop.set()
    proof = win.result()
    if proof is None:
        return None
    return _keep(rules, path, proof, lambda report: progress(ProofState(None, report)))


def notes_path(folder: Path, rules: Rules) -> Path:
    """Return the path of the notes from which an interrupted proof resumes, whether or not they exist."""
    path = strategy_path(folder, rules)
    return path.with_name(path.name.removesuffix(path.suffix) + _NOTES)


def _prove_win(prover: Prover, path: Path, seconds: float, progress: Callable[[ProofProgress], None]) -> Proof | None:
    notes = notes_path(path.parent, prover.rules)
    return prover.prove(
        Position.start(prover.rules), "X", seconds=seconds, quiet=True, progress=progress,
        notes=_read_notes(notes, prover.rules), keep=lambda found: _write_notes(notes, prover.rules, found),
    )  # fmt: skip


def _keep(rules: Rules, path: Path, proof: Proof, progress: Callable[[StrategyReport], None]) -> Path:
    """Write a strategy, check it, and rename it. Return its path."""
    rows: dict[int, Row] = {}
    for cells, (move, within) in zip(proof.cells, proof.moves.tolist(), strict=True):
        x, o = (mask_of(np.flatnonzero(cells == mark).tolist()) for mark in (1, 2))
        number, symmetry = canonical(rules, x, o)
        rows[number] = Row(number, symmetry[move], within)
    unchecked = process_path(path, "unchecked")
    try:
        write_strategy(unchecked, rules, Header("X", "wins", proof.within, proof.leaves, _METHOD), rows.values())
        report = check_strategy(unchecked, progress)
        if report.problems:
            raise CheckFailed(f"The proof of {rules} is wrong, which is a fault of this program: {report.problems[0]}")
        with disk_errors_reported(path.parent):
            unchecked.replace(path)
    finally:
        unchecked.unlink(missing_ok=True)
    notes_path(path.parent, rules).unlink(missing_ok=True)
    return path


def _write_notes(path: Path, rules: Rules, notes: Notes) -> None:
    with disk_errors_reported(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as part, part.open("wb") as file:
            np.savez(file, rules=np.array(rules.fingerprint), keys=notes[0], table=notes[1])


def _read_notes(path: Path, rules: Rules) -> Notes | None:
    """Return the notes of an earlier call; None if there are none, or if they cannot be used."""
    try:
        with np.load(path) as found:
            if str(found["rules"]) == rules.fingerprint:
                return found["keys"], found["table"]
    except (OSError, ValueError, KeyError):
        pass  # missing or damaged: the proof begins anew
    return None
