"""Puzzles on the page of a site are those of Python: the same days and seeds, levels, themes and solutions."""

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from solver import MnkError, Position, open_tablebase, parse_game
from solver.study.puzzles import make_puzzle, puzzle_answer
from solver.tablebase import Tablebase
from solver.web.answers import puzzles_answer
from solver.web.errors import error_answer
from solver.web.requests import PuzzleQuery
from tests.site.conftest import Ask
from tests.site.test_reading import played

SLOW = pytest.mark.slow
LARGER = ["4,4,4", "4,4,4,gravity"]
GAMES = [("4,4,4", "distance"), ("4,4,4,gravity", "distance"), ("4,4,4", "wdl"), ("3,3,3,misere", "wdl")]


def judge(table: Tablebase, positions: list[Position]) -> Iterator[Any]:
    for position, moves in zip(positions, table.moves_many(positions), strict=True):
        puzzle = make_puzzle(table, position, moves)
        yield puzzle and puzzle_answer(table, puzzle)


def compare(game: str, metric: str, count: int, table_file: Any, written: Any, ask: Ask) -> None:
    positions = [each for each in dict.fromkeys(played(parse_game(game), count)) if not each.is_over]
    found = ask(written(game, metric), "puzzle", [position.board for position in positions]).answers
    with open_tablebase(table_file(game, metric)) as table:
        assert found == list(judge(table, positions))
    assert any(found)


@pytest.mark.sampled
@pytest.mark.parametrize(("game", "metric"), [("3,3,3", "distance"), *GAMES])
def test_puzzles_are_judged_as_in_python(game: str, metric: str, table_file: Any, written: Any, ask: Ask) -> None:
    compare(game, metric, 150, table_file, written, ask)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "metric", "count"),
    [("3,3,3", "distance", 200_000), *((*each, 10_000) for each in GAMES), ("hex,3", "distance", 10_000)],
)
def test_all_puzzles_of_tic_tac_toe_and_many_of_others_are_judged_as_in_python(
    game: str, metric: str, count: int, table_file: Any, written: Any, ask: Ask
) -> None:
    compare(game, metric, count, table_file, written, ask)


def answered(path: Path, queries: list[dict[str, Any]]) -> list[Any]:
    found: list[Any] = []
    with open_tablebase(path) as table:
        for query in queries:
            try:
                found.append(puzzles_answer(table, PuzzleQuery.model_validate(query)))
            except MnkError as error:
                found.append(error_answer(error))
    return found


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("game", "days"), [("3,3,3", 60), ("4,4,4,gravity", 4), *(pytest.param(game, 60, marks=SLOW) for game in LARGER)]
)
def test_the_puzzle_of_a_day_is_that_of_the_server(
    game: str, days: int, table_file: Callable[..., Path], written: Any, ask: Ask
) -> None:
    queries = [{"day": str(date(2026, 11, 22) + timedelta(day))} for day in range(days)]
    assert ask(written(game), "puzzlesAnswer", queries).answers == answered(table_file(game), queries)


@pytest.mark.parametrize(
    ("game", "metric"), [("3,3,3", "distance"), *(pytest.param(*each, marks=SLOW) for each in GAMES)]
)
def test_a_seed_gives_the_puzzles_of_the_server(
    game: str, metric: str, table_file: Callable[..., Path], written: Any, ask: Ask
) -> None:
    queries: list[dict[str, Any]] = [
        {"seed": 7, "count": 5},
        {"seed": 1, "level": "hard"},
        {"seed": 2, "theme": "fork", "goal": "win"},
        {"seed": 3, "goal": "draw", "count": 3},
        {"seed": 4, "level": "hard", "theme": "block", "goal": "draw"},  # there is none
    ]
    found = ask(written(game, metric), "puzzlesAnswer", queries).answers
    assert found == answered(table_file(game, metric), queries)
    assert found[-1]["error"]["code"] == "position_error"


@pytest.mark.slow
def test_without_a_seed_puzzles_differ(written: Any, ask: Ask) -> None:
    found = ask(written("3,3,3"), "puzzlesAnswer", [{}] * 6).answers
    assert len({answer["seed"] for answer in found}) > 1
    assert len({answer["puzzles"][0]["position"] for answer in found}) > 1


@pytest.mark.sampled
@pytest.mark.parametrize("day", ["2026-02-30", "soon"])
def test_a_day_that_is_none_is_refused(day: str, written: Any, ask: Ask) -> None:
    (answer,) = ask(written("3,3,3"), "puzzlesAnswer", [{"day": day}]).answers
    assert answer["error"]["code"] == "bad_request"
    assert f"{day} is no day" in answer["error"]["message"]
