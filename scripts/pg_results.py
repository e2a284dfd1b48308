"""Solve the games of a folder of .pg files, and write who wins each: `python scripts/pg_results.py FOLDER`.

The files are the 886 of github.com/vale1410/positional-games-qbf-encoding. Games of more than 25 squares, or
of several turns in a row, are named without a result. Many files are the same game: it is solved once.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import NamedTuple

from solver.errors import RulesError
from solver.game import pg_file
from solver.game.files import name_rules
from solver.game.position import Position
from solver.game.rules import Rules
from solver.solve import build_table
from solver.tablebase import open_tablebase

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "data" / "facts" / "pg_results.json"
MOST_SQUARES = 25
SOURCE = "https://github.com/vale1410/positional-games-qbf-encoding"

_POSITIONS = re.compile(r"^#positions([^#]*)", re.MULTILINE | re.IGNORECASE)


class Row(NamedTuple):
    """What is known of one file."""

    file: str
    positions: int
    """The squares it lists."""
    squares: int | None = None
    """Those that are empty when play begins."""
    black_sets: int | None = None
    white_sets: int | None = None
    plies: int | None = None
    first: str | None = None
    """`black` or `white`, who moves first."""
    result: str | None = None
    """`win`, `loss` or `draw`, for black."""
    seconds: float | None = None
    """Of one processor, to solve it and to write the table."""
    reason: str | None = None
    """Why it is not solved."""


class Solver:
    """Solves games, each once."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._known: dict[str, tuple[int, float]] = {}

    def solve(self, rules: Rules) -> tuple[int, float]:
        """Return the value for X, who moves first: 1, 0 or -1; and the seconds."""
        if rules.fingerprint not in self._known:
            start = process_time()
            path = build_table(rules, self._folder, metric="wdl", threads=1)
            with open_tablebase(path) as table:
                value = table.probe(Position.start(rules)).wdl
            self._known[rules.fingerprint] = value, round(process_time() - start, 3)
            path.unlink()
        return self._known[rules.fingerprint]


def solve_file(path: Path, name: str, solver: Solver) -> Row:
    """Solve the game of a file, if it can be."""
    text = path.read_text(encoding="utf-8")
    match = _POSITIONS.search(text)
    positions = len(re.sub(r"%.*", "", match[1]).split()) if match else 0
    if positions > MOST_SQUARES:
        return Row(name, positions, reason=f"more than {MOST_SQUARES} squares")
    try:
        rules = name_rules(pg_file.read(text), path.stem)
    except RulesError as error:
        return Row(name, positions, reason=str(error))
    value, seconds = solver.solve(rules)
    first = pg_file.first_colour(text)
    x_sets, o_sets = len(rules.x_lines), len(rules.o_lines)
    sets = (x_sets, o_sets) if first == "black" else (o_sets, x_sets)
    result = ("loss", "draw", "win")[1 + (value if first == "black" else -value)]
    return Row(name, positions, rules.squares, *sets, rules.plies, first, result, seconds)


def main() -> None:
    """Read all files, solve what can be solved, write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="a clone of the files, or a part of one")
    parser.add_argument("-o", "--output", type=Path, default=RESULTS)
    given = parser.parse_args()
    files = sorted(given.folder.rglob("*.pg"))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        solver = Solver(folder)
        for number, path in enumerate(files):
            rows.append(solve_file(path, path.relative_to(given.folder).as_posix(), solver))
            print(f"\r{number + 1} of {len(files)} files", end="", file=sys.stderr)
    lines = ",\n".join(json.dumps(row) for row in rows)
    head = f'{{"source": "{SOURCE}",\n"columns": {json.dumps(Row._fields)},\n"rows": [\n'
    given.output.write_text(f"{head}{lines}\n]}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
