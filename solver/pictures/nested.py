"""Boards within the squares of boards: the drawing of a strategy as one self-similar map.

Each board is drawn once, in squares of its own, and shown wherever it is needed at the scale of the square it lies in.
The player's move is drawn large and bold, the stones that stood before are pale, and the other squares hold the boards
that answer the other side's replies. The idea is that of Randall Munroe's map of tic-tac-toe (xkcd 832).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from solver.drawing.canvas import Element, element, place
from solver.drawing.palette import EDGE, LINE, PALE_STONES, PAPER, STONES, TONES
from solver.drawing.signs import stone, verdict_mark
from solver.game.rules import Rules
from solver.pictures.strategy import Node, Strategy

__all__ = ["CELL", "bold_size", "card", "nested_scale", "shared_signs", "strategy_map", "strike", "use"]

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
    return _FIT / max(rules.m, rules.n)


def bold_size(rules: Rules, levels: int) -> float:
    """Give the width of the player's move in the innermost of so many nested boards; the outermost is 1 wide."""
    return (2 * _REACH + _BOLD) / (CELL * rules.n) * nested_scale(rules) ** (levels - 1)


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
    grid = _grid(strategy.rules.m, strategy.rules.n)
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
    indent_x, indent_y = ((1 - side * scale) * CELL / 2 for side in (rules.n, rules.m))
    thens = {reply.square: reply.then for reply in node.replies}
    yield use(f"{prefix}g")
    for square, cell in enumerate(node.position.cells):
        x, y = square % rules.n * CELL, square // rules.n * CELL
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
        yield strike(line, rules.n)


def _grid(m: int, n: int) -> str:
    upright = [f"M{column * CELL} 5V{m * CELL - 5}" for column in range(1, n)]
    level = [f"M5 {row * CELL}H{n * CELL - 5}" for row in range(1, m)]
    return "".join(upright + level)
