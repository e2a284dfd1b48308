"""Impossible positions: exactly those that no game reaches, each with a reason."""

import pytest

from solver.game.base3 import decode
from solver.game.games import parse_game
from solver.game.legality import reason_impossible
from solver.game.lines import mask_of
from solver.game.position import Position
from tests import oracle

EXHAUSTIVE = [
    "3,3,3", "3,3,3,misere", "3,3,3,torus", "3,3,3,gravity", "3,3,4,gravity", "3,3,2,exact", "3,3,1,exact",
    "3,3,2,exact,gravity", "3,3,2,exact,gravity,torus", "1,9,3,exact", "1,9,2,exact,torus", "2,4,2,full",
    "4,2,4,gravity",
]  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("game", EXHAUSTIVE)
def test_possible_positions_are_those_that_play_reaches(game: str) -> None:
    rules = parse_game(game)
    played = set().union(*oracle.levels(rules))
    for number in range(3**rules.squares):
        x, o = decode(number)
        board = "".join("X" if x >> s & 1 else "O" if o >> s & 1 else "." for s in range(rules.squares))
        assert (reason_impossible(rules, x, o) is None) == (board in played), board


@pytest.mark.parametrize(
    ("game", "board", "reason"),
    [
        ("3,3,3", "XX./.../...", "X has 2 stones and O has 0 stones"),
        ("3,3,3", "O../.../...", "X has 0 stones and O has 1 stone,"),
        ("3,3,3", "XXX/OOO/...", "both sides have a line"),
        ("3,3,3", "XXX/OO./O..", "X has a line, so O can't have moved after it"),
        ("3,3,3", "OOO/XX./XX.", "O has a line, so X can't have moved after it"),
        ("2,6,3", "XXXXX./OO.OO.", "possible"),
        ("2,7,3", "XXX.XXX/OO.OO.O", "X's line can't have been completed by the last move"),
        ("3,3,3,gravity", "X../.../...", "the stone on a1 floats above an empty square"),
        ("3,3,3,gravity", ".../OO./XXX", "possible"),
        ("3,3,3,gravity", "OOX/OOX/XXX", "X's line can't have been completed by the last move"),
        ("2,2,2,gravity", "X./O.", "no order of moves leads there"),
        ("1,5,2,exact", "XXX.O", "X has 3 stones and O has 1"),
        ("1,6,2,exact", "XXX.OO", "O has a line, so X can't have moved after it"),
        ("1,6,1,exact", "X.....", "possible"), ("1,8,2,exact", "XXXO.O..", "possible"),
        ("2,3,1,exact", "XO./...", "both sides have a line"),
        ("3,3,3,plies=3", "XO./XO./...", "the board has 4 stones, but the game ends after 3 plies"),
        ("3,3,3,plies=3", "XOX/.../...", "possible"),
    ],
)  # fmt: skip
def test_the_reason_is_named(game: str, board: str, reason: str) -> None:
    rules = parse_game(game)
    cells = board.replace("/", "")
    x, o = (mask_of(s for s, cell in enumerate(cells) if cell == side) for side in "XO")
    assert (reason_impossible(rules, x, o) or "possible").startswith(reason)


def test_two_stones_on_a_square_and_stones_off_the_board() -> None:
    rules = parse_game("3,3,3")
    assert reason_impossible(rules, 0b010000, 0b010000) == "both sides have a stone on b2"
    assert reason_impossible(rules, 1 << 9, 0) == "a stone stands off the board of 9 squares"
    assert reason_impossible(rules, -1, 0) == "a stone stands off the board of 9 squares"


@pytest.mark.parametrize("game", ["6,7,4,gravity", "19,19,5", "10,10,3,exact", "19,19,4,gravity"])
def test_long_games_on_large_boards_are_possible(game: str) -> None:
    position = Position.start(parse_game(game))
    for step in range(position.rules.squares):
        if position.is_over:
            break
        position = position.play(position.legal_moves[7 * step % len(position.legal_moves)])
    assert reason_impossible(position.rules, position.x, position.o) is None
