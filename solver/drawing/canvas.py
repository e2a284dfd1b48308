"""SVG pictures, which are plain data until `svg` writes them, and the signs that all pictures share.

>>> svg(element("g", text(1, 2, "a < b", 12), transform=place(3, 4)))
'<g transform="translate(3 4)"><text x="1" y="2" font-size="12" fill="#3d3a34">a &lt; b</text></g>'

Shapes carry the meaning: a triangle pointing up is a win, two bars are a draw, a triangle pointing down is a loss.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Final

from solver.drawing.palette import INK, PAPER, TONES, Colour

Attribute = str | float | Colour  # the value of an attribute; numbers are written with up to six digits


@dataclass(frozen=True, slots=True)
class Element:
    """An SVG element."""

    tag: str
    attributes: Mapping[str, Attribute]
    children: Sequence["Element | str"] = ()


def element(tag: str, *children: Element | str, **attributes: Attribute | None) -> Element:
    """Return an element. Attributes that are None are omitted; underscores in names of attributes become hyphens."""
    given = {name.replace("_", "-"): value for name, value in attributes.items() if value is not None}
    return Element(tag, given, children)


def text(x: float, y: float, words: str, size: float, *, ink: Colour = INK, **attributes: Attribute | None) -> Element:
    """Return a line of text whose baseline is at `y`. size: the font size, in units of the picture."""
    return element("text", words, x=x, y=y, font_size=size, **attributes, fill=ink)


def place(x: float, y: float, scale: float = 1) -> str:
    """Return the `transform` attribute that scales an element and moves it by (x, y)."""
    return f"translate({x:g} {y:g})" + (f"scale({scale:g})" if scale != 1 else "")


def page(
    width: float,
    height: float,
    parts: Iterable[Element],
    *,
    title: str,
    description: str = "",
    shown: tuple[Attribute, Attribute] | None = None,
    corner: float = 14,
    paper: Colour = PAPER,
) -> Element:
    """Return a complete picture with the given parts; `width` and `height` are in its own units.

    title, description: for screen readers. shown: the width and height on the screen; by default one pixel
    per unit. corner: the radius of the picture's corners in units.
    """
    outer_width, outer_height = shown or (width, height)
    return element(
        "svg",
        element("title", title),
        *([element("desc", description)] if description else []),
        element("rect", width=width, height=height, rx=corner, fill=paper),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=outer_width,
        height=outer_height,
        role="img",
        font_family="system-ui, sans-serif",
    )


def svg(picture: Element, *, dark: bool = False) -> str:
    """Return a picture as SVG.

    dark: add a style sheet that replaces the colours in dark mode, but not in print. The attributes contain the
    light colours, so that the picture is complete in a viewer that ignores styles.
    """
    if dark:
        rules: set[str] = set()
        picture = _mark_colours(picture, rules)
        style = f"@media screen and (prefers-color-scheme:dark){{{''.join(sorted(rules))}}}"
        picture = replace(picture, children=[*picture.children, element("style", style)])
    return _write(picture)


def _mark_colours(picture: Element, rules: set[str]) -> Element:
    """Return the picture with a class on each coloured element, and add CSS rules for the colours to `rules`.

    The class keeps the style from applying outside the picture. A selector that names an enclosing element would miss
    the content of `use`, which browsers style as a separate tree.
    """
    colours = {name: value for name, value in picture.attributes.items() if isinstance(value, Colour)}
    rules |= {f'.mnk[{name}="{colour.light}"]{{{name}:{colour.dark}}}' for name, colour in colours.items()}
    children = [child if isinstance(child, str) else _mark_colours(child, rules) for child in picture.children]
    return Element(picture.tag, ({"class": "mnk"} if colours else {}) | {**picture.attributes}, children)


def _write(part: Element | str) -> str:
    if isinstance(part, str):
        return escape(part, quote=False)
    tag = part.tag
    for name, value in part.attributes.items():
        said = value.light if isinstance(value, Colour) else value if isinstance(value, str) else f"{value:g}"
        tag += f' {name}="{escape(said)}"'
    if not part.children:
        return f"<{tag}/>"
    ends = "\n" if part.tag in {"svg", "defs"} else ""
    return f"<{tag}>{ends}{ends.join(map(_write, part.children))}{ends}</{part.tag}>"


# Signs

_MARKS: Final = {
    "win": "M0 -.8L.9 .7H-.9z",
    "draw": "M-.8 -.55h1.6v.4h-1.6zM-.8 .15h1.6v.4h-1.6z",
    "loss": "M0 .8L.9 -.7H-.9z",
}


def stone(side: str, x: float, y: float, reach: float, ink: Colour, width: float, name: str | None = None) -> Element:
    """Return a stone of `X` or `O` centred at (x, y).

    reach: half the width of X between the ends of its strokes, or the radius of O. width: the width of the strokes.
    name: the element's id.
    """
    stroke: dict[str, Attribute] = {"fill": "none", "stroke": ink, "stroke_width": width, "stroke_linecap": "round"}
    if side == "O":
        return element("circle", id=name, cx=x, cy=y, r=reach, **stroke)
    side_length = f"{2 * reach:g}"
    strokes = f"l{side_length} {side_length}m0-{side_length}l-{side_length} {side_length}"
    return element("path", id=name, d=f"M{x - reach:g} {y - reach:g}{strokes}", **stroke)


def verdict_mark(verdict: str, x: float, y: float, radius: float) -> Element:
    """Return the mark of `win`, `draw` or `loss` centred at (x, y)."""
    return element("path", d=_MARKS[verdict], transform=place(x, y, radius), fill=TONES[verdict].ink)
