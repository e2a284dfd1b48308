"""Boards that are not rectangles: points on lines, edges of a graph, hexagons, slices, holes, stones from the start."""

from dataclasses import replace
from itertools import combinations, pairwise
from math import dist, sqrt
from xml.etree import ElementTree

import pytest

from solver.drawing.board import Label, board_size, draw_board
from solver.drawing.canvas import svg
from solver.drawing.diagram import Diagram
from solver.drawing.places import curve, find_places
from solver.game.diagrams import line_strokes
from solver.game.game_files import read_rules, write_rules
from solver.game.games import parse_game
from solver.game.json_file import from_json, to_json

SVG = "{http://www.w3.org/2000/svg}"


def drawn(diagram: Diagram, cells: str, **options: object) -> ElementTree.Element:
    return ElementTree.fromstring(svg(draw_board(diagram, cells, title="t", **options)))  # type: ignore[arg-type]


def texts(picture: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in picture.iter(f"{SVG}text")]


ALL = ["affine,3", "projective,3", "2x2x3,2", "clique,5,3", "clique,6,3", "clique,7,3", "hex,4", "progression,28,5"]


@pytest.mark.parametrize("game", ALL)
def test_squares_lie_inside_the_picture_and_apart(game: str) -> None:
    diagram = parse_game(game).diagram
    places = find_places(diagram)
    for x, y in (*places.squares, *places.corners):
        assert 0 <= x <= places.width
        assert 0 <= y <= places.height
    apart = min(dist(a, b) for a, b in combinations(places.squares, 2))
    assert apart > (0.6 if diagram.shape == "edges" else 0.99)
    assert max(board_size(diagram)) <= 640


@pytest.mark.parametrize("game", ALL)
def test_every_free_square_shows_its_name_or_its_label(game: str) -> None:
    diagram = parse_game(game).diagram
    cells = "XO" + "." * (len(diagram.names) - 2)
    shown = texts(drawn(diagram, cells, labels={2: Label("W3", "win")}))
    assert "W3" in shown
    assert set(diagram.names[3:]) <= set(shown)


def test_lines_of_a_plane_are_strokes_and_a_completed_line_is_bold() -> None:
    rules = parse_game("affine,3")
    strokes = line_strokes(rules)
    assert sorted(map(sorted, strokes)) == sorted([s for s in range(9) if line.mask >> s & 1] for line in rules.lines)
    picture = drawn(rules.diagram, "XXXOO....", strokes=strokes, highlight=[0, 1, 2])
    widths = [path.get("stroke-width") for path in picture.iter(f"{SVG}path") if path.get("d", "").count("C") == 2]
    assert (len(widths), widths.count("7")) == (12, 1)
    assert line_strokes(parse_game("3,3,3")) == []


def test_edges_show_their_owner_by_colour_and_by_dashes() -> None:
    picture = drawn(parse_game("clique,4,3").diagram, "XO....")
    lines = [(line.get("stroke"), line.get("stroke-dasharray")) for line in picture.iter(f"{SVG}line")]
    assert len(set(lines)) == 3
    assert lines.count(lines[2]) == 4
    assert lines[0][1] is None
    assert lines[1][1]
    assert len([*picture.iter(f"{SVG}circle")]) == 6 + 4 + 1  # labels, points, and the stone of O


def test_stones_that_stand_from_the_start_are_drawn_and_holes_are_not() -> None:
    rules = parse_game("3,3,3,x=a1,without=b2")
    picture = drawn(rules.diagram, "." * 7)
    assert len([*picture.iter(f"{SVG}rect")]) == 1 + 7
    assert [path.get("stroke-width") for path in picture.iter(f"{SVG}path")] == ["7"]


def test_the_fano_plane_is_a_triangle_with_its_circle() -> None:
    rules = parse_game("fano")
    places = find_places(rules.diagram).squares
    paths = [curve([places[square] for square in line]) for line in line_strokes(rules)]
    assert sum("A" in path for path in paths) == 1
    for line in line_strokes(rules):
        (x1, y1), (x2, y2), (x3, y3) = (places[square] for square in line)
        turn = (x2 - x1) * (y3 - y1) - (x3 - x1) * (y2 - y1)
        assert (abs(turn) > 1e-6) == ("A" in curve([places[square] for square in line]))


@pytest.mark.parametrize("game", ["affine,3", "hex,3", "clique,4,3", "2x2x3,3", "3,3,3"])
def test_a_stone_from_the_start_stands_where_its_square_was(game: str) -> None:
    whole = parse_game(game).diagram
    first, last = whole.names[0], whole.names[-1]
    rules = parse_game(f"{game},x={last},o={first}")
    places = find_places(rules.diagram)
    before = find_places(whole).squares
    assert places.stones == (("O", before[0]), ("X", before[-1]))
    assert places.squares == before[1:-1]
    assert read_rules(write_rules(rules)) == rules
    assert [stone for stone, _ in find_places(from_json(to_json(rules)).diagram).stones] == ["O", "X"]
    drawn(rules.diagram, "." * rules.squares)


def test_points_are_named_as_edges_name_them() -> None:
    named = parse_game("clique,4,3").diagram
    assert named.corner_names == ("1", "2", "3", "4")
    assert replace(named, names=("ab", "bc", "cd", "de", "ef", "fg")).corner_names == ()


def test_borders_of_hex_lie_in_the_picture_in_the_colours_of_their_sides() -> None:
    rules = parse_game("hex,3")
    places = find_places(rules.diagram)
    assert [side for side, _ in places.borders] == ["X", "X", "O", "O"]
    for _, way in places.borders:
        assert all(0 < x < places.width and 0 < y < places.height for x, y in way)
        assert all(abs(dist(a, b) - 1 / sqrt(3)) < 1e-9 for a, b in pairwise(way))
    borders = list(drawn(rules.diagram, "." * 9).iter(f"{SVG}polyline"))
    assert [border.get("stroke-linecap") for border in borders] == ["round"] * 4
    assert [bool(border.get("stroke-dasharray")) for border in borders] == [False, False, True, True]
    assert from_json(to_json(rules)).diagram == rules.diagram
