"""Opponents on the page of a site choose among the same moves, with the same probabilities, as those of Python."""

from collections import Counter
from collections.abc import Callable
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest

from solver import MnkError, Position, open_tablebase, parse_game
from solver.engines.contract import make_engine
from solver.tablebase import Tablebase
from solver.web.answers import opponent_answer
from solver.web.errors import error_answer
from tests.site.conftest import Ask
from tests.site.test_reading import played
from tests.small_games import slow_games

ENGINES = [
    *("perfect", "perfect:ties=random", "perfect:ties=hardest", "perfect:ties=traps"),
    *("random", "graded", "graded:strength=0.9", "graded:strength=0,sight=2", "graded:strength=0.35,sight=1,seed=none"),
]


def distributions(table: Tablebase, asked: list[tuple[Position, str]]) -> list[Any]:
    engines = {name: make_engine(name, table.rules, tables=table) for name in ENGINES}
    found = [engines[engine].distribution(position) for position, engine in asked]
    return [{square: float(chance) for square, chance in (chances or {}).items()} for chances in found]


def compare(path: Path, folder: Path, asked: list[tuple[Position, str]], ask: Ask) -> None:
    answers = ask(folder, "distribution", [[position.board, engine] for position, engine in asked]).answers
    with open_tablebase(path) as table:
        expected = distributions(table, asked)
    for given, answer, chances in zip(asked, answers, expected, strict=True):
        assert answer["seed"] is None
        assert dict(answer["chances"]) == pytest.approx(chances), given


def live(game: str, count: int) -> list[Position]:
    return [position for position in played(parse_game(game), count) if not position.is_over]


@pytest.mark.parametrize("game", ["3,3,3", *slow_games("hex,3", "affine,3")])
def test_moves_have_the_probabilities_of_python(
    game: str, table_file: Callable[..., Path], written: Any, ask: Ask
) -> None:
    compare(table_file(game), written(game), list(product(live(game, 30), ENGINES)), ask)


@pytest.mark.slow
def test_moves_have_the_probabilities_of_python_in_every_position_of_tic_tac_toe(
    table_file: Callable[..., Path], written: Any, ask: Ask
) -> None:
    positions = list(dict.fromkeys(live("3,3,3", 200_000)))
    assert len(positions) == 4520
    compare(table_file("3,3,3"), written("3,3,3"), list(product(positions, ENGINES)), ask)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["3,3,3,misere", "4,4,4,gravity", "4,4,4"])
def test_moves_have_the_probabilities_of_python_in_ten_thousand_positions(
    game: str, table_file: Callable[..., Path], written: Any, ask: Ask
) -> None:
    compare(table_file(game), written(game), list(zip(live(game, 10_000), cycle(ENGINES), strict=False)), ask)


@pytest.mark.slow
def test_a_move_is_drawn_by_its_probability(written: Any, ask: Ask) -> None:
    asked = [["X../.../...", "graded:strength=0.5", (share + 0.5) / 160] for share in range(160)]
    drawn = Counter(answer["name"] for answer in ask(written("3,3,3"), "opponentAnswer", asked).answers)
    assert drawn == {"b2": 90, "b1": 10, "c1": 10, "a2": 10, "c2": 10, "a3": 10, "b3": 10, "c3": 10}


def test_a_seed_gives_the_same_move_again(written: Any, ask: Ask) -> None:
    asked = [["start", f"random:seed={seed}", 0.5] for seed in range(20)]
    drawn = [answer["square"] for answer in ask(written("3,3,3"), "opponentAnswer", [*asked, *asked]).answers]
    assert drawn[:20] == drawn[20:]
    assert len(set(drawn)) > 4


REFUSED = [
    *("mcts", "", "constructor", "graded:0.7", "graded:strength=2", "graded:strength=-.5", "graded:strength=nan"),
    *("graded:strength=", "graded:strength", "graded:strength=1,strength=1", "graded:sight=-1", "graded:sight=1.5"),
    *("perfect:ties=no", "perfect:strength=1", "random:seed=x", "random:toString=1", "agent.py:best_move"),
]


def test_an_answer_has_the_form_of_the_server_and_errors_have_its_sentences(
    table_file: Callable[..., Path], written: Any, ask: Ask
) -> None:
    asked = [("XX./OO./...", "perfect"), ("X../.../...", " graded : strength = 1 ,, sight=2")]
    asked += [("XXX/OO./...", "random"), *(("start", engine) for engine in REFUSED)]
    expected: list[Any] = []
    with open_tablebase(table_file("3,3,3")) as table:
        for board, engine in asked:
            try:
                expected.append(opponent_answer(table, Position.parse(table.rules, board), engine))
            except MnkError as error:
                expected.append(error_answer(error))
    found = ask(written("3,3,3"), "opponentAnswer", [[*given, 0] for given in asked]).answers
    assert dict(zip(asked, found, strict=True)) == dict(zip(asked, expected, strict=True))


@pytest.mark.slow
def test_a_sight_needs_distances(table_file: Callable[..., Path], written: Any, ask: Ask) -> None:
    with (
        open_tablebase(table_file("3,3,3,misere", "wdl")) as table,
        pytest.raises(MnkError, match="no distances") as refused,
    ):
        opponent_answer(table, Position.start(table.rules), "graded:sight=2")
    (answer,) = ask(written("3,3,3,misere", "wdl"), "opponentAnswer", [["start", "graded:sight=2", 0]]).answers
    assert answer == error_answer(refused.value)
