"""The page of a site plays, reviews, compares and draws puzzles exactly as Python does."""

import json
import random
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date, timedelta
from itertools import cycle, product
from typing import Any

import pytest

from solver import Position, Rules, open_tablebase, parse_game, review_game
from solver.engines.builtin.perfect import STRENGTHS, strength_spec
from solver.engines.engine import make_engine
from solver.errors import Unsettled
from solver.search.truth import Truth
from solver.study.comparison import compare
from solver.study.openings import openings_answer
from solver.study.puzzles import make_puzzle, puzzle_answer
from solver.web.api import MOST_OPENINGS, explain, puzzles_answer
from solver.web.requests import PuzzleQuery
from tests.small_games import slow_games
from tests.study.test_review import random_game
from tests.web.page.explorer import in_moves
from tests.web.site.conftest import Ask, Same, random_positions

SLOW = pytest.mark.slow

# Opponents

ENGINES = ["random", *(strength_spec(strength) for strength in STRENGTHS.values())]


@pytest.mark.parametrize(
    ("game", "count"),
    [
        ("3,3,3", 30), *(pytest.param(game, 30, marks=SLOW) for game in ("hex,3", "affine,3")),
        *(pytest.param(game, 10_000, marks=SLOW) for game in ("3,3,3,misere", "4,4,4,gravity", "4,4,4")),
        pytest.param("3,3,3", 200_000, marks=SLOW),
    ],
)  # fmt: skip
def test_moves_have_the_same_probabilities(game: str, count: int, table_file: Any, written: Any, ask: Ask) -> None:
    positions = list(dict.fromkeys(each for each in random_positions(game, count) if not each.is_over))
    assert count != 200_000 or len(positions) == 4520  # all that are not over
    is_sample = count == 10_000
    asked = list(zip(positions, cycle(ENGINES), strict=False) if is_sample else product(positions, ENGINES))
    answers = ask(written(game), "distribution", [[each.board, engine] for each, engine in asked]).answers
    with open_tablebase(table_file(game)) as table:
        engines = {name: make_engine(name, table.rules, tables=table) for name in ENGINES}
        for (each, engine), answer in zip(asked, answers, strict=True):
            chances = engines[engine].distribution(each) or {}
            expected = {square: float(chance) for square, chance in chances.items()}
            assert dict(answer) == pytest.approx(expected), (each, engine)


def test_opponents_refuse_finished_games_and_other_engines(written: Any, ask: Ask) -> None:
    asked = [["XXX/OO./...", "random"], ["start", "mcts"], ["start", "graded:strength=2"], ["start", "constructor"]]
    answers = ask(written("3,3,3"), "distribution", asked).answers
    assert ["over" in answer["error"]["message"] for answer in answers] == [True, False, False, False]


def test_opponents_guess_where_a_search_settles_nothing(written: Any, ask: Ask) -> None:
    engines = ("perfect:ties=traps", "graded:strength=1", "graded:strength=0.65")
    asked = [[moves, engine] for moves in ("a b a b a", "a b a b a c") for engine in engines]  # then X wins at once
    answers: list[Any] = ask(written("4,4,4,gravity", plies=4), "distributionWithoutSearch", asked).answers
    assert answers[0]["error"]["code"] == "unsettled"  # so that the page says it
    assert [sorted(chance for _, chance in answer) for answer in answers[1:3]] == [pytest.approx([0.25] * 4)] * 2
    assert answers[3:5] == [[[0, 1]]] * 2
    assert answers[5][0] == [0, pytest.approx(0.65 + 0.35 / 4)]


# Games that are pasted

RECORD = {"x": "random", "o": "perfect", "moves": [0, "b2", "c3"], "start": ".../.../...", "outcome": None}

TEXTS = {
    "3,3,3": [
        *("a1 b2 c3", "A1,B2,C3", "0 4 8", "048", "a1b2c3", "a1 4 c3", "a1 b1 c3 b2 a3 c1", "?game=3,3,3&moves=a1b2c3"),
        *("?game=3,3,3&moves=a1,b2,c3", "moves=a1+b2", "moves=", "http://[?moves=a1#b", "?game=4,4,4&moves=a1"),
        *("http://127.0.0.1:8000/?game=3,3,3&moves=a1%20b2,c3&at=1&x=perfect", "?moves=b2,b2&moves=c3"),
        *("?game=3,3,3&position=XO./.../...&moves=b2", "?position=XX./.../...&moves=b2"),
        *(json.dumps(RECORD), json.dumps({**RECORD, "game": "4,4,4"}), '{"moves": "a1,b2"}', '{"moves": 7}', "{}"),
        *('{"moves": [0, 9]}', '{"moves": [0, -1]}', '{"moves": ["9"]}', '{"start": 88, "moves": ["b1"]}'),
        *('{"outcome": "X"}', '{"moves": []}', '{"position": "XO./.../...", "moves": ["b2"]}', '{"moves": [1.5]}'),
        *('{"moves": ["a1b2", 8]}', "a1b9", "99999999999", "", " ", "XO./.X./...", "a1 z9", "a1 a1", "0 0", "start"),
        *("a1 a2 b1 b2 c1 c2", "X a1, O b2", "1. a1 b2", "1. b2 a1 2. c3 a3", "(1,1) (0,0)", "(3,1), (0,1)", "[4,0,8]"),
        *("(;GM[1]SZ[3];B[bb];W[aa])", "(;SZ[3:3];B[aa]C[);W[ab]];W[bb](;B[ca];W[cb])(;B[cc]))", "(;SZ[19];B[aa])"),
        *("(;AB[bb];W[aa])", "(;B[];W[bb])", "(;B[aa];B[bb])", "(;B[aa];W[zz])", "(;C[nothing])"),
        *("Piskvorky 3x3, 11:11, 1\n1,1,0\n2,2,15\n3,1,8\nours\ntheirs\n-1\n", "Piskvorky 4x3, 11:11\n1,1,0\n"),
        *("Piskvorky 3x3, 11:11, 0\r\n 1, 1\r\n2,2,-15\r\nours\r\n2,2,0\r\n", "Piskvorky 3x3", "1,0, 0,0", "8,8, 9,9"),
        *("(;SZ[ 3 : 3 ];B[bb];W[aa])", "(;AB[]B[bb];W[aa];B[];W[])", "(;SZ[3]B[bb];W[aa]AE[cc])"),
        *("?game=3,3,3&moves=(;B[bb];W[aa])", '{"moves": "0,0, 1,0"}', "Piskvorky 3x3, 11:11\r1,1,0\r2,2,0\r"),
        *("?game=tic-tac-toe-misere&moves=a1", "?game=constructor&moves=a1", "?game=03,3,3&moves=a1"),
        *("?game=tic-tac-toe&moves=a1,b1", "?game=3-3-3&moves=a1,b1", json.dumps({**RECORD, "game": "3, 3, 3"})),
        f'{json.dumps(RECORD)}\n{{"game": "3,3,3", "seed": 0, "result": {{}}}}',
        *("5 1 9", "519", "1 2", "[[1,1],[2,0]]", "(1,3)", '["b2", "a1"]', "(9,9)", "5 1 10", "2.a1 3... b1", "4 4"),
    ],
    "4,4,4,gravity": [
        *("a a b", "a a a a a", "a4 a3", "a1", "?moves=a,b&position=a", "ddc", "d1 d2 c1", "0 0 0", "444", "4 4 3"),
        *(
            "(;B[aa];W[bb])",
            "1,1, 2,3",
            "1. a 2. b",
            "1 2 3",
            "12 13",
            "d1 c",
            "0 3 0",
            "(3,0) (3,1)",
            "(4,1) (4,2)",
            "[1, 2]",
            "[0]",
            "5",
        ),
    ],
    "hex,3": [*("a1 b2", "?position=XO.%23...%23...&moves=c3,b2", "X.#.O.#...", "a1b2")],
    "clique,5,3": [*("12 34 15", "1234", "0 1", "12-34", '{"moves": [0, "34"]}', '{"moves": [99]}')],
}


def review(table: Truth, asked: Any) -> object:
    return json.loads(in_moves(json.dumps(review_game(table, *([asked] if isinstance(asked, str) else asked)))))


@pytest.mark.sampled
@pytest.mark.parametrize("game", TEXTS)
def test_every_notation_of_a_game_is_read_and_refused_as_by_the_server(game: str, same: Same) -> None:
    same(game, "reviewAnswer", TEXTS[game], review)


@pytest.mark.parametrize(
    ("game", "metric", "count"),
    [
        ("3,3,3", "distance", 40),
        *(pytest.param(game, "distance", 40, marks=SLOW) for game in ("3,3,3,misere", "hex,4", "3,3,3,maker")),
        *(pytest.param(game, "wdl", 10, marks=SLOW) for game in ("4,4,4", "3,3,3,misere")),
        *(pytest.param(game, "distance", 900, marks=SLOW) for game in ("3,3,3", "4,4,4,gravity", "4,4,4")),
    ],
)
def test_reviews_of_random_games(game: str, metric: str, count: int, same: Same) -> None:
    rules, draw = parse_game(game), random.Random(game)
    texts = [" ".join(map(rules.diagram.names.__getitem__, random_game(rules, draw))) for _ in range(count)]
    same(game, "reviewAnswer", texts, review, metric)


# The same position under other rules

COMPARED = ["3,3,3,gravity", "3,3,3", "affine,3", "3,3,3,misere", "3,3,3,exact,torus"]


@pytest.mark.sampled
@pytest.mark.parametrize("game", COMPARED)
def test_comparisons_are_those_of_the_server(game: str, table_file: Any, written: Any, same: Same) -> None:
    folders = {each: str(written(each)) for each in COMPARED}
    with ExitStack() as opened:
        tables = {each: opened.enter_context(open_tablebase(table_file(each))) for each in COMPARED}

        def find_table(rules: Rules) -> Truth:
            if rules.name not in tables:
                raise Unsettled(f"There is no table of {rules}.")
            return tables[rules.name]

        def answer(table: Truth, asked: list[Any]) -> object:
            found = compare(Position.parse(table.rules, asked[2]), find_table)
            return {**found, "rules": [each for each in found["rules"] if each["game"] in COMPARED]}

        texts = [*(position.board for position in random_positions(game, 15)), "XX./.../..."]
        same(game, "compareAnswer", [[folders, game, text] for text in texts], answer)


# Why a move gives the result away


@pytest.mark.parametrize(
    "game", ["3,3,3", *slow_games("3,3,3,misere", "4,4,4,gravity", "4,4,4", "hex,3", "3,3,3,maker")]
)
def test_moves_are_explained_as_by_the_server(game: str, same: Same) -> None:
    asked = [(position.board, move) for position in random_positions(game, 20) for move in position.legal_moves]
    names = parse_game(game).diagram.names

    def answer(table: Truth, text: tuple[str, str]) -> object:
        return explain(table, Position.parse(table.rules, text[0]), text[1])

    same(game, "whyAnswer", [(board, names[move]) for board, move in asked], answer)


# Openings

TICTACTOE = [("start", 4, False), ("b2", 2, True), ("a1", 1, False), ("XXX/OO./...", 3, False), ("b2 a1 c3", 3, False)]
OTHERS = [("start", 3, False), ("start", 4, True)]


@pytest.mark.parametrize("game", ["3,3,3", *slow_games("3,3,3,misere", "4,4,4", "3,3,3,gravity", "hex,3", "affine,3")])
def test_openings_are_those_of_the_server(game: str, same: Same) -> None:
    def answer(table: Truth, asked: tuple[str, int, bool]) -> object:
        text, depth, kept = asked
        return openings_answer(table, depth, Position.parse(table.rules, text), kept=kept, most=MOST_OPENINGS)

    same(game, "openingsAnswer", TICTACTOE if game == "3,3,3" else OTHERS, answer)


# Puzzles

PUZZLED = [("4,4,4", "distance"), ("4,4,4,gravity", "distance"), ("4,4,4", "wdl"), ("3,3,3,misere", "wdl")]


def judge(table: Truth, positions: list[Position]) -> Iterator[Any]:
    for position, moves in zip(positions, table.moves_many(positions), strict=True):
        puzzle = make_puzzle(table, position, moves)
        yield puzzle and puzzle_answer(table, puzzle)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("game", "metric", "count"),
    [
        *((*each, 150) for each in [("3,3,3", "distance"), *PUZZLED]),
        pytest.param("3,3,3", "distance", 200_000, marks=SLOW),
        *(pytest.param(*each, 10_000, marks=SLOW) for each in [*PUZZLED, ("hex,3", "distance")]),
    ],
)
def test_puzzles_are_judged_as_in_python(
    game: str, metric: str, count: int, table_file: Any, written: Any, ask: Ask
) -> None:
    positions = [each for each in dict.fromkeys(random_positions(game, count)) if not each.is_over]
    found = ask(written(game, metric), "puzzle", [position.board for position in positions]).answers
    with open_tablebase(table_file(game, metric)) as table:
        assert found == list(judge(table, positions))
    assert any(found)


def puzzles(truth: Truth, query: dict[str, Any]) -> object:
    return puzzles_answer(truth, PuzzleQuery.model_validate(query))


@pytest.mark.parametrize(
    ("game", "metric", "plies"),
    [
        ("3,3,3", "distance", None), pytest.param("4,4,4,gravity", "distance", 8, marks=SLOW),
        *(pytest.param(*each, None, marks=SLOW) for each in PUZZLED),
    ],
)  # fmt: skip
def test_a_seed_and_a_day_give_the_same_puzzles_as_the_server(
    game: str, metric: str, plies: int | None, same: Same
) -> None:
    queries: list[dict[str, Any]] = [
        *({"day": str(date(2026, 11, 22) + timedelta(day))} for day in range(10)),
        {"seed": 7, "count": 5},
        {"seed": "007"},
        {"seed": 1, "level": "hard"},
        {"seed": 2, "theme": "fork", "goal": "win"},
        {"seed": 3, "goal": "draw", "count": 3},
        {"seed": 5, "plies": 3, "count": 5},
        {"seed": 6, "plies": 1, "level": "hard"},  # no such puzzle
        {"seed": 6, "plies": 1, "goal": "draw"},  # it cannot be
        {"seed": 4, "level": "hard", "theme": "block", "goal": "draw"},  # no such puzzle
    ]
    assert same(game, "puzzlesAnswer", queries, puzzles, metric, plies)[-1]["error"]["code"] == "position_error"
