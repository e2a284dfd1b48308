"""Draw times as points on two logarithmic axes, with the power laws that fit them.

Series differ by the shape of their points as well as by colour.
"""

from collections.abc import Mapping, Sequence
from math import log10
from typing import TYPE_CHECKING, Final

from benchmarks.growth import FITTED, Point, fit
from solver.drawing.charts import draw_chart

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_APART: Final = 0.15  # decades between the sizes of two named games

_COLOURS = ("#0072b2", "#d55e00")


def svg_growth(series: Mapping[str, Sequence[Point]], title: str) -> str:
    """Return a chart of seconds against positions, with their fits, as SVG; at least one point, at most two series.

    A game is named beside its slowest point, unless a slower game of about the same size is named.
    """
    everything = sorted((point for points in series.values() for point in points), key=lambda point: -point.seconds)

    def plot(figure: "Figure") -> None:
        axes = figure.subplots()
        for (name, points), colour, shape in zip(series.items(), _COLOURS, "o^", strict=False):
            law, label = fit(points), name
            if law:
                label = f"{name}: time grows as positions to the power of {law.exponent:.2f}"
                ends = [FITTED, max(point.positions for point in points)]
                axes.plot(ends, [law(x) for x in ends], color=colour, linestyle="dashed", linewidth=1.2)
            axes.plot([p.positions for p in points], [p.seconds for p in points], shape, color=colour, label=label)
        named: list[Point] = []
        for point in everything:
            if all(abs(log10(point.positions / other.positions)) > _APART for other in named):
                at = (point.positions, point.seconds)
                axes.annotate(point.game, at, (-6, 3), textcoords="offset points", ha="right", fontsize=8)
                named.append(point)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("positions")
        axes.set_ylabel("seconds")
        figure.legend(loc="outside lower left")

    figures = [f"{point.game}: {point.positions:,.0f} positions, {point.seconds:.3g} s" for point in everything]
    return draw_chart(title, 7.5, 4.8, plot, "; ".join(figures)) + "\n"
