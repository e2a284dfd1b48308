"""Options that name a file to write: where it goes is looked at before any work is done."""

import os
from pathlib import Path
from typing import Any, Final

import click

from solver.errors import PictureError, quoted
from solver.support.files import require_writable

__all__ = ["OUTPUT_FILE", "SVG_FILE"]


class _Output(click.Path):
    """A file that can be written, as a Path."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        require_writable(path)
        return path


class _Svg(_Output):
    """A file that ends in .svg: a picture in another one would not be what its name says."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = super().convert(value, param, ctx)
        if path.suffix.lower() != ".svg":
            raise PictureError(f"This picture is SVG, so {quoted(path.name)} must end in .svg.")
        return path


OUTPUT_FILE: Final = _Output()
SVG_FILE: Final = _Svg()
