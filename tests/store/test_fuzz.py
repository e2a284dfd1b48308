"""Random statements and bytes against copies of a small table: each use is right or refused with one sentence."""

import gc
import json
import resource
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Final

import pytest

from solver.check import check_table
from solver.check.strategy_check import check_strategy
from solver.errors import TableError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.search.threats import Prover
from solver.search.truth import open_tablebase
from solver.store import schema
from solver.store.paths import SHIPPED, strategy_path
from tests.commands import mnk
from tests.slow_build import slow_build
from tests.web.asgi import Client

VALUES: Final = (
    "NULL", "0", "-1", "1", "17", "255", "9223372036854775807", "-9223372036854775808", "1.5", "9e999", "''", "'text'",
    "char(27) || '[31m'", "x''", "x'00ff'", "zeroblob(100)", "zeroblob(3000000)", "printf('%.*c', 3000000, '7')",
    "printf('%.*c', 5000, '9')", "'{\"squares\": 3}'", "'4,4,4'", "CAST(x'ff' AS TEXT)", "randomblob(40)", "'wdl'",
)  # fmt: skip
Columns = Mapping[str, Iterable[str]]
TABLE_KEYS: Final = (*schema.META_KEYS, schema.RULES_KEY, schema.PLIES_KEY)
STRATEGY: Final = {"meta": ("key", "value"), "moves": ("position", "move", "within")}
STRATEGY_KEYS: Final = ("game", "rules", "side", "claim", "within", "leaves", "method", "pairs", "rows", "digest")
ENDLESS: Final = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)"
BOARDS: Final = ("start", "XO./.X./...", "XOX/OXO/...")


def change(path: Path, chance: Random, columns: Columns = schema.COLUMNS, keys: Sequence[str] = TABLE_KEYS) -> None:
    """Change a file by random statements, by random bytes, or by both. keys: those of its table `meta`."""
    if chance.random() < 0.7:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA max_page_count = 3000")
            connection.set_progress_handler(lambda: 1, 5_000_000)  # a drawn view may be endless
            for _ in range(chance.choice((1, 1, 2, 3))):
                with suppress(sqlite3.Error):
                    connection.execute(draw_statement(chance, columns, keys))
            with suppress(sqlite3.Error):
                connection.commit()
    if chance.random() < 0.5:
        content = bytearray(path.read_bytes())
        for _ in range(chance.choice((1, 1, 2, 5, 50))):
            at = chance.choice((chance.randrange(100), chance.randrange(len(content)), chance.randrange(4) * 16384 + 8))
            at = min(at, len(content) - 1)
            size = min(chance.choice((1, 1, 2, 4, 16, 1000)), len(content) - at)
            content[max(at, 0) : at + size] = chance.choice((chance.randbytes(size), bytes(size), b"\xff" * size))
        path.write_bytes(content[: chance.choice((len(content), len(content), chance.randrange(len(content))))])


def draw_statement(chance: Random, columns: Columns, keys: Sequence[str]) -> str:
    """Draw a statement that changes the values, the rows or the declarations of a table."""
    table, column = chance.choice([(table, column) for table, names in columns.items() for column in names])
    own, value = next(iter(columns[table])), chance.choice(VALUES)
    one = f"{own} IN (SELECT {own} FROM {table} ORDER BY {own} LIMIT 1 OFFSET {chance.randrange(12)})"
    key = chance.choice(keys)
    return chance.choice(
        (
            f"UPDATE {table} SET {column} = {value}", f"UPDATE {table} SET {column} = {value} WHERE {one}",
            f"UPDATE {table} SET {column} = {value} WHERE {one}", f"DELETE FROM {table} WHERE {one}",
            f"UPDATE meta SET value = {value} WHERE key = '{key}'", f"INSERT INTO meta VALUES ('{key}', {value})",
            f"INSERT OR REPLACE INTO {table} ({own}, {column}) VALUES ({chance.choice(VALUES)}, {value})",
            f"DROP TABLE {table}", f"ALTER TABLE {table} RENAME COLUMN {column} TO other",
            f"ALTER TABLE {table} ADD COLUMN other DEFAULT {value}", f"CREATE INDEX own ON {table} ({column})",
            f"CREATE TRIGGER own AFTER UPDATE ON {table} BEGIN SELECT 1; END",
            f"CREATE VIEW {chance.choice(('own', *columns))} AS {ENDLESS} SELECT i AS {column} FROM n",
            f"INSERT OR IGNORE INTO {table} ({own}) {ENDLESS} SELECT i FROM n LIMIT 20000",
            f"PRAGMA user_version = {chance.randrange(5)}", f"CREATE TABLE own AS SELECT * FROM {table}",
            f"UPDATE pages SET data = (SELECT data FROM pages WHERE key = {chance.randrange(9)}) WHERE {one}"
            if table == "pages" else f"UPDATE {table} SET {column} = {column} || {value}",
        )
    )  # fmt: skip


def use(path: Path, right: dict[str, str], client: Client) -> list[str]:
    """Use a table in every way, and return an outcome for each: right, refused, wrong (a lie), or found (by a check).

    Asserts that a refusal is one sentence, and that the check reports any lie.
    """
    outcomes = []
    for board in BOARDS:
        answer = mnk("query", "3,3,3", board, "--json", "--data", path.parent)
        if answer.exit_code == 0:
            outcomes.append("right" if answer.stdout == right[board] else "wrong")
            continue
        assert isinstance(answer.exception, SystemExit), answer.exception
        assert (answer.stdout, answer.stderr.count("\n")) == ("", 1), answer.stderr
        assert answer.stderr.startswith("Error: ")
        assert answer.stderr[:-1].isprintable()
        assert len(answer.stderr) < 500 + len(str(path))
        outcomes.append("refused")
    try:
        with open_tablebase(path) as table:
            for ply in table.table.plies():
                assert all(value is None or type(value) is int for value in ply.values())
            table.probe(Position.start(table.rules))
    except TableError as error:
        assert str(error).endswith(".")  # noqa: PT017
    for command in ("show", "check", "games"):
        answer = mnk(command, *(["3,3,3"] if command != "games" else []), "--data", path.parent)
        assert isinstance(answer.exception, SystemExit | None), (command, answer.exception)
        assert answer.stderr.replace("\n", "").isprintable()
    try:
        outcomes.append("right" if check_table(path).ok else "found")
    except TableError:
        outcomes.append("refused")
    assert not ("wrong" in outcomes and outcomes[-1] == "right")
    for board in BOARDS:
        found = client.get("/v1/3,3,3", params={"position": board})
        assert found.status_code in {200, 503}, found.text
    for address in ("/v1/games", "/v1/3,3,3/mainline", "/v1/3,3,3/puzzles"):
        assert client.get(address).status_code in {200, 404, 503}, address
    return outcomes


@pytest.mark.parametrize(
    ("first", "count"), [(0, 5), *(pytest.param(first, 100, marks=pytest.mark.slow) for first in range(0, 2000, 100))]
)
def test_random_changes(first: int, count: int, tmp_path: Path) -> None:
    whole = {}
    for storage in schema.STORAGES:
        (tmp_path / storage).mkdir()
        whole[storage] = slow_build("3,3,3", tmp_path / storage, storage=storage).read_bytes()
    right = {b: mnk("query", "3,3,3", b, "--json", "--data", tmp_path / "pages").stdout for b in BOARDS}
    path = tmp_path / "mnk-3-3-3.sqlite"
    tally, slowest, used = Counter[str](), 0.0, list[int]()
    with Client(tmp_path) as client:
        for seed in range(first, first + count):
            chance = Random(seed)
            path.write_bytes(whole[chance.choice(schema.STORAGES)])
            change(path, chance)
            begun = perf_counter()
            try:
                outcomes = use(path, right, client)
            except Exception as error:
                error.add_note(f"seed {seed}")
                raise
            slowest = max(slowest, perf_counter() - begun)
            tally.update(outcomes)
            gc.collect()
            used.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)
            assert used[-1] - used[0] < 200, seed  # the first use also loads and compiles
    print(f"{count} files: {dict(tally)}; slowest {slowest:.2f} s, at most {used[-1]} MB")  # shown by -rP


@pytest.mark.parametrize(
    ("first", "count"), [(0, 10), *(pytest.param(first, 100, marks=pytest.mark.slow) for first in range(10, 1010, 100))]
)
def test_random_changes_of_a_strategy(first: int, count: int, tmp_path: Path) -> None:
    rules = parse_game("7,7,4")
    path, tally = strategy_path(tmp_path, rules), Counter[str]()
    with Client(tmp_path) as client:
        for seed in range(first, first + count):
            chance = Random(seed)
            path.write_bytes(strategy_path(SHIPPED, rules).read_bytes())
            change(path, chance, STRATEGY, STRATEGY_KEYS)
            answer = mnk("query", "7,7,4", "--json", "--seconds", "0.1", "--data", tmp_path)
            assert isinstance(answer.exception, SystemExit | None), (seed, answer.exception)
            assert len(answer.stderr) < 500 + len(str(path)), seed
            try:
                report = check_strategy(path, Prover, rules=rules)
                is_right = not report.problems
                tally["right" if is_right else "found"] += 1
            except TableError as error:
                assert str(error).endswith("."), seed  # noqa: PT017
                tally["refused"] += 1
                is_right = False
            assert not is_right or answer.exit_code or json.loads(answer.stdout)["wdl"] == 1, seed
            for command in ("show", "games"):
                shown = mnk(command, *(["7,7,4"] if command == "show" else []), "--data", tmp_path)
                assert isinstance(shown.exception, SystemExit | None), (seed, command, shown.exception)
                assert (shown.stdout + shown.stderr).replace("\n", "").isprintable(), (seed, command)
            for address in ("/v1/games", "/v1/7,7,4"):
                assert client.get(address).status_code in {200, 503}, (seed, address)
    print(f"{count} files: {dict(tally)}")
    assert tally["refused"]
