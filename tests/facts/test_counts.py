"""Published counts of positions and games; data/facts names the source of each."""

import json
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import perm
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from solver.count import automaton, count_positions, shapes, walking
from solver.count.records import GameCount, PlyCount
from solver.count.walking import count_games
from solver.game.games import parse_game
from solver.game.rules import Rules
from tests.conftest import ROOT

FACTS = ROOT / "data" / "facts"
METHODS = ["automaton", "walk"]
RESULTS = ["x_wins", "o_wins", "draws"]


def read(name: str) -> Any:
    return json.loads((FACTS / name).read_text(encoding="utf-8"))


FIGURES = read("figures.json")
OEIS = {number: sequence["terms"] for number, sequence in read("oeis_terms.json").items()}
CONNECT4 = read("connect4_boards.json")["tromp_position_counts"]
FULL_BOARDS = read("A181029_full_board_draws.json")["values"]


COUNTERS: dict[str, Callable[[Rules], Iterable[PlyCount]]] = {
    "auto": count_positions,
    "walk": walking.count_positions,
    "automaton": automaton.count_positions,
    "shapes": shapes.count_positions,
}


@cache
def positions(game: str, method: str = "auto") -> list[PlyCount]:
    return [*COUNTERS[method](parse_game(game))]


@cache
def games(game: str) -> list[GameCount]:
    return count_games(parse_game(game))


def column(counts: list[Any], name: str) -> list[int]:
    return [getattr(count, name) for count in counts]


def canonical_terminal(counts: list[PlyCount]) -> list[int]:
    return [count.canonical_x_wins + count.canonical_o_wins + count.canonical_draws for count in counts]


def slow_if(is_slow: bool, *values: int) -> ParameterSet:
    """Return the values of one run of a test, marked as slow if so."""
    return pytest.param(*values, marks=[pytest.mark.slow] if is_slow else [])


SIDES = [slow_if(n == 5, n) for n in range(1, 6)]


def boards(known: dict[str, int], largest: int) -> list[ParameterSet]:
    """The sizes "axb" of a table of facts that have up to `largest` squares; those above 20 are slow."""
    sizes = [(int(a), int(b)) for a, b in (size.split("x") for size in known)]
    return [slow_if(a * b > 20, a, b) for a, b in sizes if a * b <= largest]


def rows(terms: list[int]) -> list[list[int]]:
    """The rows n = 1, 2, ... of a table with a term for every ply of the n x n board; the last may be cut."""
    ends = list(accumulate(n * n + 1 for n in range(1, 6)))
    return [terms[start:end] for start, end in zip([0, *ends], ends, strict=False)]


@pytest.mark.parametrize("method", METHODS)
def test_positions_of_3_3_3(method: str) -> None:
    known, counts = FIGURES["3,3,3"], positions("3,3,3", method)
    assert column(counts, "positions") == known["positions"]
    assert column(counts, "canonical") == known["canonical"] == OEIS["A008907"]
    assert canonical_terminal(counts) == OEIS["A048245"]
    for result in RESULTS:
        assert sum(column(counts, result)) == known["terminal"][result]
        assert sum(column(counts, f"canonical_{result}")) == known["canonical_terminal"][result]
    assert sum(column(counts, "positions")) == 5478
    assert sum(column(counts, "canonical")) == 765
    assert sum(column(counts, "terminal")) == 958
    assert sum(canonical_terminal(counts)) == 138


def test_games_of_3_3_3() -> None:
    known, counts = FIGURES["3,3,3"], games("3,3,3")
    assert {str(count.ply): count.games for count in counts if count.games} == known["games_by_length"]
    assert [count.x_wins + count.o_wins for count in counts[1:]] == OEIS["A061221"]
    for result in RESULTS:
        assert sum(column(counts, result)) == known["games"][result]
    assert sum(column(counts, "games")) == 255168
    assert sum(column(counts, "nodes")) == known["tree_nodes"]


def test_random_play_of_3_3_3() -> None:
    """Every order of the first p moves is equally likely, so that a game of length p has weight 1 / (9)_p."""
    for result, chance in FIGURES["3,3,3"]["random_play"].items():
        found = sum(Fraction(getattr(count, result), perm(9, count.ply)) for count in games("3,3,3"))
        assert found == Fraction(chance)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_4_4_4(method: str) -> None:
    known = FIGURES["4,4,4"]
    assert column(positions("4,4,4", method), "canonical") == known["canonical"]
    assert sum(column(positions("4,4,4", method), "canonical")) == 1217977
    assert sum(column(games("4,4,4"), "games")) == known["games"]


@pytest.mark.parametrize("n", [slow_if(n == 4, n) for n in range(1, 5)])
def test_games_of_n_n_n(n: int) -> None:
    counts = games(f"{n},{n},{n}")
    names = {"A061526": "games", "A061527": "x_wins", "A061528": "o_wins", "A061529": "draws"}
    for number, name in names.items():
        assert sum(column(counts, name)) == OEIS[number][n - 1], number


@pytest.mark.parametrize("n", SIDES)
def test_canonical_positions_of_n_n_n(n: int) -> None:
    counts = positions(f"{n},{n},{n}")
    for number, found in {"A317575": column(counts, "canonical"), "A317576": canonical_terminal(counts)}.items():
        row = rows(OEIS[number])[n - 1]
        assert row
        assert found[: len(row)] == row, number
        assert len(row) == n * n + 1 or n == 5


def test_colourings_without_any_line() -> None:
    """A048246: play that goes on after a win is play where no line fits."""
    assert column(positions("3,3,4"), "canonical") == OEIS["A048246"]


@pytest.mark.parametrize(("m", "n"), boards(FULL_BOARDS, 25))
def test_drawn_full_boards(m: int, n: int) -> None:
    assert positions(f"{m},{n},{min(m, n)}")[-1].draws == FULL_BOARDS[f"{m}x{n}"]


def test_no_drawn_full_board_on_the_torus() -> None:
    assert sum(column(positions("3,3,3,torus"), "draws")) == 0 < FULL_BOARDS["3x3"]


@pytest.mark.parametrize(
    ("width", "height"),
    [*boards(CONNECT4, 25), *(slow_if(True, *size) for size in ((4, 7), (4, 8), (5, 6), (6, 5), (7, 4)))],
)
def test_positions_of_connect_4(width: int, height: int) -> None:
    for method in ("auto", "walk") if width * height <= 18 else ("auto",):
        counts = positions(f"{height},{width},4,gravity", method)
        assert sum(column(counts, "positions")) == CONNECT4[f"{width}x{height}"]


@pytest.mark.slow
def test_5_5_4_gravity_by_walking() -> None:
    assert positions("5,5,4,gravity", "walk") == positions("5,5,4,gravity", "shapes")


@pytest.mark.parametrize("height", range(1, 5))
def test_games_of_connect_4(height: int) -> None:
    counts = games(f"{height},{height + 1},4,gravity")
    assert sum(column(counts, "games")) == OEIS["A342329"][height - 1]
