"""A poster: a complete perfect strategy of X or O, drawn as a self-similar map on one sheet of paper."""

from collections.abc import Iterator
from math import ceil
from textwrap import wrap
from typing import Final

from solver.drawing.canvas import Element, element, page, place, svg, text
from solver.drawing.diagram import column_name
from solver.drawing.palette import PALE
from solver.errors import PictureError, RulesError
from solver.game.descriptions import describe_rules
from solver.game.notation import square_name
from solver.game.rules import Rules
from solver.pictures.strategy import (
    CELL,
    Strategy,
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
"""The width in millimetres of the narrowest move on a poster. At reading distance, letters of 0.4 mm are legible."""
WIDEST: Final = 841  # the width in millimetres of the widest print, on A0 paper
MOST_BOARDS: Final = 10_000

_WIDTH, _HEIGHT, _MARGIN = 1000, 1414, 60  # the sheet, in units of the picture
_LEAD, _LEAD_LINE, _LEAD_LETTERS = 138, 24, 18  # the text below the title: its top, its lines and its letters
_NAMES = 28  # the room for the names of rows and columns
_MAP = _WIDTH - 2 * _MARGIN - _NAMES  # the largest side of the map
_LETTER_WIDTH = 0.58  # the width of letters of size 1 in wide fonts
_KEY_GAP = 40
_AIMS: Final = {"win": "wins", "draw": "never loses", "loss": "holds out"}


def draw_poster(tables: Prober, rules: Rules, player: str) -> str:
    """Return a poster of the strategy of `player`, `X` or `O`, as SVG.

    Raises RulesError if the board is not a rectangle, PictureError if the strategy is too deep to be legible in print,
    MissingTable, DamagedTable.
    """
    if not rules.diagram.is_grid:
        raise RulesError(f"A poster needs a complete rectangle of squares, unlike the board of {rules}.")
    strategy = _read(tables, rules, player)
    boards = plural(len(strategy.nodes), "board")
    words = f"{describe_rules(rules)}. Every reply is answered, in {boards}. {' '.join(_example(strategy))}"
    room = _WIDTH - 2 * _MARGIN
    lead = wrap(words, int(room / (_LEAD_LETTERS * _LETTER_WIDTH)))
    title = f"{rules}: how {player} {_AIMS[strategy.root.verdict]}"
    map_top = _LEAD + (len(lead) - 1) * _LEAD_LINE + 24 + _NAMES
    key_top = map_top + rules.diagram.rows * CELL * _map_scale(rules) + _KEY_GAP
    advice = f"Print it at least {ceil(print_width(rules, strategy.levels))} mm wide, so that every move is legible."
    parts = [
        element("defs", *shared_signs(), *strategy_map(strategy)),
        text(_MARGIN, 100, title, min(44, int(room / (len(title) * 0.66))), font_weight=700),
        *(text(_MARGIN, _LEAD + i * _LEAD_LINE, line, _LEAD_LETTERS, ink=PALE) for i, line in enumerate(lead)),
        *_map(strategy, map_top),
        *draw_key([*key_entries(strategy)], _MARGIN, key_top, room, rows=3),
        text(_MARGIN, _HEIGHT - 30, f"mnk draw {rules} --poster --side {player}", 15, ink=PALE),
        text(_WIDTH - _MARGIN, _HEIGHT - 30, advice, 15, anchor="end", ink=PALE),
    ]
    description = " ".join([*lead, *_first_moves(strategy)])
    return svg(page(_WIDTH, _HEIGHT, parts, title=title, description=description, corner=0), dark=True)


def print_width(rules: Rules, levels: int) -> float:
    """Return the minimum width of a sheet, in millimetres, at which the innermost of `levels` nested boards is legible
    in print.
    """
    return LEAST * _WIDTH / (bold_size(rules, levels) * rules.diagram.columns * CELL * _map_scale(rules))


def _map_scale(rules: Rules) -> float:
    """Return the size of a unit of the map, in units of the sheet."""
    return _MAP / (max(rules.diagram.rows, rules.diagram.columns) * CELL)


def _read(tables: Prober, rules: Rules, player: str) -> Strategy:
    levels = 1
    while print_width(rules, levels + 1) <= WIDEST:
        levels += 1
    try:
        return read_strategy(tables, rules, player, levels=levels, most=MOST_BOARDS)
    except StrategyTooLarge as error:
        raise PictureError(
            f"The strategy of {player} in {rules} can't be drawn legibly, because {error}; at the next depth a sheet "
            f"would be {print_width(rules, levels + 1):.0f} mm wide. "
            "Choose the other --side or a smaller game, or draw a part of the strategy with `mnk tree -o`."
        ) from error


def _example(strategy: Strategy) -> Iterator[str]:
    """Yield sentences about one line of play, in which the other side makes as few mistakes as possible."""
    node = strategy.root
    yield from _opening(strategy)
    order = ("loss", "draw", "win")
    for where in ("the small board there", "the board within that one"):
        if not node.answers:
            break
        square, node = min(node.answers.items(), key=lambda answer: order.index(answer[1].verdict))
        yield f"{strategy.other} plays {_name(strategy, square)}: {where} answers {_name(strategy, node.move)}."


def _first_moves(strategy: Strategy) -> Iterator[str]:
    """Yield sentences about the first moves, for people who can't see the map."""
    yield from _opening(strategy)
    for square, then in strategy.root.answers.items():
        yield f"If {strategy.other} plays {_name(strategy, square)}, it answers {_name(strategy, then.move)}."


def _opening(strategy: Strategy) -> Iterator[str]:
    if strategy.root.move is not None:
        yield f"{strategy.player} begins on {_name(strategy, strategy.root.move)}."


def _name(strategy: Strategy, square: int | None) -> str:
    return square_name(strategy.rules, square or 0)


def _map(strategy: Strategy, top: float) -> Iterator[Element]:
    """Yield the map, with the names of its rows and columns."""
    rules, scale = strategy.rules, _map_scale(strategy.rules)
    side, columns, rows = CELL * scale, rules.diagram.columns, rules.diagram.rows
    left = _MARGIN + _NAMES + (_MAP - columns * side) / 2
    for column in range(columns):
        yield text(left + (column + 0.5) * side, top - 10, column_name(column), 18, anchor="middle", ink=PALE)
    for row in range(rows):
        yield text(left - 12, top + (row + 0.5) * side + 6, str(row + 1), 18, anchor="end", ink=PALE)
    ground = card(0, 0, columns * CELL, rows * CELL, strategy.root.verdict)
    yield element("g", ground, use("board-0"), transform=place(left, top, scale))
