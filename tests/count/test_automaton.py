"""Sets and positions counted by automata, against all sets of small boards and known numbers of large ones."""

import numpy as np
import numpy.typing as npt
import pytest

from solver.count import automaton, count_or_bound_positions, count_pages, count_positions
from solver.count.automaton import BARE, LIVE, OVER, Automaton, all_can_be_placed, lineless_sets, read_sets
from solver.count.records import boards
from solver.errors import RulesError
from solver.game.games import parse_game
from solver.game.json_file import from_json
from solver.game.lines import Line, completed, squares_of
from solver.game.rules import Rules
from solver.game.symmetry import cycle_masks, transform
from solver.solve.placement_solver import list_keys
from solver.support.threads import ThreadPool
from tests.small_games import slow_games

SETS = [
    "1,1,1", "1,7,2,exact", "1,6,3,exact,torus", "2,5,2,exact", "3,3,2,exact", "3,4,2,exact", "3,4,3,exact,torus",
    "4,3,3,exact", "1,9,3,exact", "3,3,3,exact,torus", "3,3,3", "2,5,2,full", "3,4,3,torus",
]  # fmt: skip
ODD = {
    "squares": 8,
    "x_lines": [
        {"squares": ["1", "2", "3"], "without": ["4", "8"]}, ["5", "6", "7"], {"squares": ["8"], "without": ["1"]},
    ],
    "o_lines": [{"squares": ["2", "3"], "without": ["1", "5"]}, {"squares": ["3", "6"], "without": ["2"]}],
}  # fmt: skip


def rules_of(game: str) -> Rules:
    return from_json(ODD) if game == "odd" else parse_game(game)


def outcome_of(lines: tuple[Line, ...], stones: int) -> int | None:
    """Find the outcome of a set by removing each stone in turn."""
    candidate = any(not completed(lines, stones ^ 1 << square) for square in squares_of(stones))
    lined = bool(completed(lines, stones))
    if lined and not candidate:
        return None
    return OVER if lined else LIVE if candidate else BARE


def read(sets: Automaton, order: list[int], stones: int) -> int | None:
    """Follow the automaton; None if it refuses the set."""
    state = 0
    for cycle, step in zip(order, sets.steps, strict=True):
        state = int(step[state, int(stones & cycle == cycle)])
        if state < 0:
            return None
    return sets.outcomes[state]


@pytest.mark.sampled
@pytest.mark.parametrize("game", [*SETS, "odd"])
def test_automata_know_each_set(game: str) -> None:
    rules = rules_of(game)
    for lines in rules.sides:
        known = {stones: outcome_of(lines, stones) for stones in range(1 << rules.squares)}
        for symmetry in rules.symmetries.elements[:8]:
            cycles = cycle_masks(symmetry)
            order = automaton._reading_order(rules, cycles)
            sets = read_sets(rules, lines, cycles)
            merged = sets.merged({LIVE: 0, OVER: 1, BARE: 0})
            assert all(len(new) <= len(old) for new, old in zip(merged.steps, sets.steps, strict=True))
            for stones, outcome in known.items():
                if transform(stones, symmetry) == stones:
                    assert read(sets, order, stones) == outcome
                    assert read(merged, order, stones) == (None if outcome is None else int(outcome == OVER))


@pytest.mark.sampled
@pytest.mark.parametrize("game", SETS)
def test_sets_without_a_line_match_all_sets(game: str) -> None:
    rules = parse_game(game)
    lineless = [stones for stones in range(1 << rules.squares) if not completed(rules.x_lines, stones)]
    for symmetry in rules.symmetries.elements:
        fixed = [stones.bit_count() for stones in lineless if transform(stones, symmetry) == stones]
        expected = [fixed.count(size) for size in range(rules.squares // 2 + 1)]
        assert lineless_sets(rules, cycle_masks(symmetry)) == expected


def lineless_and_placed(rules: Rules) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Mark the sets without a line of X, and those of them that can be placed one by one without one."""
    sets = np.arange(1 << rules.squares)
    lineless = np.ones(len(sets), np.bool_)
    for mask, guard in rules.x_lines:
        lineless &= ~((sets & mask == mask) & (sets & guard == 0))
    placed, before = sets == 0, 0
    while placed.sum() > before:
        before = placed.sum()
        for square in range(rules.squares):
            placed |= lineless & (sets >> square & 1 > 0) & placed[sets & ~(1 << square)]
    return lineless, placed


BUILT = {
    "1,12,3,exact": True, "2,6,2,exact": True, "3,4,2,exact": True, "4,4,2,exact": False,
    "4,4,2,exact,plies=5": True, "4,4,3,exact": True, "3,5,3,exact,torus": True,
}  # fmt: skip


@pytest.mark.parametrize(("game", "built"), BUILT.items())
def test_sets_that_cannot_be_placed_are_detected(game: str, built: bool) -> None:
    rules = parse_game(game)
    lineless, placed = lineless_and_placed(rules)
    small = np.bitwise_count(np.arange(len(placed))) <= (rules.plies + 1) // 2
    assert bool((lineless & small <= placed).all()) == all_can_be_placed(rules) == built


@pytest.mark.parametrize("game", ["3,4,2,exact", "3,5,3,exact", "4,4,3,exact", "4,4,3", *slow_games("affine,4")])
def test_page_counts_match_the_listed_pages(game: str) -> None:
    rules = parse_game(game)
    _, placed = lineless_and_placed(rules)
    sets = np.flatnonzero(placed)
    least = sets.copy()
    for symmetry in rules.symmetries.elements:
        least = np.minimum(least, sum((sets >> square & 1) << image for square, image in enumerate(symmetry)))
    keys, sizes = np.unique(least, return_counts=True)
    with ThreadPool(1) as pool:
        levels = list_keys(rules, pool)
    expected = dict(zip(keys.tolist(), sizes.tolist(), strict=True))
    for stones, level in enumerate(levels):
        found = dict(zip(level.keys.tolist(), level.sizes.tolist(), strict=True))
        assert found == {key: size for key, size in expected.items() if key.bit_count() == stones}
    assert list(count_pages(rules).solved) == [level.keys.size for level in levels]


@pytest.mark.slow
def test_page_counts_of_36_squares_match_the_listed_pages() -> None:
    rules = parse_game("6,6,3,exact,plies=6")
    with ThreadPool(2) as pool:
        assert list(count_pages(rules).solved) == [level.keys.size for level in list_keys(rules, pool)]


PAGES = {
    "5,5,4": 1_153_409, "3,9,4": 1_191_660, "3,9,3": 1_246_924, "4,7,4": 17_112_411, "6,6,5": 3_396_669_034,
    "2,13,3,exact": 2_382_360, "3,9,4,exact": 1_353_399,
}  # fmt: skip
POSITIONS = {
    "3,9,4": 1_260_222_888_442, "3,9,3": 378_633_501_323, "4,7,4": 3_340_492_143_849,
    "2,13,3,exact": 315_313_887_829, "3,9,4,exact": 1_289_857_422_517,
}  # fmt: skip


@pytest.mark.parametrize(("game", "pages"), PAGES.items())
def test_pages_of_large_boards(game: str, pages: int) -> None:
    counts = count_pages(parse_game(game))
    assert (sum(counts.solved), counts.exact) == (pages, True)


@pytest.mark.sampled
@pytest.mark.parametrize(("game", "positions"), POSITIONS.items())
def test_positions_of_large_boards(game: str, positions: int) -> None:
    rules = parse_game(game)
    assert sum(count.positions for count in count_positions(rules)) == positions
    assert count_or_bound_positions(rules) == (positions, True)


@pytest.mark.parametrize("game", ["4,7,2,exact", *slow_games("3,9,3,torus", "3,9,3,exact,torus")])
def test_a_forecast_gets_a_bound_instead_of_a_long_count(game: str) -> None:
    rules = parse_game(game)
    assert count_or_bound_positions(rules) == (boards(rules), False)
    assert not count_pages(parse_game("4,7,2,exact")).exact
    assert not count_pages(parse_game("9,9,5")).exact


def test_too_many_states_or_positions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RulesError, match="too many positions"):
        automaton.count_positions(parse_game("4,7,4,misere"), 10**6)
    with pytest.raises(RulesError, match="too many sets"):
        all_can_be_placed(parse_game("4,7,3,exact"), 10**6)
    monkeypatch.setattr(automaton.read_sets, "__defaults__", (20_000,))
    counts = count_pages(parse_game("6,6,4,misere"))
    assert not counts.exact
    assert sum(counts.solved) > 1_241_159_671


@pytest.mark.sampled
@pytest.mark.parametrize("shape", ["2,18", "3,12", "4,9", *slow_games("5,7", "6,6")])
def test_all_sets_of_rectangles_can_be_placed(shape: str) -> None:
    for k in range(3, max(map(int, shape.split(",")))):
        assert all_can_be_placed(parse_game(f"{shape},{k},exact"))
