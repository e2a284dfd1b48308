"""Alpha-beta search against a plain minimax, which neither prunes nor remembers, and its options."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.engines.alphabeta import evaluate, search, winning_score
from solver.engines.engine import make_engine
from solver.errors import PositionError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.tablebase import Tablebase

GAMES = ["3,3,3", "3,3,3,misere", "2,4,2,exact", "3,3,2,gravity,misere", "3,4,3,gravity", "2,3,2,torus", "2,4,2,full"]
GAMES += ["1,6,3", "2,4,4"]
OPTIONS: list[dict[str, Any]] = [{"ordering": True}, {"transposition": True}, {"deepen": True}]
OPTIONS += [OPTIONS[0] | OPTIONS[1] | OPTIONS[2]]


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


@given(endings(), st.sampled_from([1, 2, 3, 4, None]), st.sampled_from([{}, *OPTIONS]))
def test_values_are_those_of_minimax(position: Position, cutoff: int | None, options: dict[str, Any]) -> None:
    found = search(position, cutoff, **options)
    if options.get("deepen") and abs(found.value) == winning_score(position.rules):
        cutoff = None  # it may stop early, when the result is certain
    assert found.value == minimax(position, cutoff)
    for square in found.line:
        position = position.play(square)


@pytest.mark.parametrize("options", OPTIONS, ids="+".join)
def test_options_save_nodes(options: dict[str, Any]) -> None:
    start = Position.start(parse_game("3,3,3"))
    found = search(start, **options)
    assert found.value == 0
    assert found.nodes < search(start).nodes


def test_with_a_table_two_plies_are_perfect(tictactoe: Tablebase) -> None:
    level = [Position.start(tictactoe.rules)]
    while level:
        for position in level[::7]:
            found = search(position, 2, tables=tictactoe)
            assert found.value == 10 * tictactoe.probe(position).wdl
            assert -tictactoe.probe(position.play(found.line[0])).wdl == tictactoe.probe(position).wdl
        children = dict.fromkeys(p.play(square) for p in level for square in p.legal_moves)
        level = [child for child in children if not child.is_over]


def test_large_boards_of_every_variant() -> None:
    for game in ("19,19,5", "8,8,5,misere,torus", "10,10,5,exact", "6,7,4,gravity"):
        position = Position.start(parse_game(game))
        choice = make_engine("alphabeta:cutoff=2,ordering", position.rules).choose(position)
        assert choice.move in position.legal_moves
        assert choice.line[0] == choice.move


def test_deepening_finds_the_quickest_win() -> None:
    position = Position.parse(parse_game("3,3,3"), "XO./OX./...")
    assert search(position).line[0] == 2  # wins, but not at once
    assert search(position, deepen=True).line == (8,)


def test_a_finished_game_can_not_be_searched() -> None:
    with pytest.raises(PositionError, match="over"):
        search(Position.parse(parse_game("3,3,3"), "XXX/OO./..."))
