"""Pictures of positions, strategies and tables, saved as SVG or PNG.

resvg renders PNG files with a bundled font, so a picture is the same on every computer, even on one without fonts.
resvg and the font come with the extra `pictures`.
"""

from pathlib import Path

from solver.errors import PictureError, missing_extra, quoted
from solver.support.files import write_file

_DOTS_PER_INCH = 96  # the resolution of SVG
_DOTS_PER_PIXEL = 2  # sharp on dense screens and in print


def require_picture_name(path: Path) -> None:
    """Raise PictureError unless the file's name ends in `.svg` or `.png`."""
    if path.suffix.lower() not in {".svg", ".png"}:
        raise PictureError(f"A picture is SVG or PNG, so {quoted(path)} must end in .svg or .png.")


def save_picture(picture: str, path: Path) -> None:
    """Write an SVG picture to a file as SVG or PNG, depending on the ending of the file's name.

    An interrupted write leaves no file. Raises PictureError for any other ending, MissingExtra if PNG cannot be drawn,
    StorageError if the file cannot be written.
    """
    require_picture_name(path)
    write_file(path, _draw_png(picture) if path.suffix.lower() == ".png" else f"{picture}\n")


def _draw_png(picture: str) -> bytes:
    from importlib.resources import as_file, files

    try:
        from resvg_py import svg_to_bytes

        folder = files("font_lato") / "files"
    except ImportError as error:
        raise missing_extra("PNG", "pictures", "let the file end in .svg") from error
    with as_file(folder) as fonts:
        return svg_to_bytes(
            svg_string=picture,
            zoom=_DOTS_PER_PIXEL,
            dpi=_DOTS_PER_INCH,
            skip_system_fonts=True,
            font_dirs=[str(fonts)],
            font_family="Lato",
            sans_serif_family="Lato",
        )
