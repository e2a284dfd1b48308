"""Boards within the squares of boards: the drawing of a strategy as one self-similar map.

A tile is a board drawn once, in a square of its own size, and shown wherever it is needed at the scale of the square
it lies in. The player's move is drawn large and bold, the stones that stood before are pale, and the other
squares hold the tiles for the other side's replies. The idea is that of Randall Munroe's map of tic-tac-toe
(xkcd 832).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from solver.drawing.marks import verdict_mark

__all__ = ["CELL", "Tile", "bold_size", "nested_scale", "svg_card", "svg_stones", "svg_strike", "svg_tiles", "svg_use"]

CELL: Final = 100  # units of a square
_FIT: Final = 0.92  # how much of a square a tile in it takes
_REACH: Final = 26  # from the middle of a stone to the middle of its stroke
_BOLD, _PALE = 17, 6  # widths of strokes
_INKS: Final = {"X": ("#0b4f7d", "#9dbcd2"), "O": ("#b3440a", "#e0b193")}  # bold and pale
_GRID, _LINE = "#b5b0a3", "#e69f00"
# Fill, frame and dashes of the card below a tile, by the verdict for the player.
_CARDS: Final = {
    "win": ("#e0f3ec", "#00694d", ""),
    "draw": ("#ffffff", "#b5b0a3", ""),
    "loss": ("#fbe9df", "#a34700", ' stroke-dasharray="9 7"'),
}


@dataclass(frozen=True)
class Tile:
    """One board of the map.

    cells: `X`, `O` or anything else for each square, before the move. move: the square of the player's move,
    None when it has none. verdict: `win`, `draw` or `loss` for the player. lines: the squares of each line
    that the move completes. tiles: the numbers of the tiles in some squares. ends: in others, how the game
    ends there without a further choice.
    """

    cells: Sequence[str]
    move: int | None
    verdict: str
    lines: Sequence[Sequence[int]] = ()
    tiles: Mapping[int, int] = field(default_factory=dict)
    ends: Mapping[int, str] = field(default_factory=dict)


def nested_scale(m: int, n: int) -> float:
    """How many times smaller a tile is than the one it lies in."""
    return _FIT / max(m, n)


def bold_size(m: int, n: int, levels: int) -> float:
    """The width of the player's move in the innermost of so many nested boards; the outermost is 1 wide."""
    return (2 * _REACH + _BOLD) / (CELL * n) * nested_scale(m, n) ** (levels - 1)


def svg_use(name: str, x: float = 0, y: float = 0, scale: float = 1) -> str:
    """Show what `svg_tiles` or `svg_stones` has: a tile `t0`, a bold stone `X`, a pale one `x`, a card `win`."""
    if scale != 1:
        return f'<use href="#{name}" transform="translate({x:g} {y:g})scale({scale:g})"/>'
    place = "".join(f' {axis}="{value:g}"' for axis, value in (("x", x), ("y", y)) if value)
    return f'<use href="#{name}"{place}/>'


def svg_tiles(m: int, n: int, player: str, tiles: Sequence[Tile], prefix: str = "t") -> str:
    """The tiles of a map of `player` on boards of m rows and n columns, as SVG to be used by `prefix` and number."""
    parts = [f'<path id="{prefix}g" d="{_grid(m, n)}" stroke="{_GRID}" stroke-width="1.8" stroke-linecap="round"/>']
    for number, tile in enumerate(tiles):
        parts.append(f'<g id="{prefix}{number}">{"".join(_tile(tile, m, n, player, tiles, prefix))}</g>')
    return "\n".join(parts)


def svg_stones() -> str:
    """The stones, cards and ends that maps are made of, as SVG to be used by name."""
    stones = [_stone(side, bold) for side in "XO" for bold in (True, False)]
    cards = [f'<g id="{verdict}">{svg_card(4, 4, CELL - 8, CELL - 8, verdict)}</g>' for verdict in _CARDS]
    ends = [f'<g id="end-{verdict}">{verdict_mark(verdict, 72, 74, 19)}</g>' for verdict in _CARDS]
    return "\n".join([*stones, *cards, *ends])


def svg_card(x: float, y: float, width: float, height: float, verdict: str) -> str:
    """The ground below a tile, tinted and framed by the verdict."""
    fill, frame, dashes = _CARDS[verdict]
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="7" fill="{fill}" '
        f'stroke="{frame}" stroke-width="1.8"{dashes}/>'
    )


def _tile(tile: Tile, m: int, n: int, player: str, tiles: Sequence[Tile], prefix: str) -> Iterator[str]:
    scale = nested_scale(m, n)
    indent_x, indent_y = ((CELL - side * CELL * scale) / 2 for side in (n, m))
    yield svg_use(f"{prefix}g")
    for square in range(m * n):
        x, y = square % n * CELL, square // n * CELL
        if square == tile.move:
            yield svg_use(player, x, y)
        elif tile.cells[square] in _INKS:
            yield svg_use(tile.cells[square].lower(), x, y)
        elif square in tile.tiles:
            inner = tiles[tile.tiles[square]]
            if inner.verdict != tile.verdict:
                yield svg_use(inner.verdict, x, y)
            yield svg_use(f"{prefix}{tile.tiles[square]}", x + indent_x, y + indent_y, scale)
        elif square in tile.ends:
            yield svg_use("xo".replace(player.lower(), ""), x + 8, y + 8, 0.62)
            yield svg_use(f"end-{tile.ends[square]}", x, y)
    for line in tile.lines:
        yield svg_strike(line, n)


def _stone(side: str, bold: bool) -> str:
    middle, reach = CELL // 2, _REACH
    name = side if bold else side.lower()
    if side == "O":
        shape = f'circle id="{name}" cx="{middle}" cy="{middle}" r="{reach}"'
    else:
        near, side_length = middle - reach, 2 * reach
        strokes = f"l{side_length} {side_length}m0-{side_length}l-{side_length} {side_length}"
        shape = f'path id="{name}" d="M{near} {near}{strokes}"'
    ink, width = _INKS[side][not bold], _BOLD if bold else _PALE
    return f'<{shape} fill="none" stroke="{ink}" stroke-width="{width}" stroke-linecap="round"/>'


def svg_strike(line: Sequence[int], n: int) -> str:
    """A stroke through the squares of a line, broken where the line wraps around an edge."""
    path, before = "", None
    for square in line:
        joined = before is not None and max(abs(square // n - before // n), abs(square % n - before % n)) == 1
        path += f"{'L' if joined else 'M'}{square % n * CELL + CELL // 2} {square // n * CELL + CELL // 2}"
        path += "" if joined else "h0"
        before = square
    ends = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
    return f'<path d="{path}" {ends} stroke="{_LINE}" stroke-width="11"/>'


def _grid(m: int, n: int) -> str:
    upright = [f"M{column * CELL} 5V{m * CELL - 5}" for column in range(1, n)]
    level = [f"M5 {row * CELL}H{n * CELL - 5}" for row in range(1, m)]
    return "".join(upright + level)
