"""Reading games as people and programs write them down."""

import json

import pytest

from solver.engines.match import Terms, play_match
from solver.errors import IllegalMove, MnkError, NotationError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.study.played import PlayedGame, read_played_game

RULES = parse_game("3,3,3")
MOVES = (0, 4, 8)


@pytest.mark.parametrize(
    "given",
    [
        *("a1 b2 c3", "A1,B2,C3", "moves:0,4,8", "0 4 8", "1. a1 b2 2. c3", "1.a1 b2 2.c3", "1) a1 b2 2) c3"),
        *("a1b2c3", "A1-B2-C3", "a1 -> b2 -> c3", "0-4-8", "0 4 8.", "[0,4,8]"),
        *('["a1", "b2", "c3"]', "['a1', 'b2', 'c3']", "Xa1 Ob2 Xc3", "(0,0),(1,1),(2,2)"),
        *("[[0, 0], [1, 1], [2, 2]]", "X (0,0) O (1,1) X (2,2)", "X a1, O b2, X c3"),
        *("X a1, O b2?, X c3!?, a draw", "X: a1; O: b2; X: c3", "Main line: a1 b2 c3 (X wins)"),
        *("a1 b2 c3, O wins.", "a1 b2 c3 1-0", "?game=3,3,3&moves=a1,b2,c3"),
        "http://127.0.0.1:8000/?game=3,3,3&moves=a1,b2,c3&at=1&x=perfect",
        *('{"game": "3,3,3", "moves": ["a1", "b2", "c3"]}', "?game=3,3,3&moves=a1b2c3"),
        {"moves": [0, 4, 8]},
        {"moves": "a1b2c3"},
        [(0, 0), (1, 1), (2, 2)],
        {"start": ".../.../...", "moves": ["a1", "b2", "c3"], "outcome": None, "x": "me", "o": "you"},
        *([0, 4, 8], ["a1", "b2", "c3"], (0, "b2", 8)),
        PlayedGame(Position.start(RULES), MOVES),
    ],
)
def test_a_game_is_read_in_every_notation(given: object) -> None:
    score = read_played_game(RULES, given)
    assert (score.start, score.moves) == (Position.start(RULES), MOVES)


@pytest.mark.parametrize(
    "given", ["?game=3,3,3&position=XO./.../...&moves=b2", {"start": "XO./.../...", "moves": ["b2"]}]
)
def test_a_game_may_begin_anywhere(given: object) -> None:
    expected = Position.parse(RULES, "XO./.../...")
    assert read_played_game(RULES, given)[:2] == (expected, (4,))
    assert read_played_game(RULES, "b2", "a1 b1")[:2] == (expected, (4,))


def test_the_link_leads_back_to_the_game() -> None:
    for score in (read_played_game(RULES, "a1 b2 c3"), read_played_game(RULES, "b2", "XO./.../...")):
        assert read_played_game(RULES, score.link) == score
    hexagons = parse_game("hex,3")  # its boards have holes, written #
    score = read_played_game(hexagons, "b2", "a1 c3")
    assert "#" not in score.link
    assert read_played_game(hexagons, score.link) == score


@pytest.mark.parametrize(
    "given", ["1. a A 2. b", "aab", "112", "1. 1 1 2. 2", "X a, O a?, X b", "?game=3,3,3,gravity&moves=112", [6, 3, 7]]
)
def test_with_gravity_a_column_is_a_move(given: object) -> None:
    rules = parse_game("3,3,3,gravity")
    assert read_played_game(rules, given) == read_played_game(rules, "a3 a2 b3")
    assert read_played_game(rules, "a", "a3 a2").moves == (0,)


def test_squares_that_are_numbers_or_letters_of_a_side_are_squares() -> None:
    edges = parse_game("clique,5,3")
    assert read_played_game(edges, "1. 12 34 2. 15").moves == tuple(
        edges.diagram.numbers[name] for name in ("12", "34", "15")
    )


def test_the_games_of_a_match_tell_who_played() -> None:
    records = []
    terms = Terms(Position.start(RULES), games=2, seed=1)
    play_match(["random", "random:seed=3"], terms, processes=1, watch=lambda record, _: records.append(record))
    for record in records:
        score = read_played_game(RULES, json.dumps(record.json()))
        assert score.moves == tuple(record.moves)
        assert score.players == ("random", "random:seed=3")


@pytest.mark.parametrize(
    ("given", "error", "part"),
    [
        ("", NotationError, "at least one move"),
        ("XO./.X./...", NotationError, "does not show the order"),
        ("a1 z9", NotationError, "'z9' is not a square"),
        ("a1 a1", IllegalMove, "Move 2 of the game"),
        ("a1 a2 b1 b2 c1 c2", IllegalMove, "Move 6 of the game can't be played: The game is over"),
        ("{", NotationError, "starts as JSON"),
        ('{"outcome": "X"}', NotationError, "'moves'"),
        ({"game": "4,4,4", "moves": ["a1"]}, NotationError, "a game of '4,4,4'"),
        ("?game=4,4,4&moves=a1", NotationError, "a game of '4,4,4'"),
        ("http://[?moves=a1,z9", NotationError, "'z9' is not a square"),
        ("X: a1 c3, O: b2", NotationError, "Move 3 of the game is attributed to O"),
        ("[0, -1]", NotationError, "'-1' is not a square"),
        ("a1b9", NotationError, "'a1b9' is not a square"),
        ("(5,5) (1,1)", NotationError, r"\(5, 5\) is not a square"),
        ("159", NotationError, "'159' is not a square"),
        (12.5, MnkError, "not a square"),
    ],
)
def test_what_is_no_game_is_refused(given: object, error: type[MnkError], part: str) -> None:
    with pytest.raises(error, match=part):
        read_played_game(RULES, given)
