"""Tables of random games of all variants: the check agrees with a plain enumeration, and finds planted errors."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import solver
from solver.check import check_table
from solver.check.sample_check import search_table
from solver.game.base3 import decode
from solver.game.position import Position
from solver.search.truth import open_tablebase
from solver.solve import shard_plan
from solver.store.layout import layout_of
from solver.store.schema import METRICS, POSITIONS_LIMIT, Metric
from solver.tablebase import Tablebase
from tests.check.tables import execute, page_of, put_digest, put_page, slow_pages_build
from tests.random_games import Known, PlainGame, draw_game, file_game, named_game
from tests.small_games import slow_games

MOST = 20_000  # positions of a random game
LEAST_MEMORY = 210_000_000  # bytes of a build, about the least that is accepted

Levels = list[dict[tuple[int, int], Known]]

# Each was called wrong: sides with different lines and guards, or two ways for a side to win at the last ply.
NAMED = [
    "3,5,2,exact,x=c2",
    *slow_games("4,4,2,exact,o=b2", "4,4,2,exact,x=a1", "4,4,2,exact,o=b4", "4,4,3,exact,x=a1"),
]
FILES: dict[str, dict[str, Any]] = {
    "guards of each side": {
        "squares": 14, "plies": 7,
        "x_lines": [{"squares": [1, 2], "without": [3]}, [4, 5, 6]],
        "o_lines": [{"squares": [2, 3], "without": [4]}, {"squares": [7, 8], "without": [1, 9]}],
    },
    "a line or none": {"squares": 13, "lines": [[1, 2, 3], [4, 5, 6]], "unfinished": "X", "plies": 5},
    "a line loses": {"squares": 13, "lines": [[1, 2], [4, 5, 6]], "unfinished": "O", "misere": True, "plies": 5},
}  # fmt: skip


@pytest.fixture(autouse=True)
def _many_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut levels of a few pages into several shards."""
    monkeypatch.setattr(shard_plan, "LEAST_BYTES", 1 << 10)
    monkeypatch.setattr(shard_plan, "MOST_BYTES", 1 << 14)


@pytest.mark.parametrize("game", [*NAMED, *slow_games("a line or none", "guards of each side", "a line loses")])
def test_a_game_that_was_called_wrong(game: str, tmp_path: Path) -> None:
    plain = file_game(FILES[game]) if game in FILES else named_game(game)
    known = plain.solve(200_000)
    assert known
    assert_checked(plain, known, Random(0), tmp_path)


@pytest.mark.parametrize("seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 400))])
def test_a_random_game(seed: int, tmp_path: Path) -> None:
    chance = Random(seed)
    assert_checked(*draw_game(chance, MOST), chance, tmp_path)


def assert_checked(game: PlainGame, known: Levels, chance: Random, folder: Path) -> None:
    """Build a game's table; compare it with the enumeration, check it in every way, and plant an error."""
    metric = chance.choice(METRICS)
    paths = [solver.build_table(game.rules, folder, metric=metric)]
    if len(game.free) > POSITIONS_LIMIT:
        for workspace in (None, folder / "parts"):
            again = solver.build_table(
                game.rules,
                folder / "again",
                metric=metric,
                memory=LEAST_MEMORY,
                workspace=workspace,
                workers=1,
                force=True,
            )
            assert again.read_bytes() == paths[0].read_bytes()
    if len(game.free) <= 9 and game.unfinished is None:  # a table of rows; the slow builder also makes pages
        (folder / "pages").mkdir()
        paths.append(slow_pages_build(game.rules, folder / "pages", metric))
    for path in paths:
        assert_agrees(path, game, known, metric)
        for sample in (None, 30):
            assert check_table(path, sample=sample).problems == (), (game.rules, sample)
        with Tablebase.open(path) as table:
            assert search_table(table, 10).problems == (), game.rules
        if plant(path, game, known, chance, metric):
            found = check_table(path).problems
            assert any("by the values one move later, but the table says" in problem for problem in found), game.rules
            assert not any("digest" in problem for problem in found)


def assert_agrees(path: Path, game: PlainGame, known: Levels, metric: Metric) -> None:
    """Compare all values of a table, and its statistics, with the enumeration."""
    with open_tablebase(path) as table:
        for ply, level in enumerate(known):
            found = [
                array.tolist() for array in table.table.probe_many(np.array([game.hash(*stones) for stones in level]))
            ]
            distances = [value.distance if metric == "distance" else -1 for value in level.values()]
            assert found == [[value.wdl for value in level.values()], distances], (game.rules, ply)
    assert execute(path, "SELECT ply, positions, won, drawn, lost, terminal FROM plies ORDER BY ply") == [
        (
            ply, len(level), *([value.wdl for value in level.values()].count(wdl) for wdl in (1, 0, -1)),
            sum(value.is_over for value in level.values()),
        )
        for ply, level in enumerate([*known, *[{}] * (game.plies + 1 - len(known))])
    ]  # fmt: skip


def plant(path: Path, game: PlainGame, known: Levels, chance: Random, metric: Metric) -> bool:
    """Change the value of one unfinished position, and renew the digest, as a builder with a bug would.

    Return False if the bits of no position can mean another value.
    """
    rules, layout = game.rules, layout_of(game.rules, metric)
    live = [(game.hash(*stones), value.wdl) for level in known for stones, value in level.items() if not value.is_over]
    chance.shuffle(live)
    if not execute(path, "SELECT 1 FROM sqlite_master WHERE name = 'pages'"):
        number, wdl = live[0]
        execute(path, "UPDATE positions SET wdl = ? WHERE hash = ?", chance.choice([*{-1, 0, 1} - {wdl}]), number)
        return True
    for position in (Position._of(rules, *decode(number)) for number, _ in live):
        key, rank = layout.locate(position)
        size, meanings = layout.page_size(key), layout.values(position.ply)
        raw = bytearray(page_of(path, rules, metric, key))
        right = layout.value(bytes(raw), size, rank, position.ply)
        wrong = [code for code in range(2 << size.digits) if meanings[code] not in (None, right)]
        if layout.decided_by_threats(position) or not wrong:
            continue
        code = chance.choice(wrong)
        for plane in range(1 + size.digits):
            bit = 8 * plane * size.plane_bytes + rank
            raw[bit >> 3] = raw[bit >> 3] & ~(1 << (bit & 7)) | (code >> plane & 1) << (bit & 7)
        put_page(path, key, bytes(raw))
        put_digest(path, rules, metric)
        return True
    return False
