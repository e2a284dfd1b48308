"""Fourteen ways to play on nine cells of "X", "O" and " ", from perfect to bad: each is (cells, own mark) -> square."""

from collections.abc import Callable
from functools import cache, partial
from hashlib import sha256

Strength = Callable[[str, str], int]

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def empty(cells: str) -> list[int]:
    return [square for square in range(9) if cells[square] == " "]


def put(cells: str, square: int, mark: str) -> str:
    return cells[:square] + mark + cells[square + 1 :]


def has_line(cells: str, mark: str, lines: int = 8) -> bool:
    return any(cells[a] == cells[b] == cells[c] == mark for a, b, c in LINES[:lines])


def other(mark: str) -> str:
    return "O" if mark == "X" else "X"


@cache
def worth(cells: str, me: str, depth: int, lines: int, haste: int) -> int:
    """What the side to move gets, looking so many plies ahead, and knowing so many of the lines."""
    if has_line(cells, other(me), lines):
        return -10 + haste * (9 - cells.count(" "))
    moves = empty(cells)
    if not moves or depth == 0:
        return 0
    return max(-worth(put(cells, move, me), other(me), depth - 1, lines, haste) for move in moves)


def search(cells: str, me: str, *, depth: int = 9, lines: int = 8, haste: int = 0, sign: int = 1) -> int:
    """The first move of the highest worth; sign -1: of the lowest."""

    def after(move: int) -> int:
        value: int = -worth(put(cells, move, me), other(me), depth - 1, lines, haste)
        return value

    return max(empty(cells), key=lambda move: sign * after(move))


def wins(cells: str, mark: str) -> list[int]:
    return [move for move in empty(cells) if has_line(put(cells, move, mark), mark)]


def by_rules(cells: str, me: str, *, win: bool, block: bool, wish: str) -> int:
    """Win if it can, block if it must, else the first of its wishes."""
    found = [*(wins(cells, me) if win else []), *(wins(cells, other(me)) if block else [])]
    return [*found, *(int(square) for square in wish if cells[int(square)] == " ")][0]


def scatter(cells: str, me: str) -> int:
    """Any empty square, though always the same."""
    moves = empty(cells)
    return moves[sha256((cells + me).encode()).digest()[0] % len(moves)]


STRENGTHS: dict[str, Strength] = {
    "perfect": partial(search, haste=1),
    "textbook": search,
    "dawdling": partial(search, haste=-1),
    "two plies": partial(search, depth=2),
    "four plies": partial(search, depth=4),
    "no diagonals": partial(search, lines=6),
    "one diagonal": partial(search, lines=7),
    "worst": partial(search, sign=-1),
    "first": partial(by_rules, win=False, block=False, wish="012345678"),
    "last": partial(by_rules, win=False, block=False, wish="876543210"),
    "middle": partial(by_rules, win=False, block=False, wish="402681357"),
    "wins": partial(by_rules, win=True, block=False, wish="012345678"),
    "wins and blocks": partial(by_rules, win=True, block=True, wish="402681357"),
    "scattered": scatter,
}
