"""Dark twins of the colours that pictures use, for viewers who have asked for dark pages.

The colours stand in attributes, so that a picture is whole where no style is understood. `adaptive` adds one
style sheet that exchanges them on a dark screen, never in print, and touches nothing outside the picture.
"""

import re
from typing import Final

__all__ = ["DARK", "adaptive"]

# By light colour. Each keeps its hue and its role: paper, ink, tint, stone.
DARK: Final = {
    # papers, and what lies on them
    "#ffffff": "#15181d",
    "#efece4": "#23272e",
    "#f7f5f0": "#1b1f25",
    # inks, from text to the faintest line
    "#3d3a34": "#ebe8e1",
    "#57534a": "#d6d2c9",
    "#5f5b53": "#c9c5bb",
    "#6b675e": "#b3afa5",
    "#b5b0a3": "#6d6a63",
    "#dcd7ca": "#474b52",
    "#e4e1d8": "#363a41",
    # stones
    "#0b4f7d": "#74bdf0",
    "#b3440a": "#f79b5f",
    "#9dbcd2": "#5a87a8",
    "#e0b193": "#b07650",
    # verdicts: ink, frame, tint
    "#00694d": "#5fd3ac",
    "#8ccdb6": "#2f7a62",
    "#e0f3ec": "#15362c",
    "#a34700": "#f2a062",
    "#e8b394": "#8a5431",
    "#fbe9df": "#3d2718",
    "#d3cfc6": "#565a61",
    "#f5f4f1": "#2a2e35",
    "#ffe8a3": "#574511",
    "#e69f00": "#f0b73c",
    # parts of bars
    "#0b7a5b": "#5fd3ac",
    "#d9d4c7": "#4f535b",
    # lines of charts
    "#0072b2": "#5db4ea",
    "#d55e00": "#ff9350",
    "#009e73": "#3fd0a4",
    "#cc79a7": "#e5a4c8",
    "#56b4e9": "#8fd0f7",
}

_COLOUR = re.compile(r'(fill|stroke)="(#[0-9a-f]{6})"')
_COLOURED = re.compile(r'<(\w+)((?: [\w:-]+="[^"]*")*?)(?= (?:fill|stroke)="#)')  # a tag up to its first colour


def adaptive(picture: str) -> str:
    """An SVG picture with the style sheet that its colours need, behind its title and description.

    Each coloured element gets a class of ours. (A selector by an element around it would miss what is shown by
    `use`, which browsers style as a tree of its own.) Raises ValueError for a colour that has no dark twin.
    """
    used = sorted(set(_COLOUR.findall(picture)))
    lacking = [colour for _, colour in used if colour not in DARK]
    if lacking:
        raise ValueError(f"colours without a dark twin: {', '.join(lacking)}")
    rules = "".join(f'.mnk[{what}="{colour}"]{{{what}:{DARK[colour]}}}' for what, colour in used)
    style = f"<style>@media screen and (prefers-color-scheme:dark){{{rules}}}</style>"
    head, tag, rest = picture.partition("</desc>" if "</desc>" in picture else "</title>")
    return head + tag + "\n" + style + _COLOURED.sub(r'<\1 class="mnk"\2', rest)
