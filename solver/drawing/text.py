"""A board as text: aligned columns, letters above and row numbers at the left.

>>> print(text_board(2, 3, "XO..X.", labels={2: "L4", 3: "=", 5: "W1"}))
   a   b   c
1  X   O   L4
2  =   X   W1
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from solver.support.columns import column_name

__all__ = ["text_board"]


def text_board(
    m: int,
    n: int,
    cells: Sequence[str],
    *,
    labels: Mapping[int, str] | None = None,
    highlight: Iterable[int] = (),
    paint: Callable[[str], str] = str,
) -> str:
    """Write the board of m rows and n columns as lines of text, without a newline at the end.

    cells: what stands on each square, row by row, one character each.
    labels: what to write on some squares instead.
    highlight: squares to put in parentheses, such as a completed line.
    paint: called with each label, adds what a terminal shows as its colour.
    """
    marked = set(highlight)
    texts = [(labels or {}).get(square, cell) for square, cell in enumerate(cells)]
    if marked:
        texts = [f"({text})" if square in marked else f" {text} " for square, text in enumerate(texts)]
    pad = " " if marked else ""
    heads = [pad + column_name(column) for column in range(n)]
    number_width = len(str(m))
    width = max(map(len, heads + texts))
    gap = "  " if width - 2 * len(pad) > 1 else " "
    texts = [text.ljust(width) for text in texts]
    for square, label in (labels or {}).items():
        texts[square] = texts[square].replace(label, paint(label))
    rows = [("", [head.ljust(width) for head in heads])]
    rows += [(str(row + 1), texts[row * n : (row + 1) * n]) for row in range(m)]
    return "\n".join(f"{number:>{number_width}}  {gap.join(row)}".rstrip() for number, row in rows)
