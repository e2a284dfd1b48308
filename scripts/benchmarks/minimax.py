"""What one would write without a table: negamax over bitboards with a dictionary."""

from solver import Rules


def solve(rules: Rules) -> int:
    """The value of the empty board for the side to move, after visiting every position once (no pruning)."""
    lines = [line.mask for line in rules.lines]
    full = (1 << rules.squares) - 1
    known: dict[tuple[int, int], int] = {}

    def value(own: int, other: int) -> int:
        key = own, other
        if key in known:
            return known[key]
        if any(other & line == line for line in lines):
            best = -1
        elif own | other == full:
            best = 0
        else:
            best = -1
            free = full & ~(own | other)
            while free:
                stone = free & -free
                free ^= stone
                best = max(best, -value(other, own | stone))
        known[key] = best
        return best

    return value(0, 0)
