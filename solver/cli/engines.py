"""`mnk engines`: list the engines and their options."""

from textwrap import indent

import click

from solver.cli.output import align_columns
from solver.engines.engine import list_engines


@click.command("engines")
def command() -> None:
    """List the engines with their options and defaults.

    Options are written after a colon, as in alphabeta:cutoff=2. Other packages can add engines.
    """
    engines = list_engines()
    width = max(len(engine.name) for engine in engines) + 2
    for engine in engines:
        click.echo(f"{engine.name:{width}}{engine.description or engine.problem}")
        if engine.options:
            rows = [(str(option), option.kind) for option in engine.options]
            click.echo(indent(align_columns(rows, left=[0, 1]), " " * width))
