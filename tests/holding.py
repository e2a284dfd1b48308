"""Whether X can complete a line if O only stops him: by plain enumeration, for small boards."""

from functools import cache

from solver.game.lines import squares_of
from solver.game.rules import Rules


def can_complete(rules: Rules, x: int, o: int) -> bool:
    """Return whether X completes all squares of one of his lines by force. The side to move follows from the stones."""
    masks = tuple(line.mask for line in rules.x_lines)
    board = (1 << rules.squares) - 1

    @cache
    def solve(x: int, o: int, x_moves: bool) -> bool:
        if any(x & mask == mask for mask in masks):
            return True
        moves = [1 << square for square in squares_of(board & ~x & ~o)]
        if not moves or all(mask & o for mask in masks):
            return False
        if x_moves:
            return any(solve(x | move, o, False) for move in moves)
        return all(solve(x, o | move, True) for move in moves)

    return solve(x, o, x.bit_count() == o.bit_count())
