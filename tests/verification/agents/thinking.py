"""What the well-made engines among these share: the best move on a list of 'X', 'O' and blanks."""

from collections.abc import Sequence
from functools import cache

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def best(cells: Sequence[str], me: str) -> int:
    """A square that keeps the value, the quickest win or the longest defence first."""
    return think("".join(cells), me)[1]


def worth(cells: Sequence[str], me: str) -> int:
    """What the player to move gets."""
    return think("".join(cells), me)[0]


@cache
def think(cells: str, me: str) -> tuple[int, int]:
    other = "O" if me == "X" else "X"
    if any(all(cells[s] == other for s in line) for line in LINES):
        return -1 - cells.count(" "), -1
    if " " not in cells:
        return 0, -1
    moves = [s for s in range(9) if cells[s] == " "]
    value, _, move = max((-think(cells[:s] + me + cells[s + 1 :], other)[0], -s, s) for s in moves)
    return value, move
