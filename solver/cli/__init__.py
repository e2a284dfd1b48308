"""The command `mnk`: one file a command, each imported when it is called.

A command raises the errors of `solver.errors`; `running` reports them in one line on standard error, with an exit
code. Only this package knows click. The commands share `options`, `output`, `running` and
`summary`.
"""

from importlib import import_module
from typing import Any, Final

import click

from solver.cli.options import examples
from solver.cli.running import report_errors
from solver.errors import quoted
from solver.version import __version__

__all__ = ["main"]

_COMMANDS: Final = {
    "Solve": {
        "forecast": "What building a table would need, before it is built",
        "build": "Solve a game and keep its table",
        "check": "Check that a table is right",
        "games": "List the tables you have built, and well-known games",
        "show": "Show a game's rules, and the statistics of its table",
    },
    "Ask and play": {
        "query": "What a position is worth, and every move in it",
        "play": "Play against the table or an engine",
        "review": "Where a game was lost, and how well both sides played",
        "train": "Find the only move, in puzzles from the table",
        "openings": "The first plies up to symmetry, and the replies that hold",
        "compare": "The same position under other rules",
        "tree": "The plan that reaches the goal",
        "serve": "Serve the explorer page and the API",
        "site": "Write a folder with the page that needs no server",
    },
    "Draw and export": {
        "draw": "Draw a position, a complete strategy or a chart",
        "export": "Write positions and values as CSV, JSON Lines, Parquet",
    },
    "Engines": {
        "engines": "The engines there are, with their options",
        "match": "Let engines play each other",
        "verify": "Grade an engine against the truth",
        "verify-table": "Compare a table in a file with ours",
        "experiments": "Reproduce the figures of the course notebooks",
    },
}
"""By what they are for: the name of each command, which is that of its module, and a line about it."""

_MODULES: Final = {"verify-table": "verify_table"}  # with another name than their command


class _Commands(click.Group):
    """A group that imports a command when it is called, and reports errors without a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names of the commands, in the order they are needed in."""
        del ctx
        return [name for commands in _COMMANDS.values() for name in commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of this name; None if there is none."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"solver.cli.{_MODULES.get(cmd_name, cmd_name)}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is called. Raises UsageError, which names one that is spelt alike."""
        name = args[0]
        if self.get_command(ctx, name) or name.startswith("-"):
            return super().resolve_command(ctx, args)
        from difflib import get_close_matches  # most names are read

        alike = get_close_matches(name.lower(), self.list_commands(ctx), n=1)
        advice = f"did you mean {alike[0]}?" if alike else "`mnk --help` lists them."
        raise click.UsageError(f"There is no command {quoted(name)}; {advice}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, each with a whole line about it."""
        del ctx
        width = max(len(name) for commands in _COMMANDS.values() for name in commands)
        for title, commands in _COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), about) for name, about in commands.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, and report its errors."""
        with report_errors():
            return super().invoke(ctx)


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
    """Solve games of lines, keep every value in a table, and ask it.

    A GAME is rows,columns,in-a-row: 3,3,3 is tic-tac-toe. Variants follow, as in 4,5,4,gravity: exact, full,
    gravity, maker, misere, torus. Or it is one of those that `mnk games` lists, such as affine,3, or a file with
    squares and lines that ends in .json or .pg. A POSITION is its rows, such as XO./.X./... with X to move first, or
    its moves, such as 'b2 a1', or its base-3 hash, or 'start'.
    """
