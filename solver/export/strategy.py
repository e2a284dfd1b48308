"""Write the rows of a strategy to a file or a stream, in the formats of `solver.export.table`."""

import csv
import json
from collections.abc import Iterator, Sequence
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any, BinaryIO, Final

from solver.errors import InputError, missing_extra
from solver.export.table import Plies, format_of
from solver.game.base3 import HASHED_SQUARES, decode
from solver.game.notation import square_name
from solver.game.position import Position
from solver.store.strategy_file import StrategyReader
from solver.support.files import whole_file

STRATEGY_COLUMNS: Final = {
    "hash": "the base-3 hash of the canonical position, as in tables",
    "board": "the rows from the top, such as XO./.X./...",
    "ply": "stones on the board",
    "to_move": "the side to move, X or O",
    "move": "the square of the stored move, such as b2",
    "within": "plies within which the side wins; empty if it holds, or while its proof is unfinished",
    "claim": "what the side does: `wins` or `holds`",
}
"""The columns and what they contain."""

_NUMBERS: Final = {"hash", "ply", "within"}


def export_strategy(reader: StrategyReader, target: Path | BinaryIO, *, plies: Plies | None = None) -> int:
    """Write the moves of a strategy, sorted by ply and hash; return their number.

    target, plies: as for `export_table`. Raises InputError (unknown format, or a strategy without rows), MissingExtra
    (no PyArrow), StorageError (the file cannot be written), DamagedTable.
    """
    form = format_of(target)
    if not len(reader):
        raise InputError(f"The strategy of {reader.rules} has no stored moves to export; `mnk query` finds its moves.")
    chosen = (row for row in _rows(reader) if plies is None or plies[0] <= row[2] <= plies[1])
    rows = sorted(chosen, key=lambda row: row[2])
    if not isinstance(target, Path):
        _write_text(target, form, rows)
        return len(rows)
    with whole_file(target) as part:
        if form == ".parquet":
            _write_parquet(part, reader, rows)
        elif form == ".db":
            from solver.store.row_file import open_rows  # here, because the other formats do not need sqlite-utils

            with open_rows(part, "moves", _columns(reader), (["hash"], ["board"]), {}) as insert:
                insert(_stored(reader, rows))
        else:
            with part.open("wb") as file:
                _write_text(file, form, rows)
    return len(rows)


def _rows(reader: StrategyReader) -> Iterator[tuple[Any, ...]]:
    """Yield the rows in the order of their hashes."""
    rules, header = reader.rules, reader.header
    for number, move, within in reader:
        position = Position(rules, *decode(number))
        name = square_name(rules, move)
        proved = None if header.is_unfinished else within  # else it is an estimate
        yield number, position.board, position.ply, position.to_move, name, proved, header.claim


def _columns(reader: StrategyReader) -> dict[str, type]:
    """Return the types of the columns: a hash is a text in Parquet and SQLite if it may exceed 64 bits."""
    numbers = _NUMBERS if reader.rules.squares <= HASHED_SQUARES else _NUMBERS - {"hash"}
    return {name: int if name in numbers else str for name in STRATEGY_COLUMNS}


def _stored(reader: StrategyReader, rows: Sequence[tuple[Any, ...]]) -> Sequence[tuple[Any, ...]]:
    return rows if reader.rules.squares <= HASHED_SQUARES else [(str(number), *rest) for number, *rest in rows]


def _write_text(file: BinaryIO, form: str, rows: Sequence[tuple[Any, ...]]) -> None:
    text = StringIO(newline="")
    if form == ".jsonl":
        text.writelines(f"{json.dumps(dict(zip(STRATEGY_COLUMNS, row, strict=True)))}\n" for row in rows)
    else:
        csv.writer(text, lineterminator="\n").writerows([[*STRATEGY_COLUMNS], *rows])
    file.write(text.getvalue().encode())


def _write_parquet(path: Path, reader: StrategyReader, rows: Sequence[tuple[Any, ...]]) -> None:
    try:
        pa, pq = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise missing_extra("Parquet", "export", "choose a file name that ends in .csv or .jsonl") from error
    types = {int: pa.int64(), str: pa.string()}
    metadata = {"game": reader.rules.name, "claim": str(reader.header), "digest": reader.digest}
    schema = pa.schema([(name, types[kind]) for name, kind in _columns(reader).items()], metadata=metadata)
    columns = zip(*_stored(reader, rows), strict=True) if rows else [[]] * len(schema)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    pq.write_table(pa.table(arrays, schema=schema), path, compression="zstd")
