"""Write the data card of a package: what it holds, how it was made, what it was checked against, how to cite it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from solver.answers import TableAnswer
from solver.check import CheckReport
from solver.drawing.html import Plies, statistics_cells
from solver.game.descriptions import describe_value
from solver.game.value import Value
from solver.store.schema import PLIES_WORDS
from solver.version import __version__


class Column(NamedTuple):
    """A column of a CSV file."""

    name: str
    type: str
    """As Table Schema names it: https://datapackage.org/standard/table-schema/"""
    words: str
    may_be_empty: bool = False


class File(NamedTuple):
    """A file of a package."""

    path: str
    """From the folder of the package, with slashes."""
    words: str
    bytes: int
    sha256: str


POSITION_COLUMNS: Final = (
    Column("hash", "integer", "the sum of digit * 3^square over squares from 0, row by row: 0 empty, 1 X, 2 O"),
    Column("board", "string", "the rows from the top, such as XO./.X./..."),
    Column("ply", "integer", "stones on the board"),
    Column("to_move", "string", "the side to move, X or O"),
    Column("wdl", "integer", "1 win, 0 draw, -1 loss of the side to move, under best play"),
    Column("distance", "integer", "plies to the end, the winner hurrying and the loser delaying", may_be_empty=True),
    Column("best_moves", "string", "squares, with a space between", may_be_empty=True),
    Column("terminal", "boolean", "1 where the game is over, else 0"),
)
PLY_COLUMNS: Final = tuple(Column(name, "integer", words, name == "longest") for name, words in PLIES_WORDS.items())

_CARD: Final = """\
# {title}

{description}. {worth}.

## Files

{files}

`datapackage.json` describes them for programs (https://datapackage.org). `sha256sum -c SHA256SUMS` in this folder
says whether each is as it was written.

{content}

## Counts by ply

Won, drawn and lost are for the side to move.

{plies}

## How it was made

mnk-tablebase {builder} solved the game backwards from its last ply, and mnk-tablebase {version} wrote this package:

{commands}

## What it was checked against

Before this package was written,

{checks}

      {digest}

It depends on the game, and on what is kept of a value ({kept}), alone.
So whoever solves the game can hold theirs against it.

## Licence

MIT (https://opensource.org/license/mit), as the program that made it.

## Citation

    @misc{{{key},
      author = {{{{the mnk-tablebase authors}}}},
      title = {{{{{title}}}}},
      note = {{mnk-tablebase {builder}, digest {digest}}},
    }}
"""

_ALL: Final = """\
- the value of each of {positions:,} positions was compared with the {successors:,} values one move later, by code that
  shares nothing with what had solved the game,
- the positions of every ply were counted again, and
- the digest, a hash of all values, was made again:"""

_SAMPLE: Final = """\
- the values of {positions:,} positions, drawn at random, were compared with the {successors:,} values one move later,
  by code that shares nothing with what had solved the game, and
- the positions of every ply were counted again.

The digest, a hash of all values, is that which the table was given when it was made:"""

_ROWS: Final = """\
## Positions

A row of `{path}` is a position: {chosen}.

{columns}"""

_TABLE: Final = """\
## The table

It is SQLite, in a format that the documentation of mnk-tablebase describes to the last bit, with a reader in 119 lines
of Python. In this folder, `mnk query {game} start --data .` asks it."""

_KEPT: Final = {"distance": "win, draw or loss, and plies to the end", "wdl": "win, draw or loss"}


def title(table: TableAnswer) -> str:
    """Say what a package is of."""
    return f"The value of every position of {table['game']}"


def write_card(
    table: TableAnswer, plies: Plies, report: CheckReport, files: Sequence[File], chosen: str, commands: Sequence[str]
) -> str:
    """Write the card as Markdown.

    report: of the check before the package was written. files: those that hold data, of which the first are the
    positions. chosen: which positions are rows, empty where the table itself is packed. commands: those that make
    the package from nothing.
    """
    wdl, root = table["wdl"], describe_value(Value(1, table["distance"]))
    columns = [[f"`{column.name}`", column.words] for column in POSITION_COLUMNS]
    rows = _ROWS.format(path=files[0].path, chosen=chosen, columns=_table([["column", "is"], *columns]))
    return _CARD.format(
        title=title(table),
        description=table["description"][0].upper() + table["description"][1:],
        worth=f"{'X' if wdl > 0 else 'O'} {root} under best play" if wdl else "Best play of both sides is a draw",
        files=_table([["file", "holds", "bytes"], *([f"`{f.path}`", f.words, f"{f.bytes:,}"] for f in files)]),
        content=rows if chosen else _TABLE.format(game=table["game"]),
        plies=_table(statistics_cells(plies)),
        builder=table["builder"],
        version=__version__,
        commands="\n".join(f"    {command}" for command in commands),
        checks=(_ALL if report.digest else _SAMPLE).format(positions=report.positions, successors=report.successors),
        digest=table["digest"],
        kept=_KEPT[table["metric"]],
        key="".join(letter for letter in f"mnk{table['game']}" if letter.isalnum()),
    )


def _table(cells: Sequence[Sequence[str]]) -> str:
    """Write a table in Markdown, its first row the heading; columns of numbers are set right."""
    head, *rows = cells
    numbers = [
        all(cell.replace(",", "").isdecimal() for cell in column if cell.strip("-"))
        for column in zip(*rows, strict=True)
    ]
    ruled = [head, ["---:" if number else "---" for number in numbers], *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in ruled)
