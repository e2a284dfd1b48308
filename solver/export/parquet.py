"""Write Parquet, a row group a chunk, through PyArrow (https://parquet.apache.org)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from solver.errors import missing_extra
from solver.export.positions import Chunk
from solver.game.arrays import boards, square_names
from solver.game.rules import Rules

__all__ = ["open_parquet", "require_pyarrow"]


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
