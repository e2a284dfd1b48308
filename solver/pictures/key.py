"""The key of a poster: what the signs of its maps mean. Only those that occur are explained."""

from collections.abc import Iterator, Sequence
from math import ceil
from textwrap import wrap
from typing import Final, NamedTuple

from solver.drawing.canvas import Element, element, place, text
from solver.drawing.palette import PALE
from solver.drawing.signs import verdict_mark
from solver.pictures.nested import CELL, card, nested_scale, strike, use
from solver.pictures.strategy import Strategy

__all__ = ["draw_key", "key_entries"]

_SIGN, _GAP, _LINE, _LETTERS = 58, 16, 22, 17  # sizes in units of the picture; the last, of the letters
_LETTER_WIDTH: Final = 0.58  # of letters of size 1, in the widest of usual fonts

_FROM_HERE: Final = {
    "win": "A win from here on: {other} has gone wrong.",
    "draw": "A draw from here on, at least.",
    "loss": "Lost from here on, unless {other} goes wrong.",
}
_ENDS: Final = {"win": "won", "draw": "drawn", "loss": "lost"}


class Entry(NamedTuple):
    """A sign, and what it means."""

    sign: Sequence[Element]
    """Drawn in a square of CELL units."""
    meaning: str


def key_entries(strategies: Sequence[Strategy]) -> Iterator[Entry]:
    """Explain the maps of the strategies of one or two players."""
    first = strategies[0]
    other = "the other side" if len(strategies) > 1 else first.other
    changes, ends = (set().union(*found) for found in zip(*((s.changes, s.ends) for s in strategies), strict=True))
    yield Entry([use(first.player)], "Bold: the move to play.")
    yield Entry([use("x", -22), use("o", 22)], "Pale: stones played before.")
    yield Entry(_nested(first), f"A board in a square: the answer when {other} plays there.")
    for verdict, meaning in _FROM_HERE.items():
        if verdict in changes:
            yield Entry([card(4, 4, CELL - 8, CELL - 8, verdict)], meaning.format(other=other))
    if any(node.lines for strategy in strategies for node in strategy.nodes):
        yield Entry(_line(first.player), "A completed line: the game is over.")
    if ends:
        yield _ends([verdict for verdict in _ENDS if verdict in ends])


def draw_key(entries: Sequence[Entry], x: float, y: float, width: float, rows: int) -> Iterator[Element]:
    """Draw the entries in at most so many rows, and at least two columns, in a place of this width."""
    columns = max(2, ceil(len(entries) / rows))
    room = width / columns
    for number, entry in enumerate(entries):
        left, top = x + number % columns * room, y + number // columns * (_SIGN + _GAP)
        yield element("g", *entry.sign, transform=place(left, top, _SIGN / CELL))
        lines = wrap(entry.meaning, int((room - _SIGN - 2 * _GAP) / (_LETTERS * _LETTER_WIDTH)))
        middle = top + _SIGN / 2 + _LETTERS * 0.35 - (len(lines) - 1) * _LINE / 2
        for row, line in enumerate(lines):
            yield text(left + _SIGN + _GAP, middle + row * _LINE, line, _LETTERS)


def _nested(strategy: Strategy) -> list[Element]:
    """Draw a square with a small board in it."""
    rules, player, scale = strategy.rules, strategy.player, nested_scale(strategy.rules)
    left, top = (CELL * (1 - side * scale) / 2 for side in (rules.n, rules.m))
    row, column = divmod(rules.squares // 2, rules.n)
    side = CELL * scale
    return [
        element("rect", x=2, y=2, width=CELL - 4, height=CELL - 4, fill="none", stroke=PALE, stroke_width=2.5),
        use(f"{player.lower()}g", left, top, scale),
        use(player, left + column * side, top + row * side, scale),
    ]


def _line(player: str) -> list[Element]:
    stones = [use(player, x, 0.3 * CELL, 0.4) for x in (-10, 30, 70)]
    return [*stones, element("g", strike([0, 1, 2], 3), transform=place(-10, 30, 0.4))]


def _ends(verdicts: Sequence[str]) -> Entry:
    """Draw the signs of how games end side by side."""
    places = {1: [50], 2: [25, 75], 3: [10, 50, 90]}[len(verdicts)]
    radius = 34 if len(verdicts) == 1 else 17
    signs = [verdict_mark(verdict, x, CELL / 2, radius) for verdict, x in zip(verdicts, places, strict=True)]
    return Entry(signs, f"No choice is left: {', '.join(_ENDS[verdict] for verdict in verdicts)}.")
