"""Alpha-beta search against a plain minimax, which neither prunes nor remembers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.engines.alphabeta import evaluate, search
from solver.engines.engine import make_engine
from solver.errors import PositionError
from solver.game.games import parse_game
from solver.game.position import Position

GAMES = ["3,3,3", "3,3,3,misere", "2,4,2,exact", "3,3,2,gravity,misere", "3,4,3,gravity", "2,3,2,torus", "2,4,2,full"]
GAMES += ["1,6,3", "2,4,4"]


def minimax(position: Position, cutoff: int | None, depth: int = 0) -> int:
    """The slow twin: the value for the side to move, its own nodes alone cut off."""
    if position.is_over or (cutoff is not None and depth >= cutoff and depth % 2 == 0):
        return evaluate(position)
    return max(-minimax(position.play(square), cutoff, depth + 1) for square in position.legal_moves)


@st.composite
def endings(draw: st.DrawFn) -> Position:
    """A position that is not over and has at most 6 empty squares."""
    rules = parse_game(draw(st.sampled_from(GAMES)))
    positions = [Position.start(rules)]
    while not positions[-1].is_over:
        positions.append(positions[-1].play(draw(st.sampled_from(positions[-1].legal_moves))))
    return draw(st.sampled_from([p for p in positions[:-1] if rules.squares - p.ply <= 6] or positions[-2:-1]))


@given(endings(), st.sampled_from([1, 2, 3, 4, None]))
def test_values_are_those_of_minimax(position: Position, cutoff: int | None) -> None:
    found = search(position, cutoff)
    assert found.value == minimax(position, cutoff)
    for square in found.line:
        position = position.play(square)


def test_large_boards_of_every_variant() -> None:
    for game in ("19,19,5", "8,8,5,misere,torus", "10,10,5,exact", "6,7,4,gravity"):
        position = Position.start(parse_game(game))
        choice = make_engine("alphabeta:cutoff=2", position.rules).choose(position)
        assert choice.move in position.legal_moves
        assert choice.line[0] == choice.move


def test_a_finished_game_can_not_be_searched() -> None:
    with pytest.raises(PositionError, match="over"):
        search(Position.parse(parse_game("3,3,3"), "XXX/OO./..."))
