"""`mnk build`, also available as `build-table`: solve games and keep their tables."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from os.path import exists
from pathlib import Path
from time import perf_counter

import click

from solver.cli.options import build_options, games_argument, mnk_command, new_data_option, positive_option
from solver.cli.output import describe_game_value, format_seconds, summarise, summarise_strategy
from solver.cli.running import show_line, show_progress, stop_on_signal
from solver.errors import BuildInterrupted, ClusterError, DoesNotFit, Unsettled
from solver.game.descriptions import describe_rules
from solver.game.rules import Rules
from solver.search.truth import open_truth
from solver.store.advice import may_fit
from solver.store.paths import SHIPPED, find_strategy_file, table_path
from solver.store.schema import Metric
from solver.store.strategy_file import is_unfinished_proof
from solver.support.english import format_size, plural
from solver.support.progress import Progress

_SMALL = 16  # squares: such games take less memory than the program itself, and a few megabytes of disk


@mnk_command(
    "build",
    "mnk build 3,3,3 4,4,4    two games",
    "mnk build 4,5,4,gravity  with a variant",
    "mnk build 6,6,4          a proof, because its table would be too large",
)
@games_argument
@new_data_option
@build_options
@click.option(
    "--workspace",
    metavar="FOLDER|URL",
    help="Solve in shards and keep them there, compressed, until the table is written.",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Solve on a Dask cluster, given the address of its scheduler, or on local:N processes of this machine.",
)
@positive_option(
    "--time", "The time limit of a proof, if the table would not fit this machine.", default=600, show_default=True
)
@click.option("--force", is_flag=True, help="Replace the table or the strategy of an earlier build.")
def command(
    games: tuple[Rules, ...],
    data: Path,
    metric: Metric | None,
    threads: int | None,
    memory: int | None,
    workspace: str | None,
    cluster: str | None,
    plies: int | None,
    time: float,
    force: bool,
) -> None:
    """Solve each GAME and keep its table, unless it already has one.

    If the table would not fit this machine, prove what the game is worth, and keep a strategy that wins or holds. The
    same command resumes an interrupted build or proof.
    """
    if workspace == "":
        raise click.UsageError("--workspace is empty; give a folder or a URL, or leave it out.")
    from solver.solve import build as solve  # these load the compiler
    from solver.solve.cluster import LOCAL, open_cluster, silence_libraries
    from solver.solve.forecast import require_opening_fits

    for rules in games:
        last = solve.opening_plies(rules, plies)
        if last is not None or not rules.has_threats or may_fit(rules):
            solve.require_possible(rules, metric or solve.default_metric(rules, last), last)
    workers: object = threads
    with ExitStack() as stack:
        if workspace:
            silence_libraries()
        if cluster is not None:
            if workspace is None and not cluster.startswith(LOCAL):
                raise ClusterError(
                    "The workers of a cluster need a workspace that all of them can reach; "
                    "give its folder or URL with --workspace."
                )
            opened = stack.enter_context(open_cluster(cluster))
            workers = replace(opened, threads=threads or opened.threads)
        for rules in games:
            last = solve.opening_plies(rules, plies)
            if not force and solve.existing_table(rules, data, metric or solve.default_metric(rules, last), last):
                solve.build_table(rules, data, metric=metric, plies=plies, workspace=workspace)  # removes leftovers
                click.echo(f"Kept {_describe_table(rules, data)}; --force builds it again")
                continue
            wanted = metric or solve.default_metric(rules, last)
            address = solve.build_address(table_path(data, rules), wanted, last, workspace)
            elsewhere = workspace is not None or cluster is not None
            if last is None and not _fits(rules, wanted, memory, threads, data, address, elsewhere):
                _prove(rules, data, time, force)
                continue
            if last is not None and (force or not solve.existing_table(rules, SHIPPED, wanted, last)):
                require_opening_fits(rules, last, memory, data)
            begun = perf_counter()
            with _show_build(rules, address) as progress:
                solve.build_table(
                    rules, data, metric=metric, plies=last, force=force, progress=progress, workers=workers,
                    memory=memory, workspace=workspace,
                )  # fmt: skip
            click.echo(f"Built {_describe_table(rules, data)}, {format_seconds(perf_counter() - begun)}")


def _fits(
    rules: Rules, metric: Metric, memory: int | None, threads: int | None, data: Path, address: str, elsewhere: bool
) -> bool:
    """Return True if a table fits this machine. Raises DoesNotFit if it does not, and no proof can replace it."""
    from solver.solve.forecast import require_build_fits

    if memory is None and rules.squares <= _SMALL:
        return True
    if rules.has_threats and not may_fit(rules):
        return False
    parts = Path(address).rglob("*") if exists(address) else []
    held = sum(file.stat().st_size for file in parts if file.is_file())
    try:
        require_build_fits(rules, metric, memory, threads, data, held, elsewhere)
    except DoesNotFit:
        if not rules.has_threats or memory is not None:
            raise
        return False
    return True


def _prove(rules: Rules, data: Path, seconds: float, force: bool) -> None:
    """Prove what a game is worth and report it. Raises Unsettled if nothing is proved."""
    from solver.solve.proof import ProofState, notes_paths, prove_game

    path, begun = find_strategy_file(data, rules), perf_counter()
    if path and not force and not is_unfinished_proof(path, rules):
        click.echo(f"Kept {_describe_strategy(path, rules)}; --force proves it again")
        return
    latest, proved = str(ProofState()), None
    is_resumed = any(map(exists, notes_paths(data, rules).values()))
    begins = f"Resuming the interrupted proof of {rules}" if is_resumed else f"Looking for a proof of {rules}"
    click.echo(f"{begins}, for {seconds:g} s at most.", err=True)

    try:
        with stop_on_signal(None) as stop_if_told:

            def show(state: ProofState) -> None:
                nonlocal latest
                latest = str(state)
                if sys.stderr.isatty():
                    show_line(f"Proving {rules}, {perf_counter() - begun:.0f} s: {state}")
                stop_if_told(0, 0)

            proved = prove_game(rules, data, seconds=seconds, progress=show)
    except KeyboardInterrupt as error:
        if proved is None:
            raise BuildInterrupted(
                f"Interrupted: {rules} is not proved yet; the same command resumes the searches."
            ) from error
    finally:
        if sys.stderr.isatty():
            show_line("")
    if proved is None:
        took = round(perf_counter() - begun, 3)
        rest = "allow more time with --time, and the search goes on" if took >= seconds else "nothing is left to search"
        raise Unsettled(
            f"{rules} was not proved in {min(took, seconds):g} s ({latest}), and its table does not fit this machine; "
            f"{rest}."
        )
    click.echo(f"Proved {_describe_strategy(proved, rules)}, {format_seconds(perf_counter() - begun)}")


def _describe_strategy(path: Path, rules: Rules) -> str:
    found = summarise_strategy(path, rules)
    rows, size = plural(found["rows"], "stored move"), format_size(found["bytes"])
    return f"{rules} ({describe_rules(rules)}): {found['claim']}, {rows}, {path}, {size}"


@contextmanager
def _show_build(rules: Rules, address: str) -> Iterator[Progress]:
    """Provide the function that shows the progress of a build. Raises BuildInterrupted after Ctrl-C or SIGTERM."""
    from solver.solve.build import is_unfinished

    if is_unfinished(address):
        click.echo(f"Resuming the interrupted build of {rules}.", err=True)
    built = False
    try:
        with show_progress(f"Building {rules}") as show, stop_on_signal(show) as watched:
            yield watched
            built = True
    except KeyboardInterrupt as error:
        outcome = "was just finished" if built else "was made or changed"
        resumes = not built and is_unfinished(address)
        rest = "; the same command resumes the build" if resumes else ""
        raise BuildInterrupted(f"Interrupted: {'the' if built else 'no'} table of {rules} {outcome}{rest}.") from error


def _describe_table(rules: Rules, data: Path) -> str:
    with open_truth(rules, data) as truth:
        summary = summarise(truth.table)
    positions, value = plural(summary["positions"], "position"), describe_game_value(summary)
    return (
        f"{rules} ({describe_rules(rules)}): {positions}, {value}, {summary['path']}, {format_size(summary['bytes'])}"
    )


def main() -> None:
    """Run `mnk build` with the arguments of this process: the command `build-table`."""
    import sys

    from solver.cli import main as mnk

    mnk(["build", *sys.argv[1:]], prog_name="mnk")
