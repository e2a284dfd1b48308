"""Sample a game with gravity: how long its shapes take to solve, and how small their pages get.

Stones are drawn that fill the lowest rows and the last columns, and what is played on the squares that are left is
solved: a game of its own on a smaller board. Its lines lack the squares that their owner holds, and those on which the
other side has a stone do not count. Each page of it is a part of a page of the whole game, so that positions take about
as many bytes in both.

How many positions arise on a page is told by random boards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import comb
from time import perf_counter

import numpy as np
import numpy.typing as npt

from solver.count.counts import occupied_sets
from solver.game.legality import reason_out_of_order
from solver.game.lines import Line, completed, mask_of, squares_of
from solver.game.rules import MAX_SQUARES, OTHER, Rules
from solver.solve.measure import LevelSize, MeasuredGame, measure_game
from solver.solve.plan import BuildPlan, plan_build, plan_memory
from solver.solve.sample import PageSample
from solver.support.drawing.diagram import grid
from solver.support.threads import ThreadPool

Board = tuple[int, int]  # rows and columns
Boards = npt.NDArray[np.bool_]  # [boards, squares]

_WORD = 1e-8  # seconds for a unit of work, before anything was measured
_MOST_BYTES = 2_000_000_000  # of memory for a game
_TRIES = 100  # to draw stones without a line
_DRAWN = 200_000  # squares of the random boards of a ply
_SEARCHED = 50  # of these, without a line, for an order of moves that leads there
_FRAME = 16  # bytes of a page in which no position arises
_TELLING = 1_000  # bytes of a page that tells how many a position takes
_POSITION = 0.3  # bytes, where no page tells


def sample_shapes(plan: BuildPlan, pool: ThreadPool, seconds: float) -> list[PageSample]:
    """Sample each level of a plan, for so many seconds of the clock, about."""
    games, sizes = _Sampler(plan, pool).sample(seconds)
    word, raw_byte = np.mean([game[:2] for game in games], axis=0).tolist()
    return [
        PageSample(level.page_work * word, level.page_bytes * raw_byte, size, 1.0)
        for level, size in zip(plan.levels, sizes, strict=True)
    ]


class _Sampler:
    """Solve games that are parts of a game."""

    def __init__(self, plan: BuildPlan, pool: ThreadPool) -> None:
        self._plan, self._threads = plan, pool.threads
        self._measure = partial(measure_game, metric=plan.metric, pool=pool)
        self._random = np.random.default_rng(0)

    def sample(self, seconds: float) -> tuple[list[MeasuredGame], list[float]]:
        """Return the games that were solved, and the bytes of a page of each level."""
        boards = _list_boards(self._plan.rules)
        self._measure(self._draw_rest(boards[-1]))  # compiles
        board = self._choose_board(boards, seconds * self._threads)
        if board == boards[0]:
            game = self._measure(self._plan.rules)
            return [game], [level.packed_bytes / max(level.pages, 1) for level in game.levels]
        games: list[MeasuredGame] = []
        begun = perf_counter()
        while not games or (perf_counter() - begun) * (1 + 1 / len(games)) < seconds:
            games.append(self._measure(self._draw_rest(board)))
        return games, self._tell_bytes(games)

    def _choose_board(self, boards: Sequence[Board], seconds: float) -> Board:
        """Choose the largest board on which a game takes no longer than so many seconds of a thread, and fits."""
        for rows, columns in boards:
            if rows * columns <= MAX_SQUARES:
                rest = plan_build(self._draw_rest((rows, columns)), self._plan.metric)
                if rest.work * _WORD <= seconds and plan_memory(rest, None, self._threads).peak <= _MOST_BYTES:
                    return rows, columns
        return boards[-1]

    def _draw_rest(self, board: Board) -> Rules:
        """Make the game on the highest rows and the first columns that is left when random stones fill the others.

        They have no line unless that is rare; such lines are left out.
        """
        rules = self._plan.rules
        rows, columns = board
        left = [row * rules.stride + column for row in range(rows) for column in range(columns)]
        filled = np.setdiff1d(np.arange(rules.squares), left)
        x = o = 0
        for _ in range(_TRIES):
            x, o = (mask_of(half.tolist()) for half in np.array_split(self._random.permutation(filled), 2))
            if not completed(rules.x_lines, x) and not completed(rules.o_lines, o):
                break
        places = {square: place for place, square in enumerate(left)}
        sides = (_left_lines(rules.x_lines, x, o, places), _left_lines(rules.o_lines, o, x, places))
        is_x_to_move = filled.size % 2 == 0  # else O is, who is X in the rest
        unfinished = rules.unfinished if is_x_to_move or not rules.unfinished else OTHER[rules.unfinished]
        return Rules(
            name=f"{rules} after {x:x} {o:x}",
            words="the rest of a game",
            diagram=grid(rows, columns),
            x_lines=sides[0 if is_x_to_move else 1],
            o_lines=sides[1 if is_x_to_move else 0],
            misere=rules.misere,
            stride=columns,
            unfinished=unfinished,
            flips=(tuple(range(len(left))),),
        )

    def _tell_bytes(self, games: Sequence[MeasuredGame]) -> list[float]:
        """Tell the bytes of a page of each level from those of games on a smaller board."""
        sizes = []
        for level, position in zip(self._plan.levels, _position_bytes(self._plan, games), strict=True):
            arising = comb(level.stones, level.stones // 2) * _share_arising(
                self._plan.rules, level.stones, self._random
            )
            sizes.append(min(_FRAME + position * arising, level.page_bytes))
        return sizes


def _list_boards(rules: Rules) -> list[Board]:
    """List boards, each with a row or a column fewer than the one before, from the whole one on."""
    rows, columns = rules.squares // rules.stride, rules.stride
    boards = [(rows, columns)]
    while (rows, columns) != (2, 1):
        cuts_column = columns >= rows or rows == 2
        rows, columns = rows - (not cuts_column), columns - cuts_column
        boards.append((rows, columns))
    return boards


def _left_lines(lines: Sequence[Line], own: int, other: int, places: dict[int, int]) -> tuple[Line, ...]:
    """List what is left of one side's lines when these stones stand: with the squares as they are numbered there."""
    found: dict[Line, None] = {}
    for mask, guard in lines:
        rest = mask & ~own
        if rest and not mask & other and not guard & own:
            here = [mask_of(places[square] for square in squares_of(part)) for part in (rest, guard & ~other)]
            found[Line(*here)] = None
    return tuple(found)


def _position_bytes(plan: BuildPlan, games: Sequence[MeasuredGame]) -> Iterator[float]:
    """Yield for each level the bytes that a position takes in the games, or in the nearest level that tells.

    Levels are numbered by what is left to play, in the games as in the plan.
    """
    sizes = [LevelSize(*np.sum(level, axis=0).tolist()) for level in zip(*[game.levels for game in games], strict=True)]
    largest = max((size.raw_bytes / size.pages for size in sizes if size.pages), default=0.0)
    each = {
        number: max(size.packed_bytes - size.pages * _FRAME, 0) / size.positions
        for number, size in enumerate(sizes)
        if size.positions and size.raw_bytes >= min(_TELLING, largest) * size.pages
    }
    for level in plan.levels:
        yield each[min(each, key=lambda number: abs(number - level.number))] if each else _POSITION


def _share_arising(rules: Rules, stones: int, random: np.random.Generator) -> float:
    """Tell what share of the boards with so many stones, half of them X's, arise in play and go on."""
    taken = _draw_shapes(rules, stones, _DRAWN // rules.squares + 1, random)
    order = np.where(taken, random.random(taken.shape), 1.0)
    x = taken & (order <= np.partition(order, (stones - 1) // 2, axis=1)[:, (stones - 1) // 2, None])
    o = taken & ~x
    lineless = np.flatnonzero(~_has_line(rules.x_lines, x) & ~_has_line(rules.o_lines, o))
    searched = [[_mask(side[board]) for side in (x, o)] for board in lineless[:_SEARCHED].tolist()]
    found = sum(reason_out_of_order(rules, *sides) is None for sides in searched)
    return len(lineless) / len(taken) * found / max(len(searched), 1)


def _mask(squares: npt.NDArray[np.bool_]) -> int:
    return mask_of(np.flatnonzero(squares).tolist())


def _has_line(lines: Sequence[Line], stones: Boards) -> npt.NDArray[np.bool_]:
    """Tell which boards have a line, given the stones of one side."""
    squares = np.arange(stones.shape[1])
    found = np.zeros(len(stones), np.bool_)
    for mask, guard in lines:
        wanted, banned = ([square for square in squares if part >> int(square) & 1] for part in (mask, guard))
        found |= stones[:, wanted].all(axis=1) & ~stones[:, banned].any(axis=1)
    return found


def _draw_shapes(rules: Rules, stones: int, count: int, random: np.random.Generator) -> Boards:
    """Draw the taken squares of boards with so many stones, each of which is as likely."""
    rows, columns = rules.squares // rules.stride, rules.stride
    ways = [np.array(occupied_sets(rules, [[0]] * some), np.float64) for some in range(1, columns)]
    taken = np.empty((count, rows, columns), np.bool_)
    left, levels = np.full(count, stones), np.arange(rows)
    for column in range(columns - 1, 0, -1):
        to_others = left[:, None] - np.arange(rows + 1)
        fits = (to_others >= 0) & (to_others < len(ways[column - 1]))
        likely = np.where(fits, ways[column - 1].take(to_others, mode="clip"), 0.0).cumsum(axis=1)
        heights = (random.random(count)[:, None] * likely[:, -1:] >= likely).sum(axis=1)
        taken[:, :, column] = heights[:, None] > levels[::-1]
        left -= heights
    taken[:, :, 0] = left[:, None] > levels[::-1]
    return taken.reshape(count, -1)
