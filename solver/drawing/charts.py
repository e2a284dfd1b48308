"""Charts of lines, shares and counts, drawn as SVG by matplotlib, which comes with the extra `pictures`.

A chart is the same to the byte each time it is drawn by the same version of matplotlib. Lines differ by their dashes
and tiles by their letters, so that nothing depends on colour. The description, for screen readers, holds all figures.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from io import StringIO
from itertools import cycle
from math import log10
from typing import TYPE_CHECKING, Final, NamedTuple

from solver.drawing.palette import GRID, INK, PALE, PAPER, SERIES, SHARES, SOFT, STONES, Colour
from solver.errors import missing_extra

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STYLE: Final = {
    "axes.edgecolor": PALE.light,
    "axes.grid": True,
    "axes.labelcolor": INK.light,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "figure.facecolor": PAPER.light,
    "figure.titlesize": 13,
    "figure.titleweight": "bold",
    "font.family": "DejaVu Sans",  # which matplotlib brings along
    "font.size": 10,
    "grid.color": GRID.light,
    "legend.frameon": False,
    "svg.fonttype": "path",  # so that letters look alike everywhere
    "svg.hashsalt": "mnk",
    "text.color": INK.light,
    "xtick.color": PALE.light,
    "ytick.color": PALE.light,
}
_DASHES: Final = ("solid", "dashed", "dotted", "dashdot")
_LEAST_SHARE: Final = 0.07  # that is wide enough for its percentage
_FAINTEST, _STRONGEST = 0.12, 0.5  # the opacity of the tiles of a count of 1 and of the largest count

Points = Sequence[tuple[float, float]]


class Panel(NamedTuple):
    """One of several diagrams that share the horizontal axis."""

    title: str
    """The quantity that is measured."""
    lines: Mapping[str, Points]
    """(x, y) points by the name of their line, x ascending."""


class Part(NamedTuple):
    """The meaning and the colours of one part of each bar."""

    name: str
    fill: Colour
    ink: Colour
    """The colour of its percentage."""


_DRAWS: Final = Part("draws", SHARES["draw"], SOFT)
RESULTS: Final = (Part("wins", SHARES["win"], PAPER), _DRAWS, Part("losses", SHARES["loss"], PAPER))
BY_SIDE: Final = (Part("X wins", STONES["X"], PAPER), _DRAWS, Part("O wins", STONES["O"], PAPER))


class Kind(NamedTuple):
    """A kind of counts: the letter in its tiles, its meaning and its colour."""

    letter: str
    meaning: str
    fill: Colour


class Tiles(NamedTuple):
    """A row of tiles: a count and its kind by column."""

    label: str
    counts: Mapping[int, tuple[int, Kind]]


@contextmanager
def chart(title: str, width: float, height: float, written: list[str], description: str = "") -> "Iterator[Figure]":
    """Make a figure of this size in inches, and append it to `written` as SVG at the end of the block.

    Raises MissingExtra if matplotlib is not installed.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise missing_extra("A chart", "pictures") from error
    with rc_context(_STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", parse_math=False)
        yield figure
        file = StringIO()
        figure.savefig(file, format="svg", metadata={"Title": title, "Creator": None, "Date": None})
    drawn = file.getvalue()
    drawn = drawn[drawn.index("<svg") :].rstrip().replace("<svg ", '<svg role="img" ', 1)
    drawn = re.sub(r"<metadata>.*?</metadata>", lambda _: f"<desc>{escape(description)}</desc>", drawn, flags=re.DOTALL)
    # A style sheet in the picture would apply to the whole page around it.
    drawn = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", drawn, flags=re.DOTALL)
    written.append(drawn.replace("<svg ", '<svg style="stroke-linejoin:round" ', 1))


def draw_lines(
    panels: Sequence[Panel],
    *,
    title: str,
    x_label: str,
    log_x: bool = False,
    log_y: bool = False,
    description: str = "",
) -> str:
    """Draw panels one above the other, with the same lines by name, and return the SVG.

    log_x, log_y: make the axes logarithmic; points below 1 are left out. Other vertical axes begin at 0.
    Raises MissingExtra, and ValueError if no point is left.
    """
    shown = [
        {
            name: [(x, y) for x, y in line if (not log_x or x >= 1) and (not log_y or y >= 1)]
            for name, line in lines.items()
        }
        for _, lines in panels
    ]
    if not any(line for lines in shown for line in lines.values()):
        raise ValueError("a chart needs at least one point")
    written: list[str] = []
    with chart(title, 7.5, 1 + 2.6 * len(panels), written, description) as figure:
        all_axes = figure.subplots(len(panels), sharex=True, squeeze=False)[:, 0]
        for panel, axes, lines in zip(panels, all_axes, shown, strict=True):
            axes.set_title(panel.title)
            for (name, line), colour, dashes in zip(lines.items(), cycle(SERIES), cycle(_DASHES)):
                axes.plot(*zip(*line, strict=True), label=name, color=colour.light, linestyle=dashes, linewidth=1.8)
            axes.set_yscale("log" if log_y else "linear")
            axes.set_ylim(bottom=1 if log_y else 0)
        all_axes[-1].set_xscale("log" if log_x else "linear")
        all_axes[-1].set_xlabel(x_label)
        if len(panels[0].lines) > 1:
            figure.legend(*all_axes[0].get_legend_handles_labels(), loc="outside lower left", ncols=2)
    return written[0]


def draw_shares(
    title: str, rows: Sequence[tuple[str, Sequence[float]]], *, parts: Sequence[Part] = RESULTS, note: str = ""
) -> str:
    """Draw a bar for each row, a label and shares whose sum is 1, from top to bottom, and return the SVG.

    parts: the meaning of the shares, from left to right. note: a line that explains the chart. Raises MissingExtra.
    """
    words = [
        f"{label}: {', '.join(f'{part.name} {share:.1%}' for part, share in zip(parts, shares, strict=True))}"
        for label, shares in rows
    ]
    written: list[str] = []
    with chart(
        title, 7.5, 1.3 + 0.34 * len(rows), written, f"{note + '. ' if note else ''}{'; '.join(words)}"
    ) as figure:
        axes = figure.subplots()
        axes.set_title(note)
        axes.set_axis_off()
        for place, part in enumerate(parts):
            widths = [shares[place] for _, shares in rows]
            lefts = [sum(shares[:place]) for _, shares in rows]
            bars = axes.barh(range(len(rows)), widths, left=lefts, color=part.fill.light, label=part.name)
            labels = [f"{width:.0%}" if width >= _LEAST_SHARE else "" for width in widths]
            axes.bar_label(bars, labels, label_type="center", color=part.ink.light)
        for row, (label, _) in enumerate(rows):
            axes.text(-0.01, row, label, ha="right", va="center", parse_math=False)
        axes.set_xlim(0, 1)
        axes.invert_yaxis()
        figure.legend(loc="outside lower left", ncols=len(parts))
    return written[0]


def draw_tiles(rows: Sequence[Tiles], kinds: Sequence[Kind], *, title: str, note: str, across: str) -> str:
    """Draw counts as tiles, the darker the larger the count, with the sum of each row at its end; return the SVG.

    kinds: those that the key explains. across: the meaning of the columns. Raises MissingExtra.
    """
    from matplotlib.patches import Patch

    columns = 1 + max(column for row in rows for column in row.counts)
    most = max(log10(max(count for row in rows for count, _ in row.counts.values())), 1)
    words = [
        f"{row.label}: {', '.join(f'{n:,} at {column} ({kind.letter})' for column, (n, kind) in row.counts.items())}"
        for row in rows
    ]
    written: list[str] = []
    description = f"{note}. {'; '.join(words)}."
    with chart(title, 1.6 + 0.62 * columns, 1.5 + 0.42 * len(rows), written, description) as figure:
        axes = figure.subplots()
        axes.set_title(note)
        axes.grid(visible=False)
        axes.set_frame_on(False)
        for y, row in enumerate(rows):
            for x, (count, kind) in row.counts.items():
                strength = _FAINTEST + (_STRONGEST - _FAINTEST) * log10(count) / most
                axes.barh(y, 0.94, left=x - 0.47, height=0.9, color=kind.fill.light, alpha=strength)
                axes.text(x, y, f"{compact(count)}\n{kind.letter}", ha="center", va="center", fontsize=8)
            total = sum(count for count, _ in row.counts.values())
            axes.text(columns - 0.3, y, compact(total), va="center", fontweight="bold", fontsize=9)
        axes.set_xticks(range(columns))
        axes.set_yticks(range(len(rows)), [row.label for row in rows])
        axes.tick_params(length=0)
        axes.set_xlim(-0.5, columns + 0.5)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xlabel(across)
        key = [Patch(color=kind.fill.light, alpha=_STRONGEST, label=f"{kind.letter}: {kind.meaning}") for kind in kinds]
        figure.legend(handles=key, loc="outside lower left", ncols=len(key))
    return written[0]


def compact(count: int) -> str:
    """Return a count in at most five characters or so.

    >>> compact(999), compact(12_345), compact(123_456), compact(9_722_011)
    ('999', '12.3k', '123k', '9.7M')
    """
    if count < 10_000:
        return f"{count:,}"
    scale, unit = (1e3, "k") if count < 999_500 else (1e6, "M")
    shown = count / scale
    return f"{shown:.1f}{unit}" if shown < 99.95 else f"{shown:,.0f}{unit}"
