"""Boards within the squares of boards: the drawing of a strategy as one self-similar map, and the key to its signs.

Each board is drawn once, in squares of its own, and shown wherever it is needed at the scale of the square it lies in.
The player's move is drawn large and bold, the stones that stood before are pale, and the other squares hold the boards
that answer the other side's replies. The idea is that of Randall Munroe's map of tic-tac-toe (xkcd 832).
"""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from textwrap import wrap
from typing import Final, NamedTuple

from solver.game.rules import Rules
from solver.pictures.strategy import Node, Strategy
from solver.support.drawing.canvas import Element, element, place, stone, text, verdict_mark
from solver.support.drawing.palette import EDGE, LINE, PALE, PALE_STONES, PAPER, STONES, TONES

CELL: Final = 100  # units of a square
_FIT: Final = 0.92  # how much of a square the board in it takes
_REACH: Final = 26  # from the middle of a stone to the middle of its stroke
_BOLD, _THIN = 17, 6  # widths of strokes
# The fill, the frame and the dashes of the card below a board, by the verdict for the player.
_CARDS: Final = {
    "win": (TONES["win"].tint, TONES["win"].ink, None),
    "draw": (PAPER, EDGE, None),
    "loss": (TONES["loss"].tint, TONES["loss"].ink, "9 7"),
}


def nested_scale(rules: Rules) -> float:
    """Give the size of a board as a share of the one it lies in."""
    return _FIT / max(rules.diagram.rows, rules.diagram.columns)


def bold_size(rules: Rules, levels: int) -> float:
    """Give the width of the player's move in the innermost of so many nested boards; the outermost is 1 wide."""
    return (2 * _REACH + _BOLD) / (CELL * rules.diagram.columns) * nested_scale(rules) ** (levels - 1)


def use(name: str, x: float = 0, y: float = 0, scale: float = 1) -> Element:
    """Show what `shared_signs` or `strategy_map` has.

    name: a bold stone `X`, a pale one `x`, a card `win`, an end `end-win`, the board `x0` of X's map, its grid `xg`.
    """
    if scale != 1:
        return element("use", href=f"#{name}", transform=place(x, y, scale))
    return element("use", href=f"#{name}", x=x or None, y=y or None)


def shared_signs() -> Iterator[Element]:
    """Draw the stones, cards and ends that maps are made of, to be shown by `use`."""
    middle = CELL // 2
    for side in "XO":
        yield stone(side, middle, middle, _REACH, STONES[side], _BOLD, side)
        yield stone(side, middle, middle, _REACH, PALE_STONES[side], _THIN, side.lower())
    for verdict in _CARDS:
        yield element("g", card(4, 4, CELL - 8, CELL - 8, verdict), id=verdict)
    for verdict in _CARDS:
        yield element("g", verdict_mark(verdict, 72, 74, 19), id=f"end-{verdict}")


def strategy_map(strategy: Strategy) -> Iterator[Element]:
    """Draw the grid and the boards of a strategy, to be shown by `use`."""
    prefix = strategy.player.lower()
    grid = _grid(strategy.rules.diagram.rows, strategy.rules.diagram.columns)
    yield element("path", id=f"{prefix}g", d=grid, stroke=EDGE, stroke_width=1.8, stroke_linecap="round")
    numbers = {node: number for number, node in enumerate(strategy.nodes)}
    for node, number in numbers.items():
        yield element("g", *_board(node, strategy, numbers), id=f"{prefix}{number}")


def card(x: float, y: float, width: float, height: float, verdict: str) -> Element:
    """Draw the ground below a board, tinted and framed by the verdict."""
    fill, frame, dashes = _CARDS[verdict]
    size = {"x": x, "y": y, "width": width, "height": height}
    return element("rect", **size, rx=7, fill=fill, stroke=frame, stroke_width=1.8, stroke_dasharray=dashes)


def strike(line: Sequence[int], n: int) -> Element:
    """Draw a stroke through the squares of a line, broken where the line wraps around an edge."""
    path, before = "", None
    for square in line:
        joined = before is not None and max(abs(square // n - before // n), abs(square % n - before % n)) == 1
        path += f"{'L' if joined else 'M'}{square % n * CELL + CELL // 2} {square // n * CELL + CELL // 2}"
        path += "" if joined else "h0"
        before = square
    ends = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    return element("path", d=path, fill="none", **ends, stroke=LINE, stroke_width=11)


def _board(node: Node, strategy: Strategy, numbers: Mapping[Node, int]) -> Iterator[Element]:
    rules, player, prefix = strategy.rules, strategy.player, strategy.player.lower()
    scale = nested_scale(rules)
    indent_x, indent_y = ((1 - side * scale) * CELL / 2 for side in (rules.diagram.columns, rules.diagram.rows))
    thens = {reply.square: reply.then for reply in node.replies}
    yield use(f"{prefix}g")
    for square, cell in enumerate(node.position.cells):
        x, y = square % rules.diagram.columns * CELL, square // rules.diagram.columns * CELL
        then = thens.get(square)
        if square == node.move:
            yield use(player, x, y)
        elif isinstance(then, Node):
            if then.verdict != node.verdict:
                yield use(then.verdict, x, y)
            yield use(f"{prefix}{numbers[then]}", x + indent_x, y + indent_y, scale)
        elif then:
            yield use(strategy.other.lower(), x + 8, y + 8, 0.62)
            yield use(f"end-{then}", x, y)
        elif cell in STONES:
            yield use(cell.lower(), x, y)
    for line in node.lines:
        yield strike(line, rules.diagram.columns)


def _grid(m: int, n: int) -> str:
    upright = [f"M{column * CELL} 5V{m * CELL - 5}" for column in range(1, n)]
    level = [f"M5 {row * CELL}H{n * CELL - 5}" for row in range(1, m)]
    return "".join(upright + level)


_SIGN, _GAP, _LINE, _LETTERS = 58, 16, 22, 17  # sizes in units of the picture; the last, of the letters
_LETTER_WIDTH: Final = 0.58  # of letters of size 1, in the widest of usual fonts

_FROM_HERE: Final = {
    "win": "A win from here on: {other} has gone wrong.",
    "draw": "A draw from here on, at least.",
    "loss": "Lost from here on, unless {other} goes wrong.",
}
_FROM_THE_START: Final = {"win": "A win, whatever {other} plays.", "loss": _FROM_HERE["loss"]}
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
    roots = {strategy.root.verdict for strategy in strategies} - {"draw"}  # whose card is as the paper
    for verdict, meaning in _FROM_HERE.items():
        if verdict in changes | roots:
            words = meaning if verdict in changes else _FROM_THE_START[verdict]
            yield Entry([card(4, 4, CELL - 8, CELL - 8, verdict)], words.format(other=other))
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
    left, top = (CELL * (1 - side * scale) / 2 for side in (rules.diagram.columns, rules.diagram.rows))
    row, column = divmod(rules.squares // 2, rules.diagram.columns)
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
