"""Games above drawn stones are parts of the game with gravity, and tell the bytes of its table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest

from solver.count.counts import occupied_sets
from solver.count.shapes import count_positions
from solver.game.games import parse_game
from solver.game.lines import completed, mask_of
from solver.solve.forecast import forecast
from solver.solve.plan import plan_build
from solver.solve.sample_gravity import _draw_shapes, _list_boards, _Sampler, _share_arising, sample_shapes
from solver.store.schema import Metric
from solver.support.threads import ThreadPool

TableFile = Callable[..., Path]


@pytest.mark.parametrize(("game", "metric"), [("5,5,4,gravity", "wdl"), ("4,6,4,gravity,misere", "wdl")])
def test_parts_tell_the_bytes_of_the_table(game: str, metric: Metric, table_file: TableFile) -> None:
    rules = parse_game(game)
    with ThreadPool(1) as pool:
        samples = sample_shapes(plan_build(rules, metric), pool, seconds=0.2)  # solving the whole would take longer
    found = forecast(rules, metric, samples=samples)
    assert found.file_bytes == pytest.approx(table_file(game, metric).stat().st_size, rel=0.25)


def test_a_small_game_is_solved_whole(table_file: TableFile) -> None:
    rules = parse_game("4,5,4,gravity")
    with ThreadPool(1) as pool:
        samples = sample_shapes(plan_build(rules, "distance"), pool, seconds=1.0)
    found = forecast(rules, "distance", samples=samples)
    assert found.file_bytes == pytest.approx(table_file("4,5,4,gravity", "distance").stat().st_size, rel=0.15)


def test_boards_shrink_by_a_row_or_a_column() -> None:
    assert _list_boards(parse_game("4,6,4,gravity"))[:4] == [(4, 6), (4, 5), (4, 4), (4, 3)]
    assert _list_boards(parse_game("2,2,2,gravity")) == [(2, 2), (2, 1)]
    assert _list_boards(parse_game("5,1,3,gravity"))[-1] == (2, 1)


@pytest.mark.parametrize("game", ["5,5,4,gravity", "5,5,3,gravity,exact", "3,5,3,gravity,torus"])
@pytest.mark.parametrize("board", [(3, 3), (3, 4), (2, 5)])
def test_lines_of_the_rest_are_those_that_the_stones_leave(game: str, board: tuple[int, int]) -> None:
    """Whoever has a line on the whole board has one on the rest of it, unless the drawn stones have one."""
    rules = parse_game(game)
    with ThreadPool(1) as pool:
        rest = _Sampler(plan_build(rules, "wdl"), pool)._draw_rest(board)
    x, o = (int(part, 16) for part in rest.name.rsplit(" ", 2)[-2:])
    assert x.bit_count() - o.bit_count() in (0, 1)
    assert not completed(rules.x_lines, x)
    assert not completed(rules.o_lines, o)
    squares = [row * rules.stride + column for row in range(board[0]) for column in range(board[1])]
    mover_lines, other_lines = rest.x_lines, rest.o_lines
    x_lines, o_lines = (mover_lines, other_lines) if x.bit_count() == o.bit_count() else (other_lines, mover_lines)
    random = np.random.default_rng(1)
    for _ in range(300):
        of_x = random.random(len(squares)) < 0.5
        on_rest = [mask_of(np.flatnonzero(side).tolist()) for side in (of_x, ~of_x)]
        on_board = [mask_of(square for square, has in zip(squares, side, strict=True) if has) for side in (of_x, ~of_x)]
        assert bool(completed(x_lines, on_rest[0])) == bool(completed(rules.x_lines, x | on_board[0]))
        assert bool(completed(o_lines, on_rest[1])) == bool(completed(rules.o_lines, o | on_board[1]))


def test_as_many_boards_arise_as_are_counted() -> None:
    rules = parse_game("4,4,3,gravity")
    random, boards = np.random.default_rng(2), occupied_sets(rules)
    told = sum(sets * comb(ply, ply // 2) * _share_arising(rules, ply, random) for ply, sets in enumerate(boards[:-1]))
    counted = sum(count.positions - count.terminal for count in count_positions(rules))
    assert told == pytest.approx(counted, rel=0.1)


def test_every_shape_is_drawn_as_often() -> None:
    rules = parse_game("3,3,3,gravity")
    shapes = _draw_shapes(rules, 4, 20_000, np.random.default_rng(3))
    drawn = Counter(tuple(taken.reshape(3, 3).sum(axis=0).tolist()) for taken in shapes)
    every = [heights for heights in product(range(4), repeat=3) if sum(heights) == 4]
    assert sorted(drawn) == sorted(every)
    assert max(drawn.values()) < 1.15 * min(drawn.values())
    stones_hang = ~shapes.reshape(-1, 3, 3)[:, 1:] & shapes.reshape(-1, 3, 3)[:, :-1]
    assert not stones_hang.any()
