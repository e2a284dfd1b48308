"""The command `mnk`: one module for each command, imported when the command is called.

A command raises the errors of `solver.errors`; `running` reports them in one line on standard error, with an exit
code. Only this package knows click. The commands share `options`, `output` and `running`.
"""

import os
import sys
from importlib import import_module
from typing import Any, Final
from unicodedata import category

import click

from solver import __version__
from solver.cli.formatter import Context
from solver.cli.options import examples
from solver.cli.running import interruptible, report_errors
from solver.cli.streams import standard_streams
from solver.errors import InputError, quoted
from solver.game.games import ALIASES, VARIANTS

__all__ = ["main"]

_COMMANDS: Final = {
    "Solve": {
        "forecast": "Estimate the time, memory and disk that a build needs",
        "build": "Solve games and keep their tables",
        "check": "Check that a table is right",
        "games": "List your tables and well-known games",
        "show": "Show a game's rules and the statistics of its table",
    },
    "Query and play": {
        "query": "Show the value of a position and of every move",
        "play": "Play against the table or an engine",
        "review": "Show where a game was lost and how well both sides played",
        "puzzles": "Find positions in which only one move wins, or only one keeps the draw",
        "tree": "Show a strategy with an answer to every reply",
        "serve": "Serve the web page and the API",
        "site": "Write the web page as files for any static host",
    },
    "Draw and export": {
        "draw": "Draw a position, a complete strategy or a chart",
        "export": "Write positions and values as CSV, JSON Lines, Parquet or SQLite",
    },
    "Engines": {
        "engines": "List the engines with their options",
        "match": "Let engines play each other",
        "verify": "Grade an engine against the table",
        "experiments": "Reproduce the figures of the course notebooks",
    },
}
"""The commands by subject: the name, which is also the name of the module, and a description in one line."""


class _Commands(click.Group):
    """A group that imports a command when it is called, and reports errors without a traceback."""

    context_class = Context

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return [name for commands in _COMMANDS.values() for name in commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"solver.cli.{cmd_name}").command
        command.context_class = Context
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Return the command that the arguments name. Raises click.UsageError, which suggests a similar name."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches  # here, because most names are correct

            near = get_close_matches(args[0], self.list_commands(ctx), n=1)
            raise click.UsageError(
                f"{error.message} Did you mean `mnk {near[0]}`?" if near else error.message
            ) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        width = max(len(name) for commands in _COMMANDS.values() for name in commands)
        for title, commands in _COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), about) for name, about in commands.items()])

    def main(self, *args: Any, **options: Any) -> Any:
        with standard_streams():
            return super().main(*args, **options)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        with report_errors():
            for word in args:  # so that no message changes the terminal
                if any(sign not in "\t\n\r" and category(sign) == "Cc" for sign in word):
                    raise InputError(f"{quoted(word)} has a control character; leave it out.")
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with report_errors(), interruptible():
            found = super().invoke(ctx)
            sys.stdout.flush()  # `mnk export` writes to its buffer
            return found


_HELP: Final = f"""Solve k-in-a-row games, look up the value of any position, play, and grade engines.

A GAME is rows,columns,in-a-row: 3,3,3 is tic-tac-toe. Variants follow, as in 4,5,4,gravity: {", ".join(VARIANTS)}. A
GAME is also another name that `mnk games` lists, such as affine,3, or a file with squares and lines that ends in .json
or .pg.

Common names: {", ".join(ALIASES)}.

A POSITION is written as the rows of a board, such as XO./.X./..., as the moves played, such as 'b2 a1' (with gravity,
columns: dde or 445), as a base-3 hash, such as hash:88, or as 'start'. X moves first.
"""


@click.group(
    cls=_Commands,
    help=_HELP,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples(
        "mnk serve                                         play in a browser",
        "mnk play tic-tac-toe                              play here",
        "mnk query tic-tac-toe XO./.X./...                 the value of every move",
        "mnk verify tic-tac-toe agent.py --profile simple  where a program errs",
    ),
)
@click.version_option(__version__, prog_name="mnk-tablebase")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Run a command of `mnk`."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        ctx.color = False
