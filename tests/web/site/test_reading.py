"""The page's modules read the same values from the files of a table as Python from the table."""

import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from solver import Position, open_tablebase
from solver.game.value import Value
from solver.search.truth import Truth, _value_of
from solver.study.answers import position_answer, replies_answer, value_answer
from solver.web.api import mainline_answer
from tests.web.site.conftest import Ask, Same, random_positions

GAMES = [
    "3,3,3", "3,3,3,misere", "3,3,3,maker", "3,3,3,exact,torus", "3,3,3,gravity,misere", "2,3,2,exact,torus",
    "1,7,1,misere", "affine,3", "affine,4", "hex,3", "4,4,4", "4,4,3,exact", "4,4,4,gravity", "4,4,4,gravity,torus",
    "4,4,4,maker", "4,4,4,torus", "3,5,3,misere", "hex,4",
]  # fmt: skip


def boards(game: str, count: int, seed: int = 1) -> list[str]:
    return [position.board for position in random_positions(game, count, seed)]


def on_text(answer: Callable[[Truth, Position], object]) -> Callable[[Truth, str], object]:
    """Make an answer take the text of a position."""
    return lambda table, text: answer(table, Position.parse(table.rules, text))


position, mainline, replies = on_text(position_answer), on_text(mainline_answer), on_text(replies_answer)
probe = on_text(lambda table, position: table.probe(position)._asdict())


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_positions(game: str, same: Same) -> None:
    same(game, "positionAnswer", boards(game, 40), position)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_values_of_ten_thousand_positions_and_lines_of_a_thousand(game: str, same: Same) -> None:
    same(game, "probe", boards(game, 10_000, seed=2), probe)
    same(game, "mainlineAnswer", boards(game, 1_000, seed=3), mainline)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("game", "metric"),
    [("3,3,3", "distance"), ("4,4,4,gravity", "distance"), ("3,3,3,misere", "wdl"), ("4,4,4", "wdl")],
)
def test_lines_and_replies(game: str, metric: str, same: Same) -> None:
    same(game, "mainlineAnswer", boards(game, 12), mainline, metric)
    same(game, "repliesAnswer", boards(game, 12), replies, metric)


@pytest.mark.parametrize(
    ("game", "plies"),
    [
        ("4,4,4,gravity", 4),
        pytest.param("4,5,4,gravity", 6, marks=pytest.mark.slow),
        pytest.param("6,7,3,gravity", 5, marks=pytest.mark.slow),  # as large as Connect Four
    ],
)
def test_positions_beyond_an_opening_table_are_searched(game: str, plies: int, same: Same) -> None:
    found = same(game, "positionAnswer", boards(game, 60), position, plies=plies)
    assert {answer["source"] for answer in found} == {"rules", "table", "search"}
    later = boards(game, 200)[-12:]
    for question, answer in (("mainlineAnswer", mainline), ("repliesAnswer", replies)):
        same(game, question, later, answer, plies=plies)


PRINTED = "   a b c\n1  X O .\n2  . (X) .\n3  . . ."

TEXTS = {
    "3,3,3": [
        *("", "start", " START ", "b2", "b2 a1", "4, 0,8", "moves:4,0,8", "moves:", "Moves: a1", "b2a1", "hash:88"),
        *("hash:19683", "hash:x", "99999999999", "102010000", "XO./.X./...", "xo_/-x0/000", "XO..X....", "XO. .X. ..."),
        *("12./.1./...", "XO.\n.X.\n...", "X O  ", PRINTED, "XO/.X./...", "XO./.X.", "XXX/.../...", "XXX/OOO/..."),
        *("XXX/OO./O..", "XX./OO./X.O", "a1 a1", "a1 b1 a2 b2 a3 b3", "z9", "a1 z9", "9", "a1 9", "hello", "it's", "?"),
        *("b", "X" * 80, "moves:b2 \"x'", "XO.\\.X."),
    ],
    "4,4,4,gravity": [
        *("a", "a a b", "aab", "112", "1 2", "5", "0", "11111", "a a a a a", "moves:a b c", "a1", "a4"),
        *("X.../..../..../....", "..../..../..../XO.."),
        *("..../..../O.../XX..", "XXOO/OOXX/XXOO/OOXX", "..../X.../X.../XOOO", "..../XO../OX../XOXO"),
    ],
    "4,4,3,exact": ["XXXX/OOO./..../....", "XX.X/OO.O/..../....", "XXXX/OO.O/..../....", "XXXX/O.O./O.../...."],
    "hex,3": ["a1 b2", "XO./.X./...", "...X...O.", "XO.#.X.#...", "a1 c3", "#", "X.O/##X/..."],
    "clique-5-3": ["12", "12 13", "3", "12 99", "start"],
}


@pytest.mark.sampled
@pytest.mark.parametrize("game", TEXTS)
def test_every_notation_is_read_and_refused_as_by_the_server(game: str, same: Same) -> None:
    same(game, "positionAnswer", TEXTS[game], position)


@pytest.mark.sampled
@pytest.mark.parametrize(("host", "part_size"), [("ranges", 90_000_000), ("ranges", 300_000), ("whole", 300_000)])
def test_a_larger_table_is_read_with_and_without_ranges(
    host: str, part_size: int, table_file: Callable[..., Path], written: Any, ask: Ask
) -> None:
    asked, folder = boards("hex,4", 200), written("hex,4", part_size=part_size)
    found = ask(folder, "probe", asked, host)
    with open_tablebase(table_file("hex,4")) as table:
        assert found.answers == [probe(table, board) for board in asked]
    whole = sum(path.stat().st_size for path in folder.iterdir())
    assert found.bytes <= whole
    if host == "whole":
        assert found.requests == len(list(folder.iterdir()))


def test_a_winning_move_settles_a_position_as_on_the_server(written: Any, ask: Ask) -> None:
    found: list[list[Any]] = [
        [(1, 3), None],
        [(1, 7), None],
        [(0, 9), None],
        [None, None],
        [(1, 7), (-1, 4)],
        [(0, 9), (-1, 2)],
    ]
    moves = [[Value(*each) if each else None for each in values] for values in found]
    texts = [{"moves": [{"value": each and value_answer(each.after_move())} for each in values]} for values in moves]
    answers = ask(written("3,3,3"), "settledValue", texts).answers
    expected = [_value_of([*enumerate(values)]) for values in moves]
    assert [each and (each["wdl"], each["distance"], each.get("within")) for each in answers] == [
        each and (each.wdl, each.distance, each.within) for each in expected
    ]


def test_a_first_answer_fetches_little(written: Any, ask: Ask) -> None:
    found = ask(written("hex,4"), "positionAnswer", ["start"])
    assert found.bytes < 20_000


def test_damage_is_found(written: Any, ask: Ask, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(written("4,4,4"), tmp_path / "site"))
    (part,) = folder.glob("*.bin")
    run = bytearray(part.read_bytes())
    run[5] ^= 1  # of the page of the empty board or its successor
    part.write_bytes(run)
    (answer,) = ask(folder, "positionAnswer", ["start"]).answers
    assert answer["error"]["code"] == "damaged_table"
    part.write_bytes(run[:-1])
    (answer,) = ask(folder, "positionAnswer", ["start"]).answers
    assert answer["error"]["code"] == "unreachable"


@pytest.mark.parametrize(
    ("first", "count"), [(0, 20), *(pytest.param(first, 100, marks=pytest.mark.slow) for first in range(20, 1020, 100))]
)
def test_random_damage_is_found_or_harmless(first: int, count: int, written: Any, ask: Ask, tmp_path: Path) -> None:
    whole = {game: written(game) for game in ("3,3,3", "4,4,4")}
    right = {game: ask(folder, "probe", boards(game, 25)[::6]).answers for game, folder in whole.items()}
    tally = Counter[str]()
    for game, folder in whole.items():
        folders = []
        for seed in range(first, first + count, 2):
            folders.append(Path(shutil.copytree(folder, tmp_path / game / str(seed))))
            damage(folders[-1], Random(seed))
        answers = ask(folders, "probe", boards(game, 25)[::6]).answers
        for number, answer in enumerate(answers):
            is_right = answer == right[game][number % len(right[game])]
            assert is_right or "error" in answer, (folders[number // len(right[game])], answer)
            tally["right" if is_right else answer["error"]["code"]] += 1
    print(dict(tally))  # shown by -rP


def damage(folder: Path, chance: Random) -> None:
    """Change random bytes of a table's data, or cut it off."""
    path = chance.choice(sorted(folder.glob("*.bin")))
    content = bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 1, 5, 50))):
        at, size = chance.randrange(len(content)), chance.choice((1, 1, 4, 100))
        new = chance.choice((chance.randbytes(size), bytes(size), b"\xff" * size))
        content[at : at + size] = new[: len(content) - at]
    path.write_bytes(content[: chance.choice((len(content), len(content), chance.randrange(len(content))))])
