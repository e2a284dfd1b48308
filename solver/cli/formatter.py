"""Help texts that fit the terminal."""

import re
from collections.abc import Iterable
from textwrap import wrap
from typing import Final

import click

_NARROW: Final = 52  # columns; click writes help for no fewer
_NARROWEST: Final = 20
_EXAMPLE: Final = re.compile(r"(mnk .*?\S) {2,}(\S.*)")  # a command and what it does


class HelpFormatter(click.HelpFormatter):
    """A formatter for terminals of any width. Only commands to paste can be wider than the terminal."""

    def __init__(self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None) -> None:
        from shutil import get_terminal_size  # here, because only help needs it

        super().__init__(indent_increment, width, max_width)
        columns = get_terminal_size().columns
        self._is_narrow = width is None and columns < _NARROW
        if self._is_narrow:
            self.width = max(columns, _NARROWEST) - 2

    def write_text(self, text: str) -> None:
        """Write paragraphs, and examples as `options.examples` returns them."""
        if self._is_narrow:
            text = "\n".join(line for given in text.split("\n") for line in self._fold(given))
        super().write_text(text)

    def _fold(self, line: str) -> list[str]:
        """Return an example as several lines if it is too long for one."""
        found = _EXAMPLE.fullmatch(line)
        if not found or self.current_indent + len(line) <= self.width:
            return [line]
        return [found[1], *(f"    {part}" for part in wrap(found[2], self.width - self.current_indent - 4))]

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write names and their descriptions in two columns."""
        if self._is_narrow:
            col_max, rows = self.width // 3, [(self._fold_name(name), about) for name, about in rows]
        super().write_dl(rows, col_max, col_spacing)

    def _fold_name(self, name: str) -> str:
        """Return a name as several lines if it is too long for one."""
        room, gap = self.width - self.current_indent - 4, "\n" + " " * (self.current_indent + 4)
        return gap.join(wrap(name.replace("|", "| "), room, break_on_hyphens=False)).replace("| ", "|")


class Context(click.Context):
    """The context of a command whose help fits the terminal."""

    formatter_class = HelpFormatter
