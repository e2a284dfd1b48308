"""Prove what a game is worth when its table would be too large: a strategy of X that wins, or one of O that holds.

    prove_game(parse_game("6,6,4"), Path("data"), seconds=600)       # writes data/mnk-6-6-4.strategy.sqlite

Both are searched for at the same time, each on a core. A strategy is checked against every reply before it is kept.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path
from threading import Event
from typing import Final, NamedTuple

import numpy as np

from solver.check.strategy_check import StrategyReport, check_strategy
from solver.errors import CheckFailed
from solver.game.base3 import encode
from solver.game.lines import mask_of
from solver.game.position import Position
from solver.game.rules import Rules
from solver.search.pairings import can_hold, start_pairing
from solver.search.threats import Notes, Proof, ProofProgress, Prover
from solver.solve.draw_proof import DrawProgress, prove_draw
from solver.store.disk import disk_errors_reported
from solver.store.paths import strategy_path
from solver.store.strategy_file import Header, Row, canonical, symmetries, write_strategy
from solver.support.files import process_path, whole_file

SECONDS: Final = 600.0  # the default time limit of a proof

_NOTES = ".notes.npz"
_WIN = "proof-number search with threats, null moves and continuous fours at the leaves"
_HOLD = "proof-number search with pairings at the leaves"
_PAIRING = "a pairing of the empty board"


class ProofState(NamedTuple):
    """The progress of the proofs of one game."""

    win: ProofProgress  #: That of a win of X.
    hold: DrawProgress  #: That of a strategy with which O holds.
    check: StrategyReport | None  #: That of the check, which comes last.

    def __str__(self) -> str:
        if self.check:
            return f"{self.check.positions:,} positions checked"
        if rows := self.win.rows or self.hold.rows:
            return f"{rows:,} moves of the strategy collected"
        return f"{self.win.nodes:,} positions searched for a win of X, {self.hold.nodes:,} for a draw"


class _Found(NamedTuple):
    header: Header
    rows: list[Row]


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
    win_state, hold_state = ProofProgress(0, 0), DrawProgress(0, 0, 0)

    def show_win(state: ProofProgress) -> None:
        nonlocal win_state
        win_state = state
        if stop.is_set():
            raise _Stopped

    def show_hold(state: DrawProgress) -> None:
        nonlocal hold_state
        hold_state = state
        if stop.is_set():
            raise _Stopped

    def prove_win() -> _Found | None:
        notes = notes_path(folder, rules)
        proof = prover.prove(
            Position.start(rules), "X", seconds=seconds, quiet=True, progress=show_win,
            notes=_read_notes(notes, rules), keep=lambda found: _write_notes(notes, rules, found),
        )  # fmt: skip
        return _found_win(rules, proof) if proof else None

    def prove_hold() -> _Found | None:
        if not can_hold(rules, "O") or rules.board_symmetries.order > len(symmetries(rules)):
            return None
        rows = prove_draw(rules, seconds, show_hold)
        return None if rows is None else _found_hold(rules, rows, hold_state)

    with ThreadPoolExecutor(2) as pool:
        waiting = {pool.submit(prove_win), pool.submit(prove_hold)}
        found: _Found | None = None
        try:
            while waiting and found is None:
                done, waiting = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
                progress(ProofState(win_state, hold_state, None))
                found = next((one for future in done if (one := future.result())), None)
        finally:
            stop.set()
    if found is None:
        return None
    _keep(rules, path, found, lambda report: progress(ProofState(win_state, hold_state, report)))
    notes_path(folder, rules).unlink(missing_ok=True)
    return path


def notes_path(folder: Path, rules: Rules) -> Path:
    """Return the path of the notes from which an interrupted proof resumes, whether or not they exist."""
    path = strategy_path(folder, rules)
    return path.with_name(path.name.removesuffix(path.suffix) + _NOTES)


def _found_win(rules: Rules, proof: Proof) -> _Found:
    rows: dict[int, Row] = {}
    for cells, (move, within) in zip(proof.cells, proof.moves.tolist(), strict=True):
        x, o = (mask_of(np.flatnonzero(cells == mark).tolist()) for mark in (1, 2))
        number, symmetry = canonical(rules, x, o)
        rows[number] = Row(number, symmetry[move], within)
    return _Found(Header("X", "wins", proof.within, proof.leaves, _WIN), [*rows.values()])


def _found_hold(rules: Rules, rows: Mapping[tuple[int, int], int], state: DrawProgress) -> _Found:
    pairs = None if rows else start_pairing(rules)
    header = Header("O", "holds", None, state.positions - len(rows), _PAIRING if pairs else _HOLD, pairs)
    return _Found(header, [Row(encode(x, o), move, None) for (x, o), move in rows.items()])


def _keep(rules: Rules, path: Path, found: _Found, progress: Callable[[StrategyReport], None]) -> None:
    """Write a strategy, check it, and rename it."""
    unchecked = process_path(path, "unchecked")
    try:
        write_strategy(unchecked, rules, found.header, found.rows)
        report = check_strategy(unchecked, progress)
        if report.problems:
            raise CheckFailed(f"The proof of {rules} is wrong, which is a fault of this program: {report.problems[0]}")
        with disk_errors_reported(path.parent):
            unchecked.replace(path)
    finally:
        unchecked.unlink(missing_ok=True)


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
