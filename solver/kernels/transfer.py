"""Move counts along the edges of an automaton, a vector of counts for each state."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solver.kernels.jit import jit

Ints = npt.NDArray[np.int64]


@jit
def add_along(before: Ints, sources: Ints, targets: Ints, runs: Ints, after: Ints) -> None:
    """Add the counts of the source of each edge to those of its target.

    `before` and `after` are int64[states, columns], `sources` and `targets` int64[edges]. Each of `runs`, int64[R, 3],
    is a first column of the source, the column of the target that it is added to, and how many columns follow suit.
    """
    for edge in range(len(sources)):
        source, target = before[sources[edge]], after[targets[edge]]
        for run in range(len(runs)):
            kept = source[runs[run, 0] : runs[run, 0] + runs[run, 2]]
            grown = target[runs[run, 1] : runs[run, 1] + runs[run, 2]]
            for i in range(len(kept)):
                grown[i] += kept[i]
