"""Draw how times grow: points on two logarithmic axes and the power laws that fit them.

Series differ by the shape of their points as well as by colour.
"""

from collections.abc import Mapping, Sequence
from math import log10
from typing import Final

from benchmarks.growth import FITTED, Point, fit
from solver.drawing.charts import chart
from solver.drawing.palette import PALE, SERIES

_APART: Final = 0.15  # decades between the sizes of two named games


def svg_growth(series: Mapping[str, Sequence[Point]], title: str) -> str:
    """Draw seconds against positions, with their fits, as SVG; at least one point, at most two series.

    A game is named beside its slowest point, unless a slower game of about the same size is.
    """
    everything = [point for points in series.values() for point in points]
    words = [f"{point.game}: {point.positions:,.0f} positions, {point.seconds:.3g} s" for point in everything]
    written: list[str] = []
    with chart(title, 7.5, 4.8, written, "; ".join(words)) as figure:
        axes = figure.subplots()
        for (name, points), colour, shape in zip(series.items(), SERIES, "o^", strict=False):
            law, label = fit(points), name
            if law:
                label = f"{name}: time grows as positions to the power of {law.exponent:.2f}"
                ends = [FITTED, max(point.positions for point in points)]
                axes.plot(ends, [law(x) for x in ends], color=colour.light, linestyle="dashed", linewidth=1.2)
            xs, ys = [point.positions for point in points], [point.seconds for point in points]
            axes.plot(xs, ys, shape, color=colour.light, markersize=6, label=label)
        named: list[Point] = []
        for point in sorted(everything, key=lambda point: -point.seconds):
            if all(abs(log10(point.positions / other.positions)) > _APART for other in named):
                at, to = (point.positions, point.seconds), (-6, 3)
                axes.annotate(point.game, at, to, textcoords="offset points", ha="right", fontsize=8, color=PALE.light)
                named.append(point)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("positions")
        axes.set_ylabel("seconds")
        figure.legend(loc="outside lower left")
    return f"{written[0]}\n"
