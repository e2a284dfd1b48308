"""Winning lines: their number, and agreement with the oracle."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.game.games import parse_game
from solver.game.lines import completed, mask_of, squares_of
from tests import oracle

COUNTS = {
    "3,3,3": 8,
    "4,4,4": 10,
    "4,5,4": 17,
    "5,5,4": 28,
    "5,5,5": 12,
    "3,3,3,torus": 12,
    "4,4,4,torus": 16,
    "5,5,4,torus": 100,
    "3,5,3,full": 14,  # 3 rows, 5 columns, 3 diagonals each way
    "5,3,3,full": 14,
    "3,3,3,full": 8,
    "1,5,1,full": 6,  # the row, and 5 columns of one square
    "6,7,4": 69,
    "1,25,2": 24,
    "5,5,6": 0,
    "2,2,3,torus": 0,  # a row that wraps must not visit a square twice
    "2,2,1": 4,
}


@pytest.mark.parametrize(("game", "count"), COUNTS.items())
def test_number_of_lines(game: str, count: int) -> None:
    lines = parse_game(game).lines
    assert len(lines) == len(set(lines)) == count


GUARDED = ["3,3,2,exact", "2,4,2,exact,torus", "1,4,3,exact,torus", "1,9,3,exact"]


@pytest.mark.parametrize("game", ["3,3,3", "2,4,2", "3,3,3,torus", "2,5,2,full", "3,3,1", *GUARDED])
def test_every_set_of_stones_has_a_line_when_the_oracle_says_so(game: str) -> None:
    rules = parse_game(game)
    for stones in range(1 << rules.squares):
        board = "".join("X" if stones >> s & 1 else "." for s in range(rules.squares))
        assert bool(completed(rules.lines, stones)) == oracle.has_line(rules, board, "X")


@given(st.sets(st.integers(0, 360)))
def test_masks_and_squares_are_inverse(squares: set[int]) -> None:
    assert list(squares_of(mask_of(squares))) == sorted(squares)
