"""A poster: the complete perfect strategy of X, of O, or of both, as self-similar maps on one sheet.

A sheet is a page of the A series, the smallest on which the innermost moves can still be read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Final

from solver.errors import PictureError, RulesError
from solver.game.descriptions import describe_rules
from solver.game.rules import Rules
from solver.game.squares import square_name
from solver.pictures.nested import CELL, bold_size, card, draw_key, key_entries, shared_signs, strategy_map, use
from solver.pictures.strategy import Node, Strategy, TooLarge, read_strategy
from solver.support.columns import column_name
from solver.support.drawing.canvas import Element, element, page, place, svg, text
from solver.support.drawing.palette import PALE
from solver.support.english import plural
from solver.tablebase import Prober

LEAST: Final = 0.6
"""Millimetres: the narrowest move that is printed. An eye tells letters of 0.4 mm apart at reading distance."""

SHEETS: Final = {"A4": (210, 297), "A3": (297, 420), "A2": (420, 594), "A1": (594, 841), "A0": (841, 1189)}  # mm

MARGIN: Final = 60  # in units of the picture, of which a sheet has _SHORT by _LONG
LEAD, LEAD_LINE, LEAD_LETTERS = 138, 24, 18  # the text below the title: its top, its lines and its letters
_SHORT, _LONG = 1000, 1414
_NAMES = 28  # the room for the names of rows and columns
_LETTER_WIDTH = 0.58  # of letters of size 1, in the widest of usual fonts
_KEY_GAP = 40


@dataclass(frozen=True)
class Layout:
    """The places on a sheet, in units of the picture unless another is named."""

    rules: Rules
    maps: int
    """One map on an upright sheet, or two side by side on one that lies across."""
    lead_lines: int = 1
    """The lines of text below the title."""

    @property
    def width(self) -> int:
        """The width of the sheet."""
        return _SHORT if self.maps == 1 else _LONG

    @property
    def height(self) -> int:
        """The height of the sheet."""
        return _LONG if self.maps == 1 else _SHORT

    @property
    def key_rows(self) -> int:
        """The rows of the key that there is room for."""
        return 3 if self.maps == 1 else 2

    @property
    def scale(self) -> float:
        """Units of the picture for one of a map's."""
        room = (self.width - (self.maps + 1) * MARGIN) / self.maps - _NAMES
        height = 852 if self.maps == 1 else 540
        return min(room / (self.rules.diagram.columns * CELL), height / (self.rules.diagram.rows * CELL))

    @property
    def map_width(self) -> float:
        """The width of a map."""
        return self.rules.diagram.columns * CELL * self.scale

    @property
    def map_top(self) -> float:
        """The upper end of the maps."""
        return LEAD + (self.lead_lines - 1) * LEAD_LINE + 24 + _NAMES

    def map_left(self, number: int) -> float:
        """The left end of the first map, 0, or the second, 1."""
        room = (self.width - MARGIN) / self.maps
        return MARGIN + number * room + (room - MARGIN - _NAMES - self.map_width) / 2 + _NAMES

    @property
    def key_top(self) -> float:
        """The upper end of the key."""
        return self.map_top + self.rules.diagram.rows * CELL * self.scale + _KEY_GAP

    @property
    def lead_width(self) -> int:
        """The letters of a line below the title."""
        return int((self.width - 2 * MARGIN) / (LEAD_LETTERS * _LETTER_WIDTH))

    @property
    def most_levels(self) -> int:
        """The boards that may be nested in each other on the largest sheet."""
        levels = 1
        while self.innermost([*SHEETS][-1], levels + 1) >= LEAST:
            levels += 1
        return levels

    def innermost(self, sheet: str, levels: int) -> float:
        """Give the width in millimetres of the player's move in the innermost board of so many."""
        return bold_size(self.rules, levels) * self.map_width * SHEETS[sheet][0] / _SHORT

    def sheet(self, levels: int) -> str:
        """Choose the smallest sheet on which so many nested boards can be read."""
        return next(sheet for sheet in SHEETS if self.innermost(sheet, levels) >= LEAST)

    def millimetres(self, sheet: str) -> tuple[str, str]:
        """Give the width and the height of the printed sheet."""
        short, long = SHEETS[sheet]
        return (f"{short}mm", f"{long}mm") if self.maps == 1 else (f"{long}mm", f"{short}mm")


MOST_BOARDS: Final = 10_000

_AIMS: Final = {"win": "wins", "draw": "never loses", "loss": "holds out"}


def draw_poster(tables: Prober, rules: Rules, players: Sequence[str]) -> str:
    """Draw the strategies of one or two players (`X`, `O`) on a sheet, as an SVG picture.

    Raises RulesError where the board is no rectangle, PictureError for a game too deep to be read on any sheet,
    MissingTable, DamagedTable.
    """
    if not rules.diagram.is_grid:
        raise RulesError(
            f"A poster is of a whole rectangle of squares, and the board of {rules} is none; choose another game."
        )
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
            "choose the other --side or a smaller game, or draw a part of it with `mnk tree -o`."
        ) from error


def _lead(rules: Rules, strategies: Sequence[Strategy]) -> str:
    """Write what stands below the title: the rules, what is on the sheet, and how to read it."""
    boards = " and ".join(f"{plural(len(s.nodes), 'board')} for {s.player}" for s in strategies)
    example = " ".join(_example(strategies[0]))
    return f"{describe_rules(rules)}. Every reply is answered, in {boards}. {example}"


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
    for column in range(rules.diagram.columns):
        yield text(left + (column + 0.5) * side, top - 10, column_name(column), 18, anchor="middle", ink=PALE)
    for row in range(rules.diagram.rows):
        yield text(left - 12, top + (row + 0.5) * side + 6, str(row + 1), 18, anchor="end", ink=PALE)
    ground = card(0, 0, rules.diagram.columns * CELL, rules.diagram.rows * CELL, strategy.root.verdict)
    yield element("g", ground, use(f"{strategy.player.lower()}0"), transform=place(left, top, scale))


def _foot(rules: Rules, players: Sequence[str], layout: Layout, sheet: str, levels: int) -> Iterator[Element]:
    """Say how it was made, and how to print it."""
    side = {"X": "", "O": " --side O", "XO": " --side both"}["".join(players)]
    smallest = layout.innermost(sheet, levels)
    print_it = f"Print it on {sheet} or larger: there the smallest bold move is {smallest:.1f} mm wide."
    yield text(MARGIN, layout.height - 30, f"mnk draw {rules} --poster{side}", 15, ink=PALE)
    yield text(layout.width - MARGIN, layout.height - 30, print_it, 15, anchor="end", ink=PALE)
