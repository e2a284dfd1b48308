"""The search is checked against a slow twin, against a table, and against published scores of Connect Four."""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from time import sleep
from typing import Any

import pytest

from solver import Rules, build_table, open_tablebase, parse_game
from solver.errors import PositionError, RulesError
from solver.game.position import Position
from solver.game.value import Value
from solver.kernels.search_table import Bounds, make_bounds
from solver.search import gravity, is_searchable
from solver.search.gravity import Search, SearchProgress

CONNECT_FOUR = parse_game("6,7,4,gravity")
SMALLEST = 1  # byte of memory: as few entries as the board allows, so that most are replaced

# Moves by column, and the score, from the test sets of Pascal Pons, http://blog.gamesolver.org.
PUBLISHED = {
    "2252576253462244111563365343671351441": -1, "165713352355467777": 3, "7225753363613131156611": -3,
    "5554224333234511764415115": 4, "274552224131661": 0, "32164625": 11, "32751571231557": -3,
}  # fmt: skip


def slow_value(position: Position, known: dict[Position, Value]) -> Value:
    """Return the value of a position by plain negamax."""
    if position not in known:
        known[position] = position.value_if_over or min(
            (slow_value(position.play(move), known).before_move() for move in position.legal_moves),
            key=lambda value: value.rank,
        )
    return known[position]


def drop(position: Position, columns: str) -> Position:
    """Play in columns numbered from 1."""
    width = position.rules.rectangle.n if position.rules.rectangle else 0
    for column in columns:
        position = position.play(next(s for s in position.legal_moves if s % width == int(column) - 1))
    return position


def late_positions(rules: Rules, empty: int, count: int) -> Iterator[Position]:
    """Yield positions of random games with a given number of empty squares."""
    draw = random.Random(1)
    while count:
        position = Position.start(rules)
        while not position.is_over and rules.squares - position.ply > empty:
            position = position.play(draw.choice(position.legal_moves))
        if not position.is_over:
            count -= 1
            yield position


def score(position: Position, value: Value | None) -> int:
    """Return a value as Pons counts it: 1 for a win with the side's last stone, 2 with the one before."""
    assert value is not None
    assert value.distance is not None
    return value.wdl * ((position.rules.squares + 2 - position.ply - value.distance) // 2)


def slow(game: str) -> Any:
    """Return a case of the long run.

    The search takes three seconds to compile for another board, and fifteen if its lines are of another length.
    """
    return pytest.param(game, marks=pytest.mark.slow)


@pytest.mark.parametrize("memory", [SMALLEST, 1 << 20])
@pytest.mark.parametrize(
    "game",
    [
        slow("3,4,4,gravity"), slow("3,3,3,gravity"), slow("3,4,3,gravity"), slow("5,2,3,gravity"),
        slow("6,1,3,gravity"), slow("2,5,2,gravity"), slow("1,9,3,gravity"), slow("3,3,2,gravity"),
    ],
)  # fmt: skip
def test_every_position_of_a_small_board_has_the_value_of_the_slow_twin(game: str, memory: int) -> None:
    rules = parse_game(game)
    known: dict[Position, Value] = {}
    slow_value(Position.start(rules), known)
    search = Search(rules, memory=memory)
    for position, value in known.items():
        assert search.solve(position) == value, position.board


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, 32))])
def test_every_position_of_4_4_4_has_the_value_of_the_table(part: int, tmp_path: Path) -> None:
    rules = parse_game("4,4,4,gravity")
    search, forgetful, seen = Search(rules), Search(rules, memory=SMALLEST), {Position.start(rules)}
    with open_tablebase(build_table(rules, tmp_path)) as table:
        while seen:
            for position in seen:
                if position.hash % 32 == part:
                    assert search.solve(position) == table.probe(position), position.board
                if position.hash % 512 == part:
                    assert forgetful.solve(position) == table.probe(position), position.board
            seen = {
                after
                for position in seen
                for move in position.legal_moves
                if not (after := position.play(move)).is_over
            }


@pytest.mark.parametrize(
    "game",
    [
        "6,7,4,gravity", slow("7,8,4,gravity"), slow("7,7,4,gravity"), slow("6,9,4,gravity"), slow("5,7,4,gravity"),
        slow("8,7,4,gravity"), slow("6,7,5,gravity"), slow("7,7,5,gravity"), slow("4,12,4,gravity"),
        slow("3,16,4,gravity"), slow("9,6,6,gravity"), slow("15,4,4,gravity"),
    ],
)  # fmt: skip
def test_late_positions_have_the_values_of_the_slow_twin(game: str) -> None:
    rules = parse_game(game)
    search = Search(rules, memory=1 << 22)
    for position in late_positions(rules, 8, 5):
        known: dict[Position, Value] = {}
        assert search.solve(position) == slow_value(position, known), position.board
        for after in map(position.play, position.legal_moves):
            assert search.solve(after) == known[after], after.board


def test_published_positions_of_connect_four_have_their_scores() -> None:
    search = Search(CONNECT_FOUR)
    for columns, published in PUBLISHED.items():
        position = drop(Position.start(CONNECT_FOUR), columns)
        mirrored = drop(Position.start(CONNECT_FOUR), "".join(str(8 - int(column)) for column in columns))
        assert score(position, search.solve(position)) == published, columns
        assert search.solve(mirrored) == search.solve(position)
        assert score(position, Search(CONNECT_FOUR, memory=SMALLEST).solve(position)) == published, columns


def test_a_finished_game_needs_no_search() -> None:
    search, won = Search(CONNECT_FOUR), drop(Position.start(CONNECT_FOUR), "1212121")
    assert (search.solve(won), search.nodes) == (Value(-1, 0), 0)


def test_a_search_that_runs_out_of_time_does_not_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gravity, "_SLICE", 1000)
    search, start = Search(CONNECT_FOUR, seconds=0), Position.start(CONNECT_FOUR)
    assert search.solve(start) is None
    assert search.nodes == 1000


def test_results_before_a_limit_help_the_next_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gravity, "_SLICE", 200)
    position = drop(Position.start(CONNECT_FOUR), "7225753363613131156611")
    patient, hasty = Search(CONNECT_FOUR), Search(CONNECT_FOUR, seconds=0)
    value = patient.solve(position)
    answers = [hasty.solve(position) for _ in range(100)]
    assert answers[0] is None
    assert answers[-1] == value


def test_progress_is_reported_and_an_interrupt_leaves_the_search_usable() -> None:
    reports: list[SearchProgress] = []

    def interrupt(progress: SearchProgress) -> None:
        reports.append(progress)
        raise KeyboardInterrupt

    search = Search(CONNECT_FOUR, progress=interrupt)
    with pytest.raises(KeyboardInterrupt):
        search.solve(Position.start(CONNECT_FOUR))
    assert reports[0].nodes == search.nodes > 0
    assert (reports[0].least.wdl, reports[0].most.wdl) == (-1, 1)
    search.progress = reports.append
    position = drop(Position.start(CONNECT_FOUR), "165713352355467777")
    assert search.solve(position) == Value(1, 19)
    assert (reports[-1].least.rank, reports[-1].most.rank) >= (Value(1, 19).rank, (-1, 0))


def test_threads_share_results() -> None:
    search = Search(CONNECT_FOUR)
    positions = [drop(Position.start(CONNECT_FOUR), columns) for columns in PUBLISHED] * 4
    with ThreadPoolExecutor(4) as pool:
        values = list(pool.map(search.solve, positions))
    assert [score(position, value) for position, value in zip(positions, values, strict=True)] == 4 * [
        *PUBLISHED.values()
    ]
    assert search.solve(positions[1]) == values[1]
    assert search.nodes <= 1  # the value was remembered


@pytest.mark.parametrize(
    "game",
    [
        "6,7,4", "6,7,4,gravity,misere", "6,7,4,gravity,torus", "6,7,4,exact,gravity", "6,7,6,full,gravity",
        "8,8,4,gravity", "20,2,2,gravity", "1,17,4,gravity", "3,3,1,gravity", "projective,2",
    ],
)  # fmt: skip
def test_games_that_cannot_be_searched_are_refused(game: str) -> None:
    assert not is_searchable(parse_game(game))
    with pytest.raises(RulesError, match=game):
        Search(parse_game(game))


def test_a_position_of_another_game_is_refused() -> None:
    with pytest.raises(PositionError, match="6,7,5,gravity"):
        Search(CONNECT_FOUR).solve(Position.start(parse_game("6,7,5,gravity")))


def test_the_kernel_is_right_as_plain_python() -> None:
    code = (
        "from solver import Position, parse_game; from solver.search.gravity import Search;"
        "start = Position.start(parse_game('3,4,3,gravity')); print(Search(start.rules).solve(start))"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    start = Position.start(parse_game("3,4,3,gravity"))
    command = [sys.executable, "-W", "error", "-c", code]
    output = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert output.strip() == str(slow_value(start, {}))


def test_memory_is_allocated_when_needed() -> None:
    search = Search(CONNECT_FOUR, memory=1 << 25, seconds=0.1)
    assert search.solve(drop(Position.start(CONNECT_FOUR), "165713352355467777")) is not None
    small = search._table().words.nbytes
    assert search.solve(drop(Position.start(CONNECT_FOUR), "4444")) is None
    assert search._table().words.nbytes > 4 * small
    position = drop(Position.start(CONNECT_FOUR), "32751571231557")
    assert score(position, search.solve(position)) == -3


def test_threads_that_need_the_large_table_make_one(monkeypatch: pytest.MonkeyPatch) -> None:
    threads, made = 4, list[int]()
    search, together = Search(CONNECT_FOUR, memory=1 << 25), Barrier(threads)

    def make_slowly(rows: int, columns: int, memory: int) -> Bounds:
        made.append(memory)
        sleep(0.1)
        return make_bounds(rows, columns, memory)

    def search_together(_: int) -> Bounds:
        together.wait()
        return search._table()

    monkeypatch.setattr(gravity, "make_bounds", make_slowly)
    monkeypatch.setattr(gravity, "_SLICE", 0)
    with ThreadPoolExecutor(threads) as pool:
        tables = [*pool.map(search_together, range(threads))]
    assert made == [1 << 25]
    assert all(table is tables[0] for table in tables)
