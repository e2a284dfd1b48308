"""Positions: play, outcome, undo, symmetry, and immutability."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import IllegalMove, ImpossiblePosition
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.value import Value
from solver.search.truth import open_tablebase
from tests import oracle
from tests.commands import TableFile, assert_refused, mnk
from tests.strategies import positions


def parse(game: str, given: object) -> Position:
    return Position.parse(parse_game(game), given)


def walk(game: str) -> dict[Position, dict[int, Position]]:
    """Return every position that can arise, with its predecessors by the square of the last move."""
    level: dict[Position, dict[int, Position]] = {Position.start(parse_game(game)): {}}
    found = dict(level)
    while level:
        following: dict[Position, dict[int, Position]] = {}
        for position in level:
            for square in position.legal_moves:
                following.setdefault(position.play(square), {})[square] = position
        found |= following
        level = following
    return found


@pytest.mark.sampled
@pytest.mark.parametrize(
    "game",
    [
        "3,3,3", "3,3,3,misere", "3,3,3,torus", "2,5,2,full", "3,3,2,exact", "3,4,3,gravity,misere",
        "2,4,2,exact,gravity", "2,3,4",
    ],
)  # fmt: skip
def test_play_agrees_with_the_oracle(game: str) -> None:
    rules = parse_game(game)
    played = walk(game)
    assert {position.board.replace("/", "") for position in played} == set().union(*oracle.levels(rules))
    for position in played:
        board = position.board.replace("/", "")
        assert position.outcome == oracle.outcome(rules, board)
        assert list(position.legal_moves) == oracle.moves(rules, board)
        assert (position.to_move, position.ply) == (oracle.mover(board), len(board) - board.count("."))
        assert Position.parse(rules, position.hash).outcome == position.outcome


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["3,3,3", "3,3,3,gravity", "2,4,2,exact,gravity", "3,3,2,exact", "1,9,3,exact"])
def test_undo_returns_exactly_the_predecessors(game: str) -> None:
    for position, before in walk(game).items():
        for square in range(position.rules.squares):
            if square in before:
                assert position.undo(square) == before[square]
            else:
                with pytest.raises(IllegalMove):
                    position.undo(square)


@given(positions(), st.data())
def test_symmetries_preserve_outcomes_and_moves(position: Position, data: st.DataObject) -> None:
    permutation = data.draw(st.sampled_from(position.rules.symmetries.elements))
    image = position.transform(permutation)
    assert image.outcome == position.outcome
    assert sorted(permutation[square] for square in position.legal_moves) == list(image.legal_moves)
    assert all(image.play(permutation[s]) == position.play(s).transform(permutation) for s in position.legal_moves)


@given(positions(), st.data())
def test_the_canonical_form_is_the_least_of_all_images(position: Position, data: st.DataObject) -> None:
    images = [position.transform(permutation) for permutation in position.rules.board_symmetries.elements]
    canonical = position.canonical()
    assert canonical.hash == min(image.hash for image in images)
    assert data.draw(st.sampled_from(images)).canonical() == canonical


# Outcomes


def test_the_value_of_a_finished_game_is_for_the_side_to_move() -> None:
    assert parse("3,3,3", "XXX/OO./...").value_if_over == Value(-1, 0)
    assert parse("3,3,3,misere", "XXX/OO./...").value_if_over == Value(1, 0)
    assert parse("3,3,3", "XOX/XOO/OXX").value_if_over == Value(0, 0)
    assert parse("3,3,3", "").value_if_over is None


# Moves that are refused


@pytest.mark.parametrize(
    ("game", "given", "square", "message"),
    [
        ("3,3,3", "b2", 4, r"b2 \(square 4\) is taken"),
        ("3,3,3", "", 9, "no square 9 on the board of 3,3,3; play 0 to 8"), ("3,3,3", "", -1, "no square -1"),
        ("3,3,3", "XXX/OO./...", 8, r"The game is over \(won by X\)"),
        ("3,3,3", "XOX/XOO/OXX", 0, r"The game is over \(a draw\)"),
        ("3,3,3,gravity", "", 0, r"a1 \(square 0\) would float"),
    ],
)  # fmt: skip
def test_illegal_moves_are_refused(game: str, given: object, square: int, message: str) -> None:
    with pytest.raises(IllegalMove, match=message):
        parse(game, given).play(square)


@pytest.mark.parametrize(
    ("game", "given", "square", "message"),
    [
        ("3,3,3", "", 4, "no stone of O"),
        ("3,3,3", "b2 a1", 4, r"b2 \(square 4\) holds no stone of O, who moved last"),
        ("3,3,3", "b2", 40, "Square 40 holds no stone of X"),
        ("3,3,3,gravity", "a3 a2 a1", 6, "another stands on it"), ("3,3,3", "XXX/OO./...", 3, "no stone of X"),
        ("3,3,3", "XXX/OO./X.O", 6, "can't have been the last move"),
    ],
)  # fmt: skip
def test_moves_that_were_not_the_last_are_not_taken_back(game: str, given: object, square: int, message: str) -> None:
    with pytest.raises(IllegalMove, match=message):
        parse(game, given).undo(square)


def test_a_huge_number_of_a_square_is_refused() -> None:
    """Python refuses to print such a number."""
    with pytest.raises(IllegalMove, match="no square a huge number on the board of 3,3,3"):
        parse("3,3,3", "").play(10**5000)
    with pytest.raises(IllegalMove, match="Square a huge number holds no stone of X"):
        parse("3,3,3", "b2").undo(10**5000)


def test_impossible_stones_are_refused_with_the_reason() -> None:
    with pytest.raises(
        ImpossiblePosition, match=r"^This position of 3,3,3 can't arise in play: both sides have a line"
    ):
        parse("3,3,3", "XXX/OOO/...")
    with pytest.raises(ImpossiblePosition, match="X moves first"):
        Position(parse_game("3,3,3"), o=1)


def test_more_stones_than_plies_are_refused_everywhere(table_file: TableFile, tmp_path: Path) -> None:
    """Without a table a search failed; with one, the table was called damaged."""
    path = table_file("4,4,3,plies=5")
    for game, board, folder in (
        ("3,3,3,plies=3", "XO./XO./...", tmp_path),
        ("4,4,3,plies=5", "XO../XO../OX../XO..", path.parent),
    ):
        assert_refused(mnk("query", game, board, "--data", folder), 2, "can't arise in play: the board has ", " stones")
    with open_tablebase(path) as table, pytest.raises(ImpossiblePosition, match="is not a possible position"):
        table.table.probe_many([parse("4,4,3", "XO../XO../OX../XO..").hash])


# As a value


def test_positions_are_equal_by_value() -> None:
    one, other = parse("3,3,3", "b2 a1 c3"), parse("3,3,3", "c3 a1 b2")
    assert one == other
    assert len({one, other}) == 1
    assert one != parse("3,3,3,misere", "b2 a1 c3")
    assert one != one.board
    assert Position(parse_game("3,3,3"), one.x, one.o) == one


def test_positions_never_change() -> None:
    position = parse("3,3,3", "b2")
    with pytest.raises(AttributeError, match="is immutable"):
        position.x = 0
    with pytest.raises(AttributeError, match="is immutable"):
        del position.x
    with pytest.raises(AttributeError, match="is immutable"):
        position.colour = "red"


def test_numpy_integers_do_not_leak_into_the_bitboards() -> None:
    position = Position.from_moves(parse_game("5,5,4"), np.array([24], dtype=np.int8))
    assert (type(position.x), position.x) == (int, 1 << 24)
    position = Position(parse_game("7,8,4"), np.int64(1), np.int64(2))  # type: ignore[arg-type] # at runtime
    assert (type(position.x), type(position.o), position.play(55).hash) == (int, int, 7 + 3**55)


# What a person sees


def test_text_and_repr() -> None:
    position = parse("3,3,3", "XO./.X./...")
    assert str(position) == "   a b c\n1  X O .\n2  . X .\n3  . . ."
    assert repr(position) == "Position.parse(parse_game('3,3,3'), 'XO./.X./...')"
    assert position.board == "XO./.X./..."
    assert position.cells == ("X", "O", ".", ".", "X", ".", ".", ".", ".")


def test_the_picture_has_a_title() -> None:
    assert "<title>3,3,3: X to move, empty board</title>" in parse("3,3,3", "")._repr_svg_()
    assert "<title>3,3,3: O to move after 1 ply</title>" in parse("3,3,3", "b2")._repr_svg_()
    assert "<title>3,3,3: X has won after 5 plies</title>" in parse("3,3,3", "XXX/OO./...")._repr_svg_()
    assert "<title>3,3,3: draw after 9 plies</title>" in parse("3,3,3", "XOX/XOO/OXX")._repr_svg_()


def test_no_moves_lead_to_the_empty_board() -> None:
    rules = parse_game("3,3,3")
    assert Position.from_moves(rules, " ") == Position.from_moves(rules, "") == Position.start(rules)
