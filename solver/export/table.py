"""Write the positions of a table to a file, whole or not at all, or to a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO

from solver.errors import MnkError, StorageError
from solver.export.formats import FORMATS, STREAMS, Format, Stream, format_of
from solver.export.positions import Chunk, Plies, Progress, walk_chunks
from solver.export.writers import COLUMNS, format_csv, format_json, open_npz, open_parquet
from solver.game.rules import Rules
from solver.support.files import whole_file
from solver.tablebase import Tablebase

Writer = Callable[[Path, Rules, dict[str, str]], AbstractContextManager[Callable[[Chunk], None]]]

_WRITERS: dict[str, Writer] = {"parquet": open_parquet, "npz": open_npz}


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
    found = walk_chunks(table, plies, canonical=canonical, progress=progress)
    if path.exists() and not force:
        raise StorageError(f"The file {path} exists; give another name with -o, or --force to replace it.")
    with whole_file(path) as part:
        if form in STREAMS:
            with part.open("wb") as file:
                return _write_text(table, file, form, found)
        with _WRITERS[form](part, table.rules, _metadata(table)) as write:
            return _write_chunks(found, write)


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
    return _write_text(table, file, form, walk_chunks(table, plies, canonical=canonical, progress=progress))


def _write_text(table: Tablebase, file: BinaryIO, form: str, found: Iterator[Chunk]) -> int:
    format_rows = format_csv if form == "csv" else format_json
    if form == "csv":
        file.write(",".join(COLUMNS).encode() + b"\n")
    return _write_chunks(found, lambda chunk: file.write(format_rows(table.rules, chunk)))


def _write_chunks(found: Iterator[Chunk], write: Callable[[Chunk], object]) -> int:
    count = 0
    for chunk in found:
        write(chunk)
        count += len(chunk.hashes)
    return count


def _metadata(table: Tablebase) -> dict[str, str]:
    """Return what the file says of itself; the same for the same table."""
    return {"game": table.rules.name, "metric": table.metric, "digest": str(table.meta["digest"])}
