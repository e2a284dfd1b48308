"""A slow and simple second implementation of the rules, for comparison in tests.

A board is a string of '.', 'X' and 'O', row by row. This module does not use the lines, masks or tables of the
package; it takes only the sizes and the names of the variants from `Rules`.
"""

from collections.abc import Iterator
from functools import cache

from solver.game.rules import Rules

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def cells(rules: Rules, start: int, step: tuple[int, int], numbers: range) -> list[int | None]:
    """Return the squares at these numbers of steps from `start`, with None for those off the board."""
    found: list[int | None] = []
    for i in numbers:
        row, column = start // rules.diagram.columns + i * step[0], start % rules.diagram.columns + i * step[1]
        if "torus" in rules.variants:
            row, column = row % rules.diagram.rows, column % rules.diagram.columns
        on_board = 0 <= row < rules.diagram.rows and 0 <= column < rules.diagram.columns
        found.append(row * rules.diagram.columns + column if on_board else None)
    return found


@cache
def rows(rules: Rules) -> list[tuple[list[int], list[int]]]:
    """Return every row that is long enough to win, with the squares just beyond its two ends."""
    found = []
    for start in range(rules.squares):
        for step in DIRECTIONS:
            length = int(rules.name.split(",")[2])
            if "full" in rules.variants and step == (0, 1):
                length = rules.diagram.columns
            if "full" in rules.variants and step == (1, 0):
                length = rules.diagram.rows
            before, *row, after = cells(rules, start, step, range(-1, length + 1))
            inside = [s for s in row if s is not None]
            if len(set(inside)) == length:
                found.append((inside, [s for s in (before, after) if s is not None and s not in inside]))
    return found


def has_line(rules: Rules, board: str, mark: str) -> bool:
    """Return True if a side has a line that counts."""
    for row, beyond in rows(rules):
        longer = any(board[s] == mark for s in beyond)
        if all(board[s] == mark for s in row) and not ("exact" in rules.variants and longer):
            return True
    return False


def mover(board: str) -> str:
    """Return the side to move."""
    return "X" if board.count("X") == board.count("O") else "O"


def outcome(rules: Rules, board: str) -> str | None:
    """Return the winner or 'draw', or None if the game is not over."""
    for mark, other in ("XO", "OX"):
        if has_line(rules, board, mark):
            return other if rules.misere else mark
    return None if "." in board else "draw"


def moves(rules: Rules, board: str) -> list[int]:
    """Return the squares of the legal moves; there are none if the game is over."""
    if outcome(rules, board):
        return []
    free = [s for s in range(len(board)) if board[s] == "."]
    if rules.gravity:
        free = [s for s in free if s + rules.diagram.columns >= len(board) or board[s + rules.diagram.columns] != "."]
    return free


def play(board: str, square: int) -> str:
    """Return the board after a move of the side to move."""
    return board[:square] + mover(board) + board[square + 1 :]


def levels(rules: Rules) -> Iterator[set[str]]:
    """Yield the sets of boards that can arise in play, ply by ply."""
    level = {"." * rules.squares}
    for _ in range(rules.squares + 1):
        yield level
        level = {play(board, square) for board in level for square in moves(rules, board)}


def games(rules: Rules) -> dict[tuple[int, str], int]:
    """Return the number of games that end at each ply with each outcome."""

    @cache
    def from_here(board: str) -> dict[tuple[int, str], int]:
        result = outcome(rules, board)
        if result:
            return {(len(board) - board.count("."), result): 1}
        total: dict[tuple[int, str], int] = {}
        for square in moves(rules, board):
            for ending, count in from_here(play(board, square)).items():
                total[ending] = total.get(ending, 0) + count
        return total

    return from_here("." * rules.squares)
