"""Opening tables agree with whole tables, on any number of threads and after kills."""

import json
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from time import sleep

import numpy as np
import pytest

from solver import Position, build_table, open_tablebase, parse_game
from solver.check import LAST_PLY, check_table
from solver.count.shapes import count_ply, sweep
from solver.errors import RulesError
from solver.game.rules import Rules
from solver.search import gravity
from solver.search.folder import Library
from solver.search.gravity import Search
from solver.solve import build as builds
from solver.solve import forecast as forecasts
from solver.solve.last_ply import LastPly, Words
from solver.solve.levels import Plies
from solver.store import paths
from solver.store.layout import layout_of
from solver.store.paths import table_path
from solver.support.threads import ThreadPool
from solver.web.served import ServedGames
from tests.check.tables import flipped, page_of, put_page
from tests.commands import mnk


def positions_up_to(rules: Rules, plies: int) -> Iterator[Position]:
    """Yield every position of the first plies."""
    level = {Position.start(rules)}
    for _ in range(plies + 1):
        yield from level
        level = {position.play(move) for position in level for move in position.legal_moves}


def last_positions(rules: Rules, plies: int) -> Words:
    """Return the positions that the build of an opening table searches."""
    with ThreadPool() as pool:
        *_, shapes = islice(sweep(rules, pool), plies + 1)
    return LastPly(rules, plies, shapes).positions


def results_path(table: Path, plies: int) -> Path:
    """Return the folder of the unfinished build of an opening table."""
    return Path(builds.build_address(table, "distance", plies))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("openings")


@pytest.mark.parametrize(
    ("game", "plies"), [("4,4,4,gravity", 6), pytest.param("3,4,3,gravity", 5, marks=pytest.mark.slow)]
)
def test_every_value_is_that_of_the_whole_table(folder: Path, game: str, plies: int) -> None:
    rules = parse_game(game)
    opening = open_tablebase(build_table(rules, folder / "opening", plies=plies, workers=2))
    whole = open_tablebase(build_table(rules, folder / "whole", metric="distance"))
    assert opening.table.opening_plies == plies
    assert opening.table.plies() == whole.table.plies()[: plies + 1]
    for position in positions_up_to(rules, plies):
        assert opening.probe(position) == whole.probe(position)
    later = next(p for p in positions_up_to(rules, plies + 1) if p.ply > plies and not p.is_over)
    assert opening.table.find(later) is None
    assert opening.probe(later) == whole.probe(later)


def test_each_position_of_a_ply_is_listed_once() -> None:
    rules = parse_game("6,7,4,gravity")
    with ThreadPool() as pool:
        counted = [count_ply(rules, ply, shapes) for ply, shapes in enumerate(islice(sweep(rules, pool), 9))]
    live = []
    for count in counted[1:]:
        found = last_positions(rules, count.ply)
        assert len({tuple(row) for row in found.tolist()}) == len(found)
        over = count.canonical_x_wins + count.canonical_o_wins + count.canonical_draws
        assert len(found) == count.canonical - over
        live.append(len(found))
    assert live[-1] == 91_295


class Killed(Exception):
    """Raised to simulate the end of the process."""


@pytest.mark.slow
def test_the_digest_is_the_same_on_any_number_of_threads_and_after_kills(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = parse_game("4,5,4,gravity")
    monkeypatch.setattr("solver.solve.last_ply.BLOCK", 50)
    digests = {
        open_tablebase(build_table(rules, tmp_path / str(n), plies=6, workers=n)).table.meta["digest"] for n in (1, 2)
    }
    folder = tmp_path / "killed"
    partly = results_path(table_path(folder, rules), 6)
    kills, searched = [0.0], list[int]()
    search = Search.plies_of

    def count(self: Search, positions: Words, is_stopped: Callable[[], bool]) -> Plies:
        found = search(self, positions, is_stopped)
        searched.append(len(found))
        return found

    def kill(done: int, total: int) -> None:
        if kills[-1] + 0.1 <= done / total < 0.9:
            kills.append(done / total)
            raise Killed

    monkeypatch.setattr(Search, "plies_of", count)
    while not (folder / rules.file_name).exists():
        try:
            build_table(rules, folder, plies=6, workers=2, progress=kill)
        except Killed:
            cut, *_, lost = sorted(partly.glob("plies/*"))
            cut.write_bytes(cut.read_bytes()[:7])
            lost.unlink()
    total = len(last_positions(rules, 6))
    assert len(kills) > 2
    assert total <= sum(searched) <= total + 300 * len(kills)  # blocks that are cut, lost or not yet written
    assert not partly.exists()
    digests.add(open_tablebase(table_path(folder, rules)).table.meta["digest"])
    assert len(digests) == 1


def test_a_forecast_counts_the_positions_of_the_table(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecasts, "_SEARCH_SECONDS", 0.05)
    result = mnk("forecast", "4,4,4,gravity", "--plies", "6", "--json")
    found = json.loads(result.stdout)
    table = open_tablebase(build_table("4,4,4,gravity", folder / "opening", plies=6))
    assert str(found["positions"]) == table.table.meta["positions"]
    assert found["searched"] == len(last_positions(parse_game("4,4,4,gravity"), 6))
    assert found["file_bytes"] / Path(table.table.path).stat().st_size < 2
    assert found["seconds"] > 0
    assert "at least 267 MB" in mnk("forecast", "4,4,4,gravity", "--plies", "6").stdout


def test_positions_end_where_games_are_over_early(tmp_path: Path) -> None:
    rules = parse_game("2,4,2,gravity")
    assert len(last_positions(rules, 7)) == 0
    assert open_tablebase(build_table(rules, tmp_path, plies=7)).probe(Position.start(rules)).wdl == 1


def test_a_build_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    result = mnk("build", "4,4,4,gravity", "--plies", "6", "--memory", "1MB", "--data", tmp_path)
    assert result.exit_code != 0
    assert "MB of memory" in result.stderr
    assert not [*tmp_path.iterdir()]


def test_a_stopped_build_does_not_wait_for_its_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = parse_game("4,4,4,gravity")
    path = results_path(table_path(tmp_path, rules), 6)
    searched: list[int] = []

    def search_slowly(_: Search, positions: Words, is_stopped: Callable[[], bool]) -> Plies:
        searched.append(len(positions))
        while not is_stopped():
            sleep(0.01)
        return np.zeros(0, dtype=np.int8)

    def interrupt(done: int, total: int) -> None:
        if searched:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Search, "plies_of", search_slowly)
        with pytest.raises(KeyboardInterrupt):
            build_table(rules, tmp_path, plies=6, workers=2, progress=interrupt)
    assert path.exists()
    build_table(rules, tmp_path, plies=6)
    assert not path.exists()


def test_a_search_of_many_positions_stops_and_returns_those_found() -> None:
    rules = parse_game("4,4,4,gravity")
    live = last_positions(rules, 6)
    whole = Search(rules).plies_of(live)
    calls = iter(range(1000))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gravity, "_SLICE", 7)  # nodes, so that it pauses within positions
        assert (Search(rules).plies_of(live) == whole).all()
        some = Search(rules).plies_of(live, lambda: next(calls) > 20)
    assert 0 < len(some) < len(whole)
    assert (some == whole[: len(some)]).all()


def test_a_table_with_enough_plies_is_kept_or_shortened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = parse_game("4,4,4,gravity")
    path = build_table(rules, tmp_path / "own", plies=6)
    before = path.stat().st_mtime_ns
    assert build_table(rules, tmp_path / "own", plies=4) == path
    assert path.stat().st_mtime_ns == before
    expected = open_tablebase(build_table(rules, tmp_path / "short", plies=4))
    monkeypatch.setattr(builds, "SHIPPED", tmp_path / "own")
    monkeypatch.setattr("solver.search.gravity.Search.plies_of", None)  # so that a search would fail
    shortened = open_tablebase(build_table(rules, tmp_path / "other", plies=4))
    assert shortened.table.meta == expected.table.meta
    assert shortened.table.plies() == expected.table.plies()


def test_a_check_recomputes_all_plies_but_the_last_and_a_search_confirms_that(folder: Path) -> None:
    path = build_table(parse_game("4,4,4,gravity"), folder / "opening", plies=6)
    report = check_table(path)
    assert report.problems == ()
    assert report.digest == open_tablebase(path).table.meta["digest"]
    assert report.searched == {6: {"agree": LAST_PLY}}
    sampled = check_table(path, sample=200)
    assert sampled.ok
    assert sampled.positions > 200


@pytest.mark.parametrize(
    ("moves", "planes", "problem"),
    [
        ("start", [1], "by the values one move later"),
        ("121", [1], "by the values one move later"),
        ("123412", [1, 2, 3], "which does not follow from the rules"),  # the win would come before this ply
    ],
)
def test_a_check_finds_a_draw_that_the_table_calls_a_win(
    folder: Path, tmp_path: Path, moves: str, planes: list[int], problem: str
) -> None:
    rules = parse_game("4,4,4,gravity")
    path = Path(shutil.copy(build_table(rules, folder / "opening", plies=6), tmp_path))
    layout = layout_of(rules, "distance")
    key, rank = layout.locate(Position.parse(rules, moves))
    for plane in planes:
        bit = 8 * layout.page_size(key).plane_bytes * plane + rank
        put_page(path, key, flipped(page_of(path, rules, "distance", key), bit))
    report = check_table(path)
    assert any(problem in found for found in report.problems)


def test_a_check_of_connect_four_finds_the_values_that_a_search_refutes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.check.LAST_PLY", 20)
    monkeypatch.setattr("solver.check.LAST_PLY_NODES", 1000)
    rules = parse_game("6,7,4,gravity")
    random = np.random.default_rng(1)

    def guess(_: Search, positions: Words, _is_stopped: Callable[[], bool]) -> Plies:
        return random.choice([-4, 0, 0, 3], len(positions)).astype(np.int8)

    with monkeypatch.context() as patch:
        patch.setattr(Search, "plies_of", guess)
        path = build_table(rules, tmp_path, plies=4, force=True)
    report = check_table(path, threads=2)
    assert report.searched[4]["wrong"] > 2
    assert all("by a search" in problem for problem in report.problems)


def test_a_table_in_the_package_is_found_after_that_of_the_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = parse_game("4,4,4,gravity")
    path = build_table(rules, folder / "opening", plies=6)
    monkeypatch.setattr(paths, "SHIPPED", path.parent)
    assert paths.find_table(tmp_path, rules) == path
    assert Library(tmp_path).truth(rules).table.opening_plies == 6
    assert ServedGames(tmp_path).truth(rules).table.opening_plies == 6
    own = build_table(rules, tmp_path)
    assert paths.find_table(tmp_path, rules) == own


@pytest.mark.parametrize(
    ("game", "plies"), [("6,7,4,gravity", 0), ("6,7,4,gravity", 21), ("4,4,4,gravity", 16), ("4,4,4", 6), ("9,9,5", 6)]
)
def test_games_that_cannot_be_built_are_refused(tmp_path: Path, game: str, plies: int) -> None:
    with pytest.raises(RulesError, match="opening table"):
        build_table(game, tmp_path, plies=plies)


def test_an_opening_table_is_built_like_a_whole_table(folder: Path, tmp_path: Path) -> None:
    rules = parse_game("4,4,4,gravity")
    expected = build_table(rules, folder / "opening", plies=6).read_bytes()
    assert build_table(rules, tmp_path, plies=6, workspace=tmp_path / "shards").read_bytes() == expected
    with ThreadPoolExecutor(2) as workers:
        assert build_table(rules, tmp_path, plies=6, workers=workers, force=True).read_bytes() == expected
    with (
        open_tablebase(build_table(rules, tmp_path / "wdl", metric="wdl", plies=6)) as wdl,
        open_tablebase(build_table(rules, folder / "opening", plies=6)) as timed,
    ):
        assert wdl.table.metric == "wdl"
        assert check_table(Path(wdl.table.path)).problems == ()
        for position in positions_up_to(rules, 6):
            assert wdl.probe(position).wdl == timed.probe(position).wdl


def test_large_boards_get_an_opening_table_by_default() -> None:
    plies = {game: builds.opening_plies(parse_game(game)) for game in ("6,7,4,gravity", "4,4,4,gravity", "9,9,5")}
    assert plies == {"6,7,4,gravity": 12, "4,4,4,gravity": None, "9,9,5": None}


def test_a_forecast_keeps_to_the_memory() -> None:
    rules, budget = parse_game("6,7,4,gravity"), 300_000_000
    assert forecasts.forecast_opening(rules, 3, memory=budget).peak_memory == budget
    assert forecasts.forecast_opening(rules, 3).peak_memory > 4_000_000_000
