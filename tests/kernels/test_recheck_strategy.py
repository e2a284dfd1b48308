"""The check of a strategy settles idle replies without a replay of the win: here they are replayed."""

from itertools import product
from random import Random

import numba
import numpy as np

from solver.check.strategy_check import _make_check, _make_game
from solver.game.games import parse_game
from solver.kernels import recheck_strategy as kernel
from solver.store.strategy_file import Header


@numba.njit  # without a cache, which would not tell that a kernel of the package has changed
def replay_after_idle_replies(
    game: kernel.Game, check: kernel.Check, cells: np.ndarray, first: int, second: int
) -> tuple[int, int]:
    """Return the number of idle replies, and of those after which the win fails or the other side has a line.

    The win by fours is that after the first reply; it is replayed after the second one, and these replies are marked.
    The number is -1 if there is no such win.
    """
    kernel.begin(game, check, -1)
    for square in range(cells.size):
        if cells[square]:
            kernel.place(game, check, square, cells[square], 1)
    side, other, left = game.side, 3 - game.side, game.plies - check.state[kernel.STONES] - 1
    check.frames[0, kernel.IS_MET] = kernel._winning_squares(game, check, game.own[other - 1], other)[0] >= 0
    check.frames[0, kernel.MOST], check.state[kernel.DEPTH], check.state[kernel.IDLE] = 99, 1, -1
    for line in range(game.lengths.size):
        if kernel._lacks(game, check, line, side) == 0 or kernel._lacks(game, check, line, other) == 0:
            return -1, 0
    for reply in (first, second):
        check.frames[1, kernel.REPLY] = reply
        kernel.place(game, check, reply, other, 1)
        plies = 0
        if not kernel._completes(game, check, reply, other):
            if reply == first:
                plies = kernel._forced_plies(game, check, left, 0)
            else:
                plies = kernel._plies_again(game, check, left)
        kernel.place(game, check, reply, other, -1)
        if plies == 0:
            return -1, 0
    idle, wrong, fours = 0, 0, check.state[kernel.FOURS]
    for reply in range(cells.size):
        if check.idle[reply]:
            idle += 1
            kernel.place(game, check, reply, other, 1)
            must, more = kernel._winning_squares(game, check, game.own[other - 1], other)
            is_lost = kernel._completes(game, check, reply, other) or (more >= 0 and fours > 0)
            wrong += is_lost or not kernel._replay(game, check, must, fours, left)
            kernel.place(game, check, reply, other, -1)
    return idle, wrong


def test_the_win_holds_after_idle_replies() -> None:
    rules = parse_game("11,11,5,exact")  # a1 and g1 bar the row b1 to f1, which counts after other replies
    lines = _make_game(rules, Header("X", "wins", None, 0, ""), [])
    number, cells = rules.diagram.numbers, np.zeros(rules.squares, np.int8)
    cells[[number[name] for name in ("d2", "d3", "d4", "e5", "f5")]] = 1
    cells[[number[name] for name in ("b1", "c1", "f1", "d6")]] = 2
    check = _make_check(rules, len(lines.lengths), np.zeros(0, np.int16))
    assert replay_after_idle_replies(lines, check, cells, number["a1"], number["g1"]) == (0, 0)
    for game, side in product(["6,6,4", "7,7,4,exact", "3x3x3,3", "4x4x4,4", "9,9,5"], "XO"):
        rules, chance, idle, wins = parse_game(game), Random(game), 0, 0
        lines = _make_game(rules, Header("X" if side == "X" else "O", "wins", None, 0, ""), [])
        check = _make_check(rules, len(lines.lengths), np.zeros(0, np.int16))
        for _ in range(3_000):
            stones = chance.randrange(2, rules.squares // 3)
            squares = chance.sample(range(rules.squares), 2 * stones + 2)
            cells = np.zeros(rules.squares, np.int8)
            cells[squares[:stones]], cells[squares[stones:-2]] = 1, 2
            marked, wrong = replay_after_idle_replies(lines, check, cells, squares[-2], squares[-1])
            assert wrong == 0, (game, cells.tolist(), squares[-2:])
            idle, wins = idle + max(marked, 0), wins + (marked >= 0)
        assert idle > wins > 20
