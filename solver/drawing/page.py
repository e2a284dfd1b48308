"""What every picture of more than a board has: a frame with a title and a description, and lines of text."""

from collections.abc import Iterable
from html import escape

__all__ = ["INK", "PALE", "PAPER", "svg_page", "svg_text"]

INK, PALE, PAPER = "#3d3a34", "#6b675e", "#ffffff"


def svg_page(
    width: float,
    height: float,
    parts: Iterable[str],
    *,
    title: str,
    description: str,
    shown: tuple[str, str] | None = None,
    corner: float = 14,
) -> str:
    """The parts on a page of so many units, as an SVG element.

    title, description: what screen readers say. shown: width and height with their units, such as `210mm`,
    by default as many pixels as units. corner: the radius of the page's corners, in units.
    """
    outer_width, outer_height = shown or (f"{width:g}", f"{height:g}")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{outer_width}" '
        f'height="{outer_height}" role="img" font-family="system-ui, sans-serif">'
    )
    ground = f'<rect width="{width:g}" height="{height:g}" rx="{corner:g}" fill="{PAPER}"/>'
    words = [f"<title>{escape(title)}</title>", f"<desc>{escape(description)}</desc>"]
    return "\n".join([head, *words, ground, *parts, "</svg>"])


def svg_text(
    x: float, y: float, text: str, size: float, *, anchor: str = "start", ink: str = INK, weight: int = 400
) -> str:
    """A line of text whose letters stand on y."""
    place = f'x="{x:g}" y="{y:g}" font-size="{size:g}"'
    place += "" if anchor == "start" else f' text-anchor="{anchor}"'
    place += "" if weight == 400 else f' font-weight="{weight}"'
    return f'<text {place} fill="{ink}">{escape(text)}</text>'
