"""Measure how the time to solve a game grows with its positions, and how much memory bandwidth the kernel uses."""

import os
from collections.abc import Iterator, Sequence
from functools import partial
from statistics import median
from typing import NamedTuple

import numpy as np

from benchmarks.bandwidth import triad_rate
from benchmarks.figure import Figure, timed
from benchmarks.solving import bytes_held, bytes_moved, solve_only
from solver import count_positions, parse_game
from solver.solve.build import DISTANCE_SQUARES
from solver.store.schema import METRICS, Metric

LARGER = ("3,7,4", "4,6,4", "5,5,4")
FITTED = 1_000_000  # smaller games all take the same few milliseconds

QUESTIONS: dict[Metric, str] = {"wdl": "win/draw/loss", "distance": "with distances"}


class Point(NamedTuple):
    """A game with its number of positions and the seconds to solve it."""

    game: str
    positions: float
    seconds: float


class Power(NamedTuple):
    """The power law y = factor * x ** exponent."""

    factor: float
    exponent: float

    def __call__(self, x: float) -> float:
        """Return `y` for an `x`."""
        return float(self.factor * x**self.exponent)


def figures(games: Sequence[str]) -> Iterator[Figure]:
    """Yield the memory bandwidth, the times of all games, and the exponents of the fits."""
    cores = os.cpu_count() or 1
    triad = triad_rate(cores)
    yield Figure("memory bandwidth: triad, one core", triad_rate(1) / 1e9, "GB/s")
    yield Figure(f"memory bandwidth: triad, all {cores} cores", triad / 1e9, "GB/s")
    solved = []
    for game in games:
        for figure in _solved(game, triad):
            solved.append(figure)
            yield figure
    for metric in METRICS:
        law = fit(points_of(solved, metric))
        if law:
            what = f"time grows as positions to the power of ({QUESTIONS[metric]}, games of over a million)"
            yield Figure(what, law.exponent, "")


def games_of(quick: bool) -> list[str]:
    """Return the games of all boards from 3x3 to 18 squares, k from 3 on; unless `quick`, to 20 squares and LARGER."""
    squares = 18 if quick else 20
    boards = [(m, n) for m in range(3, 6) for n in range(m, squares // m + 1)]
    return [f"{m},{n},{k}" for m, n in boards for k in range(3, n + 1)] + ([] if quick else [*LARGER])


def points_of(measured: Sequence[Figure], metric: Metric) -> list[Point]:
    """Return the games that were solved with this metric."""
    chosen = (figure for figure in measured if figure.detail.get("metric") == metric)
    return [Point(str(fig.detail["game"]), float(fig.detail["positions"]), fig.value) for fig in chosen]


def fit(points: Sequence[Point]) -> Power | None:
    """Return the power law that fits the larger games best (least squares of logarithms); None for fewer than two."""
    larger = np.log([(point.positions, point.seconds) for point in points if point.positions > FITTED])
    if len(larger) < 2:
        return None
    exponent, logarithm = np.polyfit(larger[:, 0], larger[:, 1], 1)
    return Power(float(np.exp(logarithm)), float(exponent))


def _solved(game: str, triad: float) -> Iterator[Figure]:
    rules = parse_game(game)
    positions = sum(count.positions for count in count_positions(rules))
    is_large = rules.squares > DISTANCE_SQUARES
    for metric in ("wdl",) if is_large else METRICS:
        if bytes_held(game, metric) > 0.8 * _memory():
            continue
        elapsed = _median_seconds(game, metric, 3 if is_large else 5)
        yield Figure(
            f"{game} solved, {QUESTIONS[metric]}: {positions:,} positions",
            elapsed,
            "s",
            ratio=bytes_moved(game, metric) / elapsed / triad,
            other="triad's bandwidth",
            detail={
                "game": game,
                "metric": metric,
                "positions": positions,
                "symmetries": rules.symmetries.order,
                "positions a second": positions / elapsed,
            },
        )


def _median_seconds(game: str, metric: Metric, repeat: int) -> float:
    solve_only("3,3,3", metric)  # compiles the kernels
    return median(timed(partial(solve_only, game, metric))[0] for _ in range(repeat))


def _memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
