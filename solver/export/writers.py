"""Write positions as CSV, JSON Lines, NumPy and Parquet, a chunk at a time.

CSV and JSON Lines are made from whole columns instead of row by row. Every field becomes an array of fixed-width bytes
padded with zero bytes; side by side they are one table of bytes, and the rows are what is left of it without the
padding. No field of ours can hold a zero byte, a quote or a comma.

A file .npz holds one array a column, each gathered in a file without a name and then packed. The arrays lie in a zip
one after another, and how long they are stands before each of them; so the columns wait on the disk, not in memory.
See `numpy.lib.format`. Parquet (https://parquet.apache.org) is written through PyArrow, a row group a chunk.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from solver.errors import missing_extra
from solver.export.positions import Chunk
from solver.game.arrays import boards, digits, square_names
from solver.game.rules import MAX_SQUARES, Rules

Bytes = npt.NDArray[np.bytes_]

COLUMNS = ("hash", "board", "ply", "to_move", "wdl", "distance", "best_moves", "terminal")


def format_csv(rules: Rules, chunk: Chunk) -> bytes:
    """Write a line for each position, its fields in the order of COLUMNS; an unknown distance is empty."""
    ply = f",{chunk.ply},{'XO'[chunk.ply % 2]},".encode()
    moves = _format_masks(chunk.best, lambda mask: " ".join(square_names(rules, mask)))
    terminal = chunk.terminal.astype(np.uint8).astype(np.bytes_)
    row = (
        *(_format_hashes(chunk), b",", boards(rules, chunk.hashes), ply, _format_wdl(chunk), b","),
        *(_format_distances(chunk, b""), b",", moves, b",", terminal, b"\n"),
    )
    return _join_fields(row, len(chunk.hashes))


def format_json(rules: Rules, chunk: Chunk) -> bytes:
    """Write a JSON object for each position, keyed by COLUMNS; the best moves are a list."""
    to_move = "XO"[chunk.ply % 2]
    ply = f'", "ply": {chunk.ply}, "to_move": "{to_move}", "wdl": '.encode()
    moves = _format_masks(chunk.best, lambda mask: json.dumps(square_names(rules, mask)))
    terminal = np.array([b"false", b"true"])[chunk.terminal.astype(np.int8)]
    row = (
        *(b'{"hash": ', _format_hashes(chunk), b', "board": "', boards(rules, chunk.hashes), ply, _format_wdl(chunk)),
        *(b', "distance": ', _format_distances(chunk, b"null"), b', "best_moves": ', moves),
        *(b', "terminal": ', terminal, b"}\n"),
    )
    return _join_fields(row, len(chunk.hashes))


def _format_masks(masks: npt.NDArray[np.int64], text: Callable[[int], str]) -> Bytes:
    """Write a text for each mask, made once for those that are alike."""
    distinct, place = np.unique(masks, return_inverse=True)
    return np.array([text(mask).encode() for mask in distinct.tolist()], np.bytes_)[place]


def _format_hashes(chunk: Chunk) -> Bytes:
    width = len(str(chunk.hashes.max()))
    return chunk.hashes.astype(f"S{width}")


def _format_wdl(chunk: Chunk) -> Bytes:
    return np.array([b"0", b"1", b"-1"])[chunk.wdl]  # -1 is the last of them


def _format_distances(chunk: Chunk, unknown: bytes) -> Bytes:
    texts = np.array([b"%d" % distance for distance in range(MAX_SQUARES + 1)] + [unknown])
    return texts[chunk.distance]  # -1, which is not known, is the last of them


def _join_fields(fields: Sequence[bytes | Bytes], count: int) -> bytes:
    """Join fields side by side into lines: the same bytes in every row, or an array with a field a row."""
    columns = [
        np.broadcast_to(np.frombuffer(field, np.uint8), (count, len(field)))
        if isinstance(field, bytes)
        else np.ascontiguousarray(field).view(np.uint8).reshape(count, -1)
        for field in fields
    ]
    return np.concatenate(columns, axis=1).tobytes().translate(None, b"\0")


@contextmanager
def open_npz(path: Path, rules: Rules, metadata: dict[str, str]) -> Iterator[Callable[[Chunk], None]]:
    """Give a function that takes a chunk; the file is written at the end, if nothing was raised.

    Each item of `metadata` becomes an array of one text.
    """
    none = np.empty(0, np.int64)
    nothing = Chunk(0, none, none.astype(np.int8), none.astype(np.int16), none, none.astype(np.bool_))
    types = {name: array.dtype.str for name, array in _make_arrays(rules, nothing).items()}
    with ExitStack() as stack:
        columns = {name: stack.enter_context(tempfile.TemporaryFile(dir=path.parent)) for name in types}
        count = 0

        def write(chunk: Chunk) -> None:
            nonlocal count
            count += len(chunk.hashes)
            for name, array in _make_arrays(rules, chunk).items():
                columns[name].write(np.ascontiguousarray(array).data)

        yield write
        with zipfile.ZipFile(path, "w") as archive:  # not compressed, which would take longer than all the rest
            for name, column in columns.items():
                column.seek(0)
                shape = (count, rules.squares) if name == "board" else (count,)
                # An entry made like this bears no time, so that the same table gives the same file.
                with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                    header = {"descr": types[name], "fortran_order": False, "shape": shape}
                    np.lib.format.write_array_header_1_0(member, header)
                    shutil.copyfileobj(column, member, 1 << 20)
            for name, text in metadata.items():
                with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w") as member:
                    np.lib.format.write_array(member, np.array(text), allow_pickle=False)


def _make_arrays(rules: Rules, chunk: Chunk) -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]]:
    """Make an array of P positions a column, `board` P by squares. What they hold stands in the README."""
    count = len(chunk.hashes)
    return {
        "hash": chunk.hashes.astype("<i8"),
        "board": digits(rules, chunk.hashes).astype("|u1"),
        "ply": np.full(count, chunk.ply, "|u1"),
        "to_move": np.full(count, 1 + chunk.ply % 2, "|u1"),
        "wdl": chunk.wdl.astype("|i1"),
        "distance": chunk.distance.astype("<i2"),
        "best_moves": chunk.best.astype("<u4" if rules.squares <= 32 else "<u8"),
        "terminal": chunk.terminal.astype("|b1"),
    }


def require_pyarrow() -> None:
    """Raise MissingExtra unless PyArrow is there."""
    try:
        import_module("pyarrow.parquet")
    except ImportError as error:
        raise missing_extra("Parquet", "export", "choose another --format") from error


@contextmanager
def open_parquet(path: Path, rules: Rules, metadata: dict[str, str]) -> Iterator[Any]:
    """Give a function that writes a chunk to the file; `metadata` goes into the file's own.

    Raises MissingExtra when PyArrow is not installed.
    """
    require_pyarrow()
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema(
        [
            pa.field("hash", pa.int64(), nullable=False),
            pa.field("board", pa.string(), nullable=False),
            pa.field("ply", pa.int8(), nullable=False),
            pa.field("to_move", pa.string(), nullable=False),
            pa.field("wdl", pa.int8(), nullable=False),
            pa.field("distance", pa.int16()),
            pa.field("best_moves", pa.list_(pa.string()), nullable=False),
            pa.field("terminal", pa.bool_(), nullable=False),
        ],
        metadata=metadata,
    )
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        yield lambda chunk: writer.write_batch(_make_batch(pa, schema, rules, chunk))


def _make_batch(pa: Any, schema: Any, rules: Rules, chunk: Chunk) -> Any:
    count = len(chunk.hashes)
    text = boards(rules, chunk.hashes)
    ends = np.arange(count + 1, dtype=np.int32) * text.itemsize
    distinct, place = np.unique(chunk.best, return_inverse=True)
    names = [square_names(rules, mask) for mask in distinct.tolist()]
    columns = [
        pa.array(chunk.hashes),
        pa.StringArray.from_buffers(count, pa.py_buffer(ends), pa.py_buffer(text.tobytes())),
        pa.array(np.full(count, chunk.ply, np.int8)),
        pa.repeat("XO"[chunk.ply % 2], count),
        pa.array(chunk.wdl),
        pa.array(chunk.distance, mask=chunk.distance < 0),
        pa.array(names, pa.list_(pa.string())).take(pa.array(place)),
        pa.array(chunk.terminal),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
