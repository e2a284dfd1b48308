"""Write positions as CSV, JSON Lines, Parquet and SQLite, a chunk at a time.

CSV and JSON Lines are made from whole columns, not row by row. Every field becomes an array of fixed-width bytes,
padded with zero bytes. Side by side, these arrays form a table of bytes; removing the padding leaves the rows, because
no field contains a zero byte, a quote or a comma. PyArrow is as fast, but CSV would then need the extra `export`, and
it writes no JSON Lines; the csv module takes five times as long (4,4,4, processor time).

PyArrow writes Parquet (https://parquet.apache.org), a row group per chunk.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import repeat
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.errors import missing_extra
from solver.game.arrays import Hashes, board_texts, square_names
from solver.game.base3 import HASHED_SQUARES
from solver.game.rules import Rules

Bytes = npt.NDArray[np.bytes_]

COLUMNS: Final = {
    "hash": "the sum of digit * 3^square over the squares from 0, row by row; digits: 0 empty, 1 X, 2 O",
    "board": "the rows from the top, such as XO./.X./...",
    "ply": "stones on the board",
    "to_move": "the side to move, X or O",
    "wdl": "1, 0 or -1: win, draw or loss for the side to move",
    "distance": "plies to the end of the game under best play, if the table has distances",
    "best_moves": "the squares of the best moves, such as b2 a1",
    "terminal": "whether the game is over",
}


class Chunk(NamedTuple):
    """One or more positions of the same ply, in ascending order of their hashes."""

    ply: int
    """The stones on their boards."""
    hashes: Hashes
    """Their base-3 hashes, int64[P]; whole numbers of Python on boards of more than 39 squares."""
    wdl: npt.NDArray[np.int8]
    """1, 0 or -1 for the side to move, int8[P]."""
    distance: npt.NDArray[np.int16]
    """The plies to the end, int16[P]; -1 if unknown."""
    best: Hashes
    """The best moves as bitmasks, int64[P]: bit s is square s; 0 if the game is over."""
    terminal: npt.NDArray[np.bool_]
    """Whether the game is over, bool[P]."""


def format_rows(rules: Rules, chunk: Chunk, *, as_json: bool) -> bytes:
    """Return a line for each position, in CSV or as a JSON object, with the fields in the order of COLUMNS."""
    unknown, flags = (b"null", (b"false", b"true")) if as_json else (b"", (b"0", b"1"))
    distances = [*(b"%d" % distance for distance in range(rules.squares + 1)), unknown]
    moves, place = _best_names(rules, chunk)
    fields: list[bytes | Bytes] = [
        chunk.hashes.astype(f"S{len(str(chunk.hashes.max()))}"),
        board_texts(rules, chunk.hashes),
        b"%d" % chunk.ply,
        b"XO"[chunk.ply % 2 :][:1],
        np.array([b"0", b"1", b"-1"])[chunk.wdl],  # index -1 is the last item
        np.array(distances)[chunk.distance],  # index -1, an unknown distance, is the last item
        np.array([(json.dumps(names) if as_json else " ".join(names)).encode() for names in moves], np.bytes_)[place],
        np.array(flags)[chunk.terminal.astype(np.int8)],
    ]
    line: list[bytes | Bytes] = []
    for name, field in zip(COLUMNS, fields, strict=True):
        start = (f', "{name}": ' if line else f'{{"{name}": ') if as_json else "," * bool(line)
        quote = '"' if as_json and name in {"board", "to_move"} else ""
        line += [f"{start}{quote}".encode(), field, quote.encode()]
    line.append(b"}\n" if as_json else b"\n")
    columns = [
        np.broadcast_to(np.frombuffer(field, np.uint8), (len(chunk.hashes), len(field)))
        if isinstance(field, bytes)
        else np.ascontiguousarray(field).view(np.uint8).reshape(len(chunk.hashes), -1)
        for field in line
        if len(field)
    ]
    return np.concatenate(columns, axis=1).tobytes().translate(None, b"\0")


def _best_names(rules: Rules, chunk: Chunk) -> tuple[list[tuple[str, ...]], npt.NDArray[np.intp]]:
    """Return the distinct sets of best moves of a chunk, as names of squares, and the index of each position's set."""
    distinct, place = np.unique(chunk.best, return_inverse=True)
    return [square_names(rules, mask) for mask in distinct.tolist()], place


@contextmanager
def open_parquet(path: Path, rules: Rules, metadata: dict[str, str]) -> Iterator[Callable[[Chunk], None]]:
    """Yield a function that appends a chunk to the file. Raises MissingExtra if PyArrow is not installed."""
    try:
        pa, pq = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise missing_extra("Parquet", "export", "choose a file name that ends in .csv or .jsonl") from error
    small, names = pa.int8(), pa.list_(pa.string())
    types = [
        pa.int64() if rules.squares <= HASHED_SQUARES else pa.string(),
        pa.string(),
        small,
        pa.string(),
        small,
        pa.int16(),
        names,
        pa.bool_(),
    ]
    fields = [
        pa.field(name, kind, nullable=name == "distance", metadata={"description": words})
        for (name, words), kind in zip(COLUMNS.items(), types, strict=True)
    ]
    schema = pa.schema(fields, metadata=metadata)
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        yield lambda chunk: writer.write_batch(_make_batch(pa, schema, rules, chunk))


@contextmanager
def open_sqlite(path: Path, rules: Rules) -> Iterator[Callable[[Chunk], object]]:
    """Yield a function that appends a chunk to the table `positions` of a SQLite file. Raises OSError.

    A view `plies` counts the positions of each ply, as the table of the same name in the file of a table.
    """
    from solver.store.row_file import open_rows  # here, because the other formats do not need sqlite-utils

    columns = _SQLITE_COLUMNS | ({} if rules.squares <= HASHED_SQUARES else {"hash": str})
    with open_rows(path, "positions", columns, _SQLITE_INDEXES, {"plies": _SQLITE_PLIES}) as insert:
        yield lambda chunk: insert(_make_rows(rules, chunk))


_SQLITE_COLUMNS: Final[dict[str, type]] = {
    **dict.fromkeys(COLUMNS, int),
    **dict.fromkeys(("board", "to_move", "best_moves"), str),
}
_SQLITE_INDEXES: Final = (["hash"], ["board"], ["ply", "wdl", "distance"])
_SQLITE_PLIES: Final = """\
SELECT ply, count(*) AS positions, sum(wdl = 1) AS won, sum(wdl = 0) AS drawn, sum(wdl = -1) AS lost,
       sum(terminal) AS terminal, max(CASE WHEN wdl <> 0 THEN distance END) AS longest
FROM positions GROUP BY ply ORDER BY ply"""


def _make_rows(rules: Rules, chunk: Chunk) -> Iterator[tuple[object, ...]]:
    distances = [*range(rules.squares + 1), None]  # index -1, an unknown distance, is the last item
    moves, place = _best_names(rules, chunk)
    return zip(
        (chunk.hashes if rules.squares <= HASHED_SQUARES else chunk.hashes.astype(str)).tolist(),
        board_texts(rules, chunk.hashes).astype(str).tolist(),
        repeat(chunk.ply),
        repeat("XO"[chunk.ply % 2]),
        chunk.wdl.tolist(),
        map(distances.__getitem__, chunk.distance.tolist()),
        map([" ".join(names) for names in moves].__getitem__, place.tolist()),
        map(int, chunk.terminal.tolist()),
        strict=False,  # repeat has no end
    )


def _make_batch(pa: Any, schema: Any, rules: Rules, chunk: Chunk) -> Any:
    count = len(chunk.hashes)
    text = board_texts(rules, chunk.hashes)
    ends = np.arange(count + 1, dtype=np.int32) * text.itemsize
    names, place = _best_names(rules, chunk)
    columns = [
        pa.array(chunk.hashes if rules.squares <= HASHED_SQUARES else chunk.hashes.astype(str)),
        pa.StringArray.from_buffers(count, pa.py_buffer(ends), pa.py_buffer(text.tobytes())),
        pa.array(np.full(count, chunk.ply, np.int8)),
        pa.repeat("XO"[chunk.ply % 2], count),
        pa.array(chunk.wdl),
        pa.array(chunk.distance, mask=chunk.distance < 0),
        pa.array(names, pa.list_(pa.string())).take(pa.array(place)),
        pa.array(chunk.terminal),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
