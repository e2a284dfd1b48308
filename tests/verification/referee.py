"""An independent referee: a plain minimax on strings of cells that shares no code with the grader.

game = Game(3, 3, 3)
game.count(perfect, game.live)      # the figures that a report of that engine must have
"""

import random
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, cached_property

Choice = int | str
"""A square, or the name of a failure."""
Decide = Callable[[str], Choice]
"""An engine: from the cells, row by row, `X`, `O` or a dot, to its choice."""

FAULTS = ("win_to_draw", "draw_to_loss", "win_to_loss")
FAILURES = ("illegal", "exception", "timeout", "wrong_type", "crash")


class Game:
    """A game of m rows, n columns and k in a row; values are for the side to move."""

    def __init__(self, rows: int, columns: int, k: int, gravity: bool = False) -> None:
        self.rows, self.columns, self.gravity = rows, columns, gravity
        self.name = f"{rows},{columns},{k}{',gravity' * gravity}"
        self.start = "." * (rows * columns)
        steps = ((0, 1), (1, 0), (1, 1), (1, -1))
        self.lines = [
            tuple((row + i * down) * columns + column + i * right for i in range(k))
            for row in range(rows)
            for column in range(columns)
            for down, right in steps
            if row + (k - 1) * down < rows and 0 <= column + (k - 1) * right < columns
        ]
        self._through = [[line for line in self.lines if square in line] for square in range(rows * columns)]
        self._seen: dict[str, tuple[int, int]] = {}

    @cached_property
    def live(self) -> list[str]:
        """All positions with a legal move."""
        level, found = {self.start}, list[str]()
        while level:
            found += level
            level = {
                child
                for cells in level
                for square, child in self.children(cells).items()
                if "." in child and not self.wins(child, square)
            }
        return found

    @staticmethod
    def side(cells: str) -> str:
        """The side to move."""
        return "XO"[(len(cells) - cells.count(".")) % 2]

    def legal(self, cells: str) -> list[int]:
        """Return the legal moves in an unfinished position; with gravity, stones fall to the last row."""
        below = cells[self.columns :] + "#" * self.columns if self.gravity else "#" * len(cells)
        return [square for square, cell in enumerate(cells) if cell == "." and below[square] != "."]

    def children(self, cells: str) -> dict[int, str]:
        """The positions after each legal move."""
        me = self.side(cells)
        return {square: cells[:square] + me + cells[square + 1 :] for square in self.legal(cells)}

    def wins(self, cells: str, square: int) -> bool:
        """Test whether the stone on a square completes a line."""
        return any(all(cells[one] == cells[square] for one in line) for line in self._through[square])

    def value(self, cells: str) -> tuple[int, int]:
        """1, 0 or -1 for the side to move in a position that is not over, and the plies to the end."""
        if cells not in self._seen:
            self._seen[cells] = max(self.values(cells).values(), key=order)
        return self._seen[cells]

    def values(self, cells: str) -> dict[int, tuple[int, int]]:
        """Return the value of each legal move for the side to move."""
        found = {}
        for square, child in self.children(cells).items():
            if self.wins(child, square):
                found[square] = 1, 1
            elif "." not in child:
                found[square] = 0, 1
            else:
                worth, plies = self.value(child)
                found[square] = -worth, plies + 1
        return found

    def count(self, decide: Decide, positions: Iterable[str]) -> Counter[str]:
        """Return the counts that a report of the engine in these positions must have."""
        found: Counter[str] = Counter()
        for cells in positions:
            choice, values = decide(cells), self.values(cells)
            best = max(values.values(), key=order)
            found["positions"] += 1
            critical = min(worth for worth, _ in values.values()) < best[0]
            found["counted"] += critical or choice not in values
            if isinstance(choice, str) or choice not in values:
                found[choice if isinstance(choice, str) else "illegal"] += 1
                found["wrong"] += 1
                continue
            played = values[choice]
            if played[0] < best[0]:
                found["wrong"] += 1
                found[{(1, 0): "win_to_draw", (0, -1): "draw_to_loss", (1, -1): "win_to_loss"}[best[0], played[0]]] += 1
            elif order(played) != order(best):
                found["slow_win" if best[0] > 0 else "short_defence"] += 1
            found["missed_win_in_one"] += best == (1, 1) and played != (1, 1)
        return found

    def shortest_loss(self, decide: Decide, side: str) -> int | None:
        """Return the plies in which the engine is beaten as a side, or gives no legal move; None if it never is."""
        level, ply = {self.start}, 0
        while level:
            after, lost = set[str](), False
            for cells in level:
                children = self.children(cells)
                if self.side(cells) == side:
                    choice = decide(cells)
                    if choice not in children:
                        return ply
                    children = {square: child for square, child in children.items() if square == choice}
                for square, child in children.items():
                    if self.wins(child, square):
                        lost = lost or self.side(cells) != side
                    elif "." in child:
                        after.add(child)
            ply += 1
            if lost:
                return ply
            level = after
        return None

    def board(self, cells: str) -> str:
        """Write a position as the package does: `XO./.X./...`."""
        return "/".join(cells[start : start + self.columns] for start in range(0, len(cells), self.columns))

    # Three engines

    def perfect(self, cells: str) -> int:
        """Return the first of the best moves."""
        values = self.values(cells)
        return max(values, key=lambda square: (order(values[square]), -square))

    def first(self, cells: str) -> int:
        """Return the first legal square."""
        return self.legal(cells)[0]

    def drawn(self, cells: str) -> int:
        """Return a legal square that a seed and the position determine."""
        return random.Random(zlib.crc32(cells.encode()) + 7).choice(self.legal(cells))


@cache
def order(value: tuple[int, int]) -> tuple[int, int]:
    """Order values: a quick win is the best, a quick loss the worst."""
    worth, plies = value
    return worth, -worth * plies


THREE = Game(3, 3, 3)
