"""Move counts along the edges of an automaton, a vector of them for each state."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solver.kernels.jit import jit

Ints = npt.NDArray[np.int64]


@jit
def add_along(before: Ints, sources: Ints, targets: Ints, weights: Ints, runs: Ints, after: Ints) -> None:
    """Add to the target of each edge its weight times what its source holds.

    `before` and `after` are int64[states, columns]; sources, targets and weights int64[edges]. `runs`, int64[R, 3],
    says which columns are added to which: those from the first on, to those from the second on, so many of them.
    """
    for edge in range(len(sources)):
        weight = weights[edge]
        source, target = before[sources[edge]], after[targets[edge]]
        for run in range(len(runs)):
            kept = source[runs[run, 0] : runs[run, 0] + runs[run, 2]]
            grown = target[runs[run, 1] : runs[run, 1] + runs[run, 2]]
            for i in range(len(kept)):
                grown[i] += weight * kept[i]
