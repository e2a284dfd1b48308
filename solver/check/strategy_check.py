"""Check a strategy against every legal reply: that its side wins, or (`holding_check`) that it holds.

The check of a win walks from each row and from the empty board. After each move of the strategy, every legal reply is
tried, whatever the proof tried (`solver.kernels.recheck_strategy`). A position that follows has a row, or the check
finds a short win by continuous fours and replays it, or an adviser is asked for a move. An adviser is not trusted:
every reply to its moves is tried too, until the winner has completed a line, and the pairs that it names are verified.
"""

from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from threading import Event, local
from typing import Protocol

import numpy as np
import numpy.typing as npt

from solver.check.check_report import MOST_PROBLEMS, StrategyReport, board_text
from solver.check.holding_check import check_holding
from solver.errors import InputError, PositionError
from solver.game.arrays import cells_of, masks_of
from solver.game.base3 import decode, encode
from solver.game.lines import squares_of
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.symmetry import invert
from solver.kernels import recheck_strategy as kernel
from solver.store.strategy_file import Header, Row, StrategyReader, canonical, digest_strategy, symmetries
from solver.support.threads import ThreadPool

_SLICE = 2_000  # positions between two checks of `stopped`
_MOST_ROWS = 64  # the most rows that a thread takes at a time
_STUBBORN = 0.75  # of the replies in a sample are on a line that the winner has nearly filled
_MOST_FAULTS = 1_000  # that a thread remembers
_SECONDS = 5.0  # for a move within a win that was found with the limits of the format, which can fail in another image


class Adviser(Protocol):
    """A search for winning moves in positions that a strategy leaves out."""

    def advise(self, cells: npt.NDArray[np.int8], seconds: float) -> int | None:
        """Return a winning move of the side to move; None if the search that a strategy relies on finds none.

        cells: int8[S]: 0 for an empty square, 1 for X, 2 for O. seconds: the time for a longer search, which may
        replace it.
        """

    def answer(self, x: int, o: int) -> tuple[int, list[tuple[int, int]]] | None:
        """Return a reply of O, given both masks, and the pairs with which he then holds; None if none is found."""


_FAULTS = {
    kernel.NO_MOVE: "some reply leads to a position without a row, and without a win by fours or threats",
    kernel.ILLEGAL: "the move is not legal",
    kernel.LOST: "some reply completes a line",
    kernel.TOO_LONG: "some reply delays the win beyond its bound",
    kernel.NOT_FORCED: "after some reply, a win by continuous fours fails when it is replayed",
    kernel.NOT_WON: "some replies fill the board without a win",
}


def check_strategy(
    path: Path,
    adviser: Callable[[Rules], Adviser],
    progress: Callable[[StrategyReport], None] = lambda _: None,
    *,
    rules: Rules | None = None,
    threads: int | None = None,
    checked: dict[int, int] | None = None,
) -> StrategyReport:
    """Check the strategy in a file. Raises DamagedTable and UnsupportedTable if it cannot be read.

    adviser: makes the adviser for a game, such as `solver.search.threats.Prover`. rules: the game that the file must
    be of; by default, any. threads: the number that check a win; by default, one per core. checked: the plies of the
    win from each row that an earlier check of the same rows has found right, by its hash. These are not checked again,
    and all rows count as used; those found right now are added.
    """
    with closing(StrategyReader(path, rules)) as reader:
        rules, header, rows, digest = reader.rules, reader.header, [*reader], reader.digest
    report = StrategyReport(claim=str(header), digest=digest_strategy(rules, header, rows))
    if header.is_unfinished and not rows:
        report.add("It has no rows yet.")
    if report.digest != digest:
        report.add(f"The digest of the rows is {report.digest}, but the file says {digest}.")
    if header.claim == "wins":
        _check_win(rules, header, rows, adviser, report, progress, threads, checked)
    elif header.side == "X":
        report.add("A strategy of X that holds cannot be checked.")
    else:
        moves = {decode(row.hash): row.move for row in rows}
        check_holding(rules, moves, adviser(rules).answer, report, header.pairs, progress)
    return report


def sample_strategy(
    path: Path,
    adviser: Callable[[Rules], Adviser],
    games: int,
    seed: int = 0,
    progress: Callable[[StrategyReport], None] = lambda _: None,
    *,
    rules: Rules | None = None,
) -> StrategyReport:
    """Play so many games against a strategy that wins, by the plain rules.

    The other side completes a line if it can, and otherwise mostly plays on a line that the strategy needs. Raises the
    errors of `check_strategy`, and InputError for a strategy that holds, whose check is quick.
    """
    with closing(StrategyReader(path, rules)) as reader:
        rules, header, rows, digest = reader.rules, reader.header, {row.hash: row for row in reader}, reader.digest
    if header.claim != "wins":
        raise InputError(f"The strategy of {rules} holds, so check it whole: leave out --sample.")
    report = StrategyReport(claim=str(header), digest=digest_strategy(rules, header, rows.values()))
    if report.digest != digest:
        report.add(f"The digest of the rows is {report.digest}, but the file says {digest}.")
    chance, search, side = Random(seed), adviser(rules), header.side
    lines = [line.mask for line in (rules.x_lines if side == "X" else rules.o_lines)]
    starts = [Position.parse(rules, f"hash:{number}") for number in rows] if header.is_unfinished else None
    for _ in range(games):
        start = position = chance.choice(starts) if starts else Position.start(rules)
        end = rules.plies  # the ply by which the rows promise the win
        while not position.is_over and len(report.problems) < MOST_PROBLEMS:
            if position.to_move == side:
                number, symmetry = canonical(rules, position.x, position.o)
                image, row = position.transform(symmetry), rows.get(number)
                move = row.move if row else search.advise(cells_of(rules, image.x, image.o), _SECONDS)
                if move is None or move not in image.legal_moves:
                    report.add(f"In {position.board}, the strategy has no legal move.")
                    break
                if row and not header.is_unfinished:  # there, a win may take longer than its row says
                    end = min(end, position.ply + (row.within or 0))
                position = position.play(invert(symmetry)[move])
            else:
                after = [position.play(square) for square in position.legal_moves]
                over = [one for one in after if one.is_over]
                open_lines = [mask for mask in lines if not mask & position.own]
                most = max((mask & position.other).bit_count() for mask in open_lines) if open_lines else 0
                near = [
                    one
                    for one, square in zip(after, position.legal_moves, strict=True)
                    if any(mask >> square & 1 and (mask & position.other).bit_count() == most for mask in open_lines)
                ]
                position = chance.choice(over or (near if near and chance.random() < _STUBBORN else after))
                report.replies += 1
            report.positions += 1
        if position.outcome == side:
            report.games += 1
            report.within = max(report.within, position.ply - start.ply)
            if position.ply > end:
                report.add(f"A win comes later than a row says, in {position.board}.")
        elif position.is_over:
            report.add(f"A game ends without a win, in {position.board}.")
        progress(report)
    if header.within is not None and report.within > header.within:
        report.add(f"The win takes up to {report.within} plies, but the file says {header.within}.")
    return report


def _check_win(
    rules: Rules,
    header: Header,
    rows: list[Row],
    adviser: Callable[[Rules], Adviser],
    report: StrategyReport,
    progress: Callable[[StrategyReport], None],
    threads: int | None,
    checked: dict[int, int] | None,
) -> None:
    if header.is_unfinished:  # a win from a row may take longer than the row says, as later rows can replace a search
        rows = [row._replace(within=rules.plies) for row in rows]
    known = {} if checked is None else checked
    plies_of = ((known.get(row.hash, 0), row.within or 0) for row in rows)
    row_plies = np.array([plies if plies <= most else 0 for plies, most in plies_of], np.int16)
    game = _make_game(rules, header, rows)
    is_resumed = row_plies.any()
    if not kernel.fill_index(game, np.zeros(rules.squares, np.int8)):
        report.add("A row is not the canonical image of its position.")
        return
    starts, wrong = _starts(rules, header, rows)
    if wrong:
        for problem in wrong:
            report.add(problem)
        return
    walkers, mine, stopped = list[_Walker](), local(), Event()

    def walk(roots: list[int]) -> None:
        if not hasattr(mine, "walker"):
            mine.walker = _Walker(game, _make_check(rules, len(game.lengths), row_plies), adviser(rules))
            walkers.append(mine.walker)
        for root in roots:
            if mine.walker.walk(root, stopped) and root >= 0:
                known[rows[root].hash] = int(row_plies[root])

    def show() -> None:
        report.positions, report.replies, report.forced = (
            sum(int(walker.check.state[at]) for walker in walkers)
            for at in (kernel.VISITED, kernel.REPLIES, kernel.FORCED)
        )
        progress(report)

    by_ply: dict[int, list[int]] = {-1: [] if header.is_unfinished else [-1]}
    for number, start in enumerate(starts):
        if row_plies[number] == 0:
            by_ply.setdefault(start.ply, []).append(number)
    with ThreadPool(threads) as pool, ExitStack() as ending:
        ending.callback(stopped.set)
        for _, roots in sorted(by_ply.items(), reverse=True):
            most = max(1, min(_MOST_ROWS, len(roots) // (4 * pool.threads)))
            for _ in pool.map(walk, [roots[at : at + most] for at in range(0, len(roots), most)], show):
                show()
    all_reached, links = np.ones(len(rows), np.bool_), {link for walker in walkers for link in walker.links}
    reached = all_reached if header.is_unfinished or is_resumed else _reached(links, len(rows))
    plies = (int(walker.check.state[kernel.LONGEST]) for walker in walkers if walker.is_last)
    report.within = max(plies, default=int(row_plies.max(initial=0)))
    report.unused, report.row_plies = int((~reached).sum()), tuple(np.where(reached, row_plies, 0).tolist())
    if header.within is not None and report.within > header.within:
        report.add(f"The win takes up to {report.within} plies, but the file says {header.within}.")
    faults = [fault for walker in walkers for fault in walker.faults]
    if all(kind == kernel.NO_MOVE for _, kind, _ in faults):
        report.unanswered = tuple(sorted({number for _, _, number in faults}))
    for row, fault in sorted({(row, kind) for row, kind, _ in faults}):
        where = board_text(rules, decode(rows[row].hash)) if row >= 0 else "the empty board"
        report.add(f"In {where}, {_FAULTS[fault]}.")


def _starts(rules: Rules, header: Header, rows: list[Row]) -> tuple[list[Position], list[str]]:
    """Return the positions of the rows, and what is wrong with them."""
    starts, wrong = list[Position](), list[str]()
    if header.side == "O" and not header.is_unfinished:
        wrong.append("A win of O from the empty board cannot be checked.")
    for row in rows:
        try:
            starts.append(start := Position.parse(rules, f"hash:{row.hash}"))
        except PositionError as error:
            wrong.append(str(error))
        else:
            if start.is_over or start.to_move != header.side:
                wrong.append(f"In {start.board}, the game is over, or the other side is to move.")
    return starts, wrong


class _Walker:
    """The walks of one thread."""

    def __init__(self, game: kernel.Game, check: kernel.Check, adviser: Adviser) -> None:
        self.check, self.links = check, set[tuple[int, int]]()
        self.is_last = False  # whether it has walked from the empty board, which comes last
        self._game, self._adviser = game, adviser

    @property
    def faults(self) -> list[tuple[int, int, int]]:
        """The row, or -1, and the kind of the first faults; for NO_MOVE, the hash of the position without a move."""
        count = int(self.check.state[kernel.FAULTS])
        found = zip(self.check.faults[:count].tolist(), self.check.fault_images, strict=False)
        return [(row, kind, encode(*masks_of(image)) if kind == kernel.NO_MOVE else 0) for (row, kind), image in found]

    def walk(self, root: int, stopped: Event) -> bool:
        """Walk from a row, or, if it is -1, from the empty board, until the end or until `stopped`.

        Return True if all is right.
        """
        # A walk depends on no other walk, so that the report does not depend on which thread walks which rows.
        self.check.seen_plies[:] = self.check.failed[:] = self.check.state[kernel.SEEN] = 0
        self.check.state[kernel.FOURS] = self.check.state[kernel.IDLE] = -1
        faults = int(self.check.state[kernel.FAULTS])
        kernel.begin(self._game, self.check, root)
        self.is_last, result = root < 0, kernel.RUNNING
        while result != kernel.DONE and not stopped.is_set():
            result = kernel.recheck(self._game, self.check, _SLICE)
            state = self.check.state
            self.links.update(map(tuple, self.check.links[: state[kernel.LINKS]].tolist()))
            state[kernel.LINKS] = 0
            if result == kernel.FULL:
                self.check = _enlarge(self.check)
            elif result in {kernel.WANTED, kernel.WANTED_WITHIN}:
                move = self._adviser.advise(self.check.image, _SECONDS if result == kernel.WANTED_WITHIN else 0)
                state[kernel.ADVICE] = kernel.NONE if move is None else move
        return result == kernel.DONE and int(self.check.state[kernel.FAULTS]) == faults


def _reached(links: set[tuple[int, int]], rows: int) -> npt.NDArray[np.bool_]:
    """Return which rows play from the empty board, -1, reaches by links from row to row."""
    after: dict[int, list[int]] = {}
    for before, row in links:
        after.setdefault(before, []).append(row)
    reached, waiting = np.zeros(rows, np.bool_), [-1]
    while waiting:
        for row in after.get(waiting.pop(), []):
            if not reached[row]:
                reached[row] = True
                waiting.append(row)
    return reached


def _make_game(rules: Rules, header: Header, rows: list[Row]) -> kernel.Game:
    lines, own = dict[tuple[int, int], int](), list[list[int]]()  # most lines are lines of both sides
    grow, guarded, touched = ([list[int]() for _ in range(count * rules.squares)] for count in (2, 2, 1))
    for side, side_lines in enumerate((rules.x_lines, rules.o_lines)):
        own.append([])
        again = Counter[int]()  # a side can have two lines of the same squares, with different guards
        for line in side_lines:
            own[side].append(number := lines.setdefault((line.mask, again[line.mask]), len(lines)))
            again[line.mask] += 1
            for square in squares_of(line.mask):
                grow[side * rules.squares + square].append(number)
            for square in squares_of(line.guard):
                guarded[side * rules.squares + square].append(number)
    for number, (mask, _) in enumerate(lines):
        for square in squares_of(mask):
            touched[square].append(number)
    cells = np.array([cells_of(rules, *decode(row.hash)) for row in rows], np.int8).reshape(-1, rules.squares)
    images = np.array([invert(symmetry) for symmetry in symmetries(rules)], np.int16)
    chance, size = np.random.default_rng(1), 2 << max(len(rows), 8).bit_length()
    return kernel.Game(
        _padded([[*squares_of(mask)] for mask, _ in lines]).astype(np.int16),
        np.array([mask.bit_count() for mask, _ in lines], np.int16),
        _padded(own),
        _padded(grow).reshape(2, rules.squares, -1),
        _padded([[len(one), *one] for one in touched]).astype(np.uint32),
        _padded([[len(one), *one] for one in guarded]).astype(np.uint32).reshape(2, rules.squares, -1),
        images,
        cells,
        np.array([(row.move, row.within or 0) for row in rows], np.int16).reshape(-1, 2),
        np.full(size, -1, np.int32),
        np.zeros(32 * size, np.bool_),
        chance.integers(1, 1 << 40, (2, rules.squares))[:, images.min(axis=0)],
        chance.integers(1, 1 << 63, (2, 2, rules.squares), dtype=np.uint64),
        1 + "XO".index(header.side),
        rules.plies,
    )


def _padded(lists: list[list[int]]) -> np.ndarray:
    """Return lists of numbers as the rows of an array, filled up with -1."""
    filled = np.full((len(lists), max(map(len, lists))), -1, np.int32)
    for number, one in enumerate(lists):
        filled[number, : len(one)] = one
    return filled


def _make_check(rules: Rules, lines: int, row_plies: npt.NDArray[np.int16]) -> kernel.Check:
    return kernel.Check(
        np.zeros(rules.squares, np.int8),
        np.zeros(lines, np.int64),
        np.zeros((rules.squares // 2 + 2, 8), np.int64),
        np.zeros(rules.squares, np.int8),
        np.zeros((kernel.DEEPEST + 2, 2), np.int16),
        np.zeros(rules.squares, np.bool_),
        np.zeros(lines + 1, np.int32),
        np.zeros(1 << 18, np.uint64),
        np.zeros(1 << 18, np.int8),
        np.zeros((1 << 12, 2), np.uint64),
        np.zeros(1 << 12, np.int16),
        row_plies,
        np.zeros((_SLICE, 2), np.int32),
        np.zeros((_MOST_FAULTS, 2), np.int64),
        np.zeros((_MOST_FAULTS, rules.squares), np.int8),
        np.array([0, -1, 0, 0, 0, 0, 0, 0, 0, kernel.UNASKED, -1, 0, 0, 0, -1]),
    )


def _enlarge(check: kernel.Check) -> kernel.Check:
    """Return a check in the same state with room for twice as many positions."""
    more = check._replace(
        seen=np.zeros((2 * len(check.seen), 2), np.uint64), seen_plies=np.zeros(2 * len(check.seen), np.int16)
    )
    kernel.insert_all(more, check.seen, check.seen_plies)
    return more
