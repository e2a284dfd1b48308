"""Check a table of positions: every column of every row, missing rows, and surplus rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product, starmap
from typing import NamedTuple

import numpy as np

from solver.check.check_report import CheckReport, PlyRow, board_text, check_statistics, disagreement
from solver.check.plain_rules import Stones, has_line, ply_of, successors, unfinished
from solver.game.base3 import decode, encode
from solver.game.notation import square_name
from solver.game.rules import Rules
from solver.game.value import Value
from solver.store.codec import dense_digest
from solver.store.reader import TableReader
from solver.store.schema import POSITIONS_COLUMNS, UNREACHABLE, dense_code

Progress = Callable[[int, int], None]
Row = tuple[object, ...]

_HASH, _WDL, _DISTANCE = (list(POSITIONS_COLUMNS).index(name) for name in ("hash", "wdl", "distance"))
_SHOWN_EVERY = 4096  # rows between two calls of progress


class _Reached(NamedTuple):
    """A reachable position."""

    stones: Stones
    over: Value | None
    moves: tuple[tuple[int, int], ...]  # (square, hash of the position after it)


class _Row(NamedTuple):
    """The expected row of a position, in the order of POSITIONS_COLUMNS."""

    hash: int
    board: str
    ply: int
    to_move: str
    wdl: int
    distance: int | None
    best_moves: str
    canonical: int


def check_positions(reader: TableReader, rows: Iterable[Row], report: CheckReport, progress: Progress) -> None:
    """Check the rows of a table (in the order of POSITIONS_COLUMNS) and its statistics; add problems to the report."""
    rules, timed = reader.rules, reader.metric == "distance"
    stored = {row[_HASH]: row for row in rows}
    values = _read_values(rules, stored, timed, report)
    reached = _reach(rules, timed)
    for number in sorted(reached.keys() - stored.keys()):
        report.add(f"The position {_board(rules, number)} (hash {number}) has no row.")
    for extra in sorted(stored.keys() - reached.keys(), key=repr):
        report.add(f"The position {_board(rules, extra)} (hash {extra}) has a row, but can't arise in play.")
    if report.problems:
        return
    dense = bytearray([UNREACHABLE]) * 3**rules.squares
    for number, value in values.items():
        dense[number] = dense_code(*value)
    report.compare_digest(dense_digest(dense), reader.meta["digest"])
    expect = _Expectation(rules, reached, values)
    by_ply: list[list[_Row]] = [[] for _ in range(rules.plies + 1)]
    for done, number in enumerate(reached, 1):
        row = expect.row(number)
        _compare(stored[number], row, report)
        report.positions += 1
        report.successors += len(reached[number].moves)
        by_ply[row.ply].append(row)
        if done % _SHOWN_EVERY == 0 or done == len(reached):
            progress(done, len(reached))
    plies = []
    for ply, rows_here in enumerate(by_ply):
        here = [values[row.hash] for row in rows_here]
        wdl = [value.wdl for value in here]
        plies.append(
            PlyRow(
                ply=ply,
                positions=len(here),
                canonical=sum(row.hash == row.canonical for row in rows_here),
                terminal=sum(reached[row.hash].over is not None for row in rows_here),
                won=wdl.count(1),
                drawn=wdl.count(0),
                lost=wdl.count(-1),
                longest=max([value.distance or 0 for value in here if value.wdl], default=None) if timed else None,
            )
        )
    check_statistics(reader, plies, values[0], report)


def _read_values(rules: Rules, stored: Mapping[object, Row], timed: bool, report: CheckReport) -> dict[int, Value]:
    """Return the value in each row by hash, and report rows that make no sense."""
    distances = range(rules.squares + 1) if timed else [None]
    allowed: dict[object, Value] = {value: value for value in starmap(Value, product((-1, 0, 1), distances))}
    values = {}
    for number, row in stored.items():
        value = allowed.get((row[_WDL], row[_DISTANCE]))
        if value is None or not isinstance(number, int) or not 0 <= number < 3**rules.squares:
            report.add(f"The row of the position {_board(rules, number)} makes no sense: {row}.")
        else:
            values[number] = value
    return values


def _reach(rules: Rules, timed: bool) -> dict[int, _Reached]:
    """Return every reachable position by hash, fewest stones first."""
    lined = [[has_line(rules, stones, by_x) for stones in range(1 << rules.squares)] for by_x in (False, True)]
    lost = Value(1 if rules.misere else -1, 0 if timed else None)
    drawn = Value(unfinished(rules, rules.plies), 0 if timed else None)
    level: dict[int, Stones] = {0: (0, 0)}
    reached = {}
    while level:
        following: dict[int, Stones] = {}
        for number, stones in level.items():
            ply = ply_of(stones)
            if lined[ply % 2][stones[1 - ply % 2]]:
                reached[number] = _Reached(stones, lost, ())
                continue
            ahead = successors(rules, stones) if ply < rules.plies else []
            moves = [(square, encode(*child), child) for square, child in ahead]
            following.update((after, child) for _, after, child in moves)
            over = None if moves else drawn
            reached[number] = _Reached(stones, over, tuple((square, after) for square, after, _ in moves))
        level = following
    return reached


class _Expectation:
    """The expected rows, computed from the values one move later."""

    def __init__(self, rules: Rules, reached: Mapping[int, _Reached], values: Mapping[int, Value]) -> None:
        self._rules = rules
        self._reached = reached
        # There are few distinct values, so their ranks are computed once.
        distinct = set(values.values())
        self._as_mover = {value: value.before_move() for value in distinct}
        self._rank = {value: mine.rank for value, mine in self._as_mover.items()}
        self._values = values
        self._names = [square_name(rules, square) for square in range(rules.squares)]
        self._powers = 3 ** np.array(rules.board_symmetries, np.int64)
        self._canonical: dict[int, int] = {}  # the least image of each position so far

    def row(self, number: int) -> _Row:
        """Return the expected row of a position."""
        (x, o), over, moves = self._reached[number]
        ply = ply_of((x, o))
        value, best = over, ""
        if value is None:
            after = [self._values[child] for _, child in moves]
            choice = min(after, key=self._rank.__getitem__)
            value = self._as_mover[choice]
            best = " ".join([self._names[s] for (s, _), found in zip(moves, after, strict=True) if found == choice])
        return _Row(number, board_text(self._rules, (x, o)), ply, "XO"[ply % 2], *value, best, self._least(number))

    def _least(self, number: int) -> int:
        """Return the least image of a position; an orbit is computed at once."""
        if number not in self._canonical:
            x, o = self._reached[number][0]
            digits = [(x >> s & 1) + 2 * (o >> s & 1) for s in range(self._rules.squares)]
            images = np.unique(self._powers @ digits).tolist()
            self._canonical |= dict.fromkeys(images, images[0])
        return self._canonical[number]


def _compare(stored: Row, expected: _Row, report: CheckReport) -> None:
    """Report each column that is not as expected, wdl and distance together."""
    if stored == expected:
        return
    if stored[_WDL : _DISTANCE + 1] != expected[_WDL : _DISTANCE + 1]:
        wdl, distance = stored[_WDL], stored[_DISTANCE]
        says = f"says wdl = {wdl}, distance = {distance}"
        report.add(disagreement(expected.board, Value(expected.wdl, expected.distance), says))
    for column, found, wanted in zip(POSITIONS_COLUMNS, stored, expected, strict=True):
        if found != wanted and column not in ("wdl", "distance"):
            report.add(f"The row of the position {expected.board} says {column} = {found!r} instead of {wanted!r}.")


def _board(rules: Rules, number: object) -> str:
    """Return the board of a hash, or the hash itself if it is invalid."""
    sensible = isinstance(number, int) and 0 <= number < 3**rules.squares
    return board_text(rules, decode(number)) if sensible and isinstance(number, int) else repr(number)
