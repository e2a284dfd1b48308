"""`mnk export`: write every position of a game with its value, as data for other programs."""

import sys
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from solver.cli.options import OUTPUT_FILE, count_option, data_option, game_argument, mnk_command
from solver.cli.output import format_seconds, format_size
from solver.cli.running import open_table, show_progress, stop_on_signal
from solver.export.formats import FORMATS, STREAMS, Format, format_of
from solver.game.rules import Rules
from solver.store.paths import table_path
from solver.support.english import plural

if TYPE_CHECKING:
    from solver.export.positions import Plies


def _read_plies(text: str) -> "Plies":
    """Read one ply, or the first and the last of several."""
    first, dash, last = text.partition("-")
    if not (first.isdecimal() and (last if dash else first).isdecimal() and int(first) <= int(last or first)):
        raise click.BadParameter(f"{text!r} are no plies; write one such as 4, or the first and the last such as 0-6.")
    return int(first), int(last or first)


@mnk_command(
    "export",
    "mnk export 3,3,3 -o positions.csv           all 5,478 positions",
    "mnk export 3,3,3 --canonical | head         one of those that are symmetric",
    "mnk export 4,4,4 -o positions.parquet       for DuckDB, pandas, Polars",
    "mnk export 5,5,4 --ply 0-5 -o opening.npz   the first plies, for NumPy",
    "mnk export 3,3,3 --package tic-tac-toe      a folder to publish",
)
@game_argument
@click.option(
    "--format", "form", type=click.Choice(FORMATS), help="Default: what the name of the file ends in, or csv."
)
@click.option(
    "-o",
    "--output",
    type=OUTPUT_FILE,
    metavar="FILE",
    help="The file to write; default: print csv or jsonl.",
)
@click.option(
    "--package",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Check the table, and write a folder to publish: data, counts, rules, a data card, metadata, checksums.",
)
@click.option("--ply", "plies", type=_read_plies, metavar="N|A-B", help="These plies only, counted in stones.")
@click.option("--canonical", is_flag=True, help="Of positions that are symmetric, that of the smallest hash only.")
@count_option("--sample", "With --package: of a game of over 12 squares check only N positions, drawn at random.")
@click.option("--force", is_flag=True, help="Replace the file, or the package, if it exists.")
@data_option
def command(
    rules: Rules,
    form: Format | None,
    output: Path | None,
    package: Path | None,
    plies: "Plies | None",
    canonical: bool,
    sample: int | None,
    force: bool,
    data: Path,
) -> None:
    """Write every position of GAME with its value, distance and best moves.

    A position a row, by ply and then by hash: hash, board, ply, to_move, wdl (1, 0 or -1 for the side to move),
    distance (plies to the end), best_moves, terminal (whether the game is over).

    With --package the rows come with all that is needed to use and to cite them. Without --format, --ply and
    --canonical a game of over a million positions is packed as its table.
    """
    from solver.export.table import export_table, write_table

    how: dict[str, Any] = {"plies": plies, "canonical": canonical, "force": force}
    if plies and plies[1] > rules.squares:
        raise click.UsageError(f"--ply: {rules} has plies 0 to {rules.squares}.")
    if sample and not package:
        raise click.UsageError("--sample is of the check before a package is written; give --package DIR too.")
    if package:
        if output:
            raise click.UsageError("--package names a folder and -o a file; give one of the two.")
        _package(rules, data, package, form, sample=sample, **how)
        return
    form = form or (format_of(output) if output else "csv")
    if form is None:
        raise click.UsageError(f"Give a --format, or let the name of {output} end in .{', .'.join(FORMATS)}.")
    begin = perf_counter()
    with open_table(data, rules) as table, show_progress(f"Exporting {rules}") as show, stop_on_signal(show) as watched:
        if output is None:
            if form not in STREAMS:
                raise click.UsageError(f"A file of {form} can't be printed; name it with -o FILE.")
            write_table(table, sys.stdout.buffer, form, plies=plies, canonical=canonical, progress=watched)
            return
        count = export_table(table, output, form, **how, progress=watched)
    size = format_size(output.stat().st_size)
    click.echo(f"Wrote {plural(count, 'position')} to {output}, {size}, {format_seconds(perf_counter() - begin)}")


def _package(rules: Rules, data: Path, folder: Path, form: Format | None, **how: Any) -> None:
    from solver.export.package import write_package  # it loads the code that checks

    begin = perf_counter()
    open_table(data, rules).close()  # refuses what is no table of this game
    with show_progress(f"Packing {rules}") as show, stop_on_signal(show) as watched:
        files = write_package(table_path(data, rules), folder, form, **how, progress=watched)
    size = format_size(sum(file.bytes for file in files))
    click.echo(f"Packed {rules} in {folder}, {size}, {format_seconds(perf_counter() - begin)}")
