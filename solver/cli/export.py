"""`mnk export`: write every position of a game with its value, as data for other programs."""

import sys
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from solver.cli.options import data_option, game_argument, mnk_command, output_option
from solver.cli.output import format_seconds
from solver.cli.running import show_progress, stop_on_signal
from solver.game.base3 import HASHED_SQUARES
from solver.game.rules import Rules
from solver.search.truth import open_truth
from solver.store.strategy_file import StrategyReader
from solver.support.english import format_size, plural
from solver.support.files import write_file

if TYPE_CHECKING:
    from solver.export.table import Plies

_A_SECOND = {".csv": 500_000, ".jsonl": 450_000, ".parquet": 500_000, ".db": 150_000}
"""The positions that are written in a second, as measured with 4,4,4 on two cores of an AMD EPYC."""

_LOOKUPS_A_SECOND = 10_000  # the values that are looked up in a second one by one, on boards of more than 39 squares

_MOVES_A_SECOND = 4_000  # the moves of a strategy that are written in a second: those of 15,15,5

_LONG = 2.0  # seconds; a longer export is announced


def _parse_plies(text: str) -> "Plies":
    """Parse one ply, such as 4, or a range of plies, such as 0-6."""
    first, dash, last = text.partition("-")
    if not (first.isdecimal() and (last if dash else first).isdecimal() and int(first) <= int(last or first)):
        raise click.BadParameter(f"{text!r} is not a range of plies; give one ply such as 4, or a range such as 0-6.")
    return int(first), int(last or first)


@mnk_command(
    "export",
    "mnk export 3,3,3 -o positions.csv            all 5,478 positions",
    "mnk export 3,3,3 --canonical | head          one of each symmetry class",
    "mnk export 4,4,4 -o positions.parquet        for DuckDB, pandas, Polars",
    "mnk export 3,3,3 -o positions.db             for Datasette and SQL",
    "mnk export 5,5,4 --ply 0-5 -o opening.jsonl  the first plies",
    "mnk export 6,6,4 -o strategy.csv             the moves of a strategy",
    "mnk export 3,3,3 -o ttt.csv --card ttt.md    with a data card, to publish",
)
@game_argument
@output_option("Write FILE.csv, .jsonl, .parquet or .db (SQLite); default: print CSV.")
@output_option("Also write a data card in Markdown: columns, counts, checksum, digest, citation.", "--card")
@click.option("--ply", "plies", type=_parse_plies, metavar="N|A-B", help="Only these plies, counted in stones.")
@click.option("--canonical", is_flag=True, help="Only the position with the smallest hash of each symmetry class.")
@data_option
def command(
    rules: Rules, output: Path | None, card: Path | None, plies: "Plies | None", canonical: bool, data: Path
) -> None:
    """Write every position of GAME with its value, distance and best moves.

    Each row is a position; rows are ordered by ply and then by hash. Columns: hash, board, ply, to_move, wdl (1, 0 or
    -1 for the side to move), distance (plies to the end), best_moves, terminal (whether the game is over).

    If GAME has a strategy instead of a table, write its moves: hash, board, ply, to_move, move, within (plies within
    which the side wins), claim (wins or holds).
    """
    from solver.export.card import write_strategy_card, write_table_card
    from solver.export.strategy import export_strategy
    from solver.export.table import count_rows, export_table, format_of

    if plies and plies[1] > rules.squares:
        raise click.UsageError(f"--ply: {rules} has plies 0 to {rules.squares}.")
    if card and not output:
        raise click.UsageError("--card describes a file; give -o FILE too.")
    if card and output and card.resolve() == output.resolve():
        raise click.UsageError("--card and -o name the same file; name two.")
    begin, chosen = perf_counter(), f" --ply {plies[0]}-{plies[1]}" if plies else ""
    with open_truth(rules, data) as truth, show_progress(f"Exporting {rules}") as show, stop_on_signal(show) as watched:
        if not truth.has_table and truth.strategy_file:
            with closing(StrategyReader(truth.strategy_file.path, rules)) as reader:
                _announce(f"Exporting a strategy of {plural(len(reader), 'move')}", len(reader) / _MOVES_A_SECOND)
                count = export_strategy(reader, output or sys.stdout.buffer, plies=plies)
                if output and card:
                    write_file(card, write_strategy_card(reader, output, count, f"{chosen} -o {output.name}", plies))
            if output:
                click.echo(f"Wrote {plural(count, 'move')} of the strategy to {output}, {_measure(output, begin)}")
            return
        table, target = truth.table, output or sys.stdout.buffer
        form = format_of(target)
        rows, values = count_rows(table, plies, canonical=canonical)
        singly = rules.squares > HASHED_SQUARES
        seconds = rows / _A_SECOND[form] + values / _LOOKUPS_A_SECOND * singly
        _announce(f"Exporting {rows:,} positions{', one by one' * singly}", seconds)
        count = export_table(table, target, plies=plies, canonical=canonical, progress=watched)
        if not output:
            return
        if card:
            options = f"{chosen}{' --canonical' if canonical else ''} -o {output.name}"
            write_file(card, write_table_card(table, output, count, options, plies, canonical=canonical))
    click.echo(f"Wrote {plural(count, 'position')} to {output}, {_measure(output, begin)}")


def _announce(work: str, seconds: float) -> None:
    """Say on standard error what takes long."""
    if seconds > _LONG:
        click.echo(f"{work}, which takes about {seconds:.0f} s.", err=True)


def _measure(file: Path, begin: float) -> str:
    return f"{format_size(file.stat().st_size)}, {format_seconds(perf_counter() - begin)}"
