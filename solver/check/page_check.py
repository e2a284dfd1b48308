"""Check a table of pages: whether every page is there and undamaged, and every value follows from the next ply's
values.

Levels are read one after another, beginning with the fewest stones. Two levels are in memory at a time.

A score is one byte. Both sides use one scale: X prefers the highest score, O the lowest.

    score = DRAW + (squares + 1 - T)   X wins at ply T: the sooner, the higher
            DRAW                       nobody makes a line
            DRAW - (squares + 1 - T)   O wins at ply T: the sooner, the lower

In a table with the metric `wdl`, the score of a win is DRAW + 1 or DRAW - 1, whatever T is. NONSENSE marks bits that
encode no value.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import comb

import numpy as np
import numpy.typing as npt

from solver.check.check_report import CheckReport, PlyRow, board_text, check_statistics, describe, disagreement
from solver.check.plain_rules import Stones, ply_of, unfinished, value_if_over
from solver.count import count_positions, walking
from solver.count.records import PlyCount
from solver.errors import DamagedTable, DoesNotFit, RulesError
from solver.game.arrays import byte_images, line_array, sort_distinct
from solver.game.legality import reason_impossible
from solver.game.lines import squares_of
from solver.game.notation import square_name
from solver.game.rules import Rules
from solver.game.value import Value
from solver.kernels.recheck import (
    DRAW,
    LIVE,
    Bytes,
    Pages,
    check_gravity,
    check_last_ply,
    check_placement,
    count_marks,
    reach_shapes,
    score_decided,
    unpack,
)
from solver.kernels.recheck_sets import CheckBoard, Ints, count_images, list_larger
from solver.store.codec import CodecError, unpack_page
from solver.store.digests import page_digest, sum_digest
from solver.store.layout import PageLayout, PageSize, colex_set
from solver.store.reader import TableReader
from solver.store.schema import Metric
from solver.store.sqlite import SqliteContent
from solver.support.english import format_size
from solver.support.memory import available_memory
from solver.support.progress import Progress
from solver.support.threads import ThreadPool

_SETS = 1 << 16  # sets whose larger sets are listed together: about 20 MB


def check_board(rules: Rules) -> CheckBoard:
    """Convert the rules to the form that the kernels of a check need."""
    supports = np.array(rules.supports, np.int64)
    below, above = np.where(supports < 0, 0, 1 << supports), np.zeros(rules.squares, np.int64)
    standing = np.flatnonzero(supports >= 0)
    above[supports[standing]] = 1 << standing
    orbits = rules.symmetries.orbits
    symmetries = [permutation for orbit in orbits for permutation in orbit] or [tuple(range(rules.squares))]
    lasts = [max(s for p in orbit for s, image in enumerate(p) if s != image) for orbit in orbits]
    return CheckBoard(
        rules.squares,
        rules.plies,
        line_array(rules.x_lines),
        line_array(rules.o_lines),
        np.array(symmetries, np.int64),
        byte_images(symmetries),
        np.cumsum([0, *map(len, orbits)]),
        np.array([last + 1 for last in [*lasts[1:], -1]][: len(orbits)], np.int64),
        below,
        above,
    )


def list_sets(board: CheckBoard, lines: Ints, most: int) -> list[Ints]:
    """Return the sets of up to `most` squares that one side can take, square by square, without completing a line.

    The sets are bitmasks, grouped by their number of squares, in ascending order. Only the smallest image of each set
    is listed.
    """
    sets, levels = np.zeros(1, np.int64), list[Ints]()
    while sets.size and len(levels) <= most:
        levels.append(sets)
        found = []
        for first in range(0, sets.size, _SETS):
            part = sets[first : first + _SETS]
            larger = np.empty((part.size, board.squares), np.int64)
            list_larger(board, lines, part, larger)
            found.append(sort_distinct(larger[larger >= 0]))
        sets = sort_distinct(np.concatenate(found))
    return levels


NONSENSE = 0


@dataclass(frozen=True)
class Scores:
    """The scores of one table."""

    rules: Rules
    metric: Metric

    def line(self, by_x: bool, ply: int) -> int:
        """Return the score of a game that ends at `ply` with a line of X or of O."""
        lead = self.rules.squares + 1 - ply if self.metric == "distance" else 1
        return DRAW + lead if by_x != self.rules.misere else DRAW - lead

    def of_codes(self, digits: int) -> npt.NDArray[np.uint8]:
        """Return the score of each code (2 * count + sign) on a page: uint8[2**(digits + 1)]."""
        codes = np.full(2 << digits, NONSENSE, np.uint8)
        codes[0] = DRAW
        counts = range(1, 1 << digits) if self.metric == "distance" else (1,)
        for sign in (0, 1):
            last = max(ply for ply in range(self.rules.plies + 1) if ply % 2 != sign)
            for count in counts:
                end = last - 2 * (count - 1)
                if end > 0:
                    codes[2 * count + sign] = self.line(sign == 0, end)
        return codes

    def value(self, score: int, ply: int) -> Value | None:
        """Convert a score to the value for the side to move at `ply`; None for NONSENSE."""
        if score == NONSENSE:
            return None
        timed = self.metric == "distance"
        if score == DRAW:
            return Value(unfinished(self.rules, ply), self.rules.plies - ply if timed else None)
        wdl = 1 if (score > DRAW) == (ply % 2 == 0) else -1
        return Value(wdl, self.rules.squares + 1 - abs(score - DRAW) - ply if timed else None)


Kernel = Callable[[int, int, Ints, Ints], int]  # checks pages [first, last): (first, last, tally, found) -> successors


_SCORES = 256
_FOUND = 4  # numbers that kernels.recheck.compare fills in for a page
_MOST_WALKED = 20_000_000  # positions that are counted by walking, within seconds


class PageCheck:
    """The check of one table of pages."""

    def __init__(self, reader: TableReader, source: SqliteContent, report: CheckReport, progress: Progress) -> None:
        self._reader, self._source, self._report, self._progress = reader, source, report, progress
        self._layout = reader.layout
        self._rules: Rules = reader.rules
        self._scores = Scores(reader.rules, reader.metric)
        self._board = check_board(reader.rules)
        self._keys, self._o_sets = self._list_keys(reader.opening_plies)
        sizes = [
            self._layout.page_size((1 << stones) - 1).positions * keys.size for stones, keys in enumerate(self._keys)
        ]
        _require_memory(sizes, 2 if self._layout.has_gravity else 1)
        self._work = sum(sizes)
        self._done, self._digest = 0, 0
        self._whole = True  # until the first page whose values are unknown
        self._tally = np.zeros((self._rules.squares + 1, _SCORES), np.int64)  # positions by ply and score
        self._finished = np.zeros(self._rules.squares + 1, np.int64)  # finished positions by ply

    def run(self, threads: int | None) -> None:
        """Check the whole table, and add the problems to the report."""
        expected = np.concatenate(self._keys)
        for key in sorted(set(self._source.keys()).difference(expected.tolist())):  # missing ones are found when read
            self._report.add(f"There is a page {key}, but no page of this game has that key.")
        with ThreadPool(threads) as pool:
            for pages, kernel in self._gravity(pool) if self._layout.has_gravity else self._placement(pool):
                if self._whole:
                    self._check_level(pool, pages, kernel)
                del pages, kernel  # otherwise they would stay in memory while the next level is read
        if self._whole:
            self._report.compare_digest(sum_digest(self._digest), self._reader.meta["digest"])
            self._check_statistics()

    def _list_keys(self, opening_plies: int | None) -> tuple[list[Ints], dict[int, Ints]]:
        """Return the keys of the table's pages, and the sets that O can take without a line, by number of squares."""
        rules, board = self._rules, self._board
        if self._layout.has_gravity:  # a key holds the stones of both sides
            return list_sets(board, line_array(()), rules.squares - 1 if opening_plies is None else opening_plies), {}
        keys = list_sets(board, board.x_lines, rules.plies // 2)
        is_same = rules.is_even or not rules.exact  # without guards, no set of O is looked up
        o_sets = keys if is_same else list_sets(board, board.o_lines, rules.plies // 2)
        return keys, dict(enumerate(o_sets))

    def _placement(self, pool: ThreadPool) -> Iterator[tuple[Pages, Kernel]]:
        """Yield each level of a game without gravity, from no stones of X upwards, with the kernel that checks it."""
        pages = self._load(0, pool)
        for stones in range(len(self._keys)):
            children = self._load(stones + 1, pool)
            x_line, o_line = self._scores.line(True, 2 * stones + 1), self._scores.line(False, 2 * stones)
            yield pages, partial(check_placement, self._board, pages, children, x_line, o_line)
            pages = children

    def _gravity(self, pool: ThreadPool) -> Iterator[tuple[Pages, Kernel]]:
        """With gravity, yield the pages of each ply with the kernel that checks them; tally finished positions."""
        board, pages = self._board, self._load(0, pool)._replace(marks=np.full((1, 1), LIVE, np.uint8))
        opening = self._reader.opening_plies
        for stones in range(board.squares if opening is None else opening):
            last = stones + 1 == board.squares
            children = self._load(stones + 1, pool)
            children = children._replace(marks=np.empty_like(children.scores))
            for _ in pool.map_ranges(partial(reach_shapes, board, children, pages), *children.scores.shape):
                pass
            live, over = count_marks(children)
            line = self._scores.line(stones % 2 == 0, stones + 1)
            self._tally_finished(stones + 1, {line: over, DRAW: live if last else 0})
            yield pages, partial(check_gravity, board, pages, children, line)
            pages = children
        if opening is not None:
            yield pages, partial(check_last_ply, board, pages)

    def _load(self, stones: int, pool: ThreadPool) -> Pages:
        """Read the scores of all pages whose keys have `stones` squares; report damaged pages. `marks` stays empty."""
        no_keys, none = np.empty(0, np.int64), np.empty((0, 0), np.uint8)
        if stones == len(self._keys) and self._layout.has_gravity:  # no table has the page of the full board
            scores = np.full((1, comb(stones, stones // 2)), DRAW, np.uint8)  # assumes no line
            return Pages(stones, np.array([(1 << stones) - 1]), no_keys, no_keys, np.ones(1, np.int64), scores, none)
        if stones == len(self._keys):
            return Pages(stones, no_keys, no_keys, no_keys, no_keys, none, none)
        keys = self._keys[stones]
        o_before, o_after = (self._o_sets.get(size, no_keys) for size in (stones - 1, stones))
        weights = np.empty(keys.size, np.int64)
        count_images(self._board, keys, weights)
        size = self._layout.page_size((1 << stones) - 1)
        scores = np.empty((keys.size, size.positions), np.uint8)
        score_of = self._scores.of_codes(size.digits)

        def read(first: int, last: int) -> tuple[int, list[str], list[str]]:
            return self._read(keys[first:last].tolist(), size, score_of, scores[first:last])

        for digest, unreadable, padded in pool.map_ranges(read, *scores.shape):
            self._digest += digest
            self._whole = self._whole and not unreadable
            for problem in unreadable + padded:
                self._report.add(problem)
        pages = Pages(stones, keys, o_before, o_after, weights, scores, none)
        if self._whole and self._layout.has_threats:
            self._score_decided(pages, pool)
        return pages

    def _score_decided(self, pages: Pages, pool: ThreadPool) -> None:
        ply = 2 * pages.stones  # with X to move
        o_lines = np.array([self._scores.line(False, ply), self._scores.line(False, ply + 2)])

        def score(first: int, last: int) -> Ints:
            wrong = np.empty(last - first, np.int64)
            score_decided(self._board, pages, self._scores.line(True, ply + 1), o_lines, first, last, wrong)
            return wrong

        wrong = np.concatenate(list(pool.map_ranges(score, *pages.scores.shape)))
        for page in np.flatnonzero(wrong >= 0).tolist():
            board = board_text(self._rules, _stones_at(self._layout, int(pages.keys[page]), int(wrong[page])))
            self._report.add(f"The board {board} is decided by threats, so its bits must be 0, and are not.")

    def _read(
        self, keys: list[int], size: PageSize, score_of: Bytes, scores: Bytes
    ) -> tuple[int, list[str], list[str]]:
        """Read pages of one size into `scores`; return (digest, problems with reading pages, problems with padding)."""
        digest, unreadable, padded = 0, [], []
        for key, row in zip(keys, scores, strict=True):
            try:
                data = self._source.page(key)
                if data is None:
                    raise CodecError("it is missing")
                if not isinstance(data, bytes):
                    raise CodecError("it is not a blob")
                raw = unpack_page(data, size.raw_bytes)
            except (CodecError, DamagedTable) as error:
                reason = str(error).rstrip(".")
                unreadable.append(f"The page {_name_page(self._layout, key)} can't be read: {reason}.")
                continue
            digest += page_digest(key, raw)
            planes = np.frombuffer(raw, np.uint8).reshape(1 + size.digits, size.plane_bytes)
            if not unpack(planes, score_of, row):
                padded.append(f"The page {_name_page(self._layout, key)} has bits set past its last position.")
        return digest, unreadable, padded

    def _check_level(self, pool: ThreadPool, pages: Pages, kernel: Kernel) -> None:

        def check(first: int, last: int) -> tuple[int, int, Ints, Ints]:
            tally = np.zeros_like(self._tally)
            found = np.zeros((last - first, _FOUND), np.int64)
            return first, kernel(first, last, tally, found), tally, found

        is_last = pages.stones == self._reader.opening_plies
        for first, successors, tally, found in pool.map_ranges(check, *pages.scores.shape):
            self._report.successors += successors
            self._report.positions += 0 if is_last else int(found[:, 0].sum())
            self._tally += tally
            for page in np.flatnonzero(found[:, 1]).tolist():  # the first disagreement on each page
                rank, expected = found[page, 2:].tolist()
                stones = _stones_at(self._layout, int(pages.keys[first + page]), rank)
                scores = int(pages.scores[first + page, rank]), expected
                stored, wanted = (self._scores.value(score, ply_of(stones)) for score in scores)
                self._report.add(_disagreement_on_page(self._rules, stones, stored, None if is_last else wanted))
            self._done += found.shape[0] * pages.scores.shape[1]
            self._progress(self._done, self._work)

    def _tally_finished(self, ply: int, numbers: Mapping[int, int]) -> None:
        for score, number in numbers.items():
            self._tally[ply, score] += number
            self._finished[ply] += number

    def _check_statistics(self) -> None:
        """Check the statistics. Without gravity, the numbers of finished positions come from `_count_positions`."""
        counts = self._count_positions(int(self._tally.sum()))
        if not self._layout.has_gravity:
            for count in counts:
                x_line, o_line = (self._scores.line(by_x != self._rules.misere, count.ply) for by_x in (True, False))
                self._tally_finished(count.ply, {x_line: count.x_wins, o_line: count.o_wins, DRAW: count.draws})
        rows = [self._expected_row(count.ply, count.canonical) for count in counts]
        root = self._scores.value(int(self._tally[0].argmax()), 0)
        check_statistics(self._reader, rows, root, self._report)

    def _count_positions(self, positions: int) -> list[PlyCount]:
        """Count each ply's positions. In a small game with gravity, visit them all, independently of the builder."""
        plies = self._reader.opening_plies
        if self._layout.has_gravity and positions <= _MOST_WALKED and plies is None:
            with suppress(RulesError):  # its limit counts unreachable boards too
                return walking.count_positions(self._rules)
        return count_positions(self._rules, plies)

    def _expected_row(self, ply: int, canonical: int) -> PlyRow:
        tally = self._tally[ply]
        values = [(self._scores.value(score, ply), int(tally[score])) for score in np.flatnonzero(tally).tolist()]
        won, drawn, lost = (sum(n for value, n in values if value and value.wdl == wdl) for wdl in (1, 0, -1))
        lengths = [value.distance for value, _ in values if value and value.wdl and value.distance is not None]
        positions, terminal, longest = int(tally.sum()), int(self._finished[ply]), max(lengths, default=None)
        return PlyRow(ply, positions, canonical, terminal, won, drawn, lost, longest)


def _name_page(layout: PageLayout, key: int) -> str:
    """Return a page's key with a description of the stones that all positions on the page have in common."""
    whose = "stones" if layout.has_gravity else "X"
    squares = " ".join(square_name(layout.rules, square) for square in squares_of(key))
    return f"{key} ({whose} on {squares or 'no square'})"


def _disagreement_on_page(rules: Rules, stones: Stones, found: Value | None, wanted: Value | None) -> str:
    """Describe a wrong value: the position, its stored value `found` (None: meaningless bits), and the true one."""
    board = board_text(rules, stones)
    table_says = "has bits that mean nothing" if found is None else f"says {describe(found)}"
    if value_if_over(rules, stones) or reason_impossible(rules, *stones):
        return f"The board {board} is never looked up, so its bits must be 0, but the table {table_says}."
    return disagreement(board, wanted, table_says)


def _stones_at(layout: PageLayout, key: int, rank: int) -> Stones:
    """Return the position that has a given rank on a page: the inverse of PageLayout.locate."""
    stones = key.bit_count()
    if layout.has_gravity:
        x = _spread(colex_set(rank, (stones + 1) // 2), key)
        return x, key ^ x
    free = layout.squares - stones
    split = comb(free, stones - 1) if stones else 0
    before = rank < split
    bits = colex_set(rank, stones - 1) if before else colex_set(rank - split, stones)
    return key, _spread(bits, (1 << layout.squares) - 1 ^ key)


def _spread(bits: int, allowed: int) -> int:
    """Return the squares of `allowed` that `bits` selects: bit 0 stands for the lowest of them, and so on."""
    squares = list(squares_of(allowed))
    return sum(1 << squares[bit] for bit in squares_of(bits))


def _require_memory(sizes: list[int], bytes_each: int) -> None:
    """Raise DoesNotFit if two adjacent levels do not fit into memory. `sizes`: each level's number of positions."""
    needed = bytes_each * max(map(sum, pairwise([*sizes, 0])))
    memory = available_memory()
    if memory is not None and needed > memory:
        raise DoesNotFit(
            f"The check needs {format_size(needed)} of memory and {format_size(memory)} are available; "
            f"check a sample of the positions with --sample."
        )
