"""Writing a table out: which format, to which file, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO

from solver.errors import MnkError, StorageError
from solver.export.formats import FORMATS, STREAMS, Format, Stream, format_of
from solver.export.npz import npz_writer
from solver.export.parquet import parquet_writer
from solver.export.positions import Chunk, Plies, chunks, work_of
from solver.export.text import COLUMNS, csv_rows, json_rows
from solver.game.rules import Rules
from solver.support.files import whole_file
from solver.tablebase import Tablebase

__all__ = ["export_table", "write_table"]

Progress = Callable[[int, int], None]
Writer = Callable[[Path, Rules, dict[str, str]], AbstractContextManager[Callable[[Chunk], None]]]

_WRITERS: dict[str, Writer] = {"parquet": parquet_writer, "npz": npz_writer}


def export_table(
    table: Tablebase,
    path: Path,
    form: Format | None = None,
    *,
    plies: Plies | None = None,
    canonical: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> int:
    """Write the positions of some plies (first and last, default: all) to a file; returns how many there are.

    form: by default what the file's name ends in. canonical: one position of those that are symmetric. The file
    appears when it is whole; `force` replaces one that is there. Raises MnkError (no such format, PyArrow is not
    there), StorageError (the file exists, or can't be written), RulesError (too many positions), DamagedTable.
    """
    form = form or format_of(path)
    if form not in FORMATS:
        raise MnkError(f"The format of {path} is not known; let its name end in .{', .'.join(FORMATS)}.")
    found = _found(table, plies, canonical, progress)
    if path.exists() and not force:
        raise StorageError(f"The file {path} exists; give another name with -o, or --force to replace it.")
    with whole_file(path) as part:
        if form in STREAMS:
            with part.open("wb") as file:
                return _write_text(table, file, form, found)
        with _WRITERS[form](part, table.rules, _facts(table)) as write:
            return _counted(found, write)


def write_table(
    table: Tablebase,
    file: BinaryIO,
    form: Stream,
    *,
    plies: Plies | None = None,
    canonical: bool = False,
    progress: Progress | None = None,
) -> int:
    """Write positions as text to an open binary file or stream; as `export_table` otherwise."""
    return _write_text(table, file, form, _found(table, plies, canonical, progress))


def _write_text(table: Tablebase, file: BinaryIO, form: str, found: Iterator[Chunk]) -> int:
    rows = csv_rows if form == "csv" else json_rows
    if form == "csv":
        file.write(",".join(COLUMNS).encode() + b"\n")
    return _counted(found, lambda chunk: file.write(rows(table.rules, chunk)))


def _counted(found: Iterator[Chunk], write: Callable[[Chunk], object]) -> int:
    count = 0
    for chunk in found:
        write(chunk)
        count += len(chunk.hashes)
    return count


def _found(table: Tablebase, plies: Plies | None, canonical: bool, progress: Progress | None) -> Iterator[Chunk]:
    total, done = work_of(table, plies), 0

    def step(more: int) -> None:
        nonlocal done
        done += more
        if progress:
            progress(done, total)

    return chunks(table, plies, canonical=canonical, step=step)


def _facts(table: Tablebase) -> dict[str, str]:
    """What the file says of itself; the same for the same table."""
    return {"game": table.rules.name, "metric": table.metric, "digest": str(table.meta["digest"])}
