"""The counts of stones on lines, beside those that plain rules give."""

from random import Random

import numpy as np
import pytest

from solver.game.games import parse_game
from solver.game.lines import Line, mask_of, squares_of
from solver.game.rules import Rules
from solver.kernels.threat_lines import LEVELS, Board, Lines, make_board, make_lines, put, set_up, take

BLOCK = 12  # words of a side in `Board.lines`


def lines_of(rules: Rules) -> tuple[Lines, dict[int, list[Line]]]:
    sides = (rules.x_lines, rules.o_lines)
    made = make_lines(
        rules.squares, [[([*squares_of(line.mask)], [*squares_of(line.guard)]) for line in side] for side in sides]
    )
    return made, dict(enumerate(map(list, sides)))


def listed(lines: Lines, board: Board, side: int, lacked: int) -> list[int]:
    """The masks of the lines that are listed, in this order."""
    rows = [
        64 * word + bit
        for word in range(len(board.lines))
        for bit in range(64)
        if int(board.lines[word, BLOCK * side + lacked]) >> bit & 1
    ]
    return [mask_of(map(int, lines.squares[row][: lines.lengths[row]])) for row in rows]


def expected(lines: list[Line], own: int, other: int, lacked: int) -> list[int]:
    living = [line for line in lines if not line.mask & other and not line.guard & own]
    return [line.mask for line in living if (line.mask & ~own).bit_count() == lacked]


@pytest.mark.parametrize(
    "game",
    ["3,3,3", "7,7,5", "6,6,4,exact", "9,9,9", "17,2,17", "4,4,3,maker", "4,4,3,o=b2", "5,5,3,x=a1,exact", "qubic"],
)
def test_lines_that_lack_few_stones_are_listed_in_their_order(game: str) -> None:
    rules, chance = parse_game(game), Random(game)
    lines, sides = lines_of(rules)
    board, fresh = make_board(lines), make_board(lines)
    for _ in range(300):
        square = chance.randrange(rules.squares)
        if board.cells[square]:
            take(lines, board, square, int(board.cells[square]) - 1)
        else:
            put(lines, board, square, chance.choice((0, 0, 1)))
        stones = [mask_of(map(int, np.flatnonzero(board.cells == 1 + side))) for side in range(2)]
        for side in range(2):
            for lacked in range(LEVELS + 1):
                assert listed(lines, board, side, lacked) == expected(
                    sides[side], stones[side], stones[1 - side], lacked
                )
        set_up(lines, fresh, board.cells.copy())
        assert (fresh.lines == board.lines).all()
        assert fresh.hash == board.hash
