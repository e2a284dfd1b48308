"""Find who wins on rectangles, for k in a row, by tables, proofs and inference (data/atlas/boards.csv).

A board is settled by the first of these:

* *no line*: k is greater than both sides of the board, so it is a draw.
* *table*: the whole table, with distances if X wins: of a small board, or one of data/solved.
* *strategy*: a strategy that `mnk build` finds and checks against every reply. A bound on the plies of a win comes with
  it. A strategy of O shows that X does not win, and O does not win because an extra stone never hurts X.
* *threats*: a strategy without moves, because fours and threes win from the empty board.
* *pairing*: a strategy of O that is a pairing of the empty board, or one after each first move of X.
* *larger board*: O holds on a larger board, so he also holds on this one: he ignores what lies outside.

A win does not pass to larger boards, because O could make threats there. So each larger board needs its own proof.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any, Final

from game_atlas import ATLAS, ROOT, Row, read_rows, write_rows, write_sums

from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.rules import Rules
from solver.search.truth import open_tablebase
from solver.solve.build import build_table
from solver.solve.proof import prove_game
from solver.store.paths import find_strategy_file
from solver.store.strategy_file import StrategyReader, is_unfinished_proof

FILE: Final = ATLAS / "boards.csv"
MOST, LENGTHS = 19, range(3, 9)
TABLE_SQUARES: Final = 15
KEYS: Final = ("game", "value", "plies", "method", "of", "rows", "digest", "seconds", "published", "command")


def main() -> int:
    """Settle the boards that are open, and return the exit code: 1 if a result differs from a published one."""
    parser = argparse.ArgumentParser(prog="scripts/atlas boards")
    parser.add_argument("--time", type=float, default=10.0, help="seconds for each board")
    parser.add_argument("lengths", nargs="*", type=int, default=[*LENGTHS], help="lengths of lines, 3 to 8")
    given = parser.parse_args()
    boards = _Boards(given.time)
    for k in given.lengths:
        boards.settle_all(k)
    boards.write()
    return 1 if boards.differ() else 0


def name(m: int, n: int, k: int) -> str:
    """Return the name of a board's game."""
    return f"{m},{n},{k}"


class _Boards:
    """The rows of the file, by the sides of the board and the length of its lines."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        published = _published()
        kept = {row["game"]: row for row in read_rows(FILE)}
        self.rows: dict[tuple[int, int, int], Row] = {}
        for k, (m, n) in product(LENGTHS, _sizes()):
            game = name(m, n, k)
            row = kept.get(game, {}) if k <= n else {"value": "draw", "method": "no line"}
            row = dict.fromkeys(KEYS, "") | row | {"game": game}
            if row["method"] == "table" and m * n > TABLE_SQUARES:  # its summary may have been written again
                row.update(_read_solved(parse_game(game)) or {})
            if not row["value"] and (stored := _find_proof(parse_game(game))):
                row.update(_read_strategy(stored, parse_game(game)) | {"seconds": ""})
            row["published"] = published.get(game, "draw, Zetters 1980" if k == LENGTHS[-1] else "")
            self.rows[m, n, k] = row

    def settle_all(self, k: int) -> None:
        """Settle the boards of one length of lines: first the largest on which O holds, then the others."""
        widest = MOST
        for m in range(1, MOST + 1):
            for n in range(widest, m - 1, -1):
                if self._settle(m, n, k) == "draw":
                    widest = n
                    if self.rows[m, n, k]["method"] != "table":  # O may need threats of his own to draw
                        self._infer(m, n, k)
                    break
            else:
                widest = m
        for m, n in _sizes():
            smaller = [self.rows[i, j, k]["value"] for i, j in _sizes() if i <= m and j <= n and (i, j) != (m, n)]
            if "X" in smaller or "" not in smaller:
                self._settle(m, n, k)

    def _settle(self, m: int, n: int, k: int) -> str:
        """Try to settle a board, unless that was tried for so long before; return its value."""
        row = self.rows[m, n, k]
        known, tried = row["value"], float(row["seconds"] or 0)
        if known or tried >= self.seconds:
            return known
        rules, begun = parse_game(row["game"]), process_time()
        with tempfile.TemporaryDirectory() as name_of_folder:
            folder = Path(name_of_folder)
            if solved := _read_solved(rules):
                row.update(solved)
            elif rules.squares <= TABLE_SQUARES:
                with open_tablebase(build_table(rules, folder, metric="distance")) as table:
                    value = table.probe(Position.start(rules))
                    row.update(value="X" if value.wdl else "draw", plies=str(value.distance) if value.wdl else "")
                    row.update(method="table", digest=str(table.table.meta["digest"]))
            elif path := prove_game(rules, folder, seconds=self.seconds):
                row.update(_read_strategy(path, rules))
        if not solved:
            spent = process_time() - begun
            row["seconds"] = f"{spent if row['value'] else max(spent, self.seconds):.1f}"
        print(f"{row['game']}: {row['value'] or 'open'} {row['plies']} {row['method']} {row['rows']}", flush=True)
        self.write()
        return row["value"]

    def _infer(self, m: int, n: int, k: int) -> None:
        """Settle the boards that lie within one on which O holds."""
        for i, j in _sizes():
            row = self.rows[i, j, k]
            if i <= m and j <= n and (not row["value"] or row["method"] == "larger board"):
                row.update(value="draw", method="larger board", of=name(m, n, k))

    def differ(self) -> bool:
        """Print the results that differ from a published one, and return whether there are any."""
        known = [row for row in self.rows.values() if row["value"] and row["published"]]
        found = [row for row in known if row["published"].partition(",")[0] != row["value"]]
        for row in found:
            print(f"{row['game']} is {row['value']}, but published: {row['published']}", file=sys.stderr)
        return found != []

    def write(self) -> None:
        """Write the file."""
        for row in self.rows.values():
            row["command"] = _command(row)
        write_rows(FILE, [*self.rows.values()])
        write_sums()


def _command(row: Row) -> str:
    """Return the command that repeats a result, or an empty string."""
    game = row["of"] or row["game"]
    if row["method"] in {"", "no line"}:
        return ""
    summary = _read_summary(parse_game(game)) if row["method"] == "table" else None
    return str(summary["built"]["command"]) if summary else f"mnk build {game}"


def _find_proof(rules: Rules) -> Path | None:
    """Return the path of a whole strategy in data/proofs or in the package, or None."""
    path = find_strategy_file(ROOT / "data" / "proofs", rules)
    return None if path is None or is_unfinished_proof(path, rules) else path


def _read_strategy(path: Path, rules: Rules) -> Row:
    """Return the columns that a strategy fills."""
    with closing(StrategyReader(path, rules)) as reader:
        header, rows = reader.header, len(reader)
        value, plies, digest = ("X" if header.claim == "wins" else "draw"), header.within, reader.digest
    method = "strategy" if rows else "threats" if header.claim == "wins" else "pairing"
    digest = digest if rows else ""
    return {"value": value, "plies": str(plies or ""), "method": method, "rows": str(rows), "digest": digest}


def _read_solved(rules: Rules) -> Row | None:
    """Return the columns that a large table of data/solved fills; None if there is none."""
    found = _read_summary(rules)
    if found is None:
        return None
    value = {"value": "X", "plies": str(found["root_distance"])} if found["root_wdl"] else {"value": "draw"}
    seconds = found["built"].get("processor_seconds", found["built"]["seconds"])
    return value | {"method": "table", "digest": found.get("digest", ""), "seconds": str(seconds)}


def _read_summary(rules: Rules) -> dict[str, Any] | None:
    """Return the summary of a large table in data/solved that settles the empty board; None if there is none.

    Of several tables, one with a digest is preferred: tables of formats 1 and 2 had another one, by BLAKE2b.
    """
    paths = sorted((ROOT / "data" / "solved").glob(f"{rules.name.replace(',', '-')}-*.json"))
    summaries: list[dict[str, Any]] = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    for found in sorted(summaries, key=lambda found: "digest" not in found):
        if found["game"] == rules.name and (not found["root_wdl"] or found["root_distance"]):
            return found
    return None


def _published() -> dict[str, str]:
    """Return the published values by the names of the games, with the authors. A draw passes to the boards inside."""
    facts = ROOT / "data" / "facts"
    values = {"P1": "X", "D": "draw"}
    found = dict[str, str]()
    for row in read_rows(facts / "dfriedman_mnk.csv"):
        if row["type"] == "N":
            m, n = sorted((int(row["m"]), int(row["n"])))
            found[name(m, n, int(row["k"]))] = f"{values[row['winner']]}, Friedman 2020"
    found |= {row["game"]: f"{row['value']}, {row['by']}" for row in read_rows(facts / "published_boards.csv")}
    for game, published in [*found.items()]:
        if published.startswith("draw"):
            m, n, k = map(int, game.split(","))
            for i, j in _sizes():
                if i <= m and j <= n and k <= j:
                    found.setdefault(name(i, j, k), f"{published} ({game})")
    return found


def _sizes() -> Iterator[tuple[int, int]]:
    return ((m, n) for m in range(1, MOST + 1) for n in range(m, MOST + 1))


if __name__ == "__main__":
    sys.exit(main())
