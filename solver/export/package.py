"""Write a game as a package of data: its rows or its table, counts, rules, a card, metadata and checksums.

The metadata are those of a Data Package (https://datapackage.org), which the program `frictionless` validates.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Sequence
from hashlib import file_digest
from pathlib import Path
from typing import Any, Final

from solver.answers import TableAnswer, table_answer
from solver.check import check_table
from solver.errors import CheckFailed, StorageError
from solver.export.card import PLY_COLUMNS, POSITION_COLUMNS, Column, File, title, write_card
from solver.export.formats import Format
from solver.export.positions import Plies, Progress
from solver.export.table import export_table
from solver.game.files import is_file_game
from solver.game.json_file import to_json
from solver.store.paths import rebuild_command
from solver.support.files import whole_folder
from solver.tablebase import Tablebase, open_tablebase

CARD: Final = "README.md"
CHECKSUMS: Final = "SHA256SUMS"
METADATA: Final = "datapackage.json"
COUNTS: Final = "plies.csv"
RULES: Final = "rules.json"
MOST_ROWS: Final = 1_000_000  # of more positions the table itself is packed, unless rows are asked for

_PROFILE: Final = "https://datapackage.org/profiles/2.0/datapackage.json"
_LICENCE: Final = {"name": "MIT", "title": "MIT License", "path": "https://opensource.org/license/mit"}
_MEDIA_TYPES: Final = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".npz": "application/zip",
    ".parquet": "application/vnd.apache.parquet",
    ".sqlite": "application/vnd.sqlite3",
}


def write_package(
    path: Path,
    folder: Path,
    form: Format | None = None,
    *,
    plies: Plies | None = None,
    canonical: bool = False,
    sample: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> list[File]:
    """Check a table, write what others need to use and to cite it into a folder, and return the files that hold data.

    path: the table. form, plies, canonical: which rows, as `export_table` has them. With none of the three these
    are all rows as CSV of a game of up to MOST_ROWS positions; of a larger one the table itself is packed.
    sample: how many random positions of a game of over 12 squares are checked, instead of all. The folder
    appears when it is whole; `force` replaces a package that is there. The same table gives the same bytes.
    Raises CheckFailed (a mistake in the table), StorageError (the folder exists, or can't be written), and what
    opening, checking and exporting raise.
    """
    if force and folder.exists() and not (folder / METADATA).is_file():
        raise StorageError(f"{folder} is no package of data, so it is not replaced; choose another folder.")
    with open_tablebase(path) as table, whole_folder(folder, force=force) as part:
        facts = table_answer(table)
        has_rows = bool(form or plies or canonical) or facts["positions"] <= MOST_ROWS
        report = check_table(path, sample=sample, progress=_stage(progress, 0, 1 + has_rows))
        if not report.ok:
            problem = report.problems[0].removesuffix(".")
            raise CheckFailed(f"{path} is wrong, so it is not packed ({problem}); run `{rebuild_command(path)}`.")
        if has_rows:
            target = part / f"positions.{form or 'csv'}"
            count = export_table(table, target, plies=plies, canonical=canonical, progress=_stage(progress, 1, 2))
            chosen = _describe_choice(count, plies, canonical)
            holds = {target: "positions with their values"}
        else:
            chosen = ""
            holds = {Path(shutil.copyfile(path, part / path.name)): "the table of all positions"}
        holds |= {_write_counts(table, part): "counts by ply", _write_rules(table, part): "squares and lines"}
        files = [_describe_file(file, part, words) for file, words in holds.items()]
        commands = _commands(facts, form, plies, canonical, sample)
        (part / CARD).write_text(write_card(facts, table.plies(), report, files, chosen, commands), encoding="utf-8")
        (part / METADATA).write_text(_json(_describe_package(facts, files)), encoding="utf-8")
        others = [_describe_file(part / name, part, "") for name in (CARD, METADATA)]
        sums = "".join(f"{file.sha256}  {file.path}\n" for file in [*files, *others])
        (part / CHECKSUMS).write_text(sums, encoding="utf-8")
    return files


def _stage(progress: Progress | None, stage: int, stages: int) -> Progress | None:
    """Make the progress of one of several stages, which count in units of their own, one of the whole."""
    if progress is None:
        return None
    return lambda done, total: progress(round(1000 * (stage + done / total)), 1000 * stages)


def _describe_choice(count: int, plies: Plies | None, canonical: bool) -> str:
    """Say which positions have rows."""
    of = f", of plies {plies[0]} to {plies[1]}" if plies else ""
    symmetric = ", one of those that are symmetric, that with the smallest hash" if canonical else ""
    return f"{count:,} of them{of}{symmetric}, by ply and then by hash"


def _write_counts(table: Tablebase, part: Path) -> Path:
    file = part / COUNTS
    with file.open("w", encoding="utf-8", newline="") as text:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(column.name for column in PLY_COLUMNS)
        writer.writerows([row[column.name] for column in PLY_COLUMNS] for row in table.plies())
    return file


def _write_rules(table: Tablebase, part: Path) -> Path:
    file = part / RULES
    file.write_text(_json(to_json(table.rules)), encoding="utf-8")
    return file


def _describe_file(file: Path, part: Path, words: str) -> File:
    with file.open("rb") as opened:
        checksum = file_digest(opened, "sha256").hexdigest()
    return File(file.relative_to(part).as_posix(), words, file.stat().st_size, checksum)


def _commands(
    facts: TableAnswer, form: Format | None, plies: Plies | None, canonical: bool, sample: int | None
) -> list[str]:
    """Write the commands that make the package from nothing."""
    options = [
        f" --format {form}" if form else "",
        f" --ply {plies[0]}-{plies[1]}" if plies else "",
        " --canonical" if canonical else "",
        f" --sample {sample}" if sample else "",
    ]
    game = RULES if is_file_game(facts["game"]) else facts["game"]
    return [f"mnk build {game} --metric {facts['metric']}", f"mnk export {game} --package FOLDER{''.join(options)}"]


def _describe_package(facts: TableAnswer, files: Sequence[File]) -> dict[str, Any]:
    """Describe a package as https://datapackage.org/standard/data-package/ has it, and by game, metric and digest."""
    return {
        "$schema": _PROFILE,
        "name": f"mnk-{facts['game'].replace(',', '-')}",
        "title": title(facts),
        "description": facts["description"],
        "version": facts["builder"],
        "licenses": [_LICENCE],
        "contributors": [{"title": "the mnk-tablebase authors"}],
        "keywords": ["combinatorial game", "m,n,k-game", "tablebase"],
        "game": facts["game"],
        "metric": facts["metric"],
        "digest": facts["digest"],
        "resources": [_describe_resource(file) for file in files],
    }


def _describe_resource(file: File) -> dict[str, Any]:
    """Describe a file; CSV has a schema too (https://datapackage.org/standard/table-schema/)."""
    path = Path(file.path)
    found: dict[str, Any] = {
        "name": file.path.lower(),
        "path": file.path,
        "description": file.words,
        "format": path.suffix[1:],
        "mediatype": _MEDIA_TYPES[path.suffix],
        "bytes": file.bytes,
        "hash": f"sha256:{file.sha256}",
    }
    if path.suffix == ".csv":
        columns, key = (PLY_COLUMNS, "ply") if path.name == COUNTS else (POSITION_COLUMNS, "hash")
        fields = [_describe_column(column) for column in columns]
        found |= {"type": "table", "encoding": "utf-8", "schema": {"fields": fields, "primaryKey": [key]}}
    return found


def _describe_column(column: Column) -> dict[str, Any]:
    found: dict[str, Any] = {"name": column.name, "type": column.type, "description": column.words}
    if column.type == "boolean":
        found |= {"trueValues": ["1"], "falseValues": ["0"]}
    return found if column.may_be_empty else found | {"constraints": {"required": True}}


def _json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"
