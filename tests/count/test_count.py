"""The counts of every method against a slow oracle, and against each other where the oracle is too slow."""

from collections.abc import Callable
from dataclasses import astuple

import numpy as np
import pytest

from solver.count import automaton, count_positions, set_classes, shapes, walking
from solver.count.automaton import all_can_be_placed
from solver.count.records import PlyCount
from solver.count.shapes import takes_long
from solver.count.walking import count_games, walk
from solver.errors import RulesError
from solver.game.base3 import encode
from solver.game.games import parse_game
from solver.game.rules import Rules
from tests import oracle
from tests.small_games import slow_games
from tests.uncompiled import assert_pass_uncompiled

TINY = [
    "1,1,1", "1,1,2", "1,2,1", "1,6,3", "1,7,2,exact", "1,6,3,torus", "6,1,3,gravity", "1,6,2,gravity",
    "2,2,2", "2,2,5", "2,3,2,misere", "2,3,3", "2,4,3,torus", "2,4,2,full", "4,2,2,full,gravity",
    "3,2,2,gravity", "2,4,3,gravity,torus", "2,4,2,exact", "2,4,3,exact,torus",
    "2,4,2,exact,gravity,misere", "3,3,1", "3,3,2,exact", "3,3,2,exact,misere,torus", "3,3,3",
    "3,3,3,full", "3,3,3,misere", "3,3,3,torus", "3,3,3,gravity", "3,3,3,gravity,torus",
    "3,3,2,gravity,misere", "3,3,4",
]  # fmt: skip
SMALL = [
    "1,12,3", "1,12,3,exact,torus", "2,6,3", "2,6,4,torus", "2,6,2,exact,misere", "3,4,2", "3,4,3,misere",
    "3,4,3,full", "3,4,4,torus", "3,4,5", "4,3,3,exact", "3,4,3,exact,torus", "2,7,3,torus",
    "3,4,3,gravity", "4,3,3,gravity,torus", "3,4,3,exact,gravity,misere", "3,5,3,full,gravity",
    "6,2,3,gravity", "2,7,4,gravity,torus", "4,4,4,gravity", "4,4,3,exact,gravity,torus",
    "3,5,2,exact,gravity", "4,4,9,gravity",
]  # fmt: skip
LARGER = [
    "3,5,3", "3,5,4,exact", "5,3,3,full,misere", "4,4,3,exact,torus", "4,4,4,torus", "4,5,4,gravity",
    "5,4,3,exact,gravity",
]  # fmt: skip
SLOW = slow_games(*LARGER)


def count_without_walking(rules: Rules) -> list[PlyCount]:
    """Count by shapes or with automata, or by the default method if neither is possible."""
    if not rules.has_supports and not all_can_be_placed(rules):
        return count_positions(rules)
    return [*(shapes if rules.has_supports else automaton).count_positions(rules)]


def hash_of(board: str) -> int:
    return encode(*(sum(1 << s for s, cell in enumerate(board) if cell == mark) for mark in "XO"))


def canonical(rules: Rules, board: str) -> str:
    """The least of a board's images, as a string."""
    images = []
    for symmetry in rules.board_symmetries.elements:
        image = [""] * len(board)
        for square, cell in enumerate(board):
            image[symmetry[square]] = cell
        images.append("".join(image))
    return min(images)


def expected_positions(rules: Rules) -> list[tuple[int, ...]]:
    counts = []
    for ply, boards in enumerate(oracle.levels(rules)):
        classes = {canonical(rules, board) for board in boards}
        count = [ply]
        for chosen in (boards, classes):
            outcomes = [oracle.outcome(rules, board) for board in chosen]
            count += [len(chosen), *(outcomes.count(result) for result in ("X", "O", "draw"))]
        counts.append(tuple(count))
    return counts


@pytest.mark.sampled
@pytest.mark.parametrize("game", TINY)
def test_positions_match_the_oracle(game: str) -> None:
    rules = parse_game(game)
    expected = expected_positions(rules)
    methods = [count_positions, walking.count_positions, count_without_walking]
    if set_classes.is_supported(rules):
        methods.append(set_classes.count_positions)
    for method in methods:
        assert [astuple(count) for count in method(rules)] == expected, method


@pytest.mark.sampled
@pytest.mark.parametrize("game", TINY)
def test_walk_visits_the_boards_of_the_oracle(game: str) -> None:
    rules = parse_game(game)
    levels = list(walk(rules))
    assert [level.tolist() for level in levels] == [
        sorted(hash_of(board) for board in boards) for boards in oracle.levels(rules)
    ]
    assert {level.dtype for level in levels} == {np.dtype(np.int64)}


@pytest.mark.parametrize("game", TINY)
def test_a_walk_may_begin_late_and_keep_one_position_of_each_class(game: str) -> None:
    rules = parse_game(game)
    plies = [level.hashes for level in walking.sweep(rules)]
    for ply, level in enumerate(walking.sweep(rules, canonical=True)):
        assert np.array_equal(level.hashes, plies[ply][walking.mark_canonical(rules, plies[ply])])
    for ply in range(1, rules.plies + 1):
        if walking.count_placements(rules, ply) is not None:
            assert np.array_equal(next(walking.sweep(rules, ply)).hashes, plies[ply])


@pytest.mark.sampled
@pytest.mark.parametrize("game", TINY)
def test_games_match_the_oracle(game: str) -> None:
    rules = parse_game(game)
    assert {
        (count.ply, result): games
        for count in count_games(rules)
        for result, games in (("X", count.x_wins), ("O", count.o_wins), ("draw", count.draws))
        if games
    } == oracle.games(rules)


@pytest.mark.sampled
@pytest.mark.parametrize("game", [*SMALL, *SLOW])
def test_methods_agree_on_positions(game: str) -> None:
    rules = parse_game(game)
    counts = count_without_walking(rules)
    assert [*walking.count_positions(rules)] == counts
    if set_classes.is_supported(rules):
        assert set_classes.count_positions(rules) == counts


@pytest.mark.sampled
@pytest.mark.parametrize(
    "game", ["hex,4", "graph,6,g17", "graph,6,s4,maker", "sim", "graph,6,p5,plies=9", "affine,4", "4,5,4,torus"]
)
def test_positions_of_many_lines_or_symmetries_are_counted_alike_by_two_methods(game: str) -> None:
    rules = parse_game(game)
    assert set_classes.count_positions(rules) == [*automaton.count_positions(rules)] == count_positions(rules)


@pytest.mark.parametrize(
    ("game", "method", "reason"),
    [
        ("7,7,4", count_positions, "49 squares; positions are counted on boards of up to 40"),
        ("4,8,2,exact", count_positions, "can't have been placed one by one"),
        ("6,7,4,gravity", count_positions, "42 squares"),
        ("5,6,4,gravity", walking.count_positions, "million positions"),
        ("5,5,4", walking.count_positions, "million positions"),
        ("5,8,2,plies=3", count_games, "40 squares, and positions of up to 39"),
        ("8,8,5,plies=3", count_games, "64 squares"),
        ("5,8,4,exact,plies=3", count_positions, "too many positions"),
        ("8,8,4,plies=2", count_positions, "64 squares"),
        ("100,1,2,exact,plies=2", count_positions, "100 squares"),
        ("3,3,3", lambda rules: count_positions(rules, 3), "can't be counted alone"),
        ("3,3,3,gravity", lambda rules: count_positions(rules, -1), "can't be counted alone"),
    ],
)
def test_refusals_say_why(game: str, method: Callable[[Rules], object], reason: str) -> None:
    with pytest.raises(RulesError, match=reason):
        method(parse_game(game))


@pytest.mark.parametrize("count", [walk, count_games])
@pytest.mark.parametrize("game", ["40,1,4,gravity", "4,5,4", "3,8,4,gravity"])
def test_a_walk_of_a_large_board_is_refused_at_once(count: Callable[[Rules], object], game: str) -> None:
    with pytest.raises(RulesError, match="visited one by one"):
        count(parse_game(game))


def test_long_counts_are_detected() -> None:
    games = {"4,7,4,gravity": False, "4,8,4,gravity": True, "2,18,3,gravity": True}
    assert {game: takes_long(parse_game(game)) for game in games} == games


@pytest.mark.slow
def test_the_kernels_run_without_the_compiler() -> None:
    tests = (test_positions_match_the_oracle, test_games_match_the_oracle)
    games = ("3,3,3", "2,4,2,exact,gravity,misere")
    assert_pass_uncompiled(__file__, *(f"{test.__name__}[{game}]" for test in tests for game in games))
