"""`mnk check`: check a table's digest and values, or some values by a search."""

import sys
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from solver.cli.options import count_option, data_option, games_argument, threads_option
from solver.cli.output import align_columns, format_seconds
from solver.cli.running import show_line, show_progress
from solver.errors import CheckFailed
from solver.game.rules import Rules
from solver.search.truth import open_truth
from solver.store.paths import build_command, find_strategy_file, find_table
from solver.support.english import join_names, plural

if TYPE_CHECKING:
    from solver.check import CheckReport


@click.command("check")
@games_argument
@data_option
@count_option("--sample", "Check only N random positions of a game of over 12 squares, or N games against a strategy.")
@count_option(
    "--search", "Instead, solve N random positions, spread over the plies, by a search to the end of the game."
)
@click.option("--seed", default=0, metavar="S", help="The seed of the random positions; default: 0.")
@threads_option
def command(
    games: tuple[Rules, ...], data: Path, sample: int | None, search: int | None, seed: int, threads: int | None
) -> None:
    """Check that the table of each GAME is correct, or the strategy of a game without a table.

    The digest is recomputed. Each value is recomputed from the values one move later, by a different method; only the
    lines and symmetries of the game, the counts of positions, and the reader of files are those of the solver. With
    --search, an alpha-beta search that reads no table solves random positions. A strategy is played against every legal
    reply, with --sample against stubborn and random ones.
    """
    if sample and search:
        raise click.UsageError("--sample and --search are two checks; run one after the other.")
    wrong = [rules for rules in games if not _check(rules, data, sample, search, seed, threads)]
    if wrong:
        names = join_names([str(rules) for rules in wrong], "and")
        again = build_command(" ".join(map(str, wrong)), data)
        raise CheckFailed(f"The check found mistakes in {names}; build again with `{again} --force`.")


def _check(rules: Rules, data: Path, sample: int | None, search: int | None, seed: int, threads: int | None) -> bool:
    if not find_table(data, rules) and (path := find_strategy_file(data, rules)):
        if search:
            raise click.UsageError(f"--search is for tables, and {rules} has a strategy; leave it out.")
        return _check_strategy(rules, path, sample, seed, threads)
    from solver.check import check_table  # these load the compiler, so only when they are needed
    from solver.check.sample_check import search_table

    begun = perf_counter()
    with (
        open_truth(rules, data) as truth,  # rejects a file that is not a table of this game
        show_progress(f"{'Searching' if search else 'Checking'} {rules}") as show,
    ):
        if search:
            report = search_table(truth.table, search, seed=seed, threads=threads, progress=show)
        else:
            report = check_table(truth.table.path, sample=sample, seed=seed, threads=threads, progress=show)
    *plies, result = _format_search(report) if search else _format_check(report)
    click.echo("\n".join([*plies, f"{rules}: {result}, {format_seconds(perf_counter() - begun)}"]))
    for problem in report.problems:
        click.echo(f"  {problem}", err=True)
    return report.ok


def _check_strategy(rules: Rules, path: Path, sample: int | None, seed: int, threads: int | None) -> bool:
    from solver.check.check_report import StrategyReport
    from solver.check.strategy_check import check_strategy, sample_strategy  # loads the compiler
    from solver.search.threats import Prover

    begun, is_shown = perf_counter(), sys.stderr.isatty()

    def show(report: StrategyReport) -> None:
        if is_shown:
            show_line(f"Checking {rules}: {report.positions:,} positions, {report.replies:,} replies")

    if sample:
        report = sample_strategy(path, Prover, sample, seed, show, rules=rules)
    else:
        report = check_strategy(path, Prover, show, rules=rules, threads=threads)
    if is_shown:
        show_line("")
    result = "wrong"
    if sample and not report.problems:
        result = f"right, {report.claim}: {plural(report.games, 'game')} won, within {report.within} plies (a sample)"
    elif not report.problems:
        wins = " wins " in report.claim
        leaves = plural(report.forced, "win") + " by continuous fours" if wins else plural(report.pairings, "pairing")
        result = f"right, {report.claim}: {plural(report.replies, 'reply', 'replies')} tried in "
        result += f"{plural(report.positions, 'position')}, {leaves}"
        result += f", {plural(report.unused, 'unused move')}" if report.unused else ""
        result += f", digest {report.digest}"
    click.echo(f"{rules}: {result}, {format_seconds(perf_counter() - begun)}")
    for problem in report.problems:
        click.echo(f"  {problem}", err=True)
    return not report.problems


def _format_search(report: "CheckReport") -> list[str]:
    rows = [
        [str(ply), *(f"{count:,}" for count in (found.total(), found["agree"], found["wrong"], found["unsettled"]))]
        for ply, found in sorted(report.searched.items())
    ]
    found = report.counts
    counts = f"{found['agree']:,} of {plural(found.total(), 'position')} agree, {found['unsettled']:,} not settled"
    return [
        align_columns([["ply", "positions", "agree", "wrong", "not settled"], *rows], left=[]),
        f"{'wrong' if report.problems else 'right'}, {counts}",
    ]


def _format_check(report: "CheckReport") -> list[str]:
    if not report.ok:
        return ["wrong"]
    checked = f"right, {plural(report.positions, 'position')} checked against {report.successors:,} one move later"
    for ply, found in report.searched.items():
        checked += f", {found['agree']} of {found.total()} random positions of ply {ply} confirmed by a search, "
        checked += f"{found['unsettled']} not settled"
    return [checked + (f", digest {report.digest}" if report.digest else " (a sample)")]
