"""Charts, drawn as SVG by matplotlib, which comes with the extra `pictures`.

The same version of matplotlib always writes the same bytes. A description for screen readers lists the plotted numbers.
"""

import re
from collections.abc import Callable
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Final

from solver.errors import missing_extra

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STYLE: Final = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "figure.titlesize": 13,
    "figure.titleweight": "bold",
    "font.family": "DejaVu Sans",  # part of matplotlib
    "grid.color": "#e4e1d8",
    "legend.frameon": False,
    "svg.fonttype": "path",  # letters look alike on every computer
    "svg.hashsalt": "mnk",
}


def draw_chart(
    title: str, width: float, height: float, plot: Callable[["Figure"], object], description: str = ""
) -> str:
    """Return a figure as SVG, `width` by `height` inches; `plot` draws into it. Raises MissingExtra (matplotlib)."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise missing_extra("A chart", "pictures") from error
    with rc_context(_STYLE), StringIO() as file:
        figure = Figure(figsize=(width, height), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", parse_math=False)
        plot(figure)
        figure.savefig(file, format="svg", metadata={"Title": title, "Creator": None, "Date": None})
        drawn = file.getvalue()
    drawn = drawn[drawn.index("<svg ") :].rstrip()
    drawn = re.sub(r"<metadata>.*?</metadata>", lambda _: f"<desc>{escape(description)}</desc>", drawn, flags=re.DOTALL)
    # A style sheet in the picture would apply to the whole page around it.
    drawn = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", drawn, flags=re.DOTALL)
    return drawn.replace("<svg ", '<svg role="img" style="stroke-linejoin:round" ', 1)
