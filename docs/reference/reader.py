"""Probe a table of k in a row, with gravity, misere or neither: python reader.py mnk-3-3-3.sqlite XO./.X./..."""

import sqlite3
import sys
import zlib
from functools import cache
from math import comb
from pathlib import Path

import zstandard

Value = tuple[int, int | None]  # 1, 0 or -1 for the side to move; the plies to the end, if the table stores them


def bits(mask: int) -> list[int]:
    """Return the squares of a set, ascending."""
    return [square for square in range(mask.bit_length()) if mask >> square & 1]


def k_in_a_row(m: int, n: int, k: int) -> set[int]:
    """Return the lines of a board of m rows and n columns, as sets of squares."""
    lines = set()
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for start in range(m * n):
            squares = [(start // n + i * down, start % n + i * right) for i in range(k)]
            if all(0 <= row < m and 0 <= column < n for row, column in squares):
                lines.add(sum(1 << row * n + column for row, column in squares))
    return lines


def symmetries(lines: set[int], squares: int, below: int) -> list[list[int]]:
    """Return the permutations that map lines to lines, and with gravity the square below to the square below."""
    shared = [[sum(line >> s & line >> t & 1 for line in lines) for t in range(squares)] for s in range(squares)]
    found: list[list[int]] = [[]]
    for square in range(squares):  # its image shares as many lines with earlier images as it does with their squares
        found = [
            [*images, image]
            for images in found
            for image in set(range(squares)) - set(images)
            if all(shared[square][s] == shared[image][t] for s, t in enumerate([*images, image]))
            and (not below or (images[square - below] + below == image if square >= below else image < below))
        ]
    return [p for p in found if {sum(1 << p[s] for s in bits(line)) for line in lines} == lines]


class Table:
    """An open table."""

    def __init__(self, path: Path) -> None:
        self.file = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        header = [self.file.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
        self.meta = dict(self.file.execute("SELECT key, value FROM meta"))
        m, n, k, *variants = self.meta["game"].split(",")
        if header != [0x6D6E6B54, 2] or not {*variants} <= {"gravity", "misere"}:
            sys.exit(f"{path} is not a table that this program can read")
        self.squares, self.lines = int(m) * int(n), k_in_a_row(int(m), int(n), int(k))
        self.gravity, self.misere = "gravity" in variants, "misere" in variants
        self.timed, self.rows = self.meta["metric"] == "distance", self.meta["storage"] == "positions"
        self.symmetries = [] if self.rows else symmetries(self.lines, self.squares, self.gravity * int(n))
        self.page = cache(self._page)

    def value(self, board: str) -> Value:
        """Return the value of a board such as XO./.X./... that can arise in play."""
        cells = board.replace("/", "")
        x, o = (sum(1 << square for square, cell in enumerate(cells) if cell == side) for side in "XO")
        if self.rows:
            number = [sum(3**square * ".XO".index(cell) for square, cell in enumerate(cells))]
            return tuple(self.file.execute("SELECT wdl, distance FROM positions WHERE hash = ?", number).fetchone())
        return self.seen(x, o) or self.stored(x, o)

    def seen(self, x: int, o: int) -> Value | None:
        """Return the value of a position that has no bits because it is over or threats decide it; otherwise None."""
        own, other = (x, o) if x.bit_count() == o.bit_count() else (o, x)
        ended = any(line & ~other == 0 for line in self.lines)
        if ended or (x | o).bit_count() == self.squares:
            return ended * (1 if self.misere else -1), 0 if self.timed else None
        wins, threats = (  # the free squares on which one more stone of a side completes a line
            {line & ~side for line in self.lines if not line & against and (line & ~side).bit_count() == 1}
            for side, against in ((own, other), (other, own))
        )
        if self.gravity or self.misere or not (wins or len(threats) > 1):
            return None
        return (1 if wins else -1), (1 if wins else 2) if self.timed else None

    def stored(self, x: int, o: int) -> Value:
        """Return the value that a page stores for a position."""
        ply, moves_o = (x | o).bit_count(), x.bit_count() > o.bit_count()
        key, permutation, planes = self.page(x | o if self.gravity else x)
        second = sum(1 << permutation[square] for square in bits(x if self.gravity else o))
        allowed = [square for square in range(self.squares) if (key >> square & 1) == self.gravity]
        chosen = [index for index, square in enumerate(allowed) if second >> square & 1]
        rank = sum(comb(index, number) for number, index in enumerate(chosen, start=1))
        if not self.gravity and x and not moves_o:  # after the sets with one stone fewer
            rank += comb(len(allowed), x.bit_count() - 1)
        sign, *digits = [plane[rank // 8] >> rank % 8 & 1 for plane in planes]
        count = sum(digit << place for place, digit in enumerate(digits))
        if count == 0:
            return 0, self.squares - ply if self.timed else None
        end = self.squares - (self.squares % 2 == sign) - 2 * (count - 1)
        return (1 if (sign == moves_o) != self.misere else -1), end - ply if self.timed else None

    def _page(self, first: int) -> tuple[int, list[int], list[bytes]]:
        """Return the page of a set of squares: its key, the permutation from the set to the key, its planes."""
        images = {sum(1 << p[square] for square in bits(first)): p for p in self.symmetries}
        query = f"SELECT key, data FROM pages WHERE key IN ({','.join(map(str, images))})"
        key, data = self.file.execute(query).fetchone()
        stones = first.bit_count()
        sets = comb(stones, (stones + 1) // 2) if self.gravity else comb(self.squares - stones + 1, stones)
        ends = range(stones + 1 if self.gravity else max(2 * stones, 1), self.squares + 1)
        most = max(len([ply for ply in ends if ply % 2 == parity]) for parity in (0, 1))
        size, planes = (sets + 7) // 8, 1 + (max(most.bit_length(), 1) if self.timed else 1)
        raw = data[:-4] if len(data) == size * planes + 4 else zstandard.decompress(data[:-4])
        if zlib.crc32(raw) != int.from_bytes(data[-4:], "little"):
            raise ValueError(f"page {key} is damaged")
        return key, images[key], [raw[plane * size : (plane + 1) * size] for plane in range(planes)]


if __name__ == "__main__":
    print(*Table(Path(sys.argv[1])).value(sys.argv[2]))
