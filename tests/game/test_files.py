"""Games from JSON files: read, written, and refused in one sentence."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from solver.errors import RulesError, printable
from solver.game.descriptions import describe_rules
from solver.game.game_files import is_file_game, name_rules, read_file, read_game, read_rules, write_rules
from solver.game.games import MAKERS, parse_game
from solver.game.json_file import from_json, to_json
from solver.game.position import Position
from solver.game.rules import Rules
from tests.texts import refused

EXAMPLES = [example for maker in MAKERS for example in maker.examples]

SMALL: dict[str, Any] = {"squares": ["a", "b", "c", "d"], "lines": [["a", "b"], ["c", "d"]]}


def decides(rules: Rules) -> tuple[object, ...]:
    """Return everything that decides a game, independent of its name and the order of its lines."""
    lines = sorted(rules.x_lines), sorted(rules.o_lines)
    return rules.squares, *lines, rules.misere, rules.stride, rules.plies, rules.unfinished


@pytest.mark.parametrize("game", [*EXAMPLES, "3,3,3,exact", "3,3,3,maker,plies=5", "4,4,4,o=b2,without=a1,x=c3"])
def test_every_game_is_written_as_json_and_read_back(game: str) -> None:
    rules = parse_game(game)
    again = from_json(json.loads(json.dumps(to_json(rules))))
    assert decides(again) == decides(rules)
    assert again.diagram == rules.diagram
    assert again.fingerprint == rules.fingerprint


@pytest.mark.parametrize(
    "game",
    [
        *("3,3,3,torus", "3,3,3,full", "3,3,3,exact", "3,3,3,without=b2", "3,3,3,o=b2,x=a1", "3,3,3,maker,misere"),
        *("3,3,3,gravity,misere", "3,3,3,plies=5", "affine,3,misere", "sim"),
    ],
)
def test_rules_written_as_json_describe_the_same_game(game: str) -> None:
    rules = parse_game(game)
    again = from_json(to_json(rules))
    assert describe_rules(again) == describe_rules(rules)
    assert describe_rules(from_json(to_json(again))) == describe_rules(rules)
    assert describe_rules(rules).count("lose") == int(rules.misere)


def test_a_file_with_lines_of_one_side_names_the_winner_without_a_line() -> None:
    plain = {"squares": 4, "x_lines": [[1, 2]], "o_lines": []}
    assert describe_rules(from_json(plain)).endswith("; only X can complete a line, else it is a draw")
    assert describe_rules(from_json(plain | {"unfinished": "O"})).endswith("; X is Maker, O is Breaker")


def test_a_repeated_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "twice.json"
    path.write_text('{"squares": 3, "lines": [[1, 2]], "lines": [[2, 3]]}')
    with pytest.raises(RulesError, match=r'twice\.json: The key "lines" is given twice; leave one of them out\.'):
        read_file(path)


def test_a_game_of_equal_rows_needs_no_number_of_columns(tmp_path: Path) -> None:
    (tmp_path / "small.json").write_text(json.dumps({**SMALL, "rows": 2}))
    diagram = read_game(str(tmp_path / "small.json")).diagram
    assert (diagram.rows, diagram.columns) == (2, 2)


def test_a_file_gives_a_game_its_name(tmp_path: Path) -> None:
    path = tmp_path / "My Game.json"
    path.write_text(json.dumps(SMALL))
    rules = read_game(str(path))
    assert rules.name == f"my_game.{rules.fingerprint}"
    assert is_file_game(rules.name)
    assert read_rules(write_rules(rules)) == rules
    assert Position.parse(rules, "X.O.").board == "X.O."
    path.write_text(json.dumps(SMALL | {"lines": [["a", "b"], ["c", "b"]]}))
    assert read_game(str(path)).name != rules.name


def test_rules_that_do_not_fit_their_name_are_refused(tmp_path: Path) -> None:
    rules = name_rules(from_json(SMALL), "small")
    with pytest.raises(RulesError, match="do not match the fingerprint"):
        read_rules(write_rules(rules).replace('["a","b"]', '["a","c"]'))
    with pytest.raises(RulesError, match="differ from those of this version"):
        read_rules(json.dumps(to_json(parse_game("affine,3")) | {"misere": True}))


def test_names_of_squares_distinguish_games_but_the_order_of_lines_does_not() -> None:
    plain = name_rules(from_json(SMALL), "small")
    turned = name_rules(from_json(SMALL | {"lines": [["d", "c"], ["b", "a"]]}), "small")
    renamed = name_rules(from_json(SMALL | {"squares": ["d", "c", "b", "a"]}), "small")
    assert turned == plain
    assert turned.x_lines == plain.x_lines
    assert renamed.x_lines == plain.x_lines
    assert renamed != plain
    assert renamed.name != plain.name
    apart = from_json({"squares": SMALL["squares"], "x_lines": SMALL["lines"], "o_lines": SMALL["lines"][::-1]})
    assert apart.is_even


def test_a_wrong_fingerprint_in_a_name_is_replaced() -> None:
    rules = name_rules(from_json(SMALL | {"name": "other.0123456789ab"}), "small")
    assert rules.name == f"other.{rules.fingerprint}"
    assert read_rules(write_rules(rules)) == rules


def test_a_game_from_a_file_describes_all_its_rules() -> None:
    rules = from_json({"squares": 4, "x_lines": [[1, 2]], "o_lines": [], "misere": True, "plies": 3, "unfinished": "O"})
    assert describe_rules(rules) == (
        "4 squares, 1 line of X, 0 lines of O; the game ends after 3 moves; completing a line loses; "
        "only X's lines count, and O wins when X completes none"
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], 'an object with "squares" and "lines"'), ({"lines": []}, '"squares" must be a list'),
        ({"squares": 3}, '"lines", the sets'), (SMALL | {"name": 5}, '"name" must be a text'),
        (SMALL | {"colour": 1}, "has no 'colour'"), (SMALL | {"squares": 400}, '"squares" must be a list'),
        (SMALL | {"squares": ["a", "A", "b", "c"]}, "Two squares are called 'a'"),
        (SMALL | {"squares": ["a", "b c"]}, "can't be the name of a square"),
        (SMALL | {"squares": ["a\u202e", "b"]}, r"'a\u202e' can't be the name of a square"),
        (SMALL | {"squares": ["Start", "b"]}, "'start' means the empty board"),
        (SMALL | {"words": "one\u001b[31mred\ntwo"}, r"""the character '\x1b', which can't be shown"""),
        (SMALL | {"name": "a\u202e"}, r""""name" contains the character '\u202e'"""),
        (SMALL | {"lines": [["a", "b"], ["b", "a"]]}, "repeats line 1; once is enough"),
        (SMALL | {"lines": [["a"], []]}, "A line is empty"),
        (SMALL | {"lines": [["a", "e"]]}, "names 'e', which is not a square"),
        (SMALL | {"lines": [["a", "a"]]}, "names a square twice"), (SMALL | {"lines": ["ab"]}, "is not a line"),
        (SMALL | {"lines": "ab"}, "must be a list of lines"),
        (SMALL | {"lines": [{"squares": ["a"], "without": ["a"]}]}, 'also in its "without"'),
        (SMALL | {"x_lines": [["a"]]}, 'either "lines", for both sides'),
        (SMALL | {"misere": "yes"}, "must be true or false"),
        (SMALL | {"plies": 5}, "must be a number from 1 to 4, not 5."),
        (SMALL | {"gravity": -1}, "must be a number from 1 to 4"),
        (SMALL | {"gravity": 3}, "4 squares do not make 3 columns of the same height"),
        (SMALL | {"gravity": 2, "plies": 3}, "can't be combined"),
        (SMALL | {"unfinished": "nobody"}, 'must be "X" or "O"'),
        (SMALL | {"rows": 3, "columns": 2}, "must hold each of the 4 squares once"),
        (SMALL | {"rows": 2, "columns": "two"}, '"columns" must be a number'),
        (SMALL | {"cells": [[0], 1, 2, 3]}, "must hold each of the 4 squares once"),
        (SMALL | {"lines": [{"squares": ["a"], "unless": ["b"]}]}, "A line has no 'unless'"),
        (SMALL | {"points": [[float("nan"), 0]] * 4}, "must be pairs of numbers"),
        (SMALL | {"borders": [["Z", [[0, 0]]]]}, "must be pairs of a side"),
        (SMALL | {"points": [["here"]]}, "are invalid"),
        (SMALL | {"points": [[0, 0]], "ends": [[0, -1]] * 4}, '"ends" must be two numbers'),
        (SMALL | {"shape": "stars"}, "must be one of cells"), (SMALL | {"points": [[0, 0]]}, '"points" must be 4'),
    ],
)  # fmt: skip
def test_invalid_files_are_refused_in_one_sentence(given: Any, message: str) -> None:
    with refused(RulesError, message):
        from_json(given)


SHAPE = b"#times\nt\n#blackturns\nt\n#positions\na b\n#neighbours\na b\n#blackgoal\n"

# A ladder whose paths never reach the other side, because its last square is a neighbour of nothing.
LADDER = [(f"{side}{step}", f"{other}{step + 1}") for step in range(60) for side in "ab" for other in "ab"]
PATHS = (
    "#times\nt\n#blackturns\nt\n#positions\nend "
    + " ".join(f"{side}{step}" for step in range(61) for side in "ab")
    + "\n#edges\n" + "".join(f"{one} {other}\n" for one, other in LADDER) + "s a0\nt end\n#source\ns\n#target\nt\n"
).encode()  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("none.json", None, "can't be read: No such file"), ("latin.json", b"\xff\xfe", "it is not text in UTF-8"),
        ("broken.json", b"{", "It is not valid JSON"), ("deep.json", b"[" * 900_000, "nested too deeply"),
        ("digits.json", b'{"squares": %s}' % (b"9" * 5000), "a number of 5000 digits"),
        ("lines.json", b'{"squares": 9, "lines": [%s]}' % b",".join([b"[1,2]"] * 25_001), "has 25,001 lines"),
        ("large.json", b" " * 1_000_001, "more than 1,000,000 bytes"), ("\0.json", None, "its name is invalid"),
        (f"{'x' * 300}.json", None, "File name too long"),
        ("sets.pg", b"#times\nt\n#blackturns\nt\n#positions\na\n#blackwins\n" + b"a\n" * 25_001, "25,000 winning sets"),
        ("shape.pg", SHAPE + b"up(a,b) " * 9000, "have too many parts"),
        ("paths.pg", PATHS, "are hard to find"),
        ("words.pg", b"once upon a time\n", "begins with 'once', not with a code word"),
        ("empty.pg", b"", "#times is missing"), ("json.pg", b'{"squares": 3}', "not with a code word"),
        ("other.pg", b"#chess\ne4\n", "'#chess' is not a code word"),
        ("goalless.pg", b"#times\nt1\n#positions\na\n", "#blackwins is missing"),
    ],
)  # fmt: skip
def test_an_invalid_game_file_is_named(name: str, text: bytes | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if text is not None:
        path.write_bytes(text)
    with pytest.raises(RulesError, match=re.escape(message)) as caught:
        read_game(str(path))
    assert len(str(caught.value)) < 700
    assert str(caught.value).endswith(".")
    assert printable(str(path)) in str(caught.value)


def test_a_pipe_in_place_of_a_game_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    with refused(RulesError, "is not a file"):
        read_game(str(tmp_path / "pipe.json"))
