"""Write the positions of a table to a file or a stream. A file is written completely or not at all.

Positions are listed ply by ply, in NumPy arrays of bounded size. Two plies are in memory at a time, with the moves
between them. `probe_many` finds the values of the later ply. The same values rank the moves from the earlier ply, so no
position is probed twice.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt

from solver.count.walking import MOST_POSITIONS, WalkedPly, count_placements, smallest_images, sweep
from solver.errors import InputError, RulesError, require_numbers
from solver.export.writers import COLUMNS, Chunk, format_rows, open_parquet, open_sqlite
from solver.game.arrays import best_moves, move_ranks
from solver.game.base3 import HASHED_SQUARES
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.value import Value
from solver.support.files import whole_file
from solver.support.progress import Progress
from solver.tablebase import Tablebase

Plies = tuple[int, int]  # the first and the last
_Values = tuple[WalkedPly, npt.NDArray[np.int8], npt.NDArray[np.int16]]  # the positions of a ply, wdl, distance

FORMATS: Final = (".csv", ".jsonl", ".parquet", ".db")  # the endings of file names that select a format

ROWS = 1 << 17  # positions per chunk: about 30 MB of intermediate arrays, and a good size for a row group of Parquet

MOST_OBJECTS: Final = 3_000_000  # positions of boards whose hashes need Python's whole numbers: about 3 GB


def export_table(
    table: Tablebase,
    target: Path | BinaryIO,
    *,
    plies: Plies | None = None,
    canonical: bool = False,
    progress: Progress | None = None,
) -> int:
    """Write the positions in a range of plies, and return the number of positions written.

    target: a path that ends in one of FORMATS, or an open binary stream for CSV. An older file is replaced
    only when the new one is complete. plies: the first and the last ply; by default, all plies are written. canonical:
    write only one position of each symmetry class. Raises InputError (unknown format), MissingExtra (no PyArrow),
    StorageError (the file cannot be written), RulesError (too many positions), DamagedTable.
    """
    form = format_of(target)
    chunks = list_positions(table, plies, canonical=canonical, progress=progress)
    if not isinstance(target, Path):
        return _write_text(table.rules, target, form, chunks)
    with whole_file(target) as part:
        if form == ".parquet":
            metadata = {"game": table.rules.name, "metric": table.metric, "digest": str(table.meta["digest"])}
            with open_parquet(part, table.rules, metadata) as write:
                return _write_chunks(chunks, write)
        if form == ".db":
            with open_sqlite(part, table.rules) as write:
                return _write_chunks(chunks, write)
        with part.open("wb") as file:
            return _write_text(table.rules, file, form, chunks)


def format_of(target: Path | BinaryIO) -> str:
    """Return the format of a file to write, one of FORMATS; `.csv` for a stream. Raises InputError."""
    form = target.suffix.lower() if isinstance(target, Path) else ".csv"
    if form not in FORMATS:
        raise InputError(f"{target} has no known format; choose a name that ends in {', '.join(FORMATS)}.")
    return form


def _write_text(rules: Rules, file: BinaryIO, form: str, chunks: Iterator[Chunk]) -> int:
    if form == ".csv":
        file.write(",".join(COLUMNS).encode() + b"\n")
    return _write_chunks(chunks, lambda chunk: file.write(format_rows(rules, chunk, as_json=form == ".jsonl")))


def _write_chunks(chunks: Iterator[Chunk], write: Callable[[Chunk], object]) -> int:
    count = 0
    for chunk in chunks:
        write(chunk)
        count += len(chunk.hashes)
    return count


def list_positions(
    table: Tablebase, plies: Plies | None = None, *, canonical: bool = False, progress: Progress | None = None
) -> Iterator[Chunk]:
    """Yield the positions in a range of plies (by default, all) with their values, in chunks of at most 131,072.

    plies: the first and the last ply. canonical: from each symmetry class, yield only the position with the smallest
    hash. progress: called with the work done and the whole work; each position counts twice. Raises RulesError if too
    many positions must be visited, and the same errors as `probe_many`.
    """
    first, last = plies or (0, table.rules.squares)
    start, total = _plan_walk(table, (first, last), canonical)

    def show(done: int) -> None:
        if progress:
            progress(done, total)

    if table.rules.squares <= HASHED_SQUARES:
        return _walk(table, start, (first, last), canonical, show)
    return _walk_objects(table, (first, last), canonical, show)


def count_rows(table: Tablebase, plies: Plies | None = None, *, canonical: bool = False) -> tuple[int, int]:
    """Return the number of positions that `list_positions` yields, and the number of values that it looks up.

    The numbers come from the counts in the table. Raises RulesError as `list_positions` does.
    """
    first, last = plies or (0, table.rules.squares)
    _, total = _plan_walk(table, (first, last), canonical)
    rows = sum(_count_plies(table, canonical)[first : last + 1])
    return rows, total - rows


def _plan_walk(table: Tablebase, plies: Plies, canonical: bool) -> tuple[int, int]:
    """Return the ply with which a walk begins, and its work. Raises RulesError if it visits too many positions."""
    first, last = plies
    require_numbers(0, table.rules.squares, last=last)
    require_numbers(0, last, first=first)
    counts = _count_plies(table, canonical)
    is_hashed = table.rules.squares <= HASHED_SQUARES
    limit = MOST_POSITIONS if is_hashed else MOST_OBJECTS
    most = max(ply for ply in range(len(counts)) if sum(counts[: ply + 2]) <= limit)
    if table.opening_plies is not None and last >= table.opening_plies:
        raise RulesError(
            f"The table of {table.rules} ends with ply {table.opening_plies}, the best moves of a ply follow from the "
            f"next, and at most {limit:,} positions can be visited; export earlier plies, with "
            f"`--ply 0-{min(most, table.opening_plies - 1)}`."
        )
    start, before = 0, sum(counts[:first])
    placements = count_placements(table.rules, first) if is_hashed else None
    if placements is not None and placements < before:
        start, before = first, placements
    needed = sum(counts[first : last + 2])  # best moves follow from the next ply
    if before + needed > limit:
        raise RulesError(
            f"To export these plies of {table.rules}, {before + needed:,} positions must be visited, but at most "
            f"{limit:,} can be; choose fewer plies, such as `--ply 0-{most}`."
        )
    return start, needed + sum(counts[first : last + 1])


def _count_plies(table: Tablebase, canonical: bool) -> list[int]:
    return [(row["canonical"] if canonical else None) or row["positions"] or 0 for row in table.plies()]


def _walk(
    table: Tablebase, start: int, plies: Plies, canonical: bool, progress: Callable[[int], None]
) -> Iterator[Chunk]:
    """Yield the chunks of a range of plies, from a walk that begins with ply `start`."""
    rules, done = table.rules, 0
    image = partial(smallest_images, rules) if canonical else np.copy

    def parts(level: WalkedPly) -> Iterator[slice]:
        """Yield slices of at most ROWS positions, and report progress after each."""
        nonlocal done
        for begin in range(0, len(level.hashes), ROWS):
            yield slice(begin, begin + ROWS)
            done += min(ROWS, len(level.hashes) - begin)
            progress(done)

    def cut(values: _Values, children: npt.NDArray[np.int64], ranks: npt.NDArray[np.int16]) -> Iterator[Chunk]:
        """Yield a ply's chunks. `children` are the hashes of the next ply, and `ranks` rank the moves to them."""
        level, wdl, distance = values
        for part in parts(level):
            hashes, moves = level.hashes[part], level.moves[part]
            best = best_moves(
                rules, hashes, level.ply, moves, lambda after: ranks[np.searchsorted(children, image(after))]
            )
            yield Chunk(level.ply, hashes, wdl[part], distance[part], best, moves == 0)

    before: _Values | None = None
    for level in sweep(rules, start, canonical=canonical):
        if level.ply < plies[0]:
            continue
        later = np.empty(len(level.hashes), np.int8), np.empty(len(level.hashes), np.int16)
        for part in parts(level):
            later[0][part], later[1][part] = table.probe_many(level.hashes[part])
        if before is not None:
            yield from cut(before, level.hashes, move_ranks(*later))
        if level.ply > plies[1]:
            return
        before = level, *later
    if before is not None:  # the board is full
        yield from cut(before, np.empty(0, np.int64), np.empty(0, np.int16))


def _walk_objects(table: Tablebase, plies: Plies, canonical: bool, progress: Callable[[int], None]) -> Iterator[Chunk]:
    """Do the work of `_walk` position by position, for boards whose hashes do not fit in int64."""
    first, last = plies
    level, done = {0: Position.start(table.rules)}, 0
    for ply in range(last + 1):
        after = {child.hash: child for position in level.values() for child in map(position.play, position.legal_moves)}
        if ply >= first:
            later = {number: table.find(child) for number, child in after.items()}
            done += len(later) + (len(level) if ply == first else 0)
            numbers = sorted(level)
            for start in range(0, len(numbers), ROWS):
                rows = [_make_row(table, level[number], later) for number in numbers[start : start + ROWS]]
                done += len(rows)
                progress(done)
                hashes, *columns = zip(*rows, strict=True)
                kinds = (np.int8, np.int16, np.int64, np.bool_)
                arrays: list[Any] = [np.array(column, kind) for column, kind in zip(columns, kinds, strict=True)]
                yield Chunk(ply, np.array(hashes, object), *arrays)
        level = (
            {position.hash: position for position in map(Position.canonical, after.values())} if canonical else after
        )


def _make_row(
    table: Tablebase, position: Position, later: Mapping[int, Value | None]
) -> tuple[int, int, int, int, bool]:
    """Return a position's hash, wdl, distance (-1 if unknown), best moves, and whether the game is over."""
    value, squares = table.find(position), position.legal_moves
    values = {square: later[position.play(square).hash] for square in squares}
    assert value is not None  # the caller chooses plies with values
    ranks = {square: found.before_move().rank for square, found in values.items() if found is not None}
    best = sum(1 << square for square, rank in ranks.items() if rank == min(ranks.values()))
    return position.hash, value.wdl, -1 if value.distance is None else value.distance, best, position.is_over
