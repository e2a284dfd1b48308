"""Check some positions of a table that is too large to check them all."""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random

from solver.check.plain_rules import Stones, has_line, successors, value_if_over
from solver.check.report import CheckReport, PlyRow, board_text, check_statistics, describe, disagreement
from solver.count import count_positions
from solver.errors import DamagedTable
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.value import Value
from solver.store.layout import MeaninglessBits
from solver.store.reader import PageCache, TableReader

Progress = Callable[[int, int], None]


def check_sample(reader: TableReader, count: int, seed: int, report: CheckReport, progress: Progress) -> None:
    """Check the empty board and `count` random positions of a table of pages, and the counts in its statistics.

    Each position is the end of a random game that was stopped at a random ply, before a line was made.
    """
    rules, random = reader.rules, Random(seed)
    drawn = [(0, 0)]
    for done in range(1, count + 1):
        drawn.append(random_position(rules, random, random.randrange(rules.plies)))
        progress(done, 2 * count)
    asked = {stones for position in drawn for stones in (position, *_moves(rules, position))}
    probe = _probe_all(reader, asked, lambda done: progress(count + done * count // len(asked), 2 * count))
    for position in drawn:
        _check_position(rules, position, probe, report)
    counts = count_positions(rules)
    rows = [PlyRow(count.ply, count.positions, count.canonical, count.terminal) for count in counts]
    check_statistics(reader, rows, probe((0, 0)), report)


def _moves(rules: Rules, stones: Stones) -> list[Stones]:
    """List the positions one move later."""
    return [child for _, child in successors(rules, stones)]


def _probe_all(
    reader: TableReader, asked: Collection[Stones], progress: Callable[[int], None]
) -> Callable[[Stones], Value]:
    """Read the values of positions page by page, since a large page takes long to unpack; return what looks them up.

    That raises DamagedTable for a position that could not be read.
    """
    rules, layout = reader.rules, reader.layout
    probe = make_prober(reader)
    values: dict[Stones, Value | DamagedTable] = {}
    by_page = sorted(asked, key=lambda stones: layout.locate(Position._of(rules, *stones))[0])
    for done, stones in enumerate(by_page, 1):
        try:
            values[stones] = probe(stones)
        except DamagedTable as error:
            values[stones] = error
        progress(done)

    def value(stones: Stones) -> Value:
        found = values[stones]
        if isinstance(found, DamagedTable):
            raise found
        return found

    return value


def random_position(rules: Rules, random: Random, ply: int) -> Stones:
    """Play `ply` random moves that do not end the game, or fewer if there are none left."""
    stones = (0, 0)
    for done in range(min(ply, rules.plies - 1)):
        x_moves = done % 2 == 0
        moves = [
            child
            for square, child in successors(rules, stones)
            if not has_line(rules, child[done % 2], x_moves, square)
        ]
        if not moves:
            break
        stones = random.choice(moves)
    return stones


def _check_position(rules: Rules, stones: Stones, probe: Callable[[Stones], Value], report: CheckReport) -> None:
    board = board_text(rules, stones)
    try:
        stored = probe(stones)
        moves = [probe(child).before_move() for child in _moves(rules, stones)]
    except DamagedTable as error:
        report.add(f"The position {board} can't be checked: {error}")
        return
    report.positions += 1
    report.successors += len(moves)
    value = min(moves, key=lambda value: value.rank)
    if stored != value:
        report.add(disagreement(board, value, f"says {describe(stored)}"))


def make_prober(reader: TableReader) -> Callable[[Stones], Value]:
    """Make the function that reads the value of a position, or judges it by the rules where the game is over."""
    layout, rules = reader.layout, reader.rules
    page = PageCache(reader.page)

    def probe(stones: Stones) -> Value:
        over = value_if_over(rules, stones)
        if over is not None:
            return over if reader.metric == "distance" else Value(over.wdl)
        try:
            return layout.answer(Position._of(rules, *stones), page)
        except MeaninglessBits as error:
            raise reader.damaged(str(error)) from error

    return probe
