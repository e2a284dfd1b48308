"""The command `mnk`: one file a command, each imported when it is called.

A command raises the errors of `solver.errors`; `running` reports them in one line on standard error, with an exit
code. Only this package knows click. The commands share `options`, `output` and `running`.
"""

from importlib import import_module
from typing import Any, Final

import click

from solver.cli.options import examples
from solver.cli.running import report_errors
from solver.version import __version__

__all__ = ["main"]

# The module of each command, which has it under the name `command`.
_MODULES: Final = {
    "forecast": "forecast",
    "build": "build",
    "query": "query",
    "play": "play",
    "review": "review",
    "tree": "tree",
    "stats": "stats",
    "picture": "picture",
    "poster": "poster",
    "plot": "plot",
    "check": "check",
    "list": "listing",
    "games": "games",
    "rules": "rules",
    "export": "export",
    "split": "split",
    "merge": "merge",
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
    """A group that imports a command when it is called, and reports errors without a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names of the commands, in the order they are needed in."""
        del ctx
        return list(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of this name; None if there is none."""
        del ctx
        module = _MODULES.get(_OLD_NAMES.get(cmd_name, cmd_name))
        if module is None:
            return None
        command: click.Command = import_module(f"solver.cli.{module}").command
        return command

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
