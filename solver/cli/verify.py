"""`mnk verify`: grade an engine against the truth."""

import re
import shlex
import signal
from datetime import UTC, datetime
from os.path import exists, isdir
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import click

from solver.cli.options import convention_options, examples, positive_option, side_option
from solver.cli.output import echo_document
from solver.cli.running import describe_failure, handle_signals, interrupt, report_errors, show_progress
from solver.errors import EngineError, GraderError, InputError, quoted
from solver.support.files import require_writable, write_file
from solver.support.processes import no_orphans
from solver.verification.convention import BOARDS, MOVES, Convention
from solver.verification.findings import NotGraded
from solver.verification.formats import FORMATS, reject_format, write_report

if TYPE_CHECKING:
    from solver.verification.verify import Report

_EXAMPLES: Final = examples(
    "mnk verify 3,3,3 agent.py --board rows --marks X,O,None --moves row,column",
    "mnk verify 3,3,3 'cmd:./engine' --time 5        a program that prints moves",
    "mnk verify 4,4,4 random --sample 500,7          500 positions, seed 7",
    "mnk verify 3,3,3 project.py --profile cs50 --report html:report.html",
    "mnk verify 3,3,3 submissions/*.py --profile simple --report csv:marks.csv",
    "mnk verify 3,3,3 game.py --template wrapper.py  a wrapper to edit",
    "",
    "Exit code: 0 if the engine passed, 1 if not, 2 if it was not graded, 130 after Ctrl-C. "
    "Reports are always written.",
    "",
    "A board: " + "; ".join(f"{name} ({about})" for name, about in BOARDS.items()) + ".",
    "",
    "Moves: " + "; ".join(f"{name} ({about})" for name, about in MOVES.items()) + ".",
)

_STOPPED: Final = {  # by whether the engine is in a sandbox, and so can't be the one that stopped it
    True: "The verification was stopped before its end; give it more time.",
    False: "The verification was stopped before its end, perhaps by the engine; repeat with --sandbox, or more time.",
}

_TEMPLATE: Final = '''"""Get moves from game.py. To grade it (`mnk verify --help` lists the forms of boards and moves):

COMMAND
"""

from solver import load_program

game = load_program("game.py")  # runs its definitions, not its game
raise LookupError("WRAPPER is not edited; edit best_move there, and delete this line")


def best_move(board, player):
    """Return the program's move for `player` in a position."""
    return game.CALL
'''


@click.command("verify", epilog=_EXAMPLES)
@click.argument("game", metavar="GAME", required=False)
@click.argument("engines", metavar="ENGINE...", nargs=-1)
@convention_options
@side_option("Grade it as one side alone.")
@click.option("--at", multiple=True, metavar="POSITION", help="Grade it in this position only; may be repeated.")
@click.option("--sample", metavar="N[,SEED]", help="Grade it in N positions, drawn at random.")
@click.option("--seed", type=int, metavar="SEED", help="The seed of the sample and of the engine's random choices.")
@positive_option("--budget", "The limit in total; default: 300. Then the positions played so far are graded.")
@positive_option("--points", "The points of a full score; default: 100.", metavar="N")
@click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="FORMAT[:FILE]",
    help=f"Write a report as {', '.join([*FORMATS, 'csv'])}.",
)
@click.option("--baseline", type=click.Path(dir_okay=False), help="A report in JSON; fail only if the engine is worse.")
@click.option(
    "--template", type=click.Path(dir_okay=False, path_type=Path), help="Grade nothing; write a wrapper to edit."
)
def command(
    game: str | None,
    engines: tuple[str, ...],
    reports: tuple[str, ...],
    template: Path | None,
    at: tuple[str, ...],
    sample: str | None,
    **how: Any,
) -> None:
    """Grade ENGINE against the truth: report where it errs, how badly, and how to beat it.

    An ENGINE is a file and a name (agent.py:best_move), an importable module:name, a built-in engine
    (alphabeta:cutoff=2), a command (cmd:./engine), a Gomocup brain (gomocup:./pbrain-x), an OpenSpiel bot
    (openspiel:mcts), or the address of a server. Several ENGINEs, and folders and zip archives, are graded as a class:
    --report csv:FILE keeps the marks, and --report html:FOLDER writes a page for each and an index.
    """
    engine = engines[0] if engines else None
    if template:
        _write_template(game, engine, template)
        return
    if game is None or engine is None:
        raise click.UsageError("Name a game and an engine, such as: mnk verify 3,3,3 agent.py:best_move")
    if engine.startswith(("cmd:", "gomocup:")) and " " not in engine and len(engines) > 1 and ":" not in engines[1]:
        raise InputError(f"Put a command with words in quotation marks: {quoted(' '.join(engines))}.")
    is_class = any(
        one.partition(":")[0] == "csv" or one.endswith("/") or isdir(one.partition(":")[2]) for one in reports
    )
    if len(engines) > 1 or isdir(engine) or engine.endswith(".zip") or is_class:
        _grade_class(game, engines, reports, at, sample, how)
    with report_errors(GraderError.exit_code), no_orphans():
        written = [_read_report(text) for text in reports]
        begun, began = monotonic(), datetime.now(UTC)
        try:
            # SIGTERM ends the verification as Ctrl-C does: a grader that is out of time still gets a report.
            with handle_signals(interrupt, signal.SIGTERM):
                report = _verify(game, engine, at, sample, how)
        except (Exception, KeyboardInterrupt) as error:
            said = _STOPPED[bool(how["sandbox"])] if isinstance(error, KeyboardInterrupt) else describe_failure(error)
            points, seconds = how["points"] or NotGraded.most_points, monotonic() - begun
            found = NotGraded.after(error, said, game, engine, most_points=points, seconds=seconds, began=began)
            _write_reports(found, written, or_text=False)
            raise
        _write_reports(report, written, or_text=True)
    raise click.exceptions.Exit(0 if report.passed else 1)


def _verify(game: str, engine: str, at: tuple[str, ...], sample: str | None, how: dict[str, Any]) -> "Report":
    from solver.verification.verify import verify

    _read_sample(sample, how)
    with show_progress(f"Testing {engine}") as show:
        return verify(engine, game, at=list(at) or None, progress=show, **how)


def _grade_class(
    game: str, engines: tuple[str, ...], reports: tuple[str, ...], at: tuple[str, ...], sample: str | None, how: Any
) -> None:
    """Grade a class: print a line for each mark on standard error, and the table on standard output; exit."""
    from solver.verification.class_report import Mark, verify_class

    def watch(mark: Mark) -> None:
        click.echo("  ".join(mark.cells), err=True)

    stopped = handle_signals(interrupt, signal.SIGTERM)
    with report_errors(GraderError.exit_code), no_orphans(), stopped:
        _read_sample(sample, how)
        wanted = {name: path for name, _, path in (text.partition(":") for text in reports)}
        if len(wanted) < len(reports):
            raise GraderError("Two reports of a class have the same format; give each format once.")
        if unnamed := [name for name, path in wanted.items() if not path and name in {"csv", *FORMATS}]:
            raise GraderError(f"The report {unnamed[0]} of a class needs a place, such as {unnamed[0]}:marks.")
        report = verify_class(engines, game, wanted, watch, **{**how, "at": list(at) or None})
    click.echo(str(report))
    raise click.exceptions.Exit(report.exit_code)


def _read_sample(sample: str | None, how: dict[str, Any]) -> None:
    found = re.fullmatch(r"(\d{1,18})(?:,(\d{1,18}))?", sample or "")
    if sample and not found:
        raise GraderError(
            f"{quoted(sample)} is not a sample; write a number of positions, or a number and a seed, such as 500,7."
        )
    if found:
        how["sample"] = int(found[1])
        if found[2] and how["seed"] not in {None, int(found[2])}:
            raise GraderError(f"--sample {sample} and --seed {how['seed']} state two seeds; state one.")
        how["seed"] = int(found[2]) if found[2] else how["seed"]


def _read_report(text: str) -> tuple[str, Path | None]:
    name, _, file = text.partition(":")
    if name not in FORMATS:
        raise EngineError(reject_format(name))
    path = Path(file) if file else None
    if path:
        require_writable(path)
    return name, path


def _write_reports(found: "Report | NotGraded", wanted: list[tuple[str, Path | None]], *, or_text: bool) -> None:
    for name, path in wanted:
        if path:
            write_file(path, f"{write_report(found, name)}\n".encode(errors="backslashreplace"))
        else:
            (click.echo if name == "text" else echo_document)(write_report(found, name))
    if or_text and all(path for _, path in wanted):
        click.echo(write_report(found, "text"))


def _write_template(game: str | None, program: str | None, path: Path) -> None:
    """Write a wrapper for the user to edit. It gets its moves from a program and lists the program's definitions."""
    from solver.support.program_loader import list_calls, list_definitions

    if exists(path):
        raise EngineError(f"{quoted(path)} exists; give a wrapper the name of a new file.")
    if path.suffix != ".py":
        raise EngineError(f"A wrapper is written in Python, and {quoted(path)} is not a .py file; name it wrapper.py.")
    named = next((one for one in (program, game) if one and one.partition(":")[0].endswith((".py", ".ipynb"))), "")
    file = Path(named.partition(":")[0]) if named else None
    if program and not file:
        raise EngineError(f"{quoted(program)} is no Python file or notebook; name the file that chooses a move.")
    if file and file.absolute().parent != path.absolute().parent:
        beside = shlex.quote(str(file.parent / path.name))
        raise EngineError(f"A wrapper must be in the folder of {file.name}; add --template {beside}.")
    words = ["mnk", "verify", game if game and game != named else "3,3,3", str(path)]
    form = Convention("rows", ("X", "O", " "), "mark", "row,column")
    command = f"{shlex.join(words)} {form.write()}"
    listed = [*list_definitions(file)] if file else []
    call = _find_call(listed, named.partition(":")[2])
    text = _TEMPLATE.replace("COMMAND", command).replace("game.py", file.name if file else "game.py")
    text = text.replace("WRAPPER", path.name).replace("CALL", call)
    if file:
        text += "\n".join([f"\n\n# {file.name} defines:", *(f"#     {line}" for line in listed), ""])
        if calls := [*list_calls(file)]:
            head = "# These calls are not run, because they may start the game; repeat here what prepares the player:"
            text += "\n".join([head, *(f"#     game.{call}" for call in calls), ""])
    write_file(path, text)
    click.echo(f"Wrote {path}. Edit best_move there, then: {command}")


def _find_call(listed: list[str], wanted: str) -> str:
    """Return a call of the function `wanted`, or of the one that probably chooses a move, as the text of a program."""
    names = [wanted] if wanted else ["best_move", "move", "choose", "minimax", "play"]
    found = (line for name in names for line in listed if name.lower() in line.partition("(")[0].lower())
    call = next(found, "best_move(board, player)")
    owner, dot, _ = call.partition("(")[0].rpartition(".")
    made = next((line for line in listed if line.startswith(f"{owner}(")), f"{owner}()")
    return f"{made}.{call[len(owner) + 1 :]}" if dot else call
