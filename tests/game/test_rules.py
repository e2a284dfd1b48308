"""Rules: names, words, variants, limits."""

import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.count import count_positions
from solver.errors import RulesError
from solver.game.descriptions import describe_rules
from solver.game.games import parse_game
from solver.game.makers.boxes import RECTANGLES
from solver.game.makers.variants import COMMON
from solver.game.position import Position
from solver.game.rules import MAX_BOARD, Rules, require_buildable
from solver.store.layout import layout_of


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("3,3,3", "3,3,3"), (" 4, 5 ,4 ", "4,5,4"), ("4-4-4-gravity", "4,4,4,gravity"),
        ("4,4,4,MISERE,gravity", "4,4,4,gravity,misere"), ("3,3,3,misère", "3,3,3,misere"), ("04,04,04", "4,4,4"),
        ("3,5,3,full,misere,gravity", "3,5,3,full,gravity,misere"), ("4,4,3,exact,torus", "4,4,3,exact,torus"),
    ],
)  # fmt: skip
def test_every_spelling_of_a_name_gives_the_same_game(written: str, name: str) -> None:
    assert str(parse_game(written)) == parse_game(written).name == name
    assert parse_game(written) is parse_game(name)


@given(
    st.integers(1, 9),
    st.integers(1, 9),
    st.integers(1, 9),
    st.sets(st.sampled_from(sorted((COMMON | RECTANGLES.variants) - {"full"}))),
)
def test_a_name_leads_back_to_its_rules(m: int, n: int, k: int, variants: set[str]) -> None:
    rules = parse_game(",".join([f"{m},{n},{k}", *sorted(variants, reverse=True)]))
    assert parse_game(rules.name) == rules
    assert rules.variants == tuple(sorted(variants))


def test_m_is_rows_and_n_is_columns() -> None:
    rules = parse_game("4,5,3")
    assert (rules.diagram.rows, rules.diagram.columns, rules.shortest_line, rules.squares) == (4, 5, 3, 20)
    assert describe_rules(rules) == "4 rows, 5 columns, 3 in a row"


def test_supports() -> None:
    assert parse_game("2,3,2,gravity").supports == (3, 4, 5, -1, -1, -1)
    assert parse_game("2,3,2").supports == (-1,) * 6
    assert parse_game("1,3,2,gravity").supports == (-1,) * 3
    assert parse_game("2,3,2,gravity").has_supports
    assert not parse_game("1,3,2,gravity").has_supports
    assert not parse_game("2,3,2").has_supports
    assert parse_game("2,3,2,gravity").ground == 0b111000
    assert parse_game("2,3,2").ground == 0b111111


def test_large_boards_can_be_played_but_not_built() -> None:
    rules = parse_game("19,19,5")
    assert rules.squares == MAX_BOARD
    with pytest.raises(RulesError, match="at most 36 squares"):
        require_buildable(rules)
    require_buildable(parse_game("5,5,4"))


def without_diagonals() -> Rules:
    """Make a game whose name is that of another, but not its lines."""
    rules = parse_game("3,3,3")
    lines = tuple(line for line in rules.lines if line.mask not in {0b100_010_001, 0b001_010_100})
    return replace(rules, x_lines=lines, o_lines=lines)


def test_games_with_the_same_name_and_different_lines_are_not_equal() -> None:
    plain, other = parse_game("3,3,3"), without_diagonals()
    assert plain.name == other.name
    assert plain != other
    assert other != plain
    assert other == without_diagonals()
    assert len({plain, other, parse_game("3,3,3"), without_diagonals()}) == 2
    assert Position.start(plain) != Position.start(other)
    assert pickle.loads(pickle.dumps(other)) == other
    assert pickle.loads(pickle.dumps(plain)) is plain


def test_caches_follow_the_lines() -> None:
    plain, other = parse_game("3,3,3"), without_diagonals()
    diagonal = "X.O/.XO/..X"
    assert Position.parse(plain, diagonal).outcome == "X"
    assert Position.parse(other, diagonal).outcome is None
    assert (plain.symmetries.order, other.symmetries.order) == (8, 72)
    assert layout_of(plain, "wdl") is not layout_of(other, "wdl")
    assert [layout_of(rules, "wdl").images.canonical(0b010)[0] for rules in (plain, other)] == [0b010, 0b001]
    counts = [[count.positions for count in count_positions(rules)] for rules in (plain, other, plain)]
    assert counts[0] == counts[2] != counts[1]
    assert sum(counts[1]) > sum(counts[0])


def test_pickled_positions_are_small_and_share_their_rules() -> None:
    position = Position.parse(parse_game("5,5,4"), "c3 b2")
    assert position.rules.symmetries.order
    pickled = pickle.dumps(position)
    again = pickle.loads(pickled)
    assert len(pickled) < 300
    assert again == position
    assert again.rules is position.rules
