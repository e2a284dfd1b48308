"""`mnk check`: recompute a table's digest, and each value from those one move later, or some by a search."""

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from solver.cli.options import data_option, games_argument, threads_option
from solver.cli.output import align_columns, format_seconds, join_names
from solver.cli.running import open_table, show_progress
from solver.errors import CheckFailed
from solver.game.rules import Rules
from solver.store.paths import build_command, table_path
from solver.support.english import plural

if TYPE_CHECKING:
    from solver.check import CheckReport
    from solver.check.search import SearchReport


@click.command("check")
@games_argument
@data_option
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="Of a game of over 12 squares check only N positions, drawn at random.",
)
@click.option(
    "--search",
    type=click.IntRange(min=1),
    metavar="N",
    help="Instead, solve N random positions, spread over the plies, by a search to the end of the game.",
)
@click.option("--seed", default=0, metavar="S", help="Chooses the random positions; default: 0.")
@threads_option
def command(
    games: tuple[Rules, ...], data: Path, sample: int | None, search: int | None, seed: int, threads: int | None
) -> None:
    """Check that the table of each GAME is right.

    Its digest is recomputed, and each value from the values one move later, by code that shares nothing with
    what solved the game. With --search, positions are solved by an alpha-beta search that reads no table.
    """
    if sample and search:
        raise click.UsageError("--sample and --search are two checks; ask for one after the other.")
    reports: dict[Rules, CheckReport | SearchReport] = {
        rules: _search(rules, data, search, seed, threads) if search else _check(rules, data, sample, seed, threads)
        for rules in games
    }
    wrong = [rules for rules, report in reports.items() if not report.ok]
    if wrong:
        names = join_names([str(rules) for rules in wrong], "and")
        again = build_command(" ".join(map(str, wrong)), data)
        raise CheckFailed(f"The check found mistakes in {names}; build again with `{again} --force`.")


def _check(rules: Rules, data: Path, sample: int | None, seed: int, threads: int | None) -> "CheckReport":
    """Check one table; print the result in one line, and problems on standard error."""
    from solver.check import check_table  # loads the compiler, so only when it is needed

    open_table(data, rules).close()  # refuses what is no table of this game
    begun = perf_counter()
    with show_progress(f"Checking {rules}") as show:
        report = check_table(table_path(data, rules), sample=sample, seed=seed, threads=threads, progress=show)
    click.echo(f"{rules}: {_format_result(report)}, {format_seconds(perf_counter() - begun)}")
    _echo_problems(report.problems)
    return report


def _search(rules: Rules, data: Path, count: int, seed: int, threads: int | None) -> "SearchReport":
    """Compare one table with searches; print how many positions of each ply agree."""
    from solver.check.search import search_table  # loads the compiler, so only when it is needed

    open_table(data, rules).close()
    begun = perf_counter()
    with show_progress(f"Searching {rules}") as show:
        report = search_table(table_path(data, rules), count, seed=seed, threads=threads, progress=show)
    click.echo("\n".join(_format_plies(report)))
    duration = format_seconds(perf_counter() - begun)
    click.echo(f"{rules}: {'right' if report.ok else 'wrong'}, {_format_counts(report)}, {duration}")
    _echo_problems(report.problems)
    return report


def _format_plies(report: "SearchReport") -> Iterator[str]:
    kinds = ("positions", "agree", "wrong", "unsettled")
    rows = [[str(ply.ply), *(f"{getattr(ply, kind):,}" for kind in kinds)] for ply in report.plies]
    yield align_columns([["ply", "positions", "agree", "wrong", "not settled"], *rows], left=[])


def _format_counts(report: "SearchReport") -> str:
    """Format how many positions agree; those not settled are never counted among them."""
    agree, unsettled = report.total("agree"), report.total("unsettled")
    return f"{agree:,} of {plural(report.total('positions'), 'position')} agree, {unsettled:,} not settled"


def _echo_problems(problems: tuple[str, ...]) -> None:
    for problem in problems:
        click.echo(f"  {problem}", err=True)


def _format_result(report: "CheckReport") -> str:
    if not report.ok:
        return "wrong"
    checked = f"right, {plural(report.positions, 'position')} checked against {report.successors:,} one move later"
    return checked + (f", digest {report.digest}" if report.digest else " (a sample)")
