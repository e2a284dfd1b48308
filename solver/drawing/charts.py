"""Charts, drawn as SVG by matplotlib, which comes with the extra `pictures`.

The same version of matplotlib always draws the same bytes. The description, for screen readers, holds the figures.
"""

import re
from collections.abc import Callable, Sequence
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Final

from solver.errors import missing_extra

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#3d3a34", "#6b675e")
"""The colours of lines and points, in this order."""

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
_FILLS: Final = {"wins": "#0b7a5b", "X wins": "#0b4f7d", "draws": "#d9d4c7", "losses": "#b3440a", "O wins": "#b3440a"}
_LEAST_SHARE: Final = 0.07  # that is wide enough for its percentage


def draw_chart(
    title: str, width: float, height: float, plot: Callable[["Figure"], object], description: str = ""
) -> str:
    """Return the figure that `plot` fills, of this size in inches, as SVG.

    Raises MissingExtra if matplotlib is not installed.
    """
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


def draw_shares(
    title: str,
    rows: Sequence[tuple[str, Sequence[float]]],
    *,
    parts: Sequence[str] = ("wins", "draws", "losses"),
    note: str = "",
) -> str:
    """Return a bar for each row, a label and shares whose sum is 1, from top to bottom, as SVG.

    parts: the meaning of the shares, from left to right: names such as `X wins`. note: a line that explains the chart.
    Raises MissingExtra.
    """

    def plot(figure: "Figure") -> None:
        axes = figure.subplots()
        axes.set_title(note)
        axes.set_axis_off()
        for place, part in enumerate(parts):
            widths = [shares[place] for _, shares in rows]
            lefts = [sum(shares[:place]) for _, shares in rows]
            bars = axes.barh(range(len(rows)), widths, left=lefts, color=_FILLS[part], label=part)
            labels = [f"{width:.0%}" if width >= _LEAST_SHARE else "" for width in widths]
            axes.bar_label(bars, labels, label_type="center", color="black" if part == "draws" else "white")
        for row, (label, _) in enumerate(rows):
            axes.text(-0.01, row, label, ha="right", va="center", parse_math=False)
        axes.set_xlim(0, 1)
        axes.invert_yaxis()
        figure.legend(loc="outside lower left", ncols=len(parts))

    description = "; ".join(
        f"{label}: {', '.join(f'{part} {share:.1%}' for part, share in zip(parts, shares, strict=True))}"
        for label, shares in rows
    )
    return draw_chart(title, 7.5, 1.3 + 0.34 * len(rows), plot, f"{note}. {description}" if note else description)
