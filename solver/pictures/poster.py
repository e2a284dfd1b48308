"""A poster: the complete perfect strategy of X, of O, or of both, as self-similar maps on one sheet of paper."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Final

from solver.drawing.canvas import Element, element, page, place, svg, text
from solver.drawing.columns import column_name
from solver.drawing.palette import PALE
from solver.errors import PictureError, RulesError
from solver.game.descriptions import describe_rules
from solver.game.notation import square_name
from solver.game.rules import Rules
from solver.pictures.strategy import (
    CELL,
    Strategy,
    StrategyNode,
    StrategyTooLarge,
    bold_size,
    card,
    draw_key,
    key_entries,
    read_strategy,
    shared_signs,
    strategy_map,
    use,
)
from solver.support.english import plural
from solver.tablebase import Prober

LEAST: Final = 0.6
"""Millimetres: the narrowest move that is printed. At reading distance, an eye separates letters of 0.4 mm."""

PAPERS: Final = {"A4": (210, 297), "A3": (297, 420), "A2": (420, 594), "A1": (594, 841), "A0": (841, 1189)}  # mm

MARGIN: Final = 60  # in units of the picture; a sheet has _SHORT by _LONG
LEAD, LEAD_LINE, LEAD_LETTERS = 138, 24, 18  # the text below the title: its top, its lines and its letters
_SHORT, _LONG = 1000, 1414
_NAMES = 28  # the room for the names of rows and columns
_LETTER_WIDTH = 0.58  # of letters of size 1, in the widest of usual fonts
_KEY_GAP = 40


@dataclass(frozen=True)
class PosterSheet:
    """The places on a sheet, in units of the picture unless it says otherwise."""

    rules: Rules
    maps: int
    """One map on an upright sheet, or two side by side on a wide one."""
    lead_lines: int = 1
    """The lines of text below the title."""

    @property
    def size(self) -> tuple[int, int]:
        """The width and the height."""
        return (_SHORT, _LONG) if self.maps == 1 else (_LONG, _SHORT)

    @property
    def scale(self) -> float:
        """The units of the picture for a unit of a map."""
        room = (self.size[0] - (self.maps + 1) * MARGIN) / self.maps - _NAMES
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

    def innermost(self, paper: str, levels: int) -> float:
        """Return the width in millimetres of the player's move in the innermost of `levels` boards."""
        return bold_size(self.rules, levels) * self.map_width * PAPERS[paper][0] / _SHORT


MOST_BOARDS: Final = 10_000

_AIMS: Final = {"win": "wins", "draw": "never loses", "loss": "holds out"}


def draw_poster(tables: Prober, rules: Rules, players: Sequence[str]) -> str:
    """Return the strategies of one or two players (`X`, `O`) on a sheet, as SVG.

    Raises RulesError if the board is not a rectangle, PictureError for a game too deep to be legible on any paper,
    MissingTable, DamagedTable.
    """
    if not rules.diagram.is_grid:
        raise RulesError(f"A poster needs a complete rectangle of squares, unlike the board of {rules}.")
    sheet = PosterSheet(rules, len(players))
    (width, height), upright = sheet.size, len(players) == 1
    strategies = [_read(tables, rules, player, sheet) for player in players]
    boards = " and ".join(f"{plural(len(s.nodes), 'board')} for {s.player}" for s in strategies)
    words = f"{describe_rules(rules)}. Every reply is answered, in {boards}. {' '.join(_example(strategies[0]))}"
    lead = wrap(words, int((width - 2 * MARGIN) / (LEAD_LETTERS * _LETTER_WIDTH)))
    sheet = replace(sheet, lead_lines=len(lead))
    title = f"{rules}: how {' and '.join(f'{s.player} {_AIMS[s.root.verdict]}' for s in strategies)}"
    levels = max(strategy.levels for strategy in strategies)
    paper = next(paper for paper in PAPERS if sheet.innermost(paper, levels) >= LEAST)
    key_top = sheet.map_top + rules.diagram.rows * CELL * sheet.scale + _KEY_GAP
    side = {"X": "", "O": " --side O", "XO": " --side both"}["".join(players)]
    advice = f"Print it on {paper} or larger: the smallest bold move is {sheet.innermost(paper, levels):.1f} mm wide."
    parts = [
        element("defs", *shared_signs(), *(part for strategy in strategies for part in strategy_map(strategy))),
        text(MARGIN, 100, title, min(44, int((width - 2 * MARGIN) / (len(title) * 0.66))), font_weight=700),
        *(text(MARGIN, LEAD + i * LEAD_LINE, line, LEAD_LETTERS, ink=PALE) for i, line in enumerate(lead)),
        *(part for number, strategy in enumerate(strategies) for part in _map(strategy, sheet, number)),
        *draw_key([*key_entries(strategies)], MARGIN, key_top, width - 2 * MARGIN, 3 if upright else 2),
        text(MARGIN, height - 30, f"mnk draw {rules} --poster{side}", 15, ink=PALE),
        text(width - MARGIN, height - 30, advice, 15, anchor="end", ink=PALE),
    ]
    millimetres = [f"{length}mm" for length in PAPERS[paper]]
    drawn = page(
        width,
        height,
        parts,
        title=title,
        description=" ".join([*lead, *(words for strategy in strategies for words in _first_moves(strategy))]),
        shown=(millimetres[not upright], millimetres[upright]),
        corner=0,
    )
    return svg(drawn, dark=True)


def _read(tables: Prober, rules: Rules, player: str, sheet: PosterSheet) -> Strategy:
    levels = 1
    while sheet.innermost("A0", levels + 1) >= LEAST:
        levels += 1
    try:
        return read_strategy(tables, rules, player, levels=levels, most=MOST_BOARDS)
    except StrategyTooLarge as error:
        width = sheet.innermost("A0", levels + 1)
        raise PictureError(
            f"The strategy of {player} in {rules} can't be drawn legibly, because {error} "
            f"(at the next depth a move is {width:.2f} mm wide on A0 paper, and {LEAST} mm is needed); "
            "choose the other --side or a smaller game, or draw a part of it with `mnk tree -o`."
        ) from error


def _example(strategy: Strategy) -> Iterator[str]:
    """Yield sentences that follow a line of play, in which the other side gives away as little as it can."""
    node = strategy.root
    yield from _opening(strategy)
    order = ("loss", "draw", "win")
    for where in ("the small board there", "the board within that one"):
        replies = [(square, then) for square, _, then in node.replies if isinstance(then, StrategyNode)]
        if not replies:
            break
        square, node = min(replies, key=lambda reply: order.index(reply[1].verdict))
        yield f"{strategy.other} plays {_name(strategy, square)}: {where} answers {_name(strategy, node.move)}."


def _first_moves(strategy: Strategy) -> Iterator[str]:
    """Yield the first moves in words, for people who can't see the map."""
    yield from _opening(strategy)
    for square, _, then in strategy.root.replies:
        if isinstance(then, StrategyNode):
            yield f"If {strategy.other} plays {_name(strategy, square)}, it answers {_name(strategy, then.move)}."


def _opening(strategy: Strategy) -> Iterator[str]:
    if strategy.root.move is not None:
        yield f"{strategy.player} begins on {_name(strategy, strategy.root.move)}."


def _name(strategy: Strategy, square: int | None) -> str:
    return square_name(strategy.rules, square or 0)


def _map(strategy: Strategy, sheet: PosterSheet, number: int) -> Iterator[Element]:
    """Yield the first or the second map on the sheet, with the names of its rows and columns."""
    rules, scale = strategy.rules, sheet.scale
    room = (sheet.size[0] - MARGIN) / sheet.maps
    left = MARGIN + number * room + (room - MARGIN - _NAMES - sheet.map_width) / 2 + _NAMES
    top, side = sheet.map_top, CELL * scale
    for column in range(rules.diagram.columns):
        yield text(left + (column + 0.5) * side, top - 10, column_name(column), 18, anchor="middle", ink=PALE)
    for row in range(rules.diagram.rows):
        yield text(left - 12, top + (row + 0.5) * side + 6, str(row + 1), 18, anchor="end", ink=PALE)
    ground = card(0, 0, rules.diagram.columns * CELL, rules.diagram.rows * CELL, strategy.root.verdict)
    yield element("g", ground, use(f"{strategy.player.lower()}0"), transform=place(left, top, scale))
