"""Solve a game without a table: minimax over bitboards that keeps values in a dictionary.

As a program, `python -m benchmarks.minimax GAME FOLDER`, it measures itself.
"""

import sys
from itertools import islice

from benchmarks.figure import seconds, timed
from benchmarks.process import peak_megabytes, report
from solver import Rules, parse_game

_LOOKUPS = 10_000

Values = dict[tuple[int, int], int]


def solve(rules: Rules) -> Values:
    """Return the value of every position for the side to move (1, 0, -1), by (own stones, opponent's stones).

    Lines must be plain: misere, gravity and exact are not supported.
    There is no pruning, so the dictionary has the same positions as a table.
    """
    lines = [line.mask for line in rules.lines]
    full = (1 << rules.squares) - 1
    known: Values = {}

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

    value(0, 0)
    return known


def main(game: str, _folder: str) -> None:
    """Solve the game, look up some positions, and report the times."""
    elapsed, known = timed(lambda: solve(parse_game(game)))
    peak = peak_megabytes()
    step = -(-len(known) // _LOOKUPS)
    probed = [(own, other) for own, other in islice(known, 0, None, step)]
    probe = seconds(lambda: [known[key] for key in probed]) / len(probed)
    report(seconds=elapsed, megabytes=peak, probe=probe, root=known[0, 0])


if __name__ == "__main__":
    main(*sys.argv[1:])
