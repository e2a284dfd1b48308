"""The command `mnk`: one file a command, each loaded when it is asked for.

A command raises the errors of `solver.errors`; here alone they become one line on standard error and an exit
code. Only this package knows click.
"""

import errno
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

import click

from solver import __version__
from solver.cli.common import examples
from solver.errors import BuildInterrupted, MnkError

__all__ = ["main"]

# The module of each command, which has it under the name `command`.
_MODULES: Final = {
    "forecast": "forecast",
    "build": "build",
    "query": "query",
    "play": "play",
    "tree": "tree",
    "stats": "stats",
    "picture": "picture",
    "poster": "poster",
    "plot": "plot",
    "check": "check",
    "list": "listing",
    "export": "export",
    "explore": "explore",
    "engines": "engines",
    "match": "match",
    "tournament": "tournament",
    "learn": "learn",
    "verify": "verify",
    "verify-table": "verify_table",
    "serve": "serve",
    "experiments": "experiments",
}

_OLD_NAMES: Final = {"plan": "forecast"}  # names that commands had once: they work as before, and no help lists them


class _Commands(click.Group):
    """A group that imports a command when it is asked for, and reports errors without a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in the order they are needed in."""
        del ctx
        return list(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, None if there is none."""
        del ctx
        module = _MODULES.get(_OLD_NAMES.get(cmd_name, cmd_name))
        if module is None:
            return None
        command: click.Command = import_module(f"solver.cli.{module}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an error is reported in one line, and click's Exit raised in its place."""
        with _reported():
            return super().invoke(ctx)


@contextmanager
def _reported() -> Iterator[None]:
    try:
        yield
    except MnkError as error:
        raise _failed(str(error), error.exit_code) from error
    except KeyboardInterrupt as error:
        raise _failed("Interrupted.", BuildInterrupted.exit_code) from error
    except OSError as error:
        if error.errno == errno.EPIPE:  # whoever read the output has seen enough; click ends quietly
            raise
        name = "" if error.filename is None else f"{click.format_filename(error.filename)}: "
        raise _failed(f"{name}{error.strerror or error}.", MnkError.exit_code) from error


def _failed(message: str, exit_code: int) -> click.exceptions.Exit:
    if exit_code == BuildInterrupted.exit_code and sys.stderr.isatty():
        click.echo(err=True)  # ends the line on which the terminal shows ^C
    click.echo(f"Error: {message}", err=True)
    return click.exceptions.Exit(exit_code)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples(
        "mnk build 3,3,3                 solve tic-tac-toe and keep its table",
        "mnk query 3,3,3 XO./.X./...     what every move is worth",
        "mnk play 3,3,3                  play against the table",
    ),
)
@click.version_option(__version__, prog_name="mnk-tablebase")
def main() -> None:
    """Solve m,n,k-games, keep every value in a table, and ask it.

    A GAME is rows,columns,in-a-row: 3,3,3 is tic-tac-toe. Variants follow, as in 4,5,4,gravity: exact, full,
    gravity, misere, torus. A POSITION is its rows, such as XO./.X./... with X to move first, or its moves,
    such as 'b2 a1', or its base-3 hash, or 'start'.
    """
