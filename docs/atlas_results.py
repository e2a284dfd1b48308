"""A Sphinx directive that shows the results in data/atlas: a picture and a table."""

import csv
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

from directives import FENCE, Written
from parts import table
from sphinx.application import Sphinx

from solver.drawing.canvas import Element, element, page, svg, text
from solver.drawing.palette import EDGE, FRAME, LINE_TINT, STONES

Row = dict[str, str]

X_WINS, MAKER_WINS, BREAKER_WINS = "X wins", "a draw, but Maker wins", "Breaker wins, so a draw"
TONES: Final = {X_WINS: STONES["X"], MAKER_WINS: LINE_TINT, BREAKER_WINS: FRAME}
BOARD_TONES: Final = {"X": STONES["X"], "draw": FRAME, "": LINE_TINT}
BOARD_WORDS: Final = {"X": "X wins", "draw": "a draw", "": "open here"}
SIGNS: Final = {"X": "X", "draw": "=", "": "?"}
CELL, PANEL = 11, 250  # of the picture of boards, in pixels


class Atlas(Written):
    """The results of a family: `graph`, `progression` or `boards`."""

    required_arguments = 1

    def write(self) -> Iterator[str]:
        """Write the picture and the table."""
        family = self.arguments[0]
        files = sorted((Path(self.env.srcdir).parent / "data" / "atlas").glob(f"{family}*.csv"))
        rows = [row for file in files for row in csv.DictReader(file.read_text(encoding="utf-8").splitlines())]
        if family == "boards":
            yield from [FENCE, f"<figure>{svg(draw_boards(rows), dark=True)}</figure>", "```", ""]
            yield from boards(rows)
            return
        yield from [FENCE, f"<figure>{svg(draw(family, rows), dark=True)}</figure>", "```", ""]
        yield from graphs(rows) if family == "graph" else progressions(rows)


def kind(row: Row) -> str:
    """Return who wins the strong game and the Maker-Breaker game."""
    return X_WINS if row["value"] == "X" else BREAKER_WINS if row["maker"] == "O" else MAKER_WINS


def result(row: Row | None) -> str:
    """Return both results: the winner and the plies of the strong game, then of the Maker-Breaker game."""
    if row is None:
        return ""
    strong = f"X {row['plies']}" if row["value"] == "X" else "=" if row["value"] else "?"
    maker = f"M {row['maker_plies']}" if row["maker"] == "X" else "B" if row["maker"] else "?"
    return f"{strong} / {maker}"


def graphs(rows: list[Row]) -> Iterator[str]:
    """Write the table of graphs: a row for each graph, and a column for each number of points."""
    points = sorted({int(row["points"]) for row in rows})
    lines = []
    ordered = sorted(rows, key=lambda row: int(row["atlas"]))
    for _, games in groupby(ordered, key=lambda row: row["atlas"]):
        results = {int(row["points"]): row for row in games}
        row = next(iter(results.values()))
        lines.append((row["graph"], f"G{row['atlas']}", row["edges"], *(result(results.get(n)) for n in points)))
    yield from table(("graph", "number", "edges", *(f"{n} points" for n in points)), lines)


def progressions(rows: list[Row]) -> Iterator[str]:
    """Write the table of progressions: a row for each n, and a column for each k."""
    by_game = {(int(row["n"]), int(row["k"])): row for row in rows}
    numbers, lengths = (sorted({key[i] for key in by_game}) for i in (0, 1))
    lines = [(str(n), *(result(by_game.get((n, k))) for k in lengths)) for n in numbers]
    yield from table(("n", *(f"k = {k}" for k in lengths)), lines)


def boards(rows: list[Row]) -> Iterator[str]:
    """Write the table of boards: a row for each m, a column for each k, and in each cell the values by n."""
    of_board = {sides(row): row for row in rows}
    lengths, most = sorted({k for _, _, k in of_board}), max(n for _, n, _ in of_board)
    lines = []
    for m in range(1, most + 1):
        cells = []
        for k in lengths:
            values = [of_board[m, n, k]["value"] for n in range(m, most + 1)]
            runs, n = [], m
            for value, run in groupby(values):
                last = n + len([*run]) - 1
                runs.append(f"{SIGNS[value]} {n}" + (f"-{last}" if last > n else ""))
                n = last + 1
            cells.append(", ".join(runs))
        lines.append((str(m), *cells))
    yield from table(("m", *(f"k = {k}" for k in lengths)), lines)


def sides(row: Row) -> tuple[int, int, int]:
    """Return m, n and k of a board."""
    m, n, k = map(int, row["game"].split(","))
    return m, n, k


def draw_boards(rows: list[Row]) -> Element:
    """Draw a square for each k, with a cell for each m and n."""
    lengths = sorted({sides(row)[2] for row in rows})
    parts = []
    for row in rows:
        m, n, k = sides(row)
        across, down = divmod(lengths.index(k), 3)[::-1]
        name = ", ".join(part for part in (f"{row['game']}: {BOARD_WORDS[row['value']]}", row["method"]) if part)
        if row["published"]:
            name += f"; published: {row['published']}"
        for i, j in dict.fromkeys([(m, n), (n, m)]):
            x, y = 20 + PANEL * across + CELL * (j - 1), 34 + PANEL * down + CELL * (i - 1)
            tone = BOARD_TONES[row["value"]]
            parts.append(element("rect", element("title", name), x=x, y=y, width=CELL - 1, height=CELL - 1, fill=tone))
    for index, k in enumerate(lengths):
        parts.append(text(20 + PANEL * (index % 3), 24 + PANEL * (index // 3), f"k = {k}", 14))
    bottom = 20.0 + PANEL * ((len(lengths) + 2) // 3)
    for at, (value, words) in enumerate(BOARD_WORDS.items()):
        parts.append(
            element("rect", x=20 + 130 * at, y=bottom - 12, width=14, height=14, fill=BOARD_TONES[value], stroke=EDGE)
        )
        parts.append(text(42 + 130 * at, bottom, words, 14))
    title = "Who wins with m rows and n columns, from 1 to 19"
    return page(760, bottom + 20, parts, title=title)


def draw(family: str, rows: list[Row]) -> Element:
    """Draw a cell for each game, in a row for each number of points, or each k."""
    of_row, of_column = ("points", "atlas") if family == "graph" else ("k", "n")
    columns = sorted({int(row[of_column]) for row in rows})
    heights = sorted({int(row[of_row]) for row in rows})
    width, height = 760.0, 60.0 + 30 * len(heights)
    step = (width - 120) / len(columns)
    parts = []
    for row in rows:
        x, y = 100 + step * columns.index(int(row[of_column])), 20 + 30.0 * heights.index(int(row[of_row]))
        gap = min(2, step / 6)
        name = f"{row['game']}: {kind(row)}"
        parts.append(
            element("rect", element("title", name), x=x, y=y, width=step - gap, height=24, fill=TONES[kind(row)])
        )
    for i, number in enumerate(heights):
        label = f"{number} points" if family == "graph" else f"k = {number}"
        parts.append(text(20, 37 + 30 * i, label, 14))
    bottom = height - 22
    for x, words in ((100, X_WINS), (230, MAKER_WINS), (470, BREAKER_WINS)):
        parts.append(element("rect", x=x, y=bottom - 12, width=14, height=14, fill=TONES[words], stroke=EDGE))
        parts.append(text(x + 22, bottom, words, 14))
    title = "Who wins: graphs in the order of the Atlas" if family == "graph" else "Who wins, for each n"
    return page(width, height, parts, title=title)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive with Sphinx."""
    app.add_directive("atlas", Atlas)
    return {"parallel_read_safe": True}
