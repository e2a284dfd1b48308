"""Draw the board as a widget, and the panel beside it: whose turn it is, the moves best first, and what was played.

Letters and signs say all that colours say: W, = and L with plies, * on the best moves, parentheses around a completed
line, a dot beside the last stone, corners or brackets around the square pointed at.
"""

from collections.abc import Mapping
from itertools import groupby
from typing import Final

from rich.style import Style
from rich.text import Text
from textual.events import Click
from textual.geometry import Region
from textual.message import Message
from textual.widget import Widget

from solver.game.squares import square_name
from solver.game.value import Value
from solver.support.columns import column_name
from solver.support.drawing.palette import LINE_TINT, STONES
from solver.terminal.exploration import OPPONENTS, Exploration
from solver.terminal.layout import Layout

_WIDTH: Final = 7  # columns of the terminal that a square takes
_ROOM: Final = 8  # columns besides a name that stands in one line with a verdict

STYLES: Final = {
    "win": Style(color="#6fdc8c"),
    "draw": Style(color="#f1c21b"),
    "loss": Style(color="#ff8389"),
    "X": Style(color=STONES["X"].dark, bold=True),
    "O": Style(color=STONES["O"].dark, bold=True),
    "": Style(color="#8d8d8d"),
}
"""By verdict and by stone; the last, of everything else."""

_SHADES: Final = (Style(bgcolor="#21272a"), Style(bgcolor="#2b3236"))
_LAST: Final = Style(bgcolor="#39434a")
_POINTED: Final = Style(bgcolor="#4d5358")
_LINE: Final = Style(bgcolor=LINE_TINT.dark)
_SHAPES: Final = {"X": ("╲ ╱", " ╳ ", "╱ ╲"), "O": ("╭─╮", "│ │", "╰─╯")}  # noqa: RUF001 - lines of a drawing, not letters


class BoardView(Widget):
    """The board of a game."""

    DEFAULT_CSS = "BoardView { width: auto; height: auto; }"

    class Chosen(Message):
        """A square was clicked."""

        def __init__(self, square: int) -> None:
            super().__init__()
            self.square = square

    def __init__(self, game: Exploration, *, hints: bool = True) -> None:
        super().__init__(id="board")
        self.game = game
        self.hints = hints  # whether verdicts are shown
        self.moves: list[tuple[int, Value]] = []  # the verdicts
        self.cursor = 0  # the square that is pointed at
        self._rules = game.table.rules
        self.frame = Layout(self._rules.diagram)
        name = 0 if self.frame.has_coordinates else max(map(len, self._rules.diagram.names))
        self.sizes = (max(_WIDTH, name + 2), 3), (max(_WIDTH, name + _ROOM if name else 0), 1)
        """Sizes of a square, (columns, lines) of the terminal, the best first."""
        self.cell = self.sizes[0]  # the size of a square
        self._margin = len(str(self.frame.rows)) + 1

    def measure(self, cell: tuple[int, int]) -> tuple[int, int]:
        """Give the columns and lines that the board takes with squares of a size."""
        return self._margin + self.frame.columns * cell[0], 1 + self.frame.rows * cell[1]

    def set_cell(self, cell: tuple[int, int]) -> None:
        """Draw squares of this size from now on."""
        self.cell = cell
        self.styles.width, self.styles.height = self.measure(cell)
        self.refresh(layout=True)

    def region_of(self, square: int) -> Region:
        """Give the place of a square on the board, in columns and lines of the terminal."""
        row, column = self.frame.place(square)
        width, height = self.cell
        return Region(self._margin + column * width, 1 + row * height, width, height)

    def on_click(self, event: Click) -> None:
        """Post which square was clicked."""
        column, row = (event.x - self._margin) // self.cell[0], (event.y - 1) // self.cell[1]
        square = self.frame.cell(row, column)
        if isinstance(square, int):
            self.post_message(self.Chosen(square))

    def render(self) -> Text:
        """Write the column letters, and each row of squares with its number; not where squares have other names."""
        width, height = self.cell
        values = dict(self.moves)
        best = min((value.rank for value in values.values()), default=None)
        text, shown = Text(" " * self._margin, no_wrap=True), self.frame
        if shown.has_coordinates:
            text.append("".join(column_name(column).center(width) for column in range(shown.columns)), STYLES[""])
        for row in range(shown.rows):
            drawn = [self._cell(shown.cell(row, column), values, best) for column in range(shown.columns)]
            for line in range(height):
                number = str(row + 1) if line == height // 2 and shown.has_coordinates else ""
                text.append("\n" + number.rjust(self._margin - 1) + " ", STYLES[""])
                for lines, style in drawn:
                    text.append(lines[line], style)
        return text

    def _cell(
        self, cell: int | str, values: Mapping[int, Value], best: tuple[int, int] | None
    ) -> tuple[list[str], Style]:
        """Draw the lines of a square, of a stone that stands from the start, or of a hole, and choose their style."""
        if isinstance(cell, int):
            return self._square(cell, values.get(cell), best)
        width, height = self.cell
        stone = cell.center(width)
        tall = [line.center(width) for line in _SHAPES[cell]] if cell in _SHAPES and height > 1 else [stone]
        return (tall, STYLES[cell]) if cell in _SHAPES else ([" " * width] * height, Style())

    def _square(self, square: int, value: Value | None, best: tuple[int, int] | None) -> tuple[list[str], Style]:
        """Draw the lines of a square, and choose their style."""
        position, played = self.game.position, self.game.played
        cell = position.cells[square]
        mark = cell
        if cell == ".":
            mark = "·" if value is None else value.label + ("*" if value.rank == best else "")
        lined = bool(position.winning_line >> square & 1)
        last = bool(played) and played[-1] == square
        pointed = square == self.cursor and not position.is_over
        row, column = self.frame.place(square)
        style = STYLES[cell if cell != "." else value.category if value else ""]
        style += Style(bold=value is not None and value.rank == best) + _SHADES[(row + column) % 2]
        style += _LINE if lined else _POINTED if pointed else _LAST if last else Style()
        name = "" if self.frame.has_coordinates else square_name(self._rules, square)
        if self.cell[1] == 1:
            word = f"{name}{' ' if name else ''}{mark}{'•' if last else ''}"
            return [_bracket(word, self.cell[0], lined=lined, pointed=pointed)], style
        return self._tall(mark, name, lined=lined, pointed=pointed, last=last), style

    def _tall(self, mark: str, name: str, *, lined: bool, pointed: bool, last: bool) -> list[str]:
        """Draw three lines, with stones as large as they can be, the name of the square above a mark that is small."""
        width = self.cell[0]
        top, middle, bottom = (line.center(width) for line in _SHAPES.get(mark, (name, mark, "")))
        if pointed:
            top, bottom = f"┌{top[1:-1]}┐", f"└{bottom[1:-1]}┘"
        if lined:
            middle = f"({middle[1:-1]})"
        if last:
            top = f"{top[:-1]}•"
        return [top, middle, bottom]


def _bracket(mark: str, width: int, *, lined: bool, pointed: bool) -> str:
    """Put a mark in the middle of one line, in parentheses or brackets if need be."""
    left, right = "()" if lined else "[]" if pointed else "  "
    return f"{left}{mark.center(width - 2)}{right}"


_DIM = STYLES[""]


def write_panel(game: Exploration, *, hints: bool) -> Text:
    """Write the panel of a game; without hints it tells no values."""
    text = Text()
    _add_state(text, game, hints=hints)
    if hints and not game.position.is_over:
        _add_moves(text, game)
        _heading(text, "Main line")
        text.append(" ".join(_names(game, game.table.mainline(game.position))) + "\n")
    _add_played(text, game, hints=hints)
    return text


def describe_players(game: Exploration) -> str:
    """Say who plays whom."""
    if game.opponent == "people":
        return "Two people play."
    return f"You play {game.people} against {OPPONENTS[game.opponent]}."


def _add_state(text: Text, game: Exploration, *, hints: bool) -> None:
    position = game.position
    text.append(describe_players(game) + "\n\n", _DIM)
    if position.is_over:
        text.append(position.result, "bold")
    else:
        text.append(f"{position.to_move} to move", "bold")
        if hints:
            value = game.table.probe(game.position)
            text.append(": ", "bold")
            text.append(str(value), STYLES[value.category] + Style(bold=True))
    text.append("\n")


def _add_moves(text: Text, game: Exploration) -> None:
    _heading(text, "Moves, best first")
    for value, group in groupby(game.table.moves(game.position), key=lambda move: move[1]):
        text.append(f"{value.label:<4}", STYLES[value.category])
        text.append(" ".join(_names(game, [square for square, _ in group])) + "\n")


def _add_played(text: Text, game: Exploration, *, hints: bool) -> None:
    _heading(text, "Played")
    marks = game.mistakes() if hints else [""] * len(game.played)
    first = game.past[0].ply
    for ply, (name, mark) in enumerate(zip(_names(game, game.played), marks, strict=True), first):
        if ply % 2 == 0 or ply == first:
            text.append(f"{ply // 2 + 1}.", _DIM)
            text.append("... " if ply % 2 else " ", _DIM)
        text.append(name, STYLES["XO"[ply % 2]])
        text.append(mark + " ", STYLES["loss"])
    text.append("nothing yet\n" if not marks else "\n", _DIM)


def _heading(text: Text, name: str) -> None:
    text.append(f"\n{name}\n", "bold underline")


def _names(game: Exploration, squares: list[int]) -> list[str]:
    return [square_name(game.table.rules, square) for square in squares]
