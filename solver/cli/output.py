"""Format and print answers: JSON, tables, boards, sentences, numbers and columns. Text is ASCII only."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.drawing.diagram import text_board
from solver.errors import printable
from solver.game.descriptions import describe_rules, describe_value
from solver.game.lines import squares_of
from solver.game.position import Position
from solver.game.value import Value
from solver.support.english import plural

if TYPE_CHECKING:
    from solver.game.rules import Rules, Side
    from solver.study.answers import TableAnswer, ValueAnswer
    from solver.study.review import Sides
    from solver.support.json_types import Answer
    from solver.tablebase import Tablebase

    class TableSummary(TableAnswer):
        """The facts that a table states about its game, with the file's path and size."""

        path: str
        bytes: int

    class StrategySummary(Answer):
        """The facts that a strategy states about its game, with the file's path and size."""

        game: str
        description: str
        claim: str
        side: Side
        within: int | None
        rows: int
        leaves: int
        method: str
        digest: str
        builder: str
        path: str
        bytes: int


_COLOURS = {"W": "green", "=": "yellow", "L": "red"}


def echo_json(value: object) -> None:
    """Print a value as indented JSON."""
    import json  # here, because most commands print text

    click.echo(json.dumps(value, indent=2))


def echo_document(text: str) -> None:
    """Print a document, such as SVG or HTML. It is in UTF-8, whatever the encoding of standard output."""
    click.echo(text.encode(errors="backslashreplace"))


# Tables


def summarise(table: "Tablebase") -> "TableSummary":
    """Return the facts that a table states about its game, with the file's path and size."""
    from solver.study.answers import table_answer  # a query does not need it

    path = Path(str(table.path))
    return {**table_answer(table), "path": str(path), "bytes": path.stat().st_size}


def summarise_strategy(path: Path, rules: "Rules | None" = None) -> "StrategySummary":
    """Return the facts that a strategy states about its game. Raises DamagedTable and UnsupportedTable."""
    from contextlib import closing

    from solver.store.strategy_file import StrategyReader

    with closing(StrategyReader(path, rules)) as reader:
        header = reader.header
        return {
            "game": reader.rules.name, "description": describe_rules(reader.rules), "claim": str(header),
            "side": header.side, "within": header.within,
            "rows": len(reader), "leaves": header.leaves, "method": header.method, "digest": reader.digest,
            "builder": reader.builder, "path": str(path), "bytes": path.stat().st_size,
        }  # fmt: skip


def describe_game_value(root: "ValueAnswer") -> str:
    """Return the result of a game, given the value of its empty board, where X is to move.

    >>> describe_game_value({"wdl": -1, "category": "loss", "distance": 6})
    'O wins in 6 plies'
    """
    if root["wdl"] == 0:
        return "a draw"
    return f"{'X' if root['wdl'] > 0 else 'O'} {describe_value(Value(1, root['distance']))}"


# Positions


def format_board(position: Position, moves: Sequence[tuple[int, Value]] = ()) -> str:
    """Format a board as text, with the values of `moves` in colour and the winning line in parentheses."""
    return text_board(
        position.rules.diagram,
        position.cells,
        labels={square: value.label for square, value in moves},
        highlight=squares_of(position.winning_line),
        paint=lambda label: click.style(label, fg=_COLOURS[label[0]]),
    )


# Accuracy


def format_sides(sides: "Sides") -> Iterator[str]:
    """For each side, yield a line of text about its accuracy."""
    for name, side in (("X", sides["X"]), ("O", sides["O"])):
        slow = f", {plural(side['slow'], 'slow move')}" if side["slow"] else ""
        kept = f"kept the result in {side['kept']:,} of {plural(side['decisions'], 'decision')}"
        accuracy = side["accuracy"]
        said = "nothing could be given away" if accuracy is None else f"accuracy {accuracy:.1f} %, {kept}"
        yield f"{name}: {said}{slow}."


# Words, numbers, columns


def format_seconds(duration: float) -> str:
    """Return a duration in seconds as a string.

    >>> format_seconds(0.042), format_seconds(12.34)
    ('0.04 s', '12.3 s')
    """
    return f"{duration:.2f} s" if duration < 1 else f"{duration:.1f} s"


def align_columns(rows: Sequence[Sequence[str]], left: Sequence[int], widths: Sequence[int] | None = None) -> str:
    """Return rows of cells as lines of aligned columns; columns whose indices are in `left` are aligned to the left.

    widths: the width of each column, to which cells are wrapped; by default, columns are as wide as their cells.

    >>> print(align_columns([("game", "size"), ("3,3,3", "9")], left=[0]))
    game   size
    3,3,3     9
    """
    from tabulate import tabulate  # slow to load, and a query does not need it

    aligned = ["left" if number in left else "right" for number in range(len(rows[0]))]
    cells = [map(printable, row) for row in rows]  # some come from files
    text: str = tabulate(
        cells, tablefmt="plain", colalign=aligned, disable_numparse=True, preserve_whitespace=True, maxcolwidths=widths
    )
    return text
