"""Learning to play from nothing but the results of games, and how far that is from the truth.

    learner = Learner(Rules.parse("3,3,3"), seed=1)
    curve = learning_curve(learner, Truth.of(tables, learner.rules), episodes=1_000_000)
    learner.save("learned.npz")

`solver.course.td_agents` has the classes of the notebook this comes from.
"""

from solver.engines.learning.curve import Curve, Point, Truth, draw_curves, learning_curve, live_positions
from solver.engines.learning.learner import Learner

__all__ = ["Curve", "Learner", "Point", "Truth", "draw_curves", "learning_curve", "live_positions"]
