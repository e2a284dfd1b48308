"""A poster: the complete perfect strategy of X, of O, or of both, as self-similar maps on one sheet.

A sheet is a page of the A series, the smallest on which the innermost moves can still be read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import Final

from solver.drawing.canvas import Element, element, page, place, svg, text
from solver.drawing.palette import PALE
from solver.errors import PictureError
from solver.game.rules import Rules
from solver.game.squares import square_name
from solver.pictures.key import draw_key, key_entries
from solver.pictures.nested import CELL, card, shared_signs, strategy_map, use
from solver.pictures.sheet import LEAD, LEAD_LETTERS, LEAD_LINE, LEAST, MARGIN, SHEETS, Layout
from solver.pictures.strategy import Node, Strategy, TooLarge, read_strategy
from solver.support.columns import column_name
from solver.support.english import plural
from solver.tablebase import Prober

__all__ = ["MOST_BOARDS", "draw_poster"]

MOST_BOARDS: Final = 10_000

_AIMS: Final = {"win": "wins", "draw": "never loses", "loss": "holds out"}


def draw_poster(tables: Prober, rules: Rules, players: Sequence[str]) -> str:
    """Draw the strategies of one or two players (`X`, `O`) on a sheet, as an SVG picture.

    Raises PictureError for a game too deep to be read on any sheet, MissingTable, DamagedTable.
    """
    layout = Layout(rules, len(players))
    strategies = [_read(tables, rules, player, layout) for player in players]
    lead = wrap(_lead(rules, strategies), layout.lead_width)
    layout = replace(layout, lead_lines=len(lead))
    title = f"{rules}: how {' and '.join(f'{s.player} {_AIMS[s.root.verdict]}' for s in strategies)}"
    levels = max(strategy.levels for strategy in strategies)
    sheet = layout.sheet(levels)
    letters = min(44, int((layout.width - 2 * MARGIN) / (len(title) * 0.66)))
    parts = [
        element("defs", *shared_signs(), *(part for strategy in strategies for part in strategy_map(strategy))),
        text(MARGIN, 100, title, letters, font_weight=700),
        *(text(MARGIN, LEAD + i * LEAD_LINE, line, LEAD_LETTERS, ink=PALE) for i, line in enumerate(lead)),
        *(part for number, strategy in enumerate(strategies) for part in _map(strategy, layout, number)),
        *draw_key([*key_entries(strategies)], MARGIN, layout.key_top, layout.width - 2 * MARGIN, layout.key_rows),
        *_foot(rules, players, layout, sheet, levels),
    ]
    drawn = page(
        layout.width,
        layout.height,
        parts,
        title=title,
        description=" ".join([*lead, *(words for strategy in strategies for words in _first_moves(strategy))]),
        shown=layout.millimetres(sheet),
        corner=0,
    )
    return svg(drawn, dark=True)


def _read(tables: Prober, rules: Rules, player: str, layout: Layout) -> Strategy:
    levels = layout.most_levels
    try:
        return read_strategy(tables, rules, player, levels=levels, most=MOST_BOARDS)
    except TooLarge as error:
        largest = [*SHEETS][-1]
        width = layout.innermost(largest, levels + 1)
        raise PictureError(
            f"The strategy of {player} in {rules} can't be drawn legibly, because {error} "
            f"(at the next depth a move is {width:.2f} mm wide on {largest} paper, and {LEAST} mm is needed); "
            "choose the other --side or a smaller game, or draw a part of it with `mnk tree --svg`."
        ) from error


def _lead(rules: Rules, strategies: Sequence[Strategy]) -> str:
    """Write what stands below the title: the rules, what is on the sheet, and how to read it."""
    boards = " and ".join(f"{plural(len(s.nodes), 'board')} for {s.player}" for s in strategies)
    example = " ".join(_example(strategies[0]))
    return f"{rules.describe()}. Every reply is answered, in {boards}. {example}"


def _example(strategy: Strategy) -> Iterator[str]:
    """Say how to find one's way, by a line of play in which the other side gives nothing away where it can."""
    node = strategy.root
    yield from _opening(strategy)
    for where in ("the small board there", "the board within that one"):
        order = {"loss": -1, "draw": 0, "win": 1}
        replies = [(order[then.verdict], square, then) for square, _, then in node.replies if isinstance(then, Node)]
        if not replies:
            break
        _, square, node = min(replies, key=lambda reply: reply[:2])
        yield f"{strategy.other} plays {_name(strategy, square)}: {where} answers {_name(strategy, node.move)}."


def _first_moves(strategy: Strategy) -> Iterator[str]:
    """Say the first moves in words, for those who can't see the map."""
    yield from _opening(strategy)
    for square, _, then in strategy.root.replies:
        if isinstance(then, Node):
            yield f"To {_name(strategy, square)} of {strategy.other} it answers {_name(strategy, then.move)}."


def _opening(strategy: Strategy) -> Iterator[str]:
    if strategy.root.move is not None:
        yield f"{strategy.player} begins on {_name(strategy, strategy.root.move)}."


def _name(strategy: Strategy, square: int | None) -> str:
    return square_name(strategy.rules, square or 0)


def _map(strategy: Strategy, layout: Layout, number: int) -> Iterator[Element]:
    """Draw a map with the names of its rows and columns, as the first or second on the sheet."""
    rules, scale = strategy.rules, layout.scale
    left, top, side = layout.map_left(number), layout.map_top, CELL * scale
    for column in range(rules.n):
        yield text(left + (column + 0.5) * side, top - 10, column_name(column), 18, anchor="middle", ink=PALE)
    for row in range(rules.m):
        yield text(left - 12, top + (row + 0.5) * side + 6, str(row + 1), 18, anchor="end", ink=PALE)
    ground = card(0, 0, rules.n * CELL, rules.m * CELL, strategy.root.verdict)
    yield element("g", ground, use(f"{strategy.player.lower()}0"), transform=place(left, top, scale))


def _foot(rules: Rules, players: Sequence[str], layout: Layout, sheet: str, levels: int) -> Iterator[Element]:
    """Say how it was made, and how to print it."""
    side = f" --side {players[0]}" if len(players) == 1 else ""
    smallest = layout.innermost(sheet, levels)
    print_it = f"Print it on {sheet} or larger: there the smallest bold move is {smallest:.1f} mm wide."
    yield text(MARGIN, layout.height - 30, f"mnk poster {rules}{side}", 15, ink=PALE)
    yield text(layout.width - MARGIN, layout.height - 30, print_it, 15, anchor="end", ink=PALE)
