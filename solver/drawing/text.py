"""A board as lines of text: with coordinates where squares are named by them, else each square after its name."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from solver.drawing.diagram import Diagram
from solver.support.columns import column_name


def text_board(
    diagram: Diagram,
    cells: Sequence[str],
    *,
    labels: Mapping[int, str] | None = None,
    highlight: Iterable[int] = (),
    paint: Callable[[str], str] = str,
) -> str:
    """Write a board as lines of text, without a newline at the end.

    >>> from solver.drawing.diagram import grid
    >>> print(text_board(grid(2, 3), "XO..X.", labels={2: "L4", 3: "=", 5: "W1"}))
       a   b   c
    1  X   O   L4
    2  =   X   W1

    cells: what stands on each square, one character each.
    labels: what to write on some squares instead.
    highlight: squares to put in parentheses, such as a completed line.
    paint: called with each label, adds what a terminal shows as its colour.
    """
    marked, m, n = set(highlight), diagram.rows, diagram.columns
    texts = [(labels or {}).get(square, cell) for square, cell in enumerate(cells)]
    if not diagram.has_coordinates:
        return _text_list(diagram, texts, marked, labels or {}, paint)
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
    places = [text if len(text) > 1 else (pad + text).ljust(width) for text in diagram.fill(texts)]
    rows = [("", [head.ljust(width) for head in heads])]
    rows += [(str(row + 1), places[row * n : (row + 1) * n]) for row in range(m)]
    return "\n".join(f"{number:>{number_width}}  {gap.join(row)}".rstrip() for number, row in rows)


_TEXT_WIDTH = 72


def _text_list(
    diagram: Diagram, texts: Sequence[str], marked: set[int], labels: Mapping[int, str], paint: Callable[[str], str]
) -> str:
    """Write what stands on each square after the square's name; a row of the diagram is a line if it fits."""
    name_width, width = max(map(len, diagram.names)), max(map(len, texts))
    words = []
    for square, here in enumerate(texts):
        shown = (f"({here})" if square in marked else f" {here} " if marked else here).ljust(width + 2 * bool(marked))
        if square in labels:
            shown = shown.replace(here, paint(here))
        words.append(f"{diagram.names[square]:>{name_width}} {shown}")
    places = diagram.fill(words)
    blank = " " * (name_width + 1 + width)
    places = [f"{place:>{name_width + 1}}".ljust(len(blank)) if len(place) == 1 else place for place in places]
    n = min(diagram.columns, max(1, _TEXT_WIDTH // (len(blank) + 3)))
    rows = [places[start : start + diagram.columns] for start in range(0, len(places), diagram.columns)]
    lines = [row[start : start + n] for row in rows for start in range(0, len(row), n)]
    return "\n".join("   ".join(line).rstrip() for line in lines)
