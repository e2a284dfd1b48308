"""Games that are pasted on the page of a site are read and reviewed as by the server."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solver import MnkError, open_tablebase, parse_game, review_game
from solver.web.errors import error_answer
from tests.site.conftest import Ask
from tests.small_games import slow_games
from tests.study.test_review import random_game

RECORD = {"x": "random", "o": "perfect", "moves": [0, "b2", "c3"], "start": ".../.../...", "outcome": None}

TEXTS = {
    "3,3,3": [
        *("a1 b2 c3", "A1,B2,C3", "moves:0,4,8", "0 4 8", "1. a1 b2 2. c3", "1.a1 b2 2... c3", "X a1, O b2, X c3"),
        *("X a1, O b2?, X c3!?, a draw", "X: a1; O: b2; X: c3", "Main line: a1 b2 c3 (X wins)", "a1 b2 c3, O wins."),
        *("a1 b2 c3 1-0", "a1 b2 c3 *", "?game=3,3,3&moves=a1,b2,c3", "moves=a1+b2", "moves=", "http://[?moves=a1#b"),
        *("http://127.0.0.1:8000/?game=3,3,3&moves=a1%20b2,c3&at=1&x=perfect", "?game=4,4,4&moves=a1"),
        *("?game=3,3,3&position=XO./.../...&moves=b2", "?position=XX./.../...&moves=b2", "?moves=b2,b2&moves=c3"),
        *(json.dumps(RECORD), json.dumps({**RECORD, "game": "4,4,4"}), '{"moves": "a1,b2"}', '{"moves": 7}', "{}"),
        *('{"moves": [0, 9]}', '{"moves": [0, -1]}', '{"moves": ["9"]}', '{"start": 88, "moves": ["b1"]}', "[0,4,8]"),
        *('{"outcome": "X"}', '{"moves": []}', '{"position": "XO./.../...", "moves": ["b2"]}', '{"moves": [1.5]}'),
        *(
            "1) a1 b2 2) c3",
            "1 a1 b2\n2 c3",
            "a1b2c3",
            "A1-B2-C3",
            "a1 -> b2 \u2192 c3",
            "0-4-8",
            "4-0-1",
            "048",
            "0 4 8.",
        ),
        *(
            '["a1", "b2"]',
            "['a1', 'b2']",
            "Xa1 Ob2 Xc3",
            "(0,0),(1,1)",
            "[[0, 0], [1, 1]]",
            "X (0,0) O (1,1)",
            "O a1 X b2",
        ),
        *(
            "1 5 9",
            "159",
            "1 5 8",
            "1,1 2,2 3,3",
            "1. 1,1 2,2 2. 3,3",
            "0,4 8,2",
            "(0,1) (1,1)",
            "(1,1)",
            "0,1",
            "(5,5) (1,1)",
        ),
        *(
            '{"moves": "a1b2"}',
            '{"moves": [[0,0],[1,1]]}',
            "?game=3,3,3&moves=a1b2c3",
            "X: a1 c3, O: b2",
            "[0, -1]",
            "a1b9",
        ),
        *("99999999999", "a1 4 c3", "x a1 o", "a1?, b2!?; c3.", "a1|b2|c3", "1... a1", "0 0", "a1 5 9"),
        *("", " ", "XO./.X./...", "X..-", "a1 z9", "a1 a1", "a1 a2 b1 b2 c1 c2", "x o", "start", "a1 b1 c3 b2 a3 c1"),
    ],
    "4,4,4,gravity": [
        *(
            "a a b",
            "1. a b 2. a b 3. a b 4. a b",
            "a a a a a",
            "a4 a3",
            "a1",
            "?moves=a,b&position=a",
            "ddc",
            "d1 d2 c1",
        ),
        *(
            "0 0 0",
            "444",
            "4 4 3",
            "1 2 3",
            "(3,3) (2,3)",
            "(0,3),(1,3)",
            "0,1,2",
            "12 13",
            "d1 c",
            "XdOd",
            "Xd Od",
            "d-d",
        ),
    ],
    "hex,3": ["a1 b2", "?position=XO.%23...%23...&moves=c3,b2", "X.#.O.#...", "a1b2", "(0,0) (1,2)"],
    "clique,5,3": ["1. 12 34 2. 15", "1234", "0 1", "12-34", "(1,2)", '{"moves": [0, "34"]}', '{"moves": [99]}'],
}


def reviews(path: Path, texts: list[str]) -> list[Any]:
    found: list[Any] = []
    with open_tablebase(path) as table:
        for text in texts:
            try:
                found.append(review_game(table, text))
            except MnkError as error:
                found.append(error_answer(error))
    return found


@pytest.mark.sampled
@pytest.mark.parametrize("game", TEXTS)
def test_every_notation_is_read_and_refused_as_by_the_server(
    game: str, table_file: Callable[..., Path], written: Any, ask: Ask
) -> None:
    found = ask(written(game), "reviewAnswer", TEXTS[game]).answers
    expected = reviews(table_file(game), TEXTS[game])
    assert dict(zip(TEXTS[game], found, strict=True)) == dict(zip(TEXTS[game], expected, strict=True))


@pytest.mark.slow
def test_what_is_no_json_is_refused_in_the_words_of_the_server(written: Any, ask: Ask) -> None:
    (answer,) = ask(written("3,3,3"), "reviewAnswer", ['{"moves": [']).answers
    assert answer["error"]["code"] == "notation_error"
    assert answer["error"]["message"].startswith("""'{"moves": [' begins as JSON and can't be read as such: """)


@pytest.mark.slow
def test_a_game_may_begin_anywhere(table_file: Callable[..., Path], written: Any, ask: Ask) -> None:
    (answer,) = ask(written("3,3,3"), "reviewAnswer", [["b2", "XO./.../..."]]).answers
    with open_tablebase(table_file("3,3,3")) as table:
        assert answer == review_game(table, "b2", "XO./.../...")


def compare(game: str, metric: str, count: int, table_file: Any, written: Any, ask: Ask) -> None:
    rules, draw = parse_game(game), random.Random(game)
    texts = [" ".join(map(rules.diagram.names.__getitem__, random_game(rules, draw))) for _ in range(count)]
    assert ask(written(game, metric), "reviewAnswer", texts).answers == reviews(table_file(game, metric), texts)


@pytest.mark.parametrize(
    "game", ["3,3,3", *slow_games("3,3,3,misere", "4,4,4,gravity", "4,4,4", "hex,4", "3,3,3,maker")]
)
def test_reviews_are_those_of_python(game: str, table_file: Any, written: Any, ask: Ask) -> None:
    compare(game, "distance", 40, table_file, written, ask)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["4,4,4", *slow_games("3,3,3,misere")])
def test_reviews_from_tables_without_distances_are_those_of_python(
    game: str, table_file: Any, written: Any, ask: Ask
) -> None:
    compare(game, "wdl", 10, table_file, written, ask)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "count"), [("3,3,3", 1500), ("4,4,4,gravity", 900), ("4,4,4", 900)])
def test_reviews_of_ten_thousand_positions_are_those_of_python(
    game: str, count: int, table_file: Any, written: Any, ask: Ask
) -> None:
    compare(game, "distance", count, table_file, written, ask)
