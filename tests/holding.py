"""Random games of lines, and whether X can complete a line if O only stops him: by plain enumeration."""

from functools import cache
from random import Random

from solver.game.game_files import name_rules
from solver.game.json_file import from_json
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


def random_rules(random: Random) -> Rules:
    """Return a game of up to nine lines on 6 to 10 squares."""
    count = random.randint(6, 10)
    lines = {frozenset(random.sample(range(1, count + 1), random.choice((2, 3, 3, 4)))) for _ in range(9)}
    given = [sorted(line) for line in lines if random.random() < 0.7]
    return name_rules(from_json({"squares": count, "lines": given or [[1, 2]]}), "random")
