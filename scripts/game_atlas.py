"""Solve the games of the atlas (data/atlas) by different methods, and compare the results.

* *table*: a table with distances, of the whole game or of its first plies.
* *classes*: all positions of many games on graphs at once, by graph_games.c; it needs a C compiler, `cc`. For each ply,
  a whole table must have the same numbers of positions that are won, drawn and lost, and the same longest distance.
* *search*: the alpha-beta search of `solver.kernels.recheck_search`, from the empty board and from random positions of
  a table.
* *potential*: the search of first_player_wins.c, which finds the winner, and the plies in which Maker wins; it needs
  `cc`, too.
* *brute force*: every position of a board of up to 12 squares, by code in this file only.
* *Breaker*: if Breaker wins, the second player draws the strong game by the same strategy.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import permutations
from math import comb
from pathlib import Path
from time import process_time
from typing import Final, NamedTuple

import pyarrow
import pyarrow.parquet

from solver.check.sample_check import CheckSearch, search_table
from solver.count import count_positions
from solver.game.games import parse_game
from solver.game.makers.graphs import connected_graphs
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.value import Value
from solver.search.truth import Truth, open_tablebase
from solver.solve.build import build_table

ROOT = Path(__file__).resolve().parent.parent
ATLAS = ROOT / "data" / "atlas"

PARTS: Final = (*(f"graph-{points}" for points in range(3, 10)), *(f"progression-{k}" for k in (3, 4, 5)))
MOST_NUMBERS: Final = 28
BRUTE_SQUARES: Final = 12
LASTING: Final = ("positions", "canonical", "value", "plies", "maker", "maker_plies")
QUICK_WIN: Final = 13  # plies: a search looks for a win within them before it looks for the winner
MANY_LINES: Final = 1000
MOST_NODES: Final = 1_000_000  # in the search of a random position
MOST_CLASSES: Final = 8  # points on which graph_games.c solves all positions, and tables hold the whole game
QUICK_MAKER: Final = 11  # plies: on more points, only graphs of up to 5 points that Maker completes on 8 within them
WON: Final = 1000  # the score of a position that is won; a ply costs 1
CERTAIN: Final = 2  # methods, after which a board that is too large for a whole table needs no table
LIMITED_PLIES: Final = 11  # the most plies of a table of the first plies
MOST_LANES: Final = 80  # games that graph_games.c solves at once; 8 points take 70 MB for each

Row = dict[str, str]


class PlyNumbers(NamedTuple):
    """The numbers of positions without a line at a ply, and the most plies to the end of those not drawn, or -1."""

    x_wins: int
    draws: int
    o_wins: int
    longest: int


Censuses = Mapping[str, Sequence[PlyNumbers]]
"""The numbers of each ply, by the name of the game."""


def main() -> int:
    """Solve the games that are missing from the files, and return the exit code."""
    parser = argparse.ArgumentParser(prog="scripts/atlas")
    parser.add_argument("parts", nargs="*", default=PARTS, metavar="PART")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=20_000_000)
    parser.add_argument("--full", type=int, default=21, metavar="SQUARES")
    parser.add_argument("--again", action="store_true")
    given = parser.parse_args()
    if unknown := [part for part in given.parts if part not in PARTS]:
        parser.error(f"there is no part {', '.join(unknown)}; choose from {', '.join(PARTS)}")
    for part in given.parts:
        path = ATLAS / f"{part}.csv"
        rows = {row["game"]: row for row in read_rows(path)}
        games = [*_games(part)]
        missing = [game for game in games if given.again or game["game"] not in rows][: given.games]
        censuses = _solve_classes(missing)
        for number, game in enumerate(missing, 1):
            begun = process_time()
            row = _solve(game, given, censuses)
            row["seconds"] = f"{process_time() - begun:.1f}"
            before = rows.get(row["game"], row)
            if changed := [key for key in LASTING if before[key] != row[key]]:
                print(
                    f"{row['game']} has another {', '.join(changed)} in {path}; nothing was changed.", file=sys.stderr
                )
                return 1
            rows[row["game"]] = before | row
            write_rows(path, [rows[each["game"]] for each in games if each["game"] in rows])
            left = f"{part} {number}/{len(missing)}"
            print(f"{datetime.now(UTC):%H:%M:%S} {left} {row['game']}: {_summary(row)}, {row['seconds']} s", flush=True)
    _join()
    return 0


def _summary(row: Row) -> str:
    strong, maker = (f"{row[f'{key}plies']} ({row[f'{key}methods']})" for key in ("", "maker_"))
    return f"{row['value']} {strong}; {row['maker']} {maker}"


def _games(part: str) -> Iterator[Row]:
    """Yield the first columns of each row of a part."""
    family, _, number = part.partition("-")
    if family == "graph":
        small = read_rows(ATLAS / f"graph-{MOST_CLASSES}.csv") if int(number) > MOST_CLASSES else []
        slow = {row["atlas"] for row in small if row["maker"] != "X" or int(row["maker_plies"]) > QUICK_MAKER}
        for vertices in range(3, min(5 if small else 6, int(number)) + 1):
            for atlas, edges in connected_graphs(vertices):
                if str(atlas) in slow:
                    continue
                rules = parse_game(f"graph,{number},g{atlas}")
                yield {
                    "game": rules.name,
                    "points": number,
                    "graph": rules.name.split(",")[2].upper(),
                    "atlas": str(atlas),
                    "vertices": str(vertices),
                    "edges": " ".join(f"{a + 1}{b + 1}" for a, b in edges),
                }
    else:
        for n in range(int(number), MOST_NUMBERS + 1):
            yield {"game": f"progression,{n},{number}", "n": str(n), "k": number}


def _solve_classes(games: Sequence[Row]) -> Censuses:
    """Solve all positions of games on graphs."""
    games = [game for game in games if "graph" in game and int(game["points"]) <= MOST_CLASSES]
    return _count_wins(games, "maker") | _count_wins(games, "strong")


def _count_wins(games: Sequence[Row], kind: str) -> dict[str, list[PlyNumbers]]:
    """Run graph_games.c for games of one kind, `strong` or `maker`; return nothing without a compiler."""
    lanes = min(MOST_LANES, -(-len(games) // 16) * 16)
    program = _program("graph_games.c", f"-DLANES={lanes}") if games else None
    if not program:
        return {}
    points = games[0]["points"]
    given = "".join(f"{kind} {_lines(game | {'points': game['vertices']})[0]}\n" for game in games)
    done = subprocess.run([program, points], input=given, stdout=subprocess.PIPE, text=True, check=True)
    rows = [PlyNumbers(*map(int, line.split()[1:])) for line in done.stdout.splitlines()]
    names = [game["game"] + (",maker" if kind == "maker" else "") for game in games]
    squares = comb(int(points), 2)
    return {name: rows[i * squares : (i + 1) * squares] for i, name in enumerate(names)}


def _compare(table: Truth, census: Sequence[PlyNumbers]) -> None:
    """Stop if a table of a whole game has other numbers of positions than the census."""
    for ply, (row, numbers) in enumerate(zip(table.table.plies()[:-1], census, strict=True)):
        won, drawn, lost = row["won"] or 0, row["drawn"] or 0, (row["lost"] or 0) - (row["terminal"] or 0)
        x_wins, o_wins = (lost, won) if ply % 2 else (won, lost)
        if (x_wins, drawn, o_wins, row["longest"] or 0) != (*numbers[:3], max(numbers.longest, 0)):
            raise SystemExit(f"The table of {table.rules} and graph_games.c differ at ply {ply}: {row}, {numbers}")


def _solve(game: Row, given: argparse.Namespace, censuses: Censuses) -> Row:
    """Solve the strong game and the Maker-Breaker game of a row."""
    rules = parse_game(game["game"])
    counts = count_positions(rules)
    row = game | {
        "squares": str(rules.squares),
        "lines": str(len(rules.lines)),
        "positions": str(sum(count.positions for count in counts)),
        "canonical": str(sum(count.canonical for count in counts)),
    }
    maker = _result(f"{rules.name},maker", game, given, censuses)
    strong = _result(rules.name, game, given, censuses, drawn=maker["value"] == "O")
    if maker["value"] == "O" and strong["value"] in ("draw", ""):  # O copies Breaker
        strong |= {"value": "draw", "methods": "+".join(filter(None, (strong["methods"], "Breaker")))}
    return row | strong | {"maker" if key == "value" else f"maker_{key}": value for key, value in maker.items()}


def _result(name: str, game: Row, given: argparse.Namespace, censuses: Censuses, *, drawn: bool = False) -> Row:
    """Return the value of a game, the plies to the end unless it is a draw, and the methods that agree on both.

    A game that is `drawn` because Breaker wins is searched only on a board of up to `given.full` squares.
    """
    rules = parse_game(name)
    is_small, is_maker, values = rules.squares <= given.full, bool(rules.unfinished), dict[str, Value]()
    is_whole = is_small or ("graph" in game and int(game["points"]) <= MOST_CLASSES)
    census = censuses.get(name)
    if census:
        x_wins, _, o_wins, longest = census[0]
        values["classes"] = Value(x_wins - o_wins, longest if x_wins or o_wins else rules.squares)
    if potential := _search_by_potential(rules.squares, _lines(game), given.nodes, maker=is_maker):
        values["potential"] = potential
    if (is_small or not drawn) and (found := _search(rules, given.nodes, values.get("classes"))):
        values["search"] = found
    row = {"digest": "", "table_plies": "", "checked": ""}
    timed = next((value.distance for value in values.values() if value.wdl == 1 and value.distance), None)
    plies = rules.plies if is_whole else timed
    if not is_whole and plies and (plies > LIMITED_PLIES or ("graph" in game and len(values) >= CERTAIN)):
        plies = None
    if plies:
        limited = rules if plies == rules.plies else parse_game(f"{name},plies={plies}")
        with (
            tempfile.TemporaryDirectory() as folder,
            open_tablebase(build_table(limited, folder, metric="distance")) as table,
        ):
            values["table"] = table.probe(Position.start(limited))
            if census and plies == rules.plies:
                _compare(table, census)
            report = search_table(table.table, given.positions, nodes=min(given.nodes, MOST_NODES))
            if report.problems:
                raise SystemExit("\n".join(report.problems))
            row = {
                "digest": str(table.table.meta["digest"]),
                "table_plies": str(plies),
                "checked": str(report.counts["agree"]),
            }
    if rules.squares <= BRUTE_SQUARES:
        values["brute force"] = _brute_force(rules.squares, _lines(game), maker=is_maker)
    ends = {value.distance for value in values.values() if value.wdl == 1 and value.distance}
    results = {value.wdl for value in values.values()}
    if len(results) > 1 or len(ends) > 1:
        raise SystemExit(f"The methods disagree on {name}: {values}.")
    wdl, distance = results.pop() if results else None, ends.pop() if ends else None
    if wdl == -1:
        distance = rules.squares  # Breaker wins when the board is full
    return {
        "value": {1: "X", 0: "draw", -1: "O", None: ""}[wdl],
        "plies": str(distance or ""),
        "methods": "+".join(sorted(values)),
        **row,
    }


def _search(rules: Rules, nodes: int, expected: Value | None = None) -> Value | None:
    """Return the value of the empty board, with the plies of a win; None if the search enters too many positions.

    The search only confirms the value that is `expected`; if it finds another one, the program stops.
    """
    search = CheckSearch(rules, nodes)
    if expected:
        confirmed = search.confirms((0, 0), expected if expected.wdl == 1 else Value(expected.wdl))
        if confirmed is False:
            raise SystemExit(f"A search finds another value of {rules} than {expected}.")
        return expected if confirmed else None
    ends = range(2 * rules.shortest_line - 1, rules.plies + 1, 2)
    for plies in ends:
        if plies == max(ends.start, QUICK_WIN):
            bounds = search.value((0, 0))
            if not bounds.settled:
                return None
            if bounds.least < 1:
                return Value(bounds.least, rules.plies)
        in_time = search.confirms((0, 0), Value(1, plies))
        if in_time is not False:
            return Value(1, plies) if in_time else None
    bounds = search.value((0, 0))
    return Value(bounds.least, rules.plies) if bounds.settled else None


def _lines(game: Row) -> list[int]:
    """Return the masks of the lines of a game, for brute force."""
    if "n" in game:
        n, k = int(game["n"]), int(game["k"])
        rows = [range(start, start + k * step, step) for step in range(1, n) for start in range(n)]
        return [sum(1 << number for number in row) for row in rows if row[-1] < n]
    points, edges = int(game["points"]), [(int(edge[0]) - 1, int(edge[1]) - 1) for edge in game["edges"].split()]
    number = {frozenset((a, b)): 0 for b in range(points) for a in range(b)}
    number = {edge: square for square, edge in enumerate(number)}
    copies = permutations(range(points), int(game["vertices"]))
    return [*{sum(1 << number[frozenset((copy[a], copy[b]))] for a, b in edges) for copy in copies}]


def _brute_force(squares: int, lines: Sequence[int], *, maker: bool) -> Value:
    """Return the value of the empty board for X, by a search of every position."""
    everything = (1 << squares) - 1

    @cache
    def score(own: int, other: int, x_moves: bool) -> int:
        free = everything & ~(own | other)
        if not free:
            return (-WON if x_moves else WON) if maker else 0
        best = -WON
        for square in range(squares):
            if free >> square & 1:
                moved = own | 1 << square
                ends = (x_moves or not maker) and any(moved & line == line for line in lines)
                then = WON if ends else -score(other, moved, not x_moves)
                best = max(best, then - (then > 0) + (then < 0))
        return best

    found = score(0, 0, True)
    return Value((found > 0) - (found < 0), WON - abs(found))


@cache
def _program(source: str, *options: str) -> Path | None:
    """Return a compiled program of this folder; None without a compiler."""
    compiler = shutil.which("cc")
    if not compiler:
        return None
    program = Path(tempfile.mkdtemp()) / Path(source).stem
    subprocess.run([compiler, "-O3", *options, "-o", program, Path(__file__).parent / source], check=True)
    return program


def _search_by_potential(squares: int, lines: Sequence[int], nodes: int, *, maker: bool) -> Value | None:
    """Return the winner, found by first_player_wins.c, and the plies of Maker's win.

    Return None if the search enters too many positions, and no plies if a search for them does.
    """
    wins = _x_wins(squares, lines, nodes, maker=maker)
    if not wins:
        return None if wins is None else Value(-1 if maker else 0)
    if maker:
        for plies in range(2 * min(map(int.bit_count, lines)) - 1, squares + 1, 2):
            wins = _x_wins(squares, lines, nodes, maker=True, plies=plies)
            if wins is not False:
                return Value(1, plies if wins else None)
    return Value(1)


def _x_wins(squares: int, lines: Sequence[int], nodes: int, *, maker: bool, plies: int | None = None) -> bool | None:
    """Return whether X wins, in the Maker-Breaker game by a ply; None if the search enters too many positions."""
    program = _program("first_player_wins.c")
    if not program:
        return None
    most = nodes * MANY_LINES // max(len(lines), MANY_LINES)  # because each takes time for every line
    command = [str(program), str(squares), "maker" if maker else "strong", str(min(25, squares * 8 // 5)), str(most)]
    command += [str(plies)] if plies else []
    done = subprocess.run(command, input=" ".join(map(str, lines)), stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == 3:
        return None
    done.check_returncode()
    return done.stdout.strip() == "1"


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a file; none if it does not exist."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


def write_rows(path: Path, rows: Sequence[Row]) -> None:
    """Replace a file of rows."""
    ATLAS.mkdir(exist_ok=True)
    new = path.with_suffix(".new")
    with new.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0]], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    new.replace(path)


_TEXTS: Final = {
    "game", "graph", "edges", "value", "methods", "digest", "blake2b",
    "maker", "maker_methods", "maker_digest", "maker_blake2b",
}  # fmt: skip


def _join() -> None:
    """Join the parts into a Parquet file of each family."""
    for family in ("graph", "progression"):
        rows = [row for part in PARTS if part.startswith(family) for row in read_rows(ATLAS / f"{part}.csv")]
        if rows:
            columns = {key: _column(key, [row[key] for row in rows]) for key in rows[0]}
            pyarrow.parquet.write_table(pyarrow.table(columns), ATLAS / f"{family}s.parquet")
    write_sums()


def write_sums() -> None:
    """Write the checksums of all files."""
    files = sorted(path for path in ATLAS.iterdir() if path.suffix in {".csv", ".parquet"})
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (ATLAS / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")


def _column(key: str, texts: Iterable[str]) -> pyarrow.Array:
    if key in _TEXTS:
        return pyarrow.array([text or None for text in texts])
    if key == "seconds":
        return pyarrow.array([float(text) for text in texts])
    return pyarrow.array([int(text) if text else None for text in texts], pyarrow.int64())


if __name__ == "__main__":
    sys.exit(main())
