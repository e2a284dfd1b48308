"""`mnk check`: recompute a table's digest, and each value from those one move later."""

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from solver.cli.common import data_option, games_argument, open_table, progress, threads_option
from solver.cli.words import plural, seconds, some
from solver.errors import CheckFailed
from solver.rules import Rules
from solver.store.places import build_command, table_path

if TYPE_CHECKING:
    from solver.check import CheckReport

__all__ = ["command"]


@click.command("check")
@games_argument
@data_option
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="Of a game of over 12 squares check only N positions, drawn at random.",
)
@threads_option
def command(games: tuple[Rules, ...], data: Path, sample: int | None, threads: int | None) -> None:
    """Check that the table of each GAME is right.

    Its digest is recomputed, and each value from the values one move later, by code that shares nothing with
    what solved the game.
    """
    reports = {rules: _check(rules, data, sample, threads) for rules in games}
    wrong = [rules for rules, report in reports.items() if not report.ok]
    if wrong:
        names = some([str(rules) for rules in wrong], "and")
        again = build_command(" ".join(map(str, wrong)), data)
        raise CheckFailed(f"The check found mistakes in {names}; build again with `{again} --force`.")


def _check(rules: Rules, data: Path, sample: int | None, threads: int | None) -> "CheckReport":
    """Check one table, print the result in one line, and what is wrong on standard error."""
    from solver.check import check_table  # loads the compiler, so only when it is needed

    open_table(data, rules).close()  # refuses what is no table of this game
    begun = perf_counter()
    with progress(f"Checking {rules}") as show:
        report = check_table(table_path(data, rules), sample=sample, threads=threads, progress=show)
    click.echo(f"{rules}: {_result(report)}, {seconds(perf_counter() - begun)}")
    for problem in report.problems:
        click.echo(f"  {problem}", err=True)
    return report


def _result(report: "CheckReport") -> str:
    if not report.ok:
        return "wrong"
    checked = f"right, {plural(report.positions, 'position')} checked against {report.successors:,} one move later"
    return checked + (f", digest {report.digest}" if report.digest else " (a sample)")
