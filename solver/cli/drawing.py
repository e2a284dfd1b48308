"""What the commands that draw share: where the picture goes."""

from pathlib import Path

import click

from solver.cli.files import OUTPUT_FILE

__all__ = ["out_option", "put", "scale_option"]


def _checked(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    """The path, once its ending is known to be one of a picture's: before any work is done."""
    from solver.pictures.saving import require_ending

    del context, option
    if path is not None:
        require_ending(path)
    return path


out_option = click.option(
    "-o",
    "--output",
    "out",
    type=OUTPUT_FILE,
    metavar="FILE",
    callback=_checked,
    help="Draw to FILE.svg or FILE.png; default: SVG to standard output.",
)

scale_option = click.option(
    "--scale",
    type=click.FloatRange(min=0.1, max=20),
    metavar="S",
    default=2,
    show_default=True,
    help="Dots of a PNG for each pixel of the SVG.",
)


def put(picture: str, out: Path | None, scale: float) -> None:
    """Write a picture to a file; without one, print it."""
    from solver.pictures.saving import save_picture

    if out is None:
        click.echo(picture)
    else:
        save_picture(picture, out, scale)
