"""Sets and positions counted by automata, against all sets of small boards and known numbers of large ones."""

import pytest

from solver.count import automaton, count_positions, profile
from solver.count.counts import boards
from solver.count.pages import count_pages, positions
from solver.count.profile import lineless_sets, weigh_intersections
from solver.errors import RulesError
from solver.game.games import parse_game
from solver.game.lines import completed
from solver.game.symmetry import cycle_masks, transform

SETS = ["1,1,1", "1,6,3", "2,2,3", "3,3,3", "3,3,2,exact", "2,5,2,full", "3,4,3,torus", "4,3,3", "3,3,3,exact,torus"]


@pytest.mark.sampled
@pytest.mark.parametrize("game", SETS)
def test_sets_without_a_line_match_all_sets(game: str) -> None:
    rules = parse_game(game)
    lineless = [stones for stones in range(1 << rules.squares) if not completed(rules.lines, stones)]
    for symmetry in rules.symmetries:
        fixed = [stones.bit_count() for stones in lineless if transform(stones, symmetry) == stones]
        expected = [fixed.count(size) for size in range(rules.squares // 2 + 1)]
        assert lineless_sets(rules, cycle_masks(symmetry)) == expected


@pytest.mark.parametrize("game", ["3,3,3", "4,4,4", "2,5,2,full", "3,5,3,torus"])
def test_weights_add_up_in_all_that_lines_have_in_common(game: str) -> None:
    rules = parse_game(game)
    weights = weigh_intersections(rules.lines, int.bit_count)
    pairs = {one.mask & other.mask for one in rules.lines for other in rules.lines} - {0}
    for common in pairs:
        assert sum(weight for mark, weight in weights.items() if mark & common == mark) == common.bit_count()


PAGES = {"5,5,4": 1_153_409, "3,9,4": 1_191_660, "3,9,3": 1_246_924, "4,7,4": 17_112_411, "6,6,5": 3_396_669_034}


@pytest.mark.parametrize("game", PAGES)
def test_pages_of_large_boards(game: str) -> None:
    counts = count_pages(parse_game(game))
    assert counts.exact
    assert sum(counts.solved) == PAGES[game]


@pytest.mark.parametrize("game", ["9,9,5", "4,7,2,exact"])
def test_pages_that_are_bounds_say_so(game: str) -> None:
    assert not count_pages(parse_game(game)).exact


@pytest.mark.parametrize("game", ["4,7,2,exact", "3,9,3,exact,torus", "3,9,3,torus", "hex,5"])
def test_a_forecast_does_not_wait_for_sums_over_sets(game: str) -> None:
    rules = parse_game(game)
    assert positions(rules) == (boards(rules), False)


def test_too_many_states_are_a_bound_of_the_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton, "MOST_WORDS", 20_000)
    counts = count_pages(parse_game("6,6,4,misere"))
    assert not counts.exact
    assert sum(counts.solved) > 1_241_159_671


def test_too_many_positions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile, "MOST_BYTES", 10**6)
    with pytest.raises(RulesError, match="too many to be counted"):
        count_positions(parse_game("4,7,4,misere"))


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("game", "positions"), [("3,9,4", 1_260_222_888_442), ("3,9,3", 378_633_501_323), ("4,7,4", 3_340_492_143_849)]
)
def test_positions_of_large_boards(game: str, positions: int) -> None:
    assert sum(count.positions for count in count_positions(parse_game(game))) == positions
