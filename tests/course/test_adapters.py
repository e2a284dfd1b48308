"""Players in the notebooks' shape fun(board, player), and engines in theirs."""

from __future__ import annotations

import pytest

from solver.course.and_or import FunctionEngine, board_of, check_win, function_of, play, position_of
from solver.engines.engine import make_engine
from solver.errors import IllegalMove, ImpossiblePosition, NotationError
from solver.game.games import parse_game
from solver.game.position import Position

RULES = parse_game("3,3,3")


def first_free(board: list[str], player: str) -> int:
    return board.index(" ")


def test_boards_and_positions() -> None:
    position = Position.parse(RULES, "XO./.X./...")
    assert board_of(position) == ["x", "o", " ", " ", "x", " ", " ", " ", " "]
    assert position_of(RULES, board_of(position), "o") == position
    assert position_of(RULES, "ox./.o./...", "x") == position  # O has begun
    with pytest.raises(ImpossiblePosition):
        position_of(RULES, board_of(position), "x")
    with pytest.raises(NotationError):
        position_of(RULES, ["x"], "o")


def test_check_win() -> None:
    assert [check_win(RULES, list(board)) for board in ("xxxoo    ", "xx ooo x ", "xoxxxooxo", "x        ")] == [
        "x",
        "o",
        "d",
        "n",
    ]
    assert check_win(parse_game("3,3,3,misere"), list("xxxoo    ")) == "o"


def test_an_engine_as_a_function() -> None:
    fun = function_of(make_engine("minimax", RULES), RULES)
    assert fun(list("xx oo    "), "x") == 2
    assert fun(list("oo xx    "), "o") == 2


def test_a_function_as_an_engine() -> None:
    engine = FunctionEngine(first_free, "first free")
    assert engine.name == "first free"
    assert engine.choose(Position.parse(RULES, "XO./.X./...")).move == 2
    with pytest.raises(NotationError):
        FunctionEngine(lambda board, player: 9).choose(Position.start(RULES))


def test_play() -> None:
    assert play(first_free, first_free, 3) == {"x": 3, "o": 0, "d": 0}
    with pytest.raises(IllegalMove, match="player o made an illegal move"):
        play(first_free, lambda board, player: 0)
