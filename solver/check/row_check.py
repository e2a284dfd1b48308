"""Check a table of positions: every column of every row, missing rows, and surplus rows."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from solver.check.check_report import CheckReport, PlyRow, board_text, check_statistics, disagreement
from solver.check.plain_rules import Stones, has_line, ply_of, successors, value_if_over
from solver.game.base3 import decode, encode
from solver.game.notation import square_name
from solver.game.rules import Rules
from solver.game.value import Value
from solver.store.codec import dense_checksum
from solver.store.digests import dense_digest
from solver.store.reader import TableReader
from solver.store.schema import POSITIONS_COLUMNS, UNREACHABLE, dense_code
from solver.support.progress import Progress

Row = tuple[object, ...]

_HASH, _WDL, _DISTANCE = (list(POSITIONS_COLUMNS).index(name) for name in ("hash", "wdl", "distance"))
_SHOWN_EVERY = 4096  # rows between two calls of progress


class _Row(NamedTuple):
    """The expected row of a position, with its columns in the order of POSITIONS_COLUMNS."""

    hash: int
    board: str
    ply: int
    to_move: str
    wdl: int
    distance: int | None
    best_moves: str
    canonical: int


def check_positions(reader: TableReader, rows: Iterable[Row], report: CheckReport, progress: Progress) -> None:
    """Report where `rows` (with the columns POSITIONS_COLUMNS) and the statistics differ from the expected ones."""
    rules, timed = reader.rules, reader.metric == "distance"
    stored = {row[_HASH]: row for row in rows}
    moves = _list_moves(rules)
    expected = _expected_rows(rules, timed, moves)
    for number in sorted(expected.keys() - stored.keys()):
        report.add(f"The position {expected[number].board} (hash {number}) has no row.")
    for extra in sorted(stored.keys() - expected.keys(), key=repr):
        report.add(f"The position with the hash {extra!r} has a row, but can't arise in play.")
    if report.problems:
        return
    dense = bytearray([UNREACHABLE]) * 3**rules.squares
    by_ply: list[list[_Row]] = [[] for _ in range(rules.plies + 1)]
    for done, (number, row) in enumerate(expected.items(), 1):
        dense[number] = dense_code(row.wdl, row.distance)
        _compare(stored[number], row, report)
        report.positions += 1
        report.successors += len(moves[number])
        by_ply[row.ply].append(row)
        if done % _SHOWN_EVERY == 0 or done == len(expected):
            progress(done, len(expected))
    report.compare_digest(dense_digest(dense), reader.meta["digest"])
    checksum = dense_checksum(dense)
    if checksum != reader.meta["checksum"]:
        report.add(f"The meta of the table says checksum = {reader.meta['checksum']}, but it is {checksum}.")
    plies = []
    for ply, here in enumerate(by_ply):
        wdl = [row.wdl for row in here]
        canonical = sum(row.hash == row.canonical for row in here)
        terminal = sum(not moves[row.hash] for row in here)
        longest = max([row.distance or 0 for row in here if row.wdl], default=None) if timed else None
        won, drawn, lost = (wdl.count(result) for result in (1, 0, -1))
        plies.append(PlyRow(ply, len(here), canonical, terminal, won, drawn, lost, longest))
    root = expected[0]
    check_statistics(reader, plies, Value(root.wdl, root.distance), report)


def _list_moves(rules: Rules) -> dict[int, list[tuple[int, int]]]:
    """Map each position's hash to its moves: pairs (square, hash of the next position). Early plies come first."""
    lined = [[has_line(rules, stones, by_x) for stones in range(1 << rules.squares)] for by_x in (False, True)]
    level: dict[int, Stones] = {0: (0, 0)}
    moves = {}
    while level:
        following: dict[int, Stones] = {}
        for number, stones in level.items():
            ply = ply_of(stones)
            is_over = ply == rules.plies or lined[ply % 2][stones[1 - ply % 2]]
            ahead = [] if is_over else [(square, encode(*child), child) for square, child in successors(rules, stones)]
            following.update((after, child) for _, after, child in ahead)
            moves[number] = [(square, after) for square, after, _ in ahead]
        level = following
    return moves


def _expected_rows(rules: Rules, timed: bool, moves: Mapping[int, list[tuple[int, int]]]) -> dict[int, _Row]:
    """Map each position's base-3 hash to its expected row. Values are computed from the values one move later."""
    values: dict[int, Value] = {}
    best: dict[int, str] = {}
    for number, ahead in reversed([*moves.items()]):
        if ahead:
            after = [values[child].before_move() for _, child in ahead]
            values[number] = min(after, key=lambda value: value.rank)
            squares = [square for (square, _), value in zip(ahead, after, strict=True) if value == values[number]]
            best[number] = " ".join(square_name(rules, square) for square in squares)
        else:
            over = value_if_over(rules, decode(number))
            values[number], best[number] = Value(over.wdl if over else 0, 0 if timed else None), ""
    powers = 3 ** np.array(rules.board_symmetries.elements, np.int64)
    canonical: dict[int, int] = {}
    rows = {}
    for number in moves:
        x, o = decode(number)
        if number not in canonical:
            images = np.unique(powers @ [(x >> s & 1) + 2 * (o >> s & 1) for s in range(rules.squares)]).tolist()
            canonical |= dict.fromkeys(images, images[0])
        ply = ply_of((x, o))
        board, value = board_text(rules, (x, o)), values[number]
        rows[number] = _Row(number, board, ply, "XO"[ply % 2], *value, best[number], canonical[number])
    return rows


def _compare(stored: Row, expected: _Row, report: CheckReport) -> None:
    """Report each column that differs from the expected row. `wdl` and `distance` are reported together."""
    if stored == expected:
        return
    if stored[_WDL : _DISTANCE + 1] != expected[_WDL : _DISTANCE + 1]:
        wdl, distance = stored[_WDL], stored[_DISTANCE]
        says = f"says wdl = {wdl}, distance = {distance}"
        report.add(disagreement(expected.board, Value(expected.wdl, expected.distance), says))
    for column, found, wanted in zip(POSITIONS_COLUMNS, stored, expected, strict=True):
        if found != wanted and column not in ("wdl", "distance"):
            report.add(f"The row of the position {expected.board} says {column} = {found!r} instead of {wanted!r}.")
