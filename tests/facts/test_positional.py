"""Games of any lines against published results: data/facts/positional.json names the sources."""

from __future__ import annotations

import json
from functools import cache
from itertools import combinations, islice
from typing import Any

import pytest

from solver.count import automaton, count_positions, walking
from solver.game.games import ALIASES, MAKERS, parse_game
from solver.game.lines import squares_of
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.value import Value
from solver.search.truth import open_tablebase
from solver.store.schema import Metric
from tests import oracle
from tests.commands import TableFile
from tests.conftest import ROOT
from tests.small_games import SMALL_GAMES

FACTS: dict[str, Any] = json.loads((ROOT / "data" / "facts" / "positional.json").read_text(encoding="utf-8"))
WDL = {"X": 1, "draw": 0, "O": -1}


def sized(games: list[str], quick: int) -> list[Any]:
    """Return parameters; those of more than some squares are marked as slow."""
    return [pytest.param(game, marks=pytest.mark.slow) if parse_game(game).squares > quick else game for game in games]


def root(table_file: TableFile, game: str, metric: Metric) -> Value:
    with open_tablebase(table_file(game, metric)) as table:
        return table.probe(Position.start(parse_game(game)))


@pytest.mark.sampled
@pytest.mark.parametrize("game", sized(list(FACTS["winners"]), 16))
def test_who_wins(table_file: TableFile, game: str) -> None:
    winner, source = FACTS["winners"][game]
    assert source in FACTS["sources"]
    assert root(table_file, game, "wdl").wdl == WDL[winner]


@pytest.mark.parametrize(
    ("game", "positions"), [("sim", 2_230_702), pytest.param("affine,5", 154_489_113_826, marks=pytest.mark.slow)]
)
def test_positions_are_as_many_as_were_counted_before(table_file: TableFile, game: str, positions: int) -> None:
    assert sum(count.positions for count in count_positions(parse_game(game))) == positions
    with open_tablebase(table_file(ALIASES.get(game, game), "wdl")) as table:
        assert sum(row["positions"] or 0 for row in table.table.plies()) == positions


def test_sim_is_never_a_draw() -> None:
    counts = count_positions(parse_game("sim"))
    assert counts[-1].positions == counts[-1].x_wins + counts[-1].o_wins
    assert sum(count.draws for count in counts) == 0


def animals(most: int) -> list[tuple[str, int, int | None]]:
    """Name, side of a square board, and the moves of X's shortest win there, None for a draw; up to a side."""
    known = []
    for name, fact in FACTS["animals"].items():
        smallest, moves = fact or (most + 1, None)
        known += [(name, side, None if side < smallest else moves) for side in range(1, min(smallest, most) + 1)]
    return known


KNOBBY = pytest.param("knobby", *FACTS["animals"]["knobby"], marks=pytest.mark.slow)


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "side", "moves"), [*animals(4), KNOBBY])
def test_animals(table_file: TableFile, name: str, side: int, moves: int | None) -> None:
    expected = Value(1, 2 * moves - 1) if moves else Value(0, side * side)
    assert root(table_file, f"animal,{name},{side},{side}", "distance") == expected


@pytest.mark.slow
@pytest.mark.parametrize(("name", "wdl"), [("knobby", 1), ("tippy", 1), ("skinny", 0), ("fatty", 0)])
def test_animals_on_five_by_five(table_file: TableFile, name: str, wdl: int) -> None:
    assert root(table_file, f"animal,{name},5,5", "wdl").wdl == wdl


def openings(table_file: TableFile, game: str) -> set[str]:
    """The first moves that win."""
    rules = parse_game(game)
    with open_tablebase(table_file(game)) as table:
        return {square_name(rules, square) for square, value in table.moves(Position.start(rules)) if value.wdl == 1}


@pytest.mark.slow
def test_only_the_centre_of_the_cube_wins(table_file: TableFile) -> None:
    rules = parse_game("3x3x3,3")
    with open_tablebase(table_file(rules.name, "wdl")) as table:
        values = {square_name(rules, square): value.wdl for square, value in table.moves(Position.start(rules))}
    assert values.pop("2b2") == 1
    assert set(values.values()) == {-1}


@pytest.mark.parametrize("game", ["hex,1", "hex,2", "hex,3", "hex,4"])
def test_openings_of_hex(table_file: TableFile, game: str) -> None:
    """The first player wins (Nash); the map of openings is symmetric under a half-turn of the board."""
    rules = parse_game(game)
    found, names = openings(table_file, game), rules.diagram.names
    assert found
    assert found == {names[rules.squares - 1 - rules.diagram.numbers[name]] for name in found}
    assert found >= set(FACTS["hex"]["winning"].get(game, []))
    assert not found & set(FACTS["hex"]["losing"].get(game, []))


def test_every_opening_of_hex_on_three_by_three(table_file: TableFile) -> None:
    """A search that uses adjacent cells, not sets of cells, finds the same openings."""
    size = 3

    def connects(stones: frozenset[tuple[int, int]]) -> bool:
        reached = {cell for cell in stones if cell[0] == 0}
        for _ in stones:
            reached |= {
                cell
                for cell in stones
                if any((cell[0] + i, cell[1] + j) in reached for i, j in ((0, 1), (1, 0), (1, -1)))
                or any((cell[0] - i, cell[1] - j) in reached for i, j in ((0, 1), (1, 0), (1, -1)))
            }
        return any(row == size - 1 for row, _ in reached)

    cells = frozenset((row, column) for row in range(size) for column in range(size))

    @cache
    def x_wins(x: frozenset[tuple[int, int]], o: frozenset[tuple[int, int]]) -> bool:
        free = cells - x - o
        if not free:
            return connects(x)
        if len(x) == len(o):
            return any(x_wins(x | {cell}, o) for cell in free)
        return all(x_wins(x, o | {cell}) for cell in free)

    wins = {(row, column) for row, column in cells if x_wins(frozenset({(row, column)}), frozenset())}
    assert openings(table_file, "hex,3") == {f"{'abc'[column]}{row + 1}" for row, column in wins}


@pytest.mark.sampled
@pytest.mark.parametrize("game", ["cycle,prism,3", "animal,skinny,4,4", "animal,i,3,5"])
def test_a_pairing_of_squares_lets_the_second_player_draw(table_file: TableFile, game: str) -> None:
    """O answers in the other square of a pair, so that X completes no line (Hales and Jewett 1963)."""
    assert has_pairing(parse_game(game))
    assert root(table_file, game, "distance").wdl == 0
    assert root(table_file, f"{game},maker", "distance").wdl == -1


def test_five_by_five_has_a_pairing_and_four_by_four_has_none() -> None:
    assert has_pairing(parse_game("5x5,5"))
    assert not has_pairing(parse_game("4x4,4"))


def has_pairing(rules: Rules) -> bool:
    """Return whether each line can get two squares that no other line gets, by augmenting paths."""
    owner: dict[int, int] = {}

    def take(line: int, seen: set[int]) -> bool:
        for square in set(squares_of(rules.lines[line].mask)) - seen:
            seen.add(square)
            if square not in owner or take(owner[square], seen):
                owner[square] = line
                return True
        return False

    return all(take(line, set()) for line in range(len(rules.lines)) for _ in range(2))


OURS = FACTS["ours"]
Edges = frozenset[tuple[int, int]]


@pytest.mark.parametrize("game", OURS["values"])
def test_winners_without_a_published_source(table_file: TableFile, game: str) -> None:
    assert root(table_file, game, "distance").wdl == WDL[OURS["values"][game]]


@pytest.mark.parametrize("game", sized([*OURS["positions"]], 15))
def test_positions_by_ply_are_counted_alike_by_two_methods(game: str) -> None:
    for method in (walking, automaton):
        counts = method.count_positions(parse_game(ALIASES.get(game, game)))
        assert [count.positions for count in counts] == OURS["positions"][game]


@pytest.mark.sampled
@pytest.mark.parametrize(("game", "plies"), [("3,3,3,torus", 10), ("4,4,4,torus", 5), ("4,4,3,torus", 5)])
def test_positions_of_tori_are_those_of_the_slow_twin(game: str, plies: int) -> None:
    levels = islice(oracle.levels(parse_game(game)), plies)
    assert [*map(len, levels)] == OURS["positions"][game][:plies]


def test_the_torus_of_three_is_won_in_the_slow_twin() -> None:
    rules = parse_game("3,3,3,torus")

    @cache
    def x_wins(board: str) -> bool:
        result = oracle.outcome(rules, board)
        if result:
            return result == "X"
        replies = (x_wins(oracle.play(board, square)) for square in oracle.moves(rules, board))
        return any(replies) if oracle.mover(board) == "X" else all(replies)

    assert x_wins("." * 9) == (OURS["values"]["3,3,3,torus"] == "X")


@pytest.mark.parametrize(
    ("game", "points", "plies"),
    [("clique,5,3,misere", 5, 11), ("sim", 6, 5), pytest.param("sim", 6, 6, marks=pytest.mark.slow)],
)
def test_positions_on_edges_are_those_of_a_slow_twin(game: str, points: int, plies: int) -> None:
    edges = frozenset(combinations(range(points), 2))
    level: set[tuple[Edges, Edges]] = {(frozenset(), frozenset())}  # of who is to move, of who moved last
    found = []
    for _ in range(plies):
        found.append(len(level))
        level = {(last, own | {edge}) for own, last in level if not has_triangle(last) for edge in edges - own - last}
    assert found == OURS["positions"][game][:plies]


def test_nobody_is_forced_into_a_triangle_on_five_points() -> None:
    edges = frozenset(combinations(range(5), 2))

    @cache
    def value(own: Edges, last: Edges) -> int:
        """Return the value of the position for the side to move."""
        if has_triangle(last):
            return 1
        return max((-value(last, own | {edge}) for edge in edges - own - last), default=0)

    assert value(frozenset(), frozenset()) == WDL[OURS["values"]["clique,5,3,misere"]]


def has_triangle(edges: Edges) -> bool:
    return any((a, b) in edges and (b, c) in edges and (a, c) in edges for a, b, c in combinations(range(6), 3))


STOLEN = [
    rules.name
    for rules in map(parse_game, [*SMALL_GAMES, *(game for maker in MAKERS for game in maker.examples)])
    if rules.squares <= 12 and rules.is_even and rules.unfinished is None and rules.plies == rules.squares
    if not (rules.misere or rules.exact or rules.has_supports or "=" in rules.name)
]


@pytest.mark.sampled
@pytest.mark.parametrize("game", dict.fromkeys(STOLEN))
def test_the_first_player_never_loses_an_even_game(table_file: TableFile, game: str) -> None:
    """X steals a strategy of O: an extra stone never harms (Nash; Hales and Jewett 1963)."""
    assert root(table_file, game, "distance").wdl >= 0
