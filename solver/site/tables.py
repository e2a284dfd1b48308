"""Write a table as data files of limited size and a manifest, whole or not at all."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from math import isqrt
from pathlib import Path
from typing import Any, Final

from solver.answers import game_answer
from solver.errors import MnkError
from solver.game.lines import Line, squares_of
from solver.game.rules import Rules
from solver.site.files import PartWriter, json_bytes
from solver.store.codec import pack_page
from solver.store.reader import TableReader
from solver.store.sqlite import SqliteSource
from solver.support.files import whole_folder
from solver.tablebase import Tablebase

FORMAT: Final = 1  # raised whenever an older reader would misread newer files
MANIFEST: Final = "manifest.json"
PART_SIZE: Final = 90_000_000
LEAST_PART_SIZE: Final = 10_000
_LEAST_LEAF: Final = 256  # pages
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"

Progress = Callable[[int, int], None]
"""Called with the pages that are written, and how many there are."""


def write_table_files(
    path: Path, folder: Path, *, part_size: int = PART_SIZE, force: bool = False, progress: Progress | None = None
) -> Path:
    """Write the files of a table into a folder of its own in `folder`, named as the table is; return it.

    path: the file of a table. part_size: the most bytes of a data file. The folder appears when it
    is whole; `force` replaces one that is there. The same table gives the same files. Raises MnkError (parts too
    small), StorageError (the folder exists, or can't be written), and what opening and reading a table raises.
    """
    if part_size < LEAST_PART_SIZE:
        raise MnkError(f"Parts of {part_size:,} bytes are too small; take {LEAST_PART_SIZE:,} or more.")
    with closing(SqliteSource(path)) as source:
        reader = TableReader(source)
        target = folder / Path(reader.rules.file_name).stem.removeprefix("mnk-")
        with whole_folder(target, force=force) as part, closing(PartWriter(part, part_size)) as parts:
            if reader.storage == "pages":
                index = _write_pages(reader, source, parts, progress or (lambda *_: None))
            else:
                parts.write(pack_page(reader.dense()))
                index = None
            table = Tablebase(reader)
            facts = {
                "format": FORMAT,
                "game": game_answer(table, parts.bytes),
                "rules": _rules_json(reader.rules),
                "live": table.live_counts(),
                "storage": reader.storage,
                "bytes": parts.bytes,
                "part_size": part_size,
                "parts": parts.finish(),
                "index": index,
            }
            (part / MANIFEST).write_bytes(json_bytes(facts))
    return target


def _write_pages(reader: TableReader, source: SqliteSource, parts: PartWriter, progress: Progress) -> dict[str, int]:
    """Write all pages as they are stored, then the index; return how many bytes each has.

    Pages come by the number of stones in their keys, so that the pages of all moves in a position lie together.
    """
    squares, keys = reader.rules.squares, source.keys()
    places = sorted(key.bit_count() << squares | key for key in keys)
    leaf_size, written = max(_LEAST_LEAF, isqrt(len(places))), iter(places)
    leaves: list[bytes] = []
    top = bytearray()
    before = 0
    while leaf := list(islice(written, leaf_size)):
        start, entries = parts.bytes, bytearray()
        for last, place in zip([leaf[0], *leaf], leaf, strict=False):
            data = _checked_page(reader, place & (1 << squares) - 1)
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


def _checked_page(reader: TableReader, key: int) -> bytes:
    """Return a page as it is stored. Raises DamagedTable unless it is whole."""
    data = reader.packed_page(key)
    reader.unpack(key, data)
    return data


def _varint(number: int) -> bytes:
    """Write a whole number in bytes of 7 bits, the lowest first; all but the last have the high bit (LEB128).

    >>> _varint(300).hex()
    'ac02'
    """
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def _rules_json(rules: Rules) -> dict[str, Any]:
    """Return all of the rules that decide values; sets and permutations as text, a square a digit in base 36."""
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
        "symmetries": [_squares(element) for element in rules.symmetries],
        "board_symmetries": None if rules.flips is None else [_squares(each) for each in rules.board_symmetries],
    }


def _lines(lines: Sequence[Line]) -> list[str]:
    """Write lines such as `012`, or `012-3` where the square 3 must not be the same side's."""
    return ["-".join(_squares(squares_of(part)) for part in line if part) for line in lines]


def _squares(squares: Sequence[int] | Iterator[int]) -> str:
    return "".join(_DIGITS[square] for square in squares)
