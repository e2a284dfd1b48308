"""The key of a poster: what the signs of its maps mean. Only those that occur are explained."""

from collections.abc import Iterator, Sequence
from math import ceil
from textwrap import wrap
from typing import Final, NamedTuple

from solver.drawing.marks import verdict_mark
from solver.drawing.nested import CELL, nested_scale, svg_card, svg_strike, svg_use
from solver.drawing.page import PALE, svg_text
from solver.game.rules import Rules
from solver.pictures.tiles import Map

__all__ = ["Entry", "key_entries", "svg_key"]

_SIGN, _GAP, _LINE, _LETTERS = 58, 16, 22, 17  # sizes in units of the picture; the last, of the letters
_LETTER_WIDTH: Final = 0.58  # of letters of size 1, in the widest of usual fonts

_FROM_HERE: Final = {
    "win": "A win from here on: {other} has gone wrong.",
    "draw": "A draw from here on, at least.",
    "loss": "Lost from here on, unless {other} goes wrong.",
}
_ENDS: Final = {"win": "won", "draw": "drawn", "loss": "lost"}


class Entry(NamedTuple):
    """A sign, drawn in a square of CELL units, and what it means."""

    sign: str
    text: str


def key_entries(maps: Sequence[Map]) -> list[Entry]:
    """What is to be explained about the maps of one or two players."""
    player, rules = maps[0].player, maps[0].strategy.rules
    other = "the other side" if len(maps) > 1 else "X" if player == "O" else "O"
    changed, ends = (set().union(*found) for found in zip(*((each.changes, each.ends) for each in maps), strict=True))
    lines = any(tile.lines for each in maps for tile in each.tiles)
    return [
        Entry(svg_use(player), "Bold: the move to play."),
        Entry(svg_use("x", -22, 0) + svg_use("o", 22, 0), "Pale: stones played before."),
        Entry(_nested(player, rules), f"A board in a square: the answer when {other} plays there."),
        *(
            Entry(svg_card(4, 4, CELL - 8, CELL - 8, verdict), text.format(other=other))
            for verdict, text in _FROM_HERE.items()
            if verdict in changed
        ),
        *([Entry(_line(player), "A completed line: the game is over.")] if lines else []),
        *([_ends([verdict for verdict in _ENDS if verdict in ends])] if ends else []),
    ]


def _ends(verdicts: Sequence[str]) -> Entry:
    """The signs of how games end, side by side."""
    places = {1: [50], 2: [25, 75], 3: [10, 50, 90]}[len(verdicts)]
    radius = 34 if len(verdicts) == 1 else 17
    signs = [verdict_mark(verdict, x, CELL / 2, radius) for verdict, x in zip(verdicts, places, strict=True)]
    return Entry("".join(signs), f"No choice is left: {', '.join(_ENDS[verdict] for verdict in verdicts)}.")


def _nested(player: str, rules: Rules) -> str:
    """A square with a small board in it."""
    scale = nested_scale(rules.m, rules.n)
    left, top = (CELL * (1 - side * scale) / 2 for side in (rules.n, rules.m))
    frame = f'<rect x="2" y="2" width="{CELL - 4}" height="{CELL - 4}" fill="none" stroke="{PALE}" stroke-width="2.5"/>'
    grid = svg_use(f"{player.lower()}g", left, top, scale)
    middle = rules.squares // 2
    x, y = left + middle % rules.n * CELL * scale, top + middle // rules.n * CELL * scale
    return frame + grid + svg_use(player, x, y, scale)


def _line(player: str) -> str:
    stones = "".join(svg_use(player, place, 0.3 * CELL, 0.4) for place in (-10, 30, 70))
    return stones + f'<g transform="translate(-10 30)scale(.4)">{svg_strike([0, 1, 2], 3)}</g>'


def svg_key(entries: Sequence[Entry], x: float, y: float, width: float, rows: int) -> Iterator[str]:
    """The entries in at most so many rows, and at least two columns, in a place of this width."""
    columns = max(2, ceil(len(entries) / rows))
    room = width / columns
    for number, (sign, text) in enumerate(entries):
        left, top = x + number % columns * room, y + number // columns * (_SIGN + _GAP)
        yield f'<g transform="translate({left:g} {top:g})scale({_SIGN / CELL:g})">{sign}</g>'
        lines = wrap(text, int((room - _SIGN - 2 * _GAP) / (_LETTERS * _LETTER_WIDTH)))
        middle = top + _SIGN / 2 + _LETTERS * 0.35 - (len(lines) - 1) * _LINE / 2
        for row, line in enumerate(lines):
            yield svg_text(left + _SIGN + _GAP, middle + row * _LINE, line, _LETTERS)
