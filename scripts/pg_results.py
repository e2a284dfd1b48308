"""Solve the games in a folder of .pg files, and write the results: `python scripts/pg_results.py FOLDER`.

The folder is a clone of github.com/vale1410/positional-games-qbf-encoding, with 886 files. Games with more than 25
squares, or with several moves in a row by one side, have no result. Many files describe the same game, which is
solved once.
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
from solver.game.game_files import name_rules
from solver.game.position import Position
from solver.game.rules import Rules
from solver.search.truth import open_tablebase
from solver.solve.build import build_table

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "data" / "facts" / "pg_results.json"
MOST_SQUARES = 25
SOURCE = "https://github.com/vale1410/positional-games-qbf-encoding"

_POSITIONS = re.compile(r"^#positions([^#]*)", re.MULTILINE | re.IGNORECASE)


class Row(NamedTuple):
    """The facts and the result of one file."""

    file: str
    positions: int
    """The number of squares that the file lists."""
    squares: int | None = None
    """The number of squares that are empty at the start."""
    black_sets: int | None = None
    white_sets: int | None = None
    plies: int | None = None
    first: str | None = None
    """The side that moves first: `black` or `white`."""
    result: str | None = None
    """`win`, `loss` or `draw`, for black."""
    seconds: float | None = None
    """The processor time to solve the game and write the table."""
    reason: str | None = None
    """Why the game is not solved."""


class Solver:
    """A solver that remembers the games it has solved."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._known: dict[str, tuple[int, float]] = {}

    def solve(self, rules: Rules) -> tuple[int, float]:
        """Return the value for X, who moves first (1, 0 or -1), and the seconds."""
        if rules.fingerprint not in self._known:
            start = process_time()
            path = build_table(rules, self._folder, metric="wdl", workers=1)
            with open_tablebase(path) as table:
                value = table.probe(Position.start(rules)).wdl
            self._known[rules.fingerprint] = value, round(process_time() - start, 3)
            path.unlink()
        return self._known[rules.fingerprint]


def solve_file(path: Path, name: str, solver: Solver) -> Row:
    """Solve the game of a file, or return the reason why it cannot be solved."""
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
    first = "white" if rules.x_is_white else "black"
    x_sets, o_sets = len(rules.x_lines), len(rules.o_lines)
    sets = (x_sets, o_sets) if first == "black" else (o_sets, x_sets)
    result = ("loss", "draw", "win")[1 + (value if first == "black" else -value)]
    return Row(name, positions, rules.squares, *sets, rules.plies, first, result, seconds)


def main() -> None:
    """Solve the games of all files and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="a clone of the repository, or a part of it")
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
