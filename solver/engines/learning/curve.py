"""Learning curves: how many decisions are wrong, and how far the values are from the truth, by episode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from solver.drawing.chart import Panel, svg_chart
from solver.engines.learning.learner import Learner
from solver.errors import EngineError
from solver.game.position import Position
from solver.game.rules import Rules

if TYPE_CHECKING:
    from solver.tablebase import Prober

__all__ = ["Curve", "Point", "Truth", "draw_curves", "learning_curve", "live_positions", "milestones"]

MOST_POSITIONS: Final = 500_000
"""The largest game that is measured: its positions are visited one by one."""

_NO_MOVE: Final = -2


@dataclass(frozen=True)
class Truth:
    """What a table says about every position that arises in play and is not over.

    side: int8[D], 0 where X is to move, 1 where O is. moves: int64[D, M], the hashes of the boards that the
    legal moves lead to, in the order of the squares. results: int8[D, M], 1, 0 or -1 for the mover, -2 where
    there is no move. hashes, x_results: int64[D - 1], int8[D - 1], the positions themselves without the
    empty board, and their results for X.
    """

    rules: Rules
    side: npt.NDArray[np.int8]
    moves: npt.NDArray[np.int64]
    results: npt.NDArray[np.int8]
    hashes: npt.NDArray[np.int64]
    x_results: npt.NDArray[np.int8]

    @property
    def decisions(self) -> int:
        """How many positions there are."""
        return len(self.side)

    @staticmethod
    def of(tables: Prober, rules: Rules) -> Truth:
        """Ask a table. Raises MissingTable, and EngineError when there are too many positions."""
        positions = live_positions(rules)
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
        return Truth(rules, side, moves, results, hashes[1:], x_results[1:].astype(np.int8))

    def measure(self, learner: Learner) -> Point:
        """How far a learner of this game is from the truth."""
        values = np.where(self.results == _NO_MOVE, -np.inf, learner.values[self.side[:, None], self.moves])
        chosen = np.take_along_axis(self.results, values.argmax(axis=1)[:, None], axis=1)[:, 0]
        # In the learner's own terms: 1 for a win, 0 for a loss, and what it takes a draw for.
        truth = np.array([learner.draw, 1, 0], np.float32)  # by result 0, 1, -1
        errors = [
            np.abs(learner.values[side, self.hashes] - truth[sign * self.x_results]) for side, sign in ((0, 1), (1, -1))
        ]
        return Point(
            learner.episodes, int((chosen < self.results.max(axis=1)).sum()), float(np.mean(errors, dtype=float))
        )


@dataclass(frozen=True)
class Point:
    """After so many episodes: the wrong decisions, and the mean absolute error of the values.

    A decision is wrong when it gives away a win, or a draw, with the best move of the side to move in its
    own table. The error is that of both tables over all positions that are not over, but the empty board,
    which is never valued.
    """

    episodes: int
    wrong: int
    error: float


@dataclass(frozen=True)
class Curve:
    """The points of one learner, of how many decisions, and what it learned with."""

    game: str
    alpha: float
    epsilon: float
    draw: float
    seed: int
    decisions: int
    points: tuple[Point, ...]

    def to_json(self) -> dict[str, Any]:
        """All of it, as an object for JSON."""
        return asdict(self)

    def _repr_svg_(self) -> str:
        return draw_curves({"": self})


def learning_curve(learner: Learner, truth: Truth, *, episodes: int, stops: Sequence[int] | None = None) -> Curve:
    """Train a learner up to `episodes` in all and measure it on the way.

    stops: after how many episodes to measure, ascending; by default 0 and 1, 2, 5, 10, 20, 50, ... to the end.
    """
    if learner.rules != truth.rules:
        raise EngineError(f"The truth about {truth.rules} says nothing about a learner of {learner.rules}.")
    points = []
    for stop in milestones(episodes) if stops is None else stops:
        learner.train(max(stop - learner.episodes, 0))
        points.append(truth.measure(learner))
    return Curve(
        learner.rules.name,
        learner.alpha,
        learner.epsilon,
        learner.draw,
        learner.seed,
        truth.decisions,
        tuple(points),
    )


def milestones(episodes: int) -> list[int]:
    """0, then 1, 2, 5, 10, 20, 50, ... below `episodes`, and `episodes` itself.

    >>> milestones(30)
    [0, 1, 2, 5, 10, 20, 30]
    """
    steps = [digit * 10**power for power in range(len(str(episodes))) for digit in (1, 2, 5)]
    return sorted({0, *(step for step in steps if step < episodes), episodes})


def draw_curves(curves: Mapping[str, Curve]) -> str:
    """Curves by name as an SVG picture: wrong decisions above, errors of values below."""
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


def live_positions(rules: Rules) -> list[Position]:
    """Every position that is not over, ply by ply; the empty board is the first."""
    found = {Position.start(rules): None}
    level = list(found)
    while level:
        children = {position.play(square): None for position in level for square in position.legal_moves}
        level = [child for child in children if not child.is_over]
        found.update(dict.fromkeys(level))
        if len(found) > MOST_POSITIONS:
            raise EngineError(f"{rules} has more than {MOST_POSITIONS:,} positions, too many to measure a learner on.")
    return list(found)
