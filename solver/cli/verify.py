"""`mnk verify`: grade anybody's engine against the truth."""

import ast
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import click

from solver.cli.options import (
    count_option,
    data_option,
    examples,
    game_argument,
    read_size,
    seconds_option,
    side_option,
)
from solver.cli.output import format_size
from solver.cli.running import report_as_not_verified, report_in_any_case, show_progress
from solver.errors import EngineError, quoted
from solver.game.rules import Rules
from solver.support.files import require_writable, write_file
from solver.support.processes import no_orphans
from solver.verification.contract import AskOptions
from solver.verification.conventions.board_formats import BOARD_FORMATS
from solver.verification.conventions.move_formats import BOARD_AFTER, MOVE_FORMATS
from solver.verification.conventions.profiles import PROFILES
from solver.verification.findings import SCORES, Unverified
from solver.verification.formats import FORMATS, format_unverified

if TYPE_CHECKING:
    from solver.verification.verify import Report

_EXAMPLES = examples(
    "mnk verify 3,3,3 agent.py:best_move            every position, both sides",
    "mnk verify 3,3,3 agent.py:best_move --at XO./.X./...",
    "mnk verify 3,3,3 alphabeta:cutoff=2            one of those of `mnk engines`",
    "mnk verify 3,3,3 'cmd:./engine' --time 5       a program that prints moves",
    "mnk verify 4,4,4 random --sample 500 --seed 7  a sample of a larger game",
    "mnk verify 3,3,3 agent.py --format junit -o report.xml",
    "mnk verify 3,3,3 agent.py --format gradescope --points 20 -o results.json",
    "",
    "Ends with 0 if the engine keeps the value everywhere, 1 if it does not, 2 if it could not be verified. The report "
    "is written in any case.",
    "",
    f"A FORM of --board: {'; '.join(board.name for board in BOARD_FORMATS)}.",
    "",
    f"A FORM of --moves: {'; '.join(move.name for move in (*MOVE_FORMATS, BOARD_AFTER))}.",
    "",
    "In --marks, None, space, '' and '1' are what they say, index and number are empty squares that hold their own "
    "(from 0, from 1), and me=1,2,0 gives the side to move first.",
)
_DEFAULTS: Final = AskOptions()  # unless told otherwise
_LEAST_BUDGET: Final = 0.001  # seconds
_LEAST_MEMORY: Final = 10**6  # bytes; a smaller number was meant to have a unit


def _read_memory(context: click.Context, option: click.Parameter, text: str | None) -> int | None:
    size = read_size(context, option, text)
    if size and size < _LEAST_MEMORY:
        raise click.BadParameter(f"{text!r} is too little for a process; write a size such as 4GB or 512MiB.")
    return size


def _read_arguments(context: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> dict[str, Any] | None:
    """Read NAME=VALUE pairs; a value is a Python literal, or else the text itself."""
    del context, option
    values: dict[str, Any] = {}
    for text in texts:
        name, is_pair, value = text.partition("=")
        if not is_pair or not name.isidentifier():
            raise click.BadParameter(f"{text!r} is no NAME=VALUE; write the name of a parameter, such as level=hard.")
        try:
            values[name] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            values[name] = value
    return values or None


_POSITIVE = click.FloatRange(min=0, min_open=True)
_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("verify", epilog=_EXAMPLES)
@game_argument
@click.argument("engine", metavar="ENGINE")
@click.option(
    "--scope",
    type=click.Choice(["all", "play", "sample"]),
    help="Ask in all positions, in those that arise in its own play, or in a sample; default: all of a small game.",
)
@count_option("--sample", "Ask in N positions, drawn at random.")
@click.option("--seed", type=int, metavar="S", default=0, show_default=True, help="All that is drawn follows from it.")
@click.option("--at", multiple=True, metavar="POSITION", help="Ask in this position only; may be repeated.")
@side_option("Grade it as one side alone, where that side moves.", default=None)
@click.option("--repeat", type=click.IntRange(1), metavar="N", default=1, help="Ask every question N times.")
@click.option("--board", metavar="FORM", help="How the engine is given the board, where it can't be told.")
@click.option("--marks", metavar="X,O,EMPTY", help="The signs of the board, such as 1,-1,0 or me=1,2,0.")
@click.option("--moves", metavar="FORM", help="How the engine's moves are read.")
@click.option(
    "--profile", type=click.Choice([*PROFILES]), help="The source whose convention it has, which settles all of these."
)
@click.option(
    "--arg",
    "arguments",
    multiple=True,
    callback=_read_arguments,
    metavar="NAME=VALUE",
    help="The value of a parameter of the engine, such as level=hard or depth=4; may be repeated.",
)
@click.option(
    "--wrapper", type=_FILE, metavar="FILE", help="Ask nothing; write a wrapper for the engine's file, to be edited."
)
@seconds_option("--time", "seconds_per_move", f"For a move; default: {_DEFAULTS.seconds_per_move:g}.")
@seconds_option("--start-time", "seconds_to_start", f"To start; default: {_DEFAULTS.seconds_to_start:g}.")
@click.option(
    "--memory",
    callback=_read_memory,
    metavar="SIZE",
    help="The most memory of a process of the engine, such as 512MB, 0 for no bound; default: "
    f"{format_size(_DEFAULTS.memory or 0)}.",
)
@click.option(
    "--give-up",
    type=click.IntRange(0),
    metavar="N",
    help="After N questions in a row lost to time-outs and crashes, ask no more and count the rest as time-outs, "
    f"0 for never; default: {_DEFAULTS.give_up}.",
)
@seconds_option("--budget", "budget", "In all; where that is too little, a sample is asked that there is time for.")
@click.option("--sandbox", is_flag=True, help="Run the engine in a sandbox; it needs bubblewrap, on Linux.")
@click.option("--allow-solver", is_flag=True, help="Let the engine ask this package; else it does not pass then.")
@click.option("--processes", "workers", type=click.IntRange(1), metavar="N", help="How many ask; default: all cores.")
@click.option(
    "--format", "form", type=click.Choice([*FORMATS]), default="text", show_default=True, help="The report's."
)
@click.option(
    "--points", type=_POSITIVE, metavar="N", default=100.0, show_default=True, help="What a full score is worth."
)
@click.option(
    "--score",
    type=click.Choice([*SCORES]),
    default="all",
    show_default=True,
    help="What points are given for: all positions asked, or the critical ones, where some move is wrong.",
)
@click.option("--json", "form", flag_value="json", help="The same as --format json.")
@click.option("-o", "--output", type=_FILE, metavar="FILE", help="Write the report there, and print it as text.")
@click.option("--sqlite", type=_FILE, metavar="FILE", help="Add the blunders to the table `blunders` of this database.")
@click.option("--baseline", type=_FILE, metavar="FILE", help="A report in JSON; fail only on what is worse than there.")
@data_option
def command(
    rules: Rules,
    engine: str,
    form: str,
    output: Path | None,
    sqlite: Path | None,
    wrapper: Path | None,
    data: Path,
    at: tuple[str, ...],
    **how: Any,
) -> None:
    """Grade ENGINE against the truth: where it goes wrong, how badly, and how to beat it.

    An ENGINE is a file and a name (agent.py:best_move), an importable module:name, one of ours (alphabeta:cutoff=2),
    a command (cmd:./engine), a Gomocup brain (gomocup:./pbrain-x), an OpenSpiel bot (openspiel:mcts), or the address
    of a server.
    """
    with report_as_not_verified(), no_orphans():
        if wrapper:
            _write_wrapper(rules, engine, wrapper)
            return
        for path in filter(None, (output, sqlite)):
            require_writable(path)
        begun, began = monotonic(), datetime.now(UTC)

        def write(message: str, kind: str) -> str:
            seconds = monotonic() - begun
            return format_unverified(Unverified(rules.name, engine, message, kind, how["points"], seconds, began), form)

        with report_in_any_case(write, form, output):
            report = _verify(rules, engine, at, data, how, begun)
            written = report.format(form)
        if output:
            write_file(output, written + "\n")
        if sqlite:
            _add_blunders(report, sqlite)
        click.echo(report.format("text") if output else written)
    raise click.exceptions.Exit(report.exit_code)


def _write_wrapper(rules: Rules, engine: str, path: Path) -> None:
    from solver.verification.wrapper import write_wrapper

    if path.exists():
        raise EngineError(f"{quoted(path)} is there already; give a wrapper the name of a new file.")
    write_file(path, write_wrapper(rules, engine, path))
    click.echo(f"Wrote {path}; edit the lines marked with <-, then: mnk verify {rules.name} {path}")


def _verify(rules: Rules, engine: str, at: tuple[str, ...], data: Path, how: dict[str, Any], begun: float) -> "Report":
    """Verify the engine; what is imported for it counts against the budget."""
    from solver.verification.verify import verify

    with show_progress(f"Asking {engine}") as show:
        given = {name: value for name, value in how.items() if value is not None}
        if "budget" in given:
            given["budget"] = max(_LEAST_BUDGET, given["budget"] + begun - monotonic())
        return verify(engine, rules, at=list(at) or None, tables=data, progress=show, **given)


def _add_blunders(report: "Report", path: Path) -> None:
    from solver.store.writer import upsert_rows
    from solver.verification.formats.data import list_rows

    upsert_rows(path, "blunders", list_rows(report), key=("game", "engine", "hash"))
