"""Draw learning curves: how many decisions are wrong, and how far the values are from perfect play, by episode."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from solver.drawing.chart import Panel, svg_chart
from solver.engines.learning.learner import Learner
from solver.engines.learning.reference import CurvePoint, ReferenceResults
from solver.errors import EngineError

__all__ = ["LearningCurve", "draw_curves", "list_milestones", "train_and_measure"]


@dataclass(frozen=True)
class LearningCurve:
    """The points of one learner, and what it learned with."""

    game: str
    alpha: float
    epsilon: float
    draw: float
    seed: int
    decisions: int
    """The number of decisions at each point."""
    points: tuple[CurvePoint, ...]

    def json(self) -> dict[str, Any]:
        """An object for JSON."""
        return asdict(self)

    def _repr_svg_(self) -> str:
        return draw_curves({"": self})


def train_and_measure(
    learner: Learner, reference: ReferenceResults, *, episodes: int, stops: Sequence[int] | None = None
) -> LearningCurve:
    """Train a learner up to `episodes` in all and measure it on the way.

    stops: after how many episodes to measure, ascending; by default 0 and 1, 2, 5, 10, 20, 50, ... to the end.
    Raises EngineError when the reference is of another game.
    """
    if learner.rules != reference.rules:
        raise EngineError(f"The results of {reference.rules} say nothing about a learner of {learner.rules}.")
    points = []
    for stop in list_milestones(episodes) if stops is None else stops:
        learner.train(max(stop - learner.episodes, 0))
        points.append(reference.measure(learner))
    return LearningCurve(
        learner.rules.name,
        learner.alpha,
        learner.epsilon,
        learner.draw,
        learner.seed,
        reference.decisions,
        tuple(points),
    )


def list_milestones(episodes: int) -> list[int]:
    """List 0, then 1, 2, 5, 10, 20, 50, ... below `episodes`, and `episodes` itself.

    >>> list_milestones(30)
    [0, 1, 2, 5, 10, 20, 30]
    """
    steps = [digit * 10**power for power in range(len(str(episodes))) for digit in (1, 2, 5)]
    return sorted({0, *(step for step in steps if step < episodes), episodes})


def draw_curves(curves: Mapping[str, LearningCurve]) -> str:
    """Draw curves by name as an SVG picture: wrong decisions above, errors of values below."""
    first = next(iter(curves.values()))
    wrong = {name: [(p.episodes, p.wrong) for p in curve.points] for name, curve in curves.items()}
    error = {name: [(p.episodes, p.error) for p in curve.points] for name, curve in curves.items()}
    return svg_chart(
        [
            Panel(f"Decisions still wrong, of {first.decisions:,}", wrong),
            Panel("Mean distance of values from the truth", error),
        ],
        title=f"Temporal-difference learning of {first.game}",
        x_label="episodes",
        log_x=True,
    )
