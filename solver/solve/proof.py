"""Prove what a game is worth when its table would be too large: a strategy of X that wins, or one of O that holds.

    prove_game(parse_game("6,6,4"), Path("data"), seconds=600)       # writes data/mnk-6-6-4.strategy.sqlite

Three searches run at the same time: one for a win from the empty board, one for a win position by position
(`opening_proof`), which uses the cores that the others leave, but at least one, and one for a draw. On a large board,
the first and the last end after half a minute, and do not run if wins of some positions are stored. The wins found
position by position are kept as an unfinished strategy. A strategy is checked against every reply before it is kept.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import Any, Final, NamedTuple, TypeAlias
from zipfile import BadZipFile

import numpy as np

from solver import __version__
from solver.check.check_report import StrategyReport
from solver.check.strategy_check import check_strategy
from solver.errors import CheckFailed, TableError
from solver.game.base3 import encode
from solver.game.position import Position
from solver.game.rules import Rules
from solver.kernels.compilations import is_compiling
from solver.search.pairings import can_hold, start_pairing
from solver.search.threats import Proof, ProofProgress, Prover
from solver.solve.draw_proof import DrawNotes, DrawProgress, prove_draw
from solver.solve.hints import find_hints, read_wins
from solver.solve.lock import BuildLock
from solver.solve.opening_proof import OpeningNotes, OpeningProgress, OpeningProof, proof_rows
from solver.solve.workspace import open_workspace
from solver.store.disk import disk_errors_reported
from solver.store.paths import find_strategy_file, strategy_path
from solver.store.strategy_file import (
    Header,
    Row,
    StrategyReader,
    canonical,
    digest_strategy,
    is_unfinished_proof,
    symmetries,
    write_strategy,
)
from solver.support.files import abandoned_paths, process_path, whole_file
from solver.support.threads import available_cores, run_in_background

LARGE: Final = 100  # squares, at most, of a board that a search from the empty board can settle
SECONDS: Final = 600.0  # the default time limit of a proof
_MOMENT, _SHORTER = 0.5, 3.0  # seconds for each other first move, and for all of them, in search of a shorter win
_AT_ONCE: Final = 30.0  # seconds of the searches from the empty board, if it is large
_AHEAD: Final = 2.0  # seconds until the search position by position begins, which few games need
_KEPT_EVERY: Final = 60.0  # seconds
_PAUSE: Final = 0.05  # seconds until a search that waits for another one looks again
_GRACE: Final = 3.0  # seconds for a search to end, even if another one is being compiled

_NOTES: Final = ("wins", "opening", "holds")  # those of the three searches

_WIN = "proof-number search with threats and null moves, and continuous fours and threes at the leaves"
_HOLD = "proof-number search with pairings at the leaves"
_PAIRING = "a pairing of the empty board"


@dataclass
class ProofState:
    """The progress of the proofs of one game."""

    win: ProofProgress = field(default_factory=lambda: ProofProgress(0, 0))  #: That of a win from the empty board.
    opening: OpeningProgress | None = None  #: That of a win position by position.
    hold: DrawProgress = field(default_factory=lambda: DrawProgress(0, 0, 0))  #: That of a strategy with which O holds.
    check: StrategyReport | None = None  #: That of the check, which comes last.

    def __str__(self) -> str:
        if self.check:
            return f"{self.check.positions:,} positions checked"
        if rows := self.win.rows or self.hold.rows:
            return f"{rows:,} moves of the strategy collected"
        searched = [str(self.opening)] if self.opening else []
        if self.win.nodes or self.hold.nodes:
            searched.append(
                f"{self.win.nodes:,} positions from the empty board for a win of X, {self.hold.nodes:,} for a draw"
            )
        return "; ".join(searched) or "nothing was searched"


class _Found(NamedTuple):
    header: Header
    rows: list[Row]
    answer: Callable[[Iterable[int], Callable[[OpeningProgress], None]], list[Row] | None] | None = None
    """Returns all rows and those that win in the positions with these hashes; calls a function with the progress.

    None if time is up.
    """
    checked: dict[int, int] | None = None
    """The plies of the win from each row that an earlier check has found right, by its hash."""
    keep: Callable[[], None] = lambda: None
    """Keeps what was checked."""


class _Stopped(Exception):
    """The search is to stop: another one has succeeded, or the caller was interrupted."""


_Search: TypeAlias = Callable[[Callable[..., None]], _Found | None]
"""A search, given a function to call with its progress, which can raise _Stopped."""


def prove_game(
    rules: Rules, folder: Path, *, seconds: float = SECONDS, progress: Callable[[ProofState], None] = lambda _: None
) -> Path | None:
    """Prove that X wins, or that O holds; write the strategy to `folder` and return its path.

    Returns None if nothing is proved in `seconds`. What the searches have found is kept beside the strategy, so that
    the next call resumes them, also after a kill. Raises RulesError for a game without threats, StorageError (also if
    another build is proving the game), and CheckFailed if the check of the strategy fails, which is a fault of this
    package.
    """
    Prover(rules)  # a game that it refuses leaves no trace
    workspace = open_workspace(f"{strategy_path(folder, rules)}.parts")
    with BuildLock(workspace, waiting=lambda: progress(ProofState())) as lock:

        def report(state: ProofState) -> None:
            lock.require()
            progress(state)

        try:
            return _prove(rules, folder, seconds, report)
        finally:
            lock.clear()


def _prove(rules: Rules, folder: Path, seconds: float, progress: Callable[[ProofState], None]) -> Path | None:
    """Prove a game that this build has locked; see `prove_game`."""
    path, end, stop, state = strategy_path(folder, rules), monotonic() + seconds, Event(), ProofState()
    for written in (path, *notes_paths(folder, rules).values()):
        for left in (*abandoned_paths(written, "part"), *abandoned_paths(written, "unchecked")):
            left.unlink(missing_ok=True)
    waiting = set[Future[_Found | None]]()

    def show(**changes: ProofProgress | OpeningProgress | DrawProgress) -> None:
        for name, value in changes.items():
            setattr(state, name, value)
        while state.win.rows and "win" not in changes and not stop.is_set():
            sleep(_PAUSE)  # the win from the empty board is found, and its strategy is being collected
        if stop.is_set():
            raise _Stopped

    def run(search: _Search) -> _Found | None:
        with suppress(_Stopped):
            return search(show)
        return None

    searches = _searches(rules, folder, end, lambda: max(1, available_cores() + 1 - len(waiting)))
    waiting = {run_in_background(run, search) for search in searches}
    found: _Found | None = None
    try:
        while waiting and found is None:
            done, waiting = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
            progress(state)
            found = next((one for future in done if (one := future.result())), None)
    finally:
        stop.set()
        _, waiting = wait(waiting, timeout=_GRACE)  # they keep what they have found
        while waiting and not (is_compiling() and found is None):  # the compiler takes minutes and heeds no signal
            _, waiting = wait(waiting, timeout=0.2)
    if found is None:
        return None

    def show_end(latest: StrategyReport | OpeningProgress) -> None:
        if isinstance(latest, StrategyReport):
            state.check = latest
        else:
            state.check, state.opening = None, latest
        progress(state)

    if not _keep(rules, path, found, show_end):
        return None
    for notes in notes_paths(folder, rules).values():
        notes.unlink(missing_ok=True)
    return path


def notes_paths(folder: Path, rules: Rules) -> dict[str, Path]:
    """Return the paths of the notes from which interrupted searches resume, whether or not they exist."""
    path = strategy_path(folder, rules)
    return {name: path.with_name(f"{path.name.removesuffix(path.suffix)}.{name}.npz") for name in _NOTES}


def _searches(rules: Rules, folder: Path, end: float, threads: Callable[[], int]) -> list[_Search]:
    """Return the searches of a game, which stop at the time `end`."""
    by_position = partial(_prove_by_position, rules, folder, end, threads)
    if rules.squares > LARGE:
        if _read_rows(strategy_path(folder, rules), rules):  # X wins somewhere: go on with that
            return [partial(by_position, 0.0)]
        end = min(end, monotonic() + _AT_ONCE)
    at_once, hold = partial(_prove_at_once, rules, folder, end), partial(_prove_hold, rules, folder, end)
    return [at_once, partial(by_position, _AHEAD), hold]


def _prove_at_once(rules: Rules, folder: Path, end: float, show: Callable[..., None]) -> _Found | None:
    """Search for a win of X from the empty board."""
    prover, start = Prover(rules, (1, 0)), Position.start(rules)  # both orders prove nothing sooner
    path, state = notes_paths(folder, rules)["wins"], ProofProgress(0, 0)
    read = _read_notes(path, rules, "keys", "table")

    def show_win(latest: ProofProgress) -> None:
        nonlocal state
        state = latest._replace(rows=max(latest.rows, state.rows))  # none while a gap in the strategy is searched
        show(win=state)

    proof = prover.prove(
        start, "X", quiet=True, seconds=end - monotonic(), progress=show_win,
        notes=(read["keys"], read["table"]) if read else None,
        keep=lambda kept: _write_notes(path, rules, keys=kept[0], table=kept[1]),
    )  # fmt: skip
    won = state._replace(rows=max(1, len(proof.cells)) if proof else 0)
    show(win=won)
    return _shorten(prover, start, proof, end, lambda: show(win=won)) if proof else None


def _prove_by_position(
    rules: Rules, folder: Path, end: float, threads: Callable[[], int], ahead: float, show: Callable[..., None]
) -> _Found | None:
    """Search for a win of X position by position, after `ahead` seconds."""
    begins = min(end, monotonic() + ahead)
    while monotonic() < begins:
        show()
        sleep(_PAUSE)
    path, notes = strategy_path(folder, rules), notes_paths(folder, rules)["opening"]
    found = _read_notes(notes, rules, "opening", "digest")
    notes_so_far = OpeningNotes.read(found["opening"].tobytes() if found else None)
    header, rows = Header("X", "wins", None, 0, _WIN), _read_rows(path, rules)
    if found and str(found["digest"]) != _digest_rows(rules, rows):
        notes_so_far.checked.clear()  # it belongs to other rows
    hints = find_hints(rules, read_wins(rules, folder), show) if monotonic() < end else {}
    opening = OpeningProof(rules, "X", rows, notes_so_far, hints)

    def keep_notes() -> None:
        digest = np.array(_digest_rows(rules, opening.rows.values()))
        _write_notes(notes, rules, digest=digest, opening=np.frombuffer(notes_so_far.pack(), np.uint8))

    def keep() -> None:
        if opening.rows and not _is_whole(find_strategy_file(folder, rules), rules):
            write_strategy(path, rules, header, opening.rows.values())  # not checked yet
        keep_notes()

    is_won = opening.run(end - monotonic(), threads, lambda state: show(opening=state), keep)

    def answer(keys: Iterable[int], progress: Callable[[OpeningProgress], None]) -> list[Row] | None:
        opening.require(keys)
        is_answered = opening.run(end - monotonic(), available_cores, progress, keep)
        return opening.played_rows() if is_answered else None

    won = header._replace(within=opening.within)
    return _Found(won, opening.played_rows(), answer, notes_so_far.checked, keep_notes) if is_won else None


def _digest_rows(rules: Rules, rows: Iterable[Row]) -> str:
    """Return a digest of rows and of the version of this package, to which a check belongs."""
    return f"{__version__} {digest_strategy(rules, Header('X', 'wins', None, 0, _WIN), sorted(rows))}"


def _shorten(prover: Prover, start: Position, first: Proof, end: float, show: Callable[[], None]) -> _Found:
    """Try other first moves for a moment each, because the one that is proved first need not win soonest."""
    best = _Found(Header("X", "wins", first.within, first.leaves, _WIN), proof_rows(start.rules, first))
    end, seen = min(end, monotonic() + _SHORTER), set[int]()
    for move in prover.order(start, start.rules.squares):
        after = start.play(move)
        seconds = min(end - monotonic(), _MOMENT)
        if seconds <= 0 or after.is_over:
            break
        number, _ = canonical(start.rules, after.x, after.o)
        if number not in seen:
            seen.add(number)
            proof = prover.prove(after, "X", quiet=True, seconds=seconds, progress=lambda _: show())
            if proof and proof.within + 1 < (best.header.within or 0):
                number, symmetry = canonical(start.rules, start.x, start.o)
                row = Row(number, symmetry[move], proof.within + 1)
                header = best.header._replace(within=row.within, leaves=proof.leaves)
                best = _Found(header, [row, *proof_rows(start.rules, proof)])
    return best


def _prove_hold(rules: Rules, folder: Path, end: float, show: Callable[..., None]) -> _Found | None:
    """Search for a strategy with which O holds until the time `end`."""
    if not can_hold(rules, "O") or rules.board_symmetries.order > len(symmetries(rules)):
        return None
    notes = notes_paths(folder, rules)["holds"]
    read, earlier = _read_notes(notes, rules, *DrawNotes._fields), None
    if read:
        earlier = DrawNotes(int(read["size"]), int(read["width"]), read["places"], read["entries"])

    state = DrawProgress(0, 0, 0)

    def show_hold(latest: DrawProgress) -> None:
        nonlocal state
        state = latest
        show(hold=latest)

    rows = prove_draw(
        rules, end - monotonic(), show_hold, notes=earlier,
        keep=lambda kept: _write_notes(notes, rules, **kept._asdict()),
    )  # fmt: skip
    if rows is None:
        return None
    pairs = None if rows else start_pairing(rules)
    header = Header("O", "holds", None, state.positions - len(rows), _PAIRING if pairs else _HOLD, pairs)
    return _Found(header, [Row(encode(x, o), move, None) for (x, o), move in rows.items()])


def _keep(
    rules: Rules, path: Path, found: _Found, progress: Callable[[StrategyReport | OpeningProgress], None]
) -> bool:
    """Write a strategy, check it, and rename it. What the check misses is answered before it is repeated.

    Returns False if there was no time for that.
    """
    due = monotonic() + _KEPT_EVERY

    def show(report: StrategyReport) -> None:
        nonlocal due
        if monotonic() > due:
            found.keep()
            due = monotonic() + _KEPT_EVERY
        progress(report)

    unchecked, header, rows = process_path(path, "unchecked"), found.header, sorted(found.rows)
    try:
        while True:
            unbounded = [row._replace(within=row.within and rules.plies) for row in rows]
            write_strategy(unchecked, rules, header._replace(within=header.within and rules.plies), unbounded)
            report = check_strategy(unchecked, Prover, show, checked=found.checked)
            if not (report.unanswered and found.answer):
                break
            if (answers := found.answer(report.unanswered, progress)) is None:
                return False
            rows, before = sorted(answers), rows
            if rows == before:
                break
        if report.problems:
            raise CheckFailed(f"The proof of {rules} is wrong, which is a fault of this program: {report.problems[0]}")
    finally:
        unchecked.unlink(missing_ok=True)
        found.keep()
    if report.within:  # a search can find a longer win after a reply than before it
        header = header._replace(within=max(header.within or 0, report.within))
        played = zip(rows, report.row_plies, strict=True)
        rows = [row._replace(within=max(row.within or 0, plies)) for row, plies in played if plies]
    write_strategy(path, rules, header, rows)
    return True


def _read_rows(path: Path, rules: Rules) -> list[Row]:
    """Return the rows of an unfinished strategy; none if there is no such file, or if it cannot be used."""
    try:
        with closing(StrategyReader(path, rules)) as reader:
            return [*reader] if reader.header.is_unfinished else []
    except TableError:
        return []


def _is_whole(path: Path | None, rules: Rules) -> bool:
    """Return True for a strategy that an unfinished one must not replace or hide."""
    try:
        return path is not None and not is_unfinished_proof(path, rules)
    except TableError:  # damaged
        return False


def _write_notes(path: Path, rules: Rules, **arrays: Any) -> None:
    with disk_errors_reported(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as part, part.open("wb") as file:
            np.savez(file, rules=np.array(rules.fingerprint), **arrays)


def _read_notes(path: Path, rules: Rules, *names: str) -> dict[str, Any] | None:
    """Return these arrays of the notes of an earlier call; None if there are none, or if they cannot be used."""
    try:
        with path.open("rb") as file, np.load(file) as found:
            if str(found["rules"]) == rules.fingerprint:
                return {name: found[name] for name in names}
    except (OSError, EOFError, ValueError, KeyError, BadZipFile):
        pass  # missing or damaged: the proof begins anew
    return None
