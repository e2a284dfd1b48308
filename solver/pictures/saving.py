"""Save a picture as SVG or PNG, by the ending of the file.

resvg draws PNG with the letters of a packaged font, so that it is the same on every computer, also on one that
has no fonts. Both come with the extra `pictures`.
"""

from pathlib import Path

from solver.errors import PictureError, missing_extra, quoted
from solver.support.files import write_file

_PIXELS_AN_INCH = 96  # of SVG's own pixels


def require_ending(path: Path) -> None:
    """Raise PictureError unless the file's name ends in `.svg` or `.png`."""
    if path.suffix.lower() not in {".svg", ".png"}:
        raise PictureError(
            f"A picture is SVG or PNG, by the ending of its file, so {quoted(path)} must end in .svg or .png."
        )


def save_picture(picture: str, path: Path, scale: float = 2) -> None:
    """Write an SVG picture to a file; to one that ends in `.png` as `scale` dots for each of its pixels.

    An interrupted write leaves no file. Raises PictureError for another ending, MissingExtra where
    PNG can't be drawn, StorageError where the file can't be written.
    """
    require_ending(path)
    write_file(path, png_of(picture, scale) if path.suffix.lower() == ".png" else f"{picture}\n")


def png_of(picture: str, scale: float = 2) -> bytes:
    """Convert an SVG picture to PNG, with `scale` dots for each of its pixels.

    Raises MissingExtra where the extra `pictures` is not installed.
    """
    from importlib.resources import as_file, files

    try:
        from resvg_py import svg_to_bytes

        folder = files("font_lato") / "files"
    except ImportError as error:
        raise missing_extra("PNG", "pictures", "let the file end in .svg") from error
    with as_file(folder) as fonts:
        return svg_to_bytes(
            svg_string=picture,
            zoom=scale,
            dpi=_PIXELS_AN_INCH,
            skip_system_fonts=True,
            font_dirs=[str(fonts)],
            font_family="Lato",
            sans_serif_family="Lato",
        )
