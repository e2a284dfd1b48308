"""Learn to play from nothing but the results of games, and measure how far that is from perfect play.

learner = Learner(Rules.parse("3,3,3"), seed=1)
reference = ReferenceResults.from_tables(tables, learner.rules)
curve = train_and_measure(learner, reference, episodes=1_000_000)
learner.save("learned.npz")
"""

from solver.engines.learning.curve import (
    CurvePoint,
    LearningCurve,
    ReferenceResults,
    draw_curves,
    train_and_measure,
    unfinished_positions,
)
from solver.engines.learning.learner import Learner

__all__ = [
    "CurvePoint",
    "Learner",
    "LearningCurve",
    "ReferenceResults",
    "draw_curves",
    "train_and_measure",
    "unfinished_positions",
]
