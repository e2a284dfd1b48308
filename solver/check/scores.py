"""Write values as one byte, in an order that holds for both sides: X takes the greatest, O the least.

    score = DRAW + (squares + 1 - T)   X wins at ply T: the sooner the greater
            DRAW                       a draw
            DRAW - (squares + 1 - T)   O wins at ply T: the sooner the less

In a table of metric `wdl` the difference is 1 for every T. NONSENSE stands for bits that mean nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.game.rules import Rules
from solver.game.value import Value
from solver.kernels.recheck import DRAW
from solver.store.schema import Metric

NONSENSE = 0


@dataclass(frozen=True)
class Scores:
    """The scores of one table."""

    rules: Rules
    metric: Metric

    def line(self, by_x: bool, ply: int) -> int:
        """Score a game that ends at `ply` by a line of X, or of O."""
        lead = self.rules.squares + 1 - ply if self.metric == "distance" else 1
        return DRAW + lead if by_x != self.rules.misere else DRAW - lead

    def of_codes(self, digits: int) -> npt.NDArray[np.uint8]:
        """Score each code (2 * count + sign) of a page: uint8[2**(digits + 1)]."""
        codes = np.full(2 << digits, NONSENSE, np.uint8)
        codes[0] = DRAW
        counts = range(1, 1 << digits) if self.metric == "distance" else (1,)
        for sign in (0, 1):
            last = max(ply for ply in range(self.rules.squares + 1) if ply % 2 != sign)
            for count in counts:
                end = last - 2 * (count - 1)
                if end > 0:
                    codes[2 * count + sign] = self.line(sign == 0, end)
        return codes

    def value(self, score: int, ply: int) -> Value | None:
        """Convert a score to the value for the side to move at `ply`; None for nonsense."""
        if score == NONSENSE:
            return None
        timed = self.metric == "distance"
        if score == DRAW:
            return Value(0, self.rules.squares - ply if timed else None)
        wdl = 1 if (score > DRAW) == (ply % 2 == 0) else -1
        return Value(wdl, self.rules.squares + 1 - abs(score - DRAW) - ply if timed else None)
