"""Probe a table of any game: python reader.py mnk-3-3-3.sqlite XO./.X./..."""

import json
import sqlite3
import sys
import zlib
from functools import cache
from math import comb
from pathlib import Path
from typing import Any

import zstandard

Value = tuple[int, int | None]  # 1, 0 or -1 for the side to move; the plies to the end, if the table stores them
Line = tuple[int, int]  # the squares of a line; those on which its side must have no stone


def bits(mask: int) -> list[int]:
    """Return the squares of a set, ascending."""
    return [square for square in range(mask.bit_length()) if mask >> square & 1]


def image(mask: int, permutation: list[int]) -> int:
    """Return the image of a set."""
    return sum(1 << permutation[square] for square in bits(mask))


def symmetries(sides: list[set[Line]], squares: int, below: int) -> list[list[int]]:
    """Return the permutations that map the lines of each side to its lines, and with gravity keep what is below."""
    shared = [
        [[sum(line >> s & line >> t & 1 for line, _ in lines) for lines in sides] for t in range(squares)]
        for s in range(squares)
    ]
    found: list[list[int]] = [[]]
    for square in range(squares):  # its image shares as many lines with earlier images as it does with their squares
        found = [
            [*images, to]
            for images in found
            for to in set(range(squares)) - set(images)
            if all(shared[square][s] == shared[to][t] for s, t in enumerate([*images, to]))
            and (not below or (images[square - below] + below == to if square >= below else to < below))
        ]
    return [p for p in found if all({(image(a, p), image(b, p)) for a, b in lines} == lines for lines in sides)]


class Table:
    """An open table."""

    def __init__(self, path: Path) -> None:
        self.file = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        header = [self.file.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
        if header != [0x6D6E6B54, 3]:
            sys.exit(f"{path} is not a table that this program can read")
        self.meta = dict(self.file.execute("SELECT key, value FROM meta"))
        self.rules = json.loads(self.meta["rules"])
        self.squares = len(self.rules["squares"])
        self.sides = [self._lines(self.rules.get("lines", self.rules.get(key))) for key in ("x_lines", "o_lines")]
        self.below, self.misere = self.rules.get("gravity", 0), self.rules.get("misere", False)
        self.gravity, self.plies = self.below > 0, self.rules.get("plies", self.squares)
        self.timed, self.rows = self.meta["metric"] == "distance", self.meta["storage"] == "positions"
        self.symmetries = [] if self.rows else symmetries(self.sides, self.squares, self.below)
        self.page = cache(self._page)

    def _lines(self, lines: list[Any]) -> set[Line]:
        number = {name: square for square, name in enumerate(self.rules["squares"])}
        parts = [line if isinstance(line, dict) else {"squares": line} for line in lines]
        return {
            (sum(1 << number[s] for s in part["squares"]), sum(1 << number[s] for s in part.get("without", [])))
            for part in parts
        }

    def value(self, board: str) -> Value:
        """Return the value of a board such as XO./.X./... that can arise in play."""
        places = self.rules.get("cells", range(self.squares))  # of the text: squares, holes, and stones from the start
        given = zip(places, board.replace("/", ""), strict=True)
        cells = {square: cell for square, cell in given if isinstance(square, int)}
        x, o = (sum(1 << square for square, cell in cells.items() if cell == side) for side in "XO")
        if self.rows:
            number = [sum(3**square * ".XO".index(cell) for square, cell in cells.items())]
            return tuple(self.file.execute("SELECT wdl, distance FROM positions WHERE hash = ?", number).fetchone())
        return self.seen(x, o) or self.stored(x, o)

    def unfinished(self, x_moves: bool, left: int) -> Value:
        """Return the value of a position after which nobody completes a line, `left` plies before the end."""
        winner = self.rules.get("unfinished")
        won = 0 if winner is None else 1 if (winner == "X") == x_moves else -1
        return won, left if self.timed else None

    def seen(self, x: int, o: int) -> Value | None:
        """Return the value of a position that has no bits because it is over or threats decide it; otherwise None."""
        ply, x_moves = (x | o).bit_count(), x.bit_count() == o.bit_count()
        own, other = (x, o) if x_moves else (o, x)
        lines, theirs = self.sides if x_moves else self.sides[::-1]
        if any(not line & ~other and not guard & other for line, guard in theirs):
            return (1 if self.misere else -1), 0 if self.timed else None
        if ply == self.plies:
            return self.unfinished(x_moves, 0)
        if self.gravity or self.misere or self.plies < self.squares:
            return None
        wins, threats = (  # the free squares on which one more stone of a side completes a line
            {line & ~side for line, guard in those if not (line & against or guard & side) and one(line & ~side)}
            for side, against, those in ((own, other, lines), (other, own, theirs))
        )
        if not (wins or len(threats) > 1):
            return None
        return (1 if wins else -1), (1 if wins else 2) if self.timed else None

    def stored(self, x: int, o: int) -> Value:
        """Return the value that a page stores for a position."""
        ply, moves_o = (x | o).bit_count(), x.bit_count() > o.bit_count()
        key, permutation, planes = self.page(x | o if self.gravity else x)
        second = image(x if self.gravity else o, permutation)
        allowed = [square for square in range(self.squares) if (key >> square & 1) == self.gravity]
        chosen = [index for index, square in enumerate(allowed) if second >> square & 1]
        rank = sum(comb(index, number) for number, index in enumerate(chosen, start=1))
        if not self.gravity and x and not moves_o:  # after the sets with one stone fewer
            rank += comb(len(allowed), x.bit_count() - 1)
        sign, *digits = [plane[rank // 8] >> rank % 8 & 1 for plane in planes]
        count = sum(digit << place for place, digit in enumerate(digits))
        if count == 0:
            return self.unfinished(not moves_o, self.plies - ply)
        end = self.plies - (self.plies % 2 == sign) - 2 * (count - 1)
        return (1 if (sign == moves_o) != self.misere else -1), end - ply if self.timed else None

    def _page(self, first: int) -> tuple[int, list[int], list[bytes]]:
        """Return the page of a set of squares: its key, the permutation from the set to the key, its planes."""
        images = {image(first, p): p for p in self.symmetries}
        query = f"SELECT key, data FROM pages WHERE key IN ({','.join(map(str, images))})"
        key, data = self.file.execute(query).fetchone()
        stones = first.bit_count()
        sets = comb(stones, (stones + 1) // 2) if self.gravity else comb(self.squares - stones + 1, stones)
        ends = range(stones + 1 if self.gravity else max(2 * stones, 1), self.plies + 1)
        most = max(len([ply for ply in ends if ply % 2 == parity]) for parity in (0, 1))
        size, planes = (sets + 7) // 8, 1 + (max(most.bit_length(), 1) if self.timed else 1)
        raw = data[:-4] if len(data) == size * planes + 4 else zstandard.decompress(data[:-4])
        if zlib.crc32(raw) != int.from_bytes(data[-4:], "little"):
            raise ValueError(f"page {key} is damaged")
        return key, images[key], [raw[plane * size : (plane + 1) * size] for plane in range(planes)]


def one(mask: int) -> bool:
    """Return True for a set of one square."""
    return mask.bit_count() == 1


if __name__ == "__main__":
    print(*Table(Path(sys.argv[1])).value(sys.argv[2]))
