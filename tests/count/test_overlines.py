"""Sets of stones where a longer row does not count: read by automata, and looked at one by one."""

from collections import Counter

import numpy as np
import pytest

from solver.count import count_positions, overlines
from solver.count.automaton import MOST_WORDS, Reader, merge_alike, reading_order
from solver.count.overlines import BARE, LIVE, OVER, all_can_be_built, read_sets
from solver.count.pages import count_pages, positions
from solver.count.subsets import mark_buildable
from solver.errors import RulesError
from solver.game.games import parse_game
from solver.game.json_file import from_json
from solver.game.lines import Line, completed, squares_of
from solver.game.rules import Rules
from solver.game.symmetry import cycle_masks, transform
from solver.solve.placement import list_keys
from solver.support.threads import ThreadPool
from tests.small_games import slow_games

SETS = [
    "1,1,1", "1,7,2,exact", "1,6,3,exact,torus", "2,5,2,exact", "3,3,2,exact", "3,4,2,exact", "3,4,3,exact,torus",
    "4,3,3,exact", "1,9,3,exact", "3,3,3,exact,torus", "3,3,3",
]  # fmt: skip
ODD = {
    "squares": 8,
    "x_lines": [
        {"squares": ["1", "2", "3"], "without": ["4", "8"]},
        ["5", "6", "7"],
        {"squares": ["8"], "without": ["1"]},
    ],
    "o_lines": [{"squares": ["2", "3"], "without": ["1", "5"]}, {"squares": ["3", "6"], "without": ["2"]}],
}


def rules_of(game: str) -> Rules:
    return from_json(ODD) if game == "odd" else parse_game(game)


def outcome_of(lines: tuple[Line, ...], stones: int) -> int | None:
    """Say what a set is, by taking each stone away in turn."""
    candidate = any(not completed(lines, stones ^ 1 << square) for square in squares_of(stones))
    lined = bool(completed(lines, stones))
    if lined and not candidate:
        return None
    return OVER if lined else LIVE if candidate else BARE


def read(reader: Reader, outcomes: list[int], order: list[int], stones: int) -> int | None:
    """Follow the automaton; None where it stops."""
    state = 0
    for cycle, step in zip(order, reader.steps, strict=True):
        edge = np.flatnonzero((step.sources == state) & (step.takes == int(stones & cycle == cycle)))
        if not edge.size:
            return None
        assert step.weights[edge].tolist() == [1]
        state = int(step.targets[edge[0]])
    return outcomes[state]


@pytest.mark.sampled
@pytest.mark.parametrize("game", [*SETS, "odd"])
def test_automata_know_what_each_set_is(game: str) -> None:
    rules = rules_of(game)
    for lines in rules.sides:
        known = {stones: outcome_of(lines, stones) for stones in range(1 << rules.squares)}
        for symmetry in rules.symmetries[:8]:
            cycles = cycle_masks(symmetry)
            order = reading_order(rules, cycles)
            reader, outcomes = read_sets(rules, lines, cycles)
            merged = merge_alike(reader, [{LIVE: 0, OVER: 1, BARE: 0}[outcome] for outcome in outcomes])
            assert all(new.states <= old.states for new, old in zip(merged.steps[:-1], reader.steps, strict=False))
            for stones, outcome in known.items():
                if transform(stones, symmetry) == stones:
                    assert read(reader, outcomes, order, stones) == outcome
                    expected = None if outcome is None else int(outcome == OVER)
                    assert read(merged, [0, 1], order, stones) == expected


BUILT = {
    "1,12,3,exact": True,
    "2,6,2,exact": True,
    "3,4,2,exact": True,
    "4,5,2,exact": False,
    "4,4,2,exact,plies=5": True,
    "4,4,3,exact": True,
    "4,5,3,exact": True,
    "3,5,3,exact,torus": True,
}


@pytest.mark.sampled
@pytest.mark.parametrize(("game", "built"), BUILT.items())
def test_it_is_known_whether_all_sets_without_a_line_can_be_built(game: str, built: bool) -> None:
    rules = parse_game(game)
    assert all_can_be_built(rules) == overlines.is_quick(rules) == built
    most = (rules.plies + 1) // 2
    marks = mark_buildable(rules, rules.x_lines)
    sets = np.arange(len(marks))
    lined = np.zeros(len(marks), np.bool_)
    for mask, guard in rules.x_lines:
        lined |= (sets & mask == mask) & (sets & guard == 0)
    of_interest = ~lined & (np.bitwise_count(sets) <= most)
    assert bool((marks[of_interest] == 1).all()) == built


@pytest.mark.parametrize(
    "game", ["3,4,2,exact", "3,5,3,exact", "4,4,2,exact,plies=5", "4,4,3,exact", *slow_games("5,5,3,exact")]
)
def test_the_keys_of_every_level_are_those_of_the_sets_that_can_be_built(game: str) -> None:
    rules = parse_game(game)
    marks = mark_buildable(rules, rules.x_lines)
    built = np.flatnonzero(marks == 1)
    least = built.copy()
    for symmetry in rules.symmetries:
        images = sum((built >> square & 1) << image for square, image in enumerate(symmetry))
        least = np.minimum(least, images)
    sizes = Counter(least.tolist())
    with ThreadPool(1) as pool:
        levels = list_keys(rules, pool)
    for stones, level in enumerate(levels):
        expected = sorted(key for key in sizes if key.bit_count() == stones)
        assert sorted(level.keys.tolist()) == expected
        assert {key: int(size) for key, size in zip(level.keys.tolist(), level.sizes, strict=True)} == {
            key: sizes[key] for key in expected
        }
    assert list(count_pages(rules).solved) == [level.keys.size for level in levels]


@pytest.mark.parametrize(
    "game", ["odd", "3,5,3,exact,maker", "4,4,3,exact,x=b2", "4,4,2,exact,plies=5", *slow_games("5,5,3,exact")]
)
def test_positions_are_those_of_all_pairs_of_sets(game: str) -> None:
    rules = rules_of(game)
    assert count_positions(rules, "overlines") == count_positions(rules, "subsets")


LARGE = {
    # As many as the solver met, see data/solved.
    "2,13,3,exact": (315_313_887_829, 2_382_360),
    "3,9,4,exact": (1_289_857_422_517, 1_353_399),
}


@pytest.mark.parametrize("game", LARGE)
def test_boards_of_more_than_25_squares(game: str) -> None:
    rules = parse_game(game)
    found, pages = LARGE[game]
    assert sum(count.positions for count in count_positions(rules)) == found
    assert positions(rules) == (found, True)
    counts = count_pages(rules)
    assert counts.exact
    assert sum(counts.solved) == pages


@pytest.mark.slow
def test_all_pairs_of_sets_of_26_squares() -> None:
    rules = parse_game("2,13,3,exact")
    assert count_positions(rules, "overlines") == count_positions(rules, "subsets")


def test_pages_of_36_squares_are_those_that_are_listed() -> None:
    rules = parse_game("6,6,3,exact,plies=6")
    counts = count_pages(rules)
    with ThreadPool(2) as pool:
        assert list(counts.solved) == [level.keys.size for level in list_keys(rules, pool)]


@pytest.mark.sampled
@pytest.mark.parametrize("shape", ["2,18", "3,12", "4,9", *slow_games("5,7", "6,6")])
def test_all_sets_of_rectangles_can_be_built(shape: str) -> None:
    for k in range(3, max(map(int, shape.split(",")))):
        rules = parse_game(f"{shape},{k},exact")
        assert rules.exact
        assert all_can_be_built(rules, MOST_WORDS)


def test_sets_that_nobody_can_build_are_told_where_they_are_too_many() -> None:
    assert not overlines.is_quick(parse_game("4,8,2,exact"))
    with pytest.raises(RulesError, match="some stones without a line can't have been placed one by one"):
        count_positions(parse_game("4,8,2,exact"))


def test_too_many_states_are_refused() -> None:
    with pytest.raises(RulesError, match="too many sets"):
        all_can_be_built(parse_game("4,7,3,exact"), 10_000)
