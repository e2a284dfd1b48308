"""Measure a learner by the true result of every decision of a game, and draw its learning curve.

A curve shows how many decisions are wrong, and how far the values are from perfect play, by episode.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from solver.engines.learner import Learner
from solver.errors import EngineError, MissingExtra
from solver.game.position import Position
from solver.game.reachable import reachable_positions
from solver.game.rules import Rules
from solver.support.drawing.charts import Panel, draw_lines

if TYPE_CHECKING:
    from solver.tablebase import Prober

MOST_POSITIONS: Final = 500_000
"""The largest game that is measured: its positions are visited one by one."""

_NO_MOVE: Final = -2


@dataclass(frozen=True)
class CurvePoint:
    """How far a learner is from perfect play after so many episodes."""

    episodes: int
    wrong: int
    """Wrong decisions: the best move by the side's own values gives away a win, or a draw."""
    error: float
    """The mean absolute error of the values of both sides, over all positions that are not over, but the empty board,
    which is never valued."""


@dataclass(frozen=True)
class ReferenceResults:
    """The results, from a table, of every position that arises in play and is not over."""

    rules: Rules
    side: npt.NDArray[np.int8]
    """int8[D]: 0 where X is to move, 1 where O is."""
    moves: npt.NDArray[np.int64]
    """int64[D, M]: the hashes of the boards that the legal moves lead to, in the order of the squares."""
    results: npt.NDArray[np.int8]
    """int8[D, M]: 1, 0 or -1 for the mover, -2 where there is no move."""
    hashes: npt.NDArray[np.int64]
    """int64[D - 1]: the positions themselves without the empty board."""
    x_results: npt.NDArray[np.int8]
    """int8[D - 1]: their results for X."""

    @property
    def decisions(self) -> int:
        """The number of positions."""
        return len(self.side)

    @staticmethod
    def from_tables(tables: Prober, rules: Rules) -> ReferenceResults:
        """Ask a table. Raises MissingTable, and EngineError when there are too many positions."""
        positions = unfinished_positions(rules)
        moves = np.zeros((len(positions), rules.squares), np.int64)
        results = np.full(moves.shape, _NO_MOVE, np.int8)
        for i, position in enumerate(positions):
            for j, square in enumerate(position.legal_moves):
                child = position.play(square)
                moves[i, j] = child.hash
                results[i, j] = -tables.probe(child).wdl
        side = np.array([position.ply % 2 for position in positions], np.int8)
        x_results = np.where(side == 0, 1, -1) * results.max(axis=1)
        hashes = np.array([position.hash for position in positions], np.int64)
        return ReferenceResults(rules, side, moves, results, hashes[1:], x_results[1:].astype(np.int8))

    def measure(self, learner: Learner) -> CurvePoint:
        """Measure how far a learner of this game is from perfect play."""
        values = np.where(self.results == _NO_MOVE, -np.inf, learner.values[self.side[:, None], self.moves])
        chosen = np.take_along_axis(self.results, values.argmax(axis=1)[:, None], axis=1)[:, 0]
        # In the learner's own terms: 1 for a win, 0 for a loss, and what it takes a draw for.
        right = np.array([learner.draw, 1, 0], np.float32)  # by result 0, 1, -1
        errors = [
            np.abs(learner.values[side, self.hashes] - right[sign * self.x_results]) for side, sign in ((0, 1), (1, -1))
        ]
        return CurvePoint(
            learner.episodes, int((chosen < self.results.max(axis=1)).sum()), float(np.mean(errors, dtype=float))
        )


def unfinished_positions(rules: Rules) -> list[Position]:
    """List every position that is not over, by ply; the empty board is the first. Raises EngineError if too many."""
    unfinished = (position for position in reachable_positions(rules) if not position.is_over)
    positions = list(islice(unfinished, MOST_POSITIONS + 1))
    if len(positions) > MOST_POSITIONS:
        raise EngineError(f"{rules} has more than {MOST_POSITIONS:,} positions, too many to measure a learner on.")
    return positions


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

    def _repr_svg_(self) -> str | None:
        try:
            return draw_curves({"": self})
        except MissingExtra:
            return None


def train_and_measure(
    learner: Learner, reference: ReferenceResults, *, episodes: int, stops: Sequence[int] | None = None
) -> LearningCurve:
    """Train a learner up to `episodes` in all and measure it on the way.

    stops: after how many episodes to measure, ascending; by default 0 and 1, 2, 5, 10, 20, 50, ... to the end.
    Raises EngineError when the reference is of another game.
    """
    if not learner.rules.is_same_game(reference.rules):
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
    return draw_lines(
        [
            Panel(f"Decisions still wrong, of {first.decisions:,}", wrong),
            Panel("Mean distance of values from the truth", error),
        ],
        title=f"Temporal-difference learning of {first.game}",
        x_label="episodes",
        log_x=True,
        description=" ".join(
            f"{name or 'The learner'}: {curve.points[-1].wrong:,} wrong decisions in the end."
            for name, curve in curves.items()
        ),
    )
