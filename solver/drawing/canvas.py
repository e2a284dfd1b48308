"""SVG pictures as elements, plain data until `svg` writes them: pages, texts, shapes, styles, and the signs they share.

>>> svg(element("g", text(1, 2, "a < b", 12), transform=place(3, 4)))
'<g transform="translate(3 4)"><text x="1" y="2" font-size="12" fill="#3d3a34">a &lt; b</text></g>'

The signs are stones, the marks of verdicts, and the key that explains signs. A triangle up wins, two bars draw, a
triangle down loses: shapes say it without colour.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Final

from solver.drawing.palette import INK, PAPER, TONES, Colour

_DIGITS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")

Value = str | float | Colour
"""The value of an attribute; numbers are written with up to six digits."""


@dataclass(frozen=True, slots=True)
class Element:
    """An SVG element."""

    tag: str
    attributes: Mapping[str, Value]
    children: Sequence["Element | str"] = ()


def element(tag: str, *children: Element | str, **attributes: Value | None) -> Element:
    """Make an element; underscores in names of attributes become hyphens, and an attribute that is None is left out."""
    given = {name.replace("_", "-"): value for name, value in attributes.items() if value is not None}
    return Element(tag, given, children)


def text(
    x: float,
    y: float,
    words: str,
    size: float,
    *,
    ink: Colour = INK,
    anchor: str | None = None,
    **attributes: Value | None,
) -> Element:
    """Write a line of text whose letters stand on y.

    size: of the letters, in units of the picture. anchor: `middle` or `end`, what of the text stands at x. Exponents
    such as in 10⁴ are written as small digits above the line, because many fonts have few of those signs.
    """
    raised = _raise_exponents(words, size)
    return element("text", *raised, x=x, y=y, font_size=size, text_anchor=anchor, **attributes, fill=ink)


def _raise_exponents(words: str, size: float) -> Iterator[Element | str]:
    plain, *rest = re.split(r"([⁰¹²³⁴⁵⁶⁷⁸⁹]+)", words)
    yield plain
    for digits, after in zip(rest[::2], rest[1::2], strict=True):
        yield element("tspan", digits.translate(_DIGITS), dy=-0.35 * size, font_size=0.7 * size)
        if after:
            yield element("tspan", after, dy=0.35 * size)


def place(x: float, y: float, scale: float = 1) -> str:
    """The transformation that moves an element and scales it."""
    return f"translate({x:g} {y:g})" + (f"scale({scale:g})" if scale != 1 else "")


def page(
    width: float,
    height: float,
    parts: Iterable[Element],
    *,
    title: str,
    description: str = "",
    shown: tuple[Value, Value] | None = None,
    corner: float = 14,
    paper: Colour = PAPER,
) -> Element:
    """Lay the parts on a page of so many units.

    title, description: what screen readers say. shown: the width and height on the screen in pixels, or with another
    unit, such as `210mm`; by default as many pixels as units. corner: the radius of the page's corners, in units.
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
    """Write a picture.

    dark: with a style sheet that exchanges the colours on dark screens, never in print. Colours stand in attributes
    all the same, so that the picture is whole where no style is understood.
    """
    if dark:
        rules: set[str] = set()
        picture = _marked(picture, rules)
        style = f"@media screen and (prefers-color-scheme:dark){{{''.join(sorted(rules))}}}"
        picture = replace(picture, children=[*picture.children, element("style", style)])
    return _written(picture)


def _marked(picture: Element, rules: set[str]) -> Element:
    """Mark the coloured elements by a class of ours, and add the rules that exchange their colours.

    So the style touches nothing outside the picture. (A selector by an element around it would miss what is shown by
    `use`, which browsers style as a tree of its own.)
    """
    colours = {name: value for name, value in picture.attributes.items() if isinstance(value, Colour)}
    rules |= {f'.mnk[{name}="{colour.light}"]{{{name}:{colour.dark}}}' for name, colour in colours.items()}
    children = [child if isinstance(child, str) else _marked(child, rules) for child in picture.children]
    return Element(picture.tag, ({"class": "mnk"} if colours else {}) | {**picture.attributes}, children)


def _written(part: Element | str) -> str:
    if isinstance(part, str):
        return escape(part, quote=False)
    tag = part.tag + "".join(f' {name}="{_value(value)}"' for name, value in part.attributes.items())
    if not part.children:
        return f"<{tag}/>"
    ends = "\n" if part.tag in {"svg", "defs"} else ""
    return f"<{tag}>{ends}{ends.join(map(_written, part.children))}{ends}</{part.tag}>"


def _value(value: Value) -> str:
    if isinstance(value, Colour):
        return value.light
    return escape(value) if isinstance(value, str) else f"{value:g}"


_SHAPES: Final = {
    "win": "M0 -.8L.9 .7H-.9z",
    "draw": "M-.8 -.55h1.6v.4h-1.6zM-.8 .15h1.6v.4h-1.6z",
    "loss": "M0 .8L.9 -.7H-.9z",
}


def stone(side: str, x: float, y: float, reach: float, ink: Colour, width: float, name: str | None = None) -> Element:
    """Draw a stone of `X` or `O` around a place.

    reach: from the middle to the ends of the strokes of X, and the radius of O. width: of the stroke. name: its id.
    """
    stroke: dict[str, Value] = {"fill": "none", "stroke": ink, "stroke_width": width, "stroke_linecap": "round"}
    if side == "O":
        return element("circle", id=name, cx=x, cy=y, r=reach, **stroke)
    side_length = f"{2 * reach:g}"
    strokes = f"l{side_length} {side_length}m0-{side_length}l-{side_length} {side_length}"
    return element("path", id=name, d=f"M{x - reach:g} {y - reach:g}{strokes}", **stroke)


def verdict_mark(verdict: str, x: float, y: float, radius: float) -> Element:
    """Draw the mark of `win`, `draw` or `loss` around a place."""
    return element("path", d=_SHAPES[verdict], transform=place(x, y, radius), fill=TONES[verdict].ink)


def sample(**look: Value) -> Element:
    """Draw a small square around the origin, to explain how a tile or a frame looks."""
    return element("rect", x=-8, y=-8, width=16, height=16, rx=3, **look)


def draw_key(entries: Sequence[tuple[Element, str]], left: float, top: float, row: float) -> Iterator[Element]:
    """Draw signs with their meanings one below the other, `row` units apart.

    Each sign is drawn around the origin, some 8 units to each side. left: of the signs. top: the middle of the first.
    """
    for number, (sign, meaning) in enumerate(entries):
        y = top + number * row
        yield element("g", sign, transform=place(left + 8, y))
        yield text(left + 26, y + 5, meaning, 14)
