"""A poster: the complete perfect strategy of X, of O, or of both, as self-similar maps on one sheet.

A sheet is a page of the A series, the smallest on which the innermost moves can still be read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import Final

from solver.drawing.dark import adaptive
from solver.drawing.nested import svg_stones, svg_tiles
from solver.drawing.page import PALE, svg_page, svg_text
from solver.errors import PictureError
from solver.game.rules import Rules
from solver.pictures.key import key_entries, svg_key
from solver.pictures.sheet import LEAST, MARGIN, SHEETS, Layout, svg_lead, svg_map, svg_title
from solver.pictures.strategy import TooLarge, read_strategy
from solver.pictures.tiles import Map, example, map_of, told
from solver.support.english import plural
from solver.tablebase import Prober

__all__ = ["MOST_BOARDS", "draw_poster"]

MOST_BOARDS: Final = 10_000


def draw_poster(tables: Prober, rules: Rules, players: Sequence[str]) -> str:
    """The strategies of one or two players (`X`, `O`) on a sheet, as an SVG picture.

    Raises PictureError for a game too deep to be read on any sheet, MissingTable, DamagedTable.
    """
    layout = Layout(rules, len(players))
    maps = [_read(tables, rules, player, layout) for player in players]
    lead = wrap(_lead(rules, maps), layout.letters)
    layout = replace(layout, lines=len(lead))
    title = f"{rules}: how {' and '.join(map(_aim, maps))}"
    sheet = layout.sheet(max(each.strategy.levels for each in maps))
    parts = [
        "<defs>",
        svg_stones(),
        *(svg_tiles(rules.m, rules.n, each.player, each.tiles, each.player.lower()) for each in maps),
        "</defs>",
        svg_title(title, layout),
        *svg_lead(lead),
        *(part for place, each in enumerate(maps) for part in svg_map(each, layout, place)),
        *svg_key(key_entries(maps), MARGIN, layout.key_top, layout.width - 2 * MARGIN, layout.key_rows),
        *_foot(rules, maps, layout, sheet),
    ]
    page = svg_page(
        layout.width,
        layout.height,
        parts,
        title=title,
        description=" ".join([*lead, *map(told, maps)]),
        shown=layout.millimetres(sheet),
        corner=0,
    )
    return adaptive(page)


def _read(tables: Prober, rules: Rules, player: str, layout: Layout) -> Map:
    levels = layout.most_levels
    try:
        return map_of(read_strategy(tables, rules, player, levels=levels, most=MOST_BOARDS))
    except TooLarge as error:
        largest = [*SHEETS][-1]
        width = layout.innermost(largest, levels + 1)
        raise PictureError(
            f"The strategy of {player} in {rules} can't be drawn legibly, because {error} "
            f"(at the next depth a move is {width:.2f} mm wide on {largest} paper, and {LEAST} mm is needed); "
            "choose the other --side or a smaller game, or draw a part of it with `mnk tree --svg`."
        ) from error


def _aim(each: Map) -> str:
    """What the player reaches, for the title."""
    aims = {"win": "wins", "draw": "never loses", "loss": "holds out"}
    return f"{each.player} {aims[each.verdict]}"


def _lead(rules: Rules, maps: Sequence[Map]) -> str:
    """What stands below the title: the rules, what is on the sheet, and how to read it."""
    boards = " and ".join(f"{plural(len(each.tiles), 'board')} for {each.player}" for each in maps)
    return f"{rules.describe()}. Every reply is answered, in {boards}. {example(maps[0].strategy)}"


def _foot(rules: Rules, maps: Sequence[Map], layout: Layout, sheet: str) -> Iterator[str]:
    """How it was made, and how to print it."""
    side = f" --side {maps[0].player}" if len(maps) == 1 else ""
    smallest = layout.innermost(sheet, max(each.strategy.levels for each in maps))
    print_it = f"Print it on {sheet} or larger: there the smallest bold move is {smallest:.1f} mm wide."
    yield svg_text(MARGIN, layout.height - 30, f"mnk poster {rules}{side}", 15, ink=PALE)
    yield svg_text(layout.width - MARGIN, layout.height - 30, print_it, 15, anchor="end", ink=PALE)
