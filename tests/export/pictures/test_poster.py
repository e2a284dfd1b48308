"""Posters: the drawn map is followed against every reply by slow rules."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from solver.errors import PictureError
from solver.export.pictures.poster import LEAST, draw_poster, forced_end, print_width, read_strategy
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.rules import Rules, Side
from solver.game.value import CATEGORIES
from solver.search.truth import Truth, open_tablebase
from tests import oracle, slow_build
from tests.commands import TableFile

SVG = "{http://www.w3.org/2000/svg}"

# Drawn, won and lost games, with every kind of end, boards that are not square, and every variant but exact.
GAMES = ["3,3,3", "3,3,3,misere", "3,3,3,gravity", "3,3,3,gravity,misere", "3,3,3,torus", "3,3,2", "3,3,2,misere"]
GAMES += ["2,2,2", "2,3,2", "4,2,2,gravity,misere", "3,2,2,full", "1,1,1", "2,2,3"]


@pytest.fixture(params=[(game, player) for game in GAMES for player in "XO"], ids=lambda pair: f"{pair[0]} {pair[1]}")
def case(request: pytest.FixtureRequest, table_file: TableFile) -> Iterator[tuple[Truth, str]]:
    """A table and a player."""
    game, player = request.param
    with open_tablebase(table_file(game)) as table:
        yield table, player


# The strategy


def test_the_known_sizes(table_file: TableFile) -> None:
    """With perfect play, X has to move in 81 positions of tic-tac-toe, and O in 426 (README)."""
    rules = parse_game("3,3,3")
    sizes: dict[Side, tuple[int, int]] = {"X": (81, 4), "O": (426, 5)}
    for player, size in sizes.items():
        with open_tablebase(table_file("3,3,3")) as table:
            strategy = read_strategy(table, rules, player, levels=9, most=1000)
        replies = {reply for position in strategy.verdicts for reply in strategy.replies(position).values()}
        found = {*strategy.moves, *(reply for reply in replies if not reply.is_over)}
        assert (len(found), strategy.levels) == size


def test_a_forced_end() -> None:
    rules = parse_game("3,3,3")
    end = forced_end(Position.parse(rules, "XOX/XOO/OX."))
    assert end == Position.parse(rules, "XOX/XOO/OXX")
    assert forced_end(Position.parse(rules, "XOX/XOO/.X.")) is None
    column = Position.parse(parse_game("4,2,4,gravity"), "b4 b3 b2 b1 a4")
    assert forced_end(column) == column.play(4).play(2).play(0)


# The drawn map


class Drawn(NamedTuple):
    """The contents of a board of the map, by square."""

    stones: dict[int, str]
    bold: dict[int, str]
    boards: dict[int, str]
    cards: dict[int, str]
    ends: dict[int, str]


def drawn(m: int, n: int, tile: ET.Element) -> Drawn:
    """Read a tile by where its parts lie."""
    seen = Drawn({}, {}, {}, {}, {})
    for use in tile.iter(f"{SVG}use"):
        name = use.attrib["href"].removeprefix("#")
        x, y, scale = float(use.get("x", 0)), float(use.get("y", 0)), 1.0
        if "transform" in use.attrib:
            place, factor = use.attrib["transform"].removeprefix("translate(").removesuffix(")").split(")scale(")
            (x, y), scale = map(float, place.split()), float(factor)
            assert name in {"x", "o"} or scale * max(m, n) <= 1  # what lies in a square stays in it
        if name == "grid":
            continue
        square = int(y // 100) * n + int(x // 100)
        by_name = {"X": seen.bold, "O": seen.bold, "win": seen.cards, "draw": seen.cards, "loss": seen.cards}
        if name.startswith("end-"):
            seen.ends[square] = name.removeprefix("end-")
        elif name in {"x", "o"}:
            seen.stones[square] = name.upper()
        else:
            by_name.get(name, seen.boards)[square] = name
    return seen


def follow(rules: Rules, player: str, tiles: dict[str, ET.Element]) -> int:
    """Play by the map alone against every reply; return how many times a board was looked at."""
    looked, known = 0, slow_build.oracle(rules.name)
    todo: list[tuple[str, str, str | None]] = [("." * rules.squares, "board-0", None)]
    while todo:
        board, name, verdict = todo.pop()
        looked += 1
        seen = drawn(rules.diagram.rows, rules.diagram.columns, tiles[name])
        mine = oracle.mover(board) == player
        position = Position.parse(rules, board)
        result = CATEGORIES[known.value(position).wdl * (1 if mine else -1)]
        assert verdict in {None, result}
        verdict = result
        stones = {s: mark for s, mark in enumerate(board) if mark != "."}
        assert {s: mark for s, mark in seen.stones.items() if s not in seen.ends} == stones
        after = board
        if mine:
            [(move, mark)] = seen.bold.items()
            assert (mark, move) == (player, min(known.moves(position))[1])
            after = oracle.play(board, move)
        replies = oracle.moves(rules, after)
        assert sorted([*seen.boards, *seen.ends]) == replies
        for square in replies:
            reply = oracle.play(after, square)
            if square in seen.boards:
                todo.append((reply, seen.boards[square], seen.cards.get(square, verdict)))
                continue
            while oracle.moves(rules, reply):
                [only] = oracle.moves(rules, reply)
                reply = oracle.play(reply, only)
            end = oracle.outcome(rules, reply)
            assert seen.ends[square] == ("draw" if end == "draw" else "win" if end == player else "loss")
            assert seen.stones[square] != player
    return looked


@pytest.mark.sampled
def test_the_map_answers_every_reply(case: tuple[Truth, str]) -> None:
    table, player = case
    svg = ET.fromstring(draw_poster(table, table.rules, player))
    tiles = {group.attrib["id"]: group for group in svg.iter(f"{SVG}g") if "id" in group.attrib}
    assert follow(table.rules, player, tiles) >= len([name for name in tiles if name.startswith("board-")])


# The sheet


@pytest.mark.sampled
def test_everything_is_inside_the_sheet(case: tuple[Truth, str]) -> None:
    table, player = case
    svg = ET.fromstring(draw_poster(table, table.rules, player))
    _, _, width, height = map(float, svg.attrib["viewBox"].split())
    begun: dict[float, list[float]] = {}
    for text in svg.findall(f"{SVG}text"):
        x, y, size = (float(text.attrib[name]) for name in ("x", "y", "font-size"))
        length = 0.58 * size * len(text.text or "")
        left = x - {"middle": length / 2, "end": length}.get(text.get("text-anchor", "start"), 0)
        assert left >= 0
        assert left + length <= width
        begun.setdefault(left, []).append(y)
    last = max(map(max, begun.values()))
    assert last <= height - 20
    assert all(after - before > 15 for lines in begun.values() for before, after in pairwise(sorted(lines)))
    moved = [group.get("transform", "") for group in svg.findall(f"{SVG}g")]
    tops = [float(way.split(")")[0].split()[1]) for way in moved if "scale(0.58)" in way]
    assert max(tops) + 58 <= last - 15  # the key ends above the foot


@pytest.mark.parametrize(("player", "levels", "width"), [("X", 4, 107), ("O", 5, 347)])
def test_the_sheet_states_the_width_at_which_it_is_legible(
    player: str, levels: int, width: int, table_file: TableFile
) -> None:
    with open_tablebase(table_file("3,3,3")) as table:
        svg = ET.fromstring(draw_poster(table, table.rules, player))
    assert f"at least {width} mm wide" in "".join(svg.itertext())
    begins = "X begins on a1. If O plays b1, it answers" if player == "X" else "If X plays a1, it answers b2."
    assert begins in (svg.findtext(f"{SVG}desc") or "")
    # The innermost bold stone: 69 of 100 units of a square; the map is 852 units wide, each level 0.92 of a square.
    innermost = 0.69 * 852 / 3 * (0.92 / 3) ** (levels - 1)
    assert print_width(parse_game("3,3,3"), levels) == pytest.approx(LEAST * 1000 / innermost)
    names = [element.attrib["id"] for element in svg.iter() if "id" in element.attrib]
    assert len(names) == len(set(names))
    assert {use.attrib["href"].removeprefix("#") for use in svg.iter(f"{SVG}use")} <= set(names)


def test_a_strategy_too_deep_to_be_legible_is_refused(table_file: TableFile) -> None:
    with open_tablebase(table_file("4,4,4,gravity")) as table, pytest.raises(PictureError, match="legibly"):
        draw_poster(table, table.rules, "X")
