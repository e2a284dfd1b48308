"""Write a table as data files of limited size and a manifest, all of them or none."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from itertools import islice
from math import isqrt
from pathlib import Path
from string import ascii_letters, digits
from typing import Any, BinaryIO, Final

from solver.errors import RulesError
from solver.game.lines import Line, squares_of
from solver.game.rules import Rules
from solver.game.symmetry import SymmetryGroup
from solver.store.codec import pack_page
from solver.store.reader import TableReader
from solver.store.sqlite import SqliteContent
from solver.study.answers import game_answer
from solver.support.files import whole_folder
from solver.support.progress import Progress
from solver.tablebase import Tablebase
from solver.web.site.page import MARK, json_bytes

FORMAT: Final = 2  # raised whenever an older reader would misread newer files
MANIFEST: Final = "manifest.json"
PART_SIZE: Final = 90_000_000
_LEAST_LEAF: Final = 256  # pages
_DIGITS: Final = digits + ascii_letters
_MOST_PLACE: Final = 1 << 53  # a page's place in the index, at most: above this, JavaScript's numbers are not exact


def write_table_files(
    path: Path, folder: Path, *, part_size: int = PART_SIZE, progress: Progress | None = None
) -> Path:
    """Write a table into a new folder inside `folder`, named after the game, and return the new folder.

    path: the file of the table. part_size: the maximum size of a data file in bytes. progress: called with the number
    of pages written so far and the total. The new folder appears when it is complete. Equal tables give equal files.
    Raises RulesError (the board is too large), StorageError (the folder exists, or cannot be written), and the errors
    of opening and reading a table.
    """
    with closing(SqliteContent(path)) as source:
        reader = TableReader(source)
        squares, stones = reader.rules.squares, reader.opening_plies or reader.rules.squares
        if reader.storage == "pages" and (stones + 1) << squares > _MOST_PLACE:
            raise RulesError(
                f"The page can't read a table of {reader.rules} with {stones} plies on {squares} squares: expected at "
                "most 48 squares; build one with fewer plies (--plies)."
            )
        target = folder / Path(reader.rules.file_name).stem.removeprefix("mnk-")
        with whole_folder(target, force=False) as part, closing(_PartWriter(part, part_size)) as parts:
            if reader.storage == "pages":
                index = _write_pages(reader, source.keys(), parts, progress or (lambda *_: None))
            else:
                parts.write(pack_page(reader.dense()))
                index = None
            table = Tablebase(reader)
            facts = {
                "format": FORMAT,
                "game": game_answer(table, parts.bytes),
                "rules": _rules_json(reader.rules),
                "opening_plies": reader.opening_plies,
                "live": table.live_counts(),
                "storage": reader.storage,
                "bytes": parts.bytes,
                "part_size": part_size,
                "parts": parts.finish(),
                "index": index,
            }
            (part / MANIFEST).write_bytes(json_bytes(facts))
    return target


class _PartWriter:
    """A writer that splits a stream of bytes into files. Every file except the last has `part_size` bytes."""

    def __init__(self, folder: Path, part_size: int) -> None:
        self.bytes = 0
        self._folder = folder
        self._part_size = part_size
        self._hash = sha256()
        self._files: list[Path] = []
        self._file: BinaryIO | None = None

    def write(self, data: bytes) -> None:
        self._hash.update(data)
        while data:
            room = self._part_size - self.bytes % self._part_size
            if self._file is None or room == self._part_size:
                self.close()
                self._files.append(self._folder / f"{len(self._files)}.bin")
                self._file = self._files[-1].open("wb")
            piece, data = data[:room], data[room:]
            self._file.write(piece)
            self.bytes += len(piece)

    def finish(self) -> list[str]:
        """Close the files and return their names. Each name contains a hash of all parts, so that caches do not mix
        versions.
        """
        self.close()
        mark = self._hash.hexdigest()[:MARK]
        return [path.rename(path.with_name(f"{mark}-{path.name}")).name for path in self._files]

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def _write_pages(reader: TableReader, keys: Sequence[int], parts: _PartWriter, progress: Progress) -> dict[str, int]:
    """Write all pages as they are stored, then the index; return the number of pages, and each section's size in bytes.

    Pages are ordered by the stones in their keys, so that the pages reachable from a position are close together.
    """
    squares = reader.rules.squares
    places = sorted(key.bit_count() << squares | key for key in keys)
    leaf_size, left = max(_LEAST_LEAF, isqrt(len(places))), iter(places)
    leaves: list[bytes] = []
    top = bytearray()
    before = 0
    while leaf := list(islice(left, leaf_size)):
        start, entries = parts.bytes, bytearray()
        for last, place in zip([leaf[0], *leaf], leaf, strict=False):
            key = place & (1 << squares) - 1
            data = reader.packed_page(key)
            reader.unpack(key, data)  # raises DamagedTable
            parts.write(data)
            entries += _varint(place - last) + _varint(len(data))
        top += _varint(leaf[0] - before) + _varint(parts.bytes - start) + _varint(len(entries))
        before = leaf[0]
        leaves.append(bytes(entries))
        progress(min(len(leaves) * leaf_size, len(places)), len(places))
    data_bytes = parts.bytes
    parts.write(b"".join(leaves))
    parts.write(bytes(top))
    return {"pages": len(places), "data": data_bytes, "leaves": sum(map(len, leaves)), "top": len(top)}


def _varint(number: int) -> bytes:
    """Encode a whole number, 7 bits a byte, lowest first; all bytes but the last have the high bit set (LEB128).

    >>> _varint(300).hex()
    'ac02'
    """
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def _rules_json(rules: Rules) -> dict[str, Any]:
    """Return the parts of the rules that decide values. Sets and permutations are strings of `_DIGITS`."""
    return {
        "squares": rules.squares,
        "x_lines": _lines(rules.x_lines),
        "o_lines": _lines(rules.o_lines),
        "misere": rules.misere,
        "stride": rules.stride,
        "plies": rules.plies,
        "unfinished": rules.unfinished,
        "exact": rules.exact,
        "is_grid": rules.diagram.is_grid,
        "symmetries": _steps(rules.symmetries),
        "board_symmetries": None if rules.flips is None else _steps(rules.board_symmetries),
    }


def _steps(group: SymmetryGroup) -> list[dict[str, Any]]:
    return [{"fixed": step.fixed, "permutations": [*map(_squares, step.permutations)]} for step in group.steps]


def _lines(lines: Sequence[Line]) -> list[str]:
    """Return lines as strings: `012`, or `012-3` for a line that does not count if its owner holds square 3."""
    return ["-".join(_squares(squares_of(part)) for part in line if part) for line in lines]


def _squares(squares: Sequence[int] | Iterator[int]) -> str:
    return "".join(_DIGITS[square] for square in squares)
