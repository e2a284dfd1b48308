"""Draw the figures of docs/explanation/kernel.md from positions in the table of tic-tac-toe.

`scripts/test --renew` writes them to docs/figures.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from solver import Position, Truth, parse_game
from solver.drawing.canvas import Element, element, page, place, stone, svg, text
from solver.drawing.palette import BOARD, EDGE, FRAME, INK, LINE, PALE, STONES, TONES, Colour
from solver.game.lines import completing, mask_of

RULES: Final = parse_game("3,3,3")
X_SET: Final = mask_of((1, 3))  # b1 and a2: the page in the figures
FREE: Final = [square for square in range(9) if not X_SET >> square & 1]
WIDTH: Final = 760


def draw_figures(table: Truth) -> dict[str, str]:
    """Return every figure by the name of its file."""
    figures = {"page": draw_page, "fold": draw_fold, "horizons": draw_horizons}
    return {"threats.svg": draw_threats()} | {f"{name}.svg": draw(table) for name, draw in figures.items()}


def draw_page(table: Truth) -> str:
    """Return a figure of every position of a page with its two bits."""
    parts, top = [title("One page: X on b1 and a2, and every set of O stones")], 48.0
    for size, turn in ((1, "O to move: the 7 sets of one stone"), (2, "X to move: the 21 sets of two stones")):
        parts.append(text(20, top + 14, turn, 14))
        top += 26
        for number, o in enumerate(o_sets(size)):
            left, low = 20 + number % 11 * 66, top + number // 11 * 84
            parts.append(board(X_SET, o, left, low, 42))
            for shift, side in ((1, "X"), (25, "O")):
                parts.append(bit(left + shift, low + 49, 15, STONES[side], is_won(table, o, side)))
        top += 84 * -(-len(o_sets(size)) // 11)
    for left, side, words in ((20, "X", "plane X: X forces a line"), (250, "O", "plane O: O forces a line")):
        parts += [bit(left, top, 15, STONES[side], True), text(left + 22, top + 12, words, 14)]
    parts += [bit(480, top, 15, INK, False), text(502, top + 12, "empty: 0; two zeros: a draw", 14)]
    return drawn(parts, top + 32, "28 small boards with the two bits that each has in the planes of the page.")


def draw_fold(table: Truth) -> str:
    """Return a figure of a plane before and after folding."""
    parts = [title("A plane has a bit for each of 128 sets of O stones; 21 have the right size")]
    in_index_bits = {sum(1 << i for i, square in enumerate(FREE) if o >> square & 1): o for o in o_sets(2)}
    for number in range(128):
        x, y = 20 + number % 32 * 22, 50 + number // 32 * 22
        if number in in_index_bits:
            parts.append(bit(x, y, 19, STONES["X"], is_won(table, in_index_bits[number], "X")))
            parts.append(element("rect", x=x - 1, y=y - 1, width=21, height=21, rx=3, fill="none", stroke=INK))
        else:
            parts.append(element("rect", x=x, y=y, width=19, height=19, rx=2, fill=FRAME, fill_opacity=0.5))
    parts.append(text(20, 168, "Folded: these 21 alone, in the same order", 14))
    parts += [bit(20 + i * 22, 180, 19, STONES["X"], is_won(table, o, "X")) for i, o in enumerate(o_sets(2))]
    parts.append(text(20, 228, "Filled: X, to move, forces a line. Grey: sets of another size.", 14, ink=PALE))
    return drawn(parts, 246, "A plane of 128 bits, of which 21 mean something, and the folded plane of 21 bits.")


def draw_horizons(table: Truth) -> str:
    """Return a figure of X's planes, one per horizon, the number of horizons that hold, and its binary digits."""
    parts = [title("A plane for each horizon: a line by one ply is also a line by the next")]
    words = {107: "X's line by ply 5", 135: "X's line by ply 7", 163: "X's line by ply 9", 206: "how many hold"}
    parts += [text(20, y, line, 14) for y, line in (words | {237: "its lowest digit,", 265: "and the next"}).items()]
    for i, o in enumerate(o_sets(2)):
        x, holds = 190 + i * 26, [is_won(table, o, "X", horizon) for horizon in (5, 7, 9)]
        count = sum(holds)
        parts.append(board(X_SET, o, x - 1.5, 56, 23))
        parts += [bit(x, 92 + 28 * row, 20, STONES["X"], held) for row, held in enumerate(holds)]
        parts.append(text(x + 10, 206, str(count), 14, text_anchor="middle"))
        parts += [bit(x, 222 + 28 * digit, 20, INK, bool(count >> digit & 1)) for digit in (0, 1)]
    return drawn(
        parts,
        286,
        "For 21 positions, the plies by which X forces a line, and the digits of the number of horizons that hold.",
    )


def draw_threats() -> str:
    """Return a figure of two positions that threats decide, and one position that they do not decide."""
    parts = [title("Positions whose value a reader can see have no bits in the file")]
    words = (
        ("XX./OO./...", "X to move completes", "a line at once: win in 1"),
        ("XO./OX./X..", "O to move, X threatens", "two squares: loss in 2"),
        ("X../.O./...", "X to move, no threat:", "its bits are kept"),
    )
    for column, (rows, *sentences) in enumerate(words):
        position, left = Position.parse(RULES, rows), 20 + 250 * column
        marked = completing(RULES.x_lines, position.x, position.x | position.o)
        parts.append(board(position.x, position.o, left, 50, 120, marked))
        parts += [text(left, 196 + 20 * line, sentence, 14) for line, sentence in enumerate(sentences)]
    return drawn(parts, 232, "Three positions: a win in one, a loss by two threats, and one that is kept on a page.")


def o_sets(size: int) -> list[int]:
    """Return the sets of O stones beside the X stones, in colexicographic order, as in the file."""
    return sorted(mask_of(chosen) for chosen in combinations(FREE, size))


def is_won(table: Truth, o: int, side: str, horizon: int = 9) -> bool:
    """Return True if `side` completes a line by ply `horizon` under best play."""
    position = Position(RULES, X_SET, o)
    value = table.probe(position)
    wins = value.wdl == (1 if position.to_move == side else -1)
    return wins and position.ply + (value.distance or 0) <= horizon


def title(words: str) -> Element:
    """Return the title of a figure."""
    return text(20, 30, words, 17, font_weight=700)


def bit(x: float, y: float, size: float, ink: Colour, is_set: bool) -> Element:
    """Return a bit as a square, filled if it is 1."""
    look = {"fill": ink, "stroke": ink} if is_set else {"fill": "none", "stroke": EDGE}
    return element("rect", x=x, y=y, width=size, height=size, rx=2, **look)


def board(x: int, o: int, left: float, top: float, size: float, marked: int = 0) -> Element:
    """Return a small board; marked squares have a frame."""
    cell, parts = size / 3, [element("rect", width=size, height=size, rx=3, fill=BOARD)]
    for square in range(9):
        corner = {"x": square % 3 * cell + 1, "y": square // 3 * cell + 1}
        look: dict[str, Colour | None] = {"fill": TONES["draw"].tint, "stroke": LINE if marked >> square & 1 else None}
        parts.append(element("rect", **corner, width=cell - 2, height=cell - 2, rx=2, **look))
        for side, stones in (("X", x), ("O", o)):
            if stones >> square & 1:
                middle = (corner["x"] + cell / 2 - 1, corner["y"] + cell / 2 - 1)
                parts.append(stone(side, *middle, cell * 0.26, STONES[side], cell * 0.14))
    return element("g", *parts, transform=place(left, top))


def drawn(parts: Sequence[Element], height: float, description: str) -> str:
    """Return a figure as SVG; the first part is its title."""
    words = str(parts[0].children[0])
    return svg(page(WIDTH, height, parts, title=words, description=description), dark=True) + "\n"
