"""Figures that are ratios: our table against what one would write without it, and the kernel against the memory."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.figure import Figure, seconds
from benchmarks.minimax import solve
from benchmarks.solving import solve_only
from solver import Rules, build_table, count_positions
from solver.kernels.jit import jit


def figures(folder: Path, quick: bool) -> Iterator[Figure]:
    """Measure them all."""
    for game in ("3,3,3",) if quick else ("3,3,3", "4,4,4"):
        start = perf_counter()
        solve(Rules.parse(game))
        slow = perf_counter() - start
        ours = seconds(partial(build_table, game, folder / "tables", force=True), 3)
        yield Figure(
            f"{game} by memoised bitboard minimax in Python", slow, "s", ratio=slow / ours, other="ours, stored"
        )
    triad = _triad_rate()
    yield Figure("memory bandwidth, triad on one core", triad / 1e9, "GB/s")
    games = ("3,3,3", "3,4,3", "4,4,4", "3,6,4") + (() if quick else ("4,5,4", "3,7,4"))
    yield from _growth(games)


def _growth(games: tuple[str, ...]) -> Iterator[Figure]:
    """How the time to solve grows with the number of positions, and the exponent that fits best."""
    points = []
    for game in games:
        rules = Rules.parse(game)
        positions = sum(count.positions for count in count_positions(rules))
        elapsed = seconds(partial(solve_only, game, "distance"), 3)
        points.append((positions, elapsed))
        yield Figure(f"{game} solved with distances: {positions:,} positions", elapsed, "s")
    logs = np.log([point for point in points if point[0] > 1_000_000])
    exponent = float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0])
    yield Figure("time grows as the number of positions to the power of (games over a million)", exponent, "")


@jit
def _triad(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    for i in range(a.size):
        a[i] = b[i] + 3.0 * c[i]


def _triad_rate() -> float:
    """Bytes a second of McCalpin's STREAM triad, on arrays far larger than the caches."""
    a, b, c = (np.ones(20_000_000) for _ in range(3))
    return 3 * a.nbytes / seconds(lambda: _triad(a, b, c))
