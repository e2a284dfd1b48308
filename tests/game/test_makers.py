"""Makers: every game by its name, and invalid names."""

import pickle
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import solver.game.games as registry
from solver.count import count_positions
from solver.drawing.diagram import grid
from solver.errors import RulesError
from solver.game.descriptions import describe_rules
from solver.game.game_files import read_rules, write_rules
from solver.game.games import ALIASES, ENTRY_POINTS, MAKERS, makers, parse_game
from solver.game.lines import Line, squares_of
from solver.game.makers.maker import Maker
from solver.game.notation import read
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.symmetry import preserves, symmetry_group
from tests.graph_atlas import read_graphs
from tests.small_games import slow_games
from tests.texts import refused

EXAMPLES = [example for maker in MAKERS for example in maker.examples]

LINES = {  # squares, X's lines, O's lines
    "3x3x3,3": (27, 49, 49), "4x4x4,4": (64, 76, 76), "2x2x2x2,2": (16, 120, 120), "4x4w,4": (16, 16, 16),
    "affine,4": (16, 20, 20), "affine,5": (25, 30, 30), "animal,domino,3,4": (12, 17, 17),
    "animal,elly,4,4": (16, 48, 48), "animal,fatty,4,4": (16, 9, 9), "animal,snaky,5,6": (30, 52, 52),
    "clique,5,3": (10, 10, 10), "clique,6,4": (15, 15, 15), "clique,12,3": (66, 220, 220), "cycle,cube,4": (12, 6, 6),
    "cycle,k33,4": (9, 9, 9), "cycle,octahedron,3": (12, 8, 8), "cycle,petersen,5": (15, 12, 12),
    "cycle,petersen,6": (15, 10, 10), "cycle,prism,3": (9, 2, 2), "graph,5,p4": (10, 60, 60),
    "graph,6,k4": (15, 15, 15), "graph,6,g17": (15, 90, 90), "graph,7,s5": (21, 105, 105),
    "graph,8,g93": (28, 10_080, 10_080), "hex,2": (4, 3, 3), "hex,3": (9, 11, 11), "hexagon,2,3": (7, 3, 3),
    "hexagon,3,3": (19, 27, 27), "progression,4,1": (4, 4, 4), "progression,9,3": (9, 16, 16),
    "progression,28,5": (28, 84, 84), "projective,3": (13, 13, 13), "projective,4": (21, 21, 21),
    "triangle,4,3": (10, 9, 9),
}  # fmt: skip

ORDERS = {
    "3x3x3,3": 48, "affine,2": 24, "affine,3": 432, "affine,4": 5760, "affine,5": 12000, "4x4x4,4": 192,
    "clique,5,3": 120, "clique,6,3": 720, "cycle,cube,4": 48, "cycle,petersen,5": 120, "fano": 168,
    "graph,5,p4": 720,  # of K5 itself 120
    "graph,6,g17": 720, "graph,6,g17,x=12": 48, "graph,7,s5,maker": 5040, "hex,4": 2, "projective,3": 5616,
    "projective,4": 120_960, "progression,16,4": 2, "projective,5": 372_000, "triangle,4,3": 6,
}  # fmt: skip


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Maker]]:
    """Makers of other packages, to be filled in."""
    found: list[Maker] = []

    class Entry:
        def __init__(self, maker: Maker) -> None:
            self.maker, self.name = maker, maker.form

        def load(self) -> Maker:
            if not self.maker.examples:
                raise ImportError("no such thing")
            return self.maker

    def entry_points(group: str) -> list[Entry]:
        return [Entry(maker) for maker in found] if group == ENTRY_POINTS else []

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
    registry.load_added.cache_clear()
    yield found
    registry.load_added.cache_clear()
    registry._parsed.clear()


def pairs(word: str, *, examples: tuple[str, ...] = ("pairs,3",)) -> Maker:
    """Make a maker of another package: the first and the last of some squares win."""

    def make(sizes: Sequence[str], variants: frozenset[str]) -> Rules:
        lines = (Line(1 | 1 << int(sizes[1]) - 1),)
        return Rules(f"{word},{sizes[1]}", grid(1, int(sizes[1])), lines, lines)

    return Maker(f"{word},SQUARES", "the ends win", examples, make)


@pytest.mark.parametrize("game", EXAMPLES)
def test_a_name_leads_back_to_its_rules(game: str) -> None:
    rules = parse_game(game)
    assert rules.name == game
    assert parse_game(game.upper().replace(",", " , ")) is rules
    assert pickle.loads(pickle.dumps(rules)) is rules
    assert read_rules(write_rules(rules)) is rules
    assert len(set(rules.x_lines)) == len(rules.x_lines) > 0


@pytest.mark.parametrize("game", EXAMPLES)
def test_boards_are_written_and_read_back(game: str) -> None:
    position = Position.start(parse_game(game))
    for _ in range(4):
        if position.is_over:
            break
        position = position.play(position.legal_moves[-1])
        assert Position.parse(position.rules, position.board) == position
        assert Position.parse(position.rules, position.hash) == position
    names = position.rules.diagram.names
    assert len(set(names)) == len(names)
    assert all(read(position.rules, name) == [square] for square, name in enumerate(names))


@pytest.mark.parametrize(("game", "known"), LINES.items())
def test_squares_and_lines(game: str, known: tuple[int, int, int]) -> None:
    rules = parse_game(game)
    assert (rules.squares, len(rules.x_lines), len(rules.o_lines)) == known
    assert len(rules.diagram.points) in {0, rules.squares, 1 + max(map(max, rules.diagram.ends), default=0)}


@pytest.mark.parametrize(("game", "order"), ORDERS.items())
def test_order_of_the_group(game: str, order: int) -> None:
    assert parse_game(game).group.order == order


def test_a_breaker_can_have_a_line_of_stones() -> None:
    """Stones that break every line of the maker end no game: only X's lines count."""
    rules = parse_game("3,3,3,maker,o=a1+b1+c1")
    assert rules.o_lines == ()
    assert len(rules.x_lines) == 2  # rows 2 and 3; all others have a stone of O


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_names_that_people_use(alias: str, name: str) -> None:
    assert parse_game(alias) is parse_game(name)
    assert parse_game(alias.replace("-", " ").title()).name == name
    assert parse_game(f"{alias}-maker") is parse_game(f"{name},maker")


def test_edges_are_named_by_their_ends() -> None:
    rules = parse_game("clique,5,3")
    assert rules.diagram.names == ("12", "13", "14", "15", "23", "24", "25", "34", "35", "45")
    assert Position.start(rules).board == "..../#.../##../###."
    assert Position.from_moves(rules, ["12", "13", "23", "45", "24", "14", "34"]).winning_line == sum(
        1 << rules.diagram.numbers[name] for name in ("23", "24", "34")
    )
    assert parse_game("clique,10,3").diagram.names[:3] == ("ab", "ac", "ad")
    for square, (a, b) in enumerate(rules.diagram.ends):
        assert rules.diagram.names[square] == f"{a + 1}{b + 1}"


@pytest.mark.parametrize(
    ("points", "graphs"), [(2, 1), (3, 2), (4, 6), (5, 21), pytest.param(6, 112, marks=pytest.mark.slow)]
)
def test_named_graphs_are_those_of_the_atlas(points: int, graphs: int) -> None:
    connected = [graph for graph in read_graphs(points) if graph.is_connected()]
    assert len(connected) == graphs
    for graph in connected:
        rules = parse_game(f"graph,{points},g{graph.number}")
        drawn = [
            frozenset(frozenset(end + 1 for end in rules.diagram.ends[square]) for square in squares_of(line.mask))
            for line in rules.lines
        ]
        assert len(drawn) == len({*drawn})
        assert {*drawn} == {*graph.images()}
        edges = "+".join("".join(map(str, edge)) for edge in graph.edges)
        assert parse_game(f"graph,{points},{edges}") is rules


def test_special_graphs_have_names() -> None:
    names = {
        parse_game(f"graph,6,{name}").name.split(",")[2]
        for name in ("c3", "s2", "p2", "s3", "g18", "12+23+34", "65+54+46")
    }
    assert names == {"k3", "k2", "p3", "k4", "p4"}
    assert parse_game("graph,6,k4").lines == parse_game("clique,6,4").lines


@pytest.mark.parametrize("game", ["clique,6,3", "graph,6,g17", "graph,7,p3,maker", "graph,5,g15,misere"])
def test_known_symmetries_preserve_the_lines(game: str) -> None:
    rules = parse_game(game)
    assert all(preserves(known, rules.sides, rules.supports) for known in rules.known_symmetries)
    assert len(set(rules.known_symmetries)) == len(rules.diagram.names)
    assert rules.group.elements == symmetry_group(rules.sides, rules.supports).elements


def test_an_animal_lies_in_every_orientation() -> None:
    rules = parse_game("animal,tippy,2,3")
    assert names_of(rules)[0] == {frozenset({"b1", "c1", "a2", "b2"}), frozenset({"a1", "b1", "b2", "c2"})}
    assert {name: len(set(parse_game(f"animal,{name},6,6").lines)) for name in ("x", "i", "f")} == {
        "x": 16,
        "i": 24,
        "f": 8 * 16,
    }


def connects(stones: int, size: int, *, down: bool) -> bool:
    """Whether stones on a board of Hex connect top and bottom, or left and right: the slow twin, by spreading."""
    cells = {divmod(square, size) for square in squares_of(stones)}
    if not down:
        cells = {(column, row) for row, column in cells}
    reached = {cell for cell in cells if cell[0] == 0}
    while True:
        near = {(r + i, c + j) for r, c in reached for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0), (1, -1), (-1, 1))}
        more = (near & cells) | reached
        if more == reached:
            return any(row == size - 1 for row, _ in reached)
        reached = more


@pytest.mark.parametrize("size", [1, 2, 3])
def test_lines_of_hex_are_the_minimal_connections(size: int) -> None:
    rules = parse_game(f"hex,{size}")
    for lines, down in ((rules.x_lines, True), (rules.o_lines, False)):
        for stones in range(1 << size * size):
            assert any(stones & line.mask == line.mask for line in lines) == connects(stones, size, down=down)
        assert not any(a.mask & b.mask == a.mask for a in lines for b in lines if a != b)


def test_rows_of_hexagons() -> None:
    rules = parse_game("hexagon,2,3")
    assert Position.start(rules).board == "#../.../..#"
    centre = rules.diagram.numbers["b2"]
    assert all(line.mask >> centre & 1 for line in rules.lines)
    triangle = parse_game("triangle,3,3")
    assert sorted(sorted(triangle.diagram.names[s] for s in squares_of(line.mask)) for line in triangle.lines) == [
        ["a3", "b2", "c1"],
        ["a3", "b3", "c3"],
        ["c1", "c2", "c3"],
    ]


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("", "can't be read"), ("3,3", "can't be read"), ("3x3x3", "can't be read"), ("٣,٣,٣", "can't be read"),
        ("3,3,3,", "unknown variant ''"), ("3,3,3,wild", "unknown variant 'wild'"), ("3,3,3,torus,torus", "twice"),
        ("0,3,3", "at least 1 row"), ("3,3,0", "at least 1 row"), ("20,20,5", "400 squares"),
        ("3,5,4,full", "write 3,5,3,full"), ("3,5,3,full,torus", "'full' and 'torus' can't be combined"),
        ("3,5,3,full,exact", "'full' and 'exact' can't be combined"), ("clique,5", "perhaps clique,5,3 is meant"),
        ("clique,27,3", "write a number from 2 to 26"), ("clique,5,6", "can't be the points of a clique"),
        ("clique,26,8", "more than 25,000 lines"), ("clique,5,3,gravity", "unknown variant 'gravity'"),
        ("cycle,klein,3", "choose one of cube, k33, octahedron, petersen, prism"), ("graph,3,k4", "write at least 4"),
        ("graph,9,g93", "more than 25,000 lines"),
        ("graph,6,g9", "can't be a connected graph"),  # it has an isolated point
        ("graph,6,12+34", "can't be a connected graph"), ("graph,6,k7", "can't be a connected graph"),
        ("progression,201,3", "write a number from 1 to 200"),
        ("progression,9,10", "can't be the length of a progression"),
        ("animal,snoopy,4,4", "There is no animal 'snoopy'"),
        ("animal,el,0,4", "can't be a number of rows or columns"), ("animal,el,40,40", "1600 squares"),
        ("hex,7", "write a number from 1 to 6"), ("animal", "write animal,NAME,ROWS,COLUMNS, such as animal,el,3,3"),
        ("affine,6", "There is no field with 6 elements"), ("projective,x", "can't be the order of a plane"),
        ("3x3x3,0", "can't be a number in a row"), ("3x3x3,3,torus", "such as 3wx3wx3w"), ("20x20,3", "400 squares"),
        ("1x1x1x1x1x1x1x1x1x1x1x3x3,3", "has 13 sizes; write at most 6"),
        ("4t5,3", "can't be read"), ("3x4tx4,3", "can't be twisted"), ("nobody,3", "`mnk games` lists"),
        ("3,3,3,x=d4", "is not a square of 3,3,3"), ("3,3,3,x=a1,o=a1", "named twice"),
        ("3,3,3,x=a1,x=b1", "has x= twice; write x=a1+b1."),
        ("3,3,3,plies=3,plies=4", "names the variant 'plies' twice; once is enough"),
        ("hex3", "perhaps hex,3 is meant"), ("hxe,3", "perhaps hex,3 is meant"),
        ("hxe,x", "write rows,columns,in-a-row"), ("clique 6 3,misere", "perhaps clique,6,3,misere is meant"),
        ("3,3,3,x=a1+b1+c1", "would be over"), ("3,3,3,plies=0", "write a number from 1 to 9"),
        ("1,1,1,without=a1", "leave at least one"), ("3,3,3,gravity,x=a1", "can't be combined"),
        ("3,3,3,gravity,plies=4", "can't be combined"), ("3,3,3,w=a1", "unknown variant 'w=a1'"),
    ],
)  # fmt: skip
def test_invalid_names_are_refused_in_one_sentence(written: str, message: str) -> None:
    with refused(RulesError, message):
        parse_game(written)


def test_other_packages_add_games(added: list[Maker]) -> None:
    added.append(pairs("pairs"))
    assert [*makers()][-1].form == "pairs,SQUARES"
    rules = parse_game("pairs,5,misere")
    assert rules.name == "pairs,5,misere"
    assert rules.misere
    assert rules.lines == (Line(0b10001),)


def test_a_name_that_means_two_games(added: list[Maker]) -> None:
    added += [pairs("pairs"), pairs("pairs")]
    with pytest.raises(RulesError, match=r"means two games, .*; uninstall"):
        parse_game("pairs,5")


def test_a_package_cannot_take_a_built_in_name(added: list[Maker]) -> None:
    added.append(pairs("affine"))
    assert parse_game("affine,3").squares == 9


def test_a_package_that_can_not_be_loaded(added: list[Maker]) -> None:
    added.append(pairs("pairs", examples=()))
    assert parse_game("affine,2").squares == 4
    with pytest.raises(RulesError, match=r"'pairs,SQUARES'.* can't be loaded: no such thing\."):
        parse_game("pairs,3")


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("1,7,3", "1 row, 7 columns, 3 in a row"),
        ("3,3,3,misere", "3 rows, 3 columns, 3 in a row; completing a line loses"),
        ("progression,20,4", "the numbers 1 to 20, four equally spaced numbers win"),
        (
            "clique,6,3,misere",
            "take edges between 6 points in turn; whoever completes a triangle of their own edges loses",
        ),
        ("3,3,3,torus", "3 rows, 3 columns, 3 in a row; lines wrap around the edges"),
        ("3,3,3,plies=1", "3 rows, 3 columns, 3 in a row; the game ends after 1 move"),
        ("4,4,3,exact", "4 rows, 4 columns, 3 in a row; a longer row does not count"),
        ("hexagon,2,4", "no line fits on the board, so every game is a draw"),
        ("animal,i,4,4,maker", "no line fits on the board, so O wins every game"),
        ("animal,i,4,4,maker,misere", "no line fits on the board, so X wins every game"),
        ("3,3,3,maker", "only X's lines count, and O wins when X completes none; X is Maker, O is Breaker"),
        ("3,3,3,maker,misere", "and X wins when it completes none; X is Avoider, O is Enforcer"),
        ("affine,3,x=a1+b2", "X has a stone on a1, b2 from the start"),
    ],
)
def test_rules_are_described(game: str, words: str) -> None:
    assert words in describe_rules(parse_game(game))


def names_of(rules: Rules) -> Any:
    """The lines by the names of their squares, each side a set."""
    return [
        {frozenset(rules.diagram.names[s] for s in squares_of(line.mask)) for line in lines}
        for lines in (rules.x_lines, rules.o_lines)
    ]


def test_stones_from_the_start_shorten_lines_of_one_side() -> None:
    x_lines, o_lines = names_of(parse_game("3,3,3,x=a1+b2"))
    assert {"c3"} in x_lines
    assert not any({"b1", "c1"} <= line for line in o_lines)
    assert {"c1", "c2", "c3"} in o_lines
    blocked, _ = names_of(parse_game("3,3,3,without=b2"))
    assert len(blocked) == 4


NO_DRAWS = ["hex,2", "hex,3", "hex,4", "clique,6,3", "clique,6,3,misere", "clique,4,2", "hex,3,x=b2", "3,3,3,maker"]
NO_DRAWS += ["graph,6,p3", "progression,9,3"]
DRAWS = ["3,3,3", "clique,5,3", "hex,3,plies=5", "hex,3,without=b2", "progression,8,3", *slow_games("clique,7,4")]


@pytest.mark.parametrize("game", [*NO_DRAWS, *DRAWS])
def test_games_with_draws_are_declared(game: str) -> None:
    rules = parse_game(game)
    assert rules.can_draw == (game not in NO_DRAWS)
    assert rules.can_draw == (sum(count.draws for count in count_positions(rules)) > 0)
