"""Choose which positions an engine is asked about, from the options of `verify`."""

from collections.abc import Sequence
from dataclasses import dataclass

from solver.errors import EngineError, PositionError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.tablebase import Prober
from solver.verification.positions import MOST_POSITIONS, count_plies, live_positions, sample_positions

__all__ = ["SAMPLE", "Scope", "choose_positions", "read_positions"]

SAMPLE = 1000
"""Positions of a sample, where no number is asked for."""


@dataclass(frozen=True)
class Scope:
    """The kind of positions that are asked."""

    kind: str
    """`all`, those that arise in its own `play`, a `sample`, or those `given`."""

    total: int | None = None
    """Positions of the game with a move to make, if that is known."""

    seed: int | None = None
    """The seed of a sample."""


def choose_positions(
    rules: Rules, truth: Prober, kind: str | None, sample: int | None, seed: int
) -> tuple[Scope, Sequence[Position]]:
    """Return the scope and its positions, none for `play`. Raises EngineError for options that don't go together.

    kind: `all`, `play` or `sample`; by default all positions where they are at most MOST_POSITIONS, else a sample.
    sample: how many positions, SAMPLE by default.
    """
    counts = {} if kind == "play" else count_plies(rules, truth)
    total = sum(count.live for count in counts.values()) or None
    if kind is None:
        kind = "all" if sample is None and total is not None and total <= MOST_POSITIONS else "sample"
    if kind not in {"all", "play", "sample"}:
        raise EngineError(f"There is no scope {kind!r}; choose one of all, play, sample.")
    if sample is not None and (kind != "sample" or sample < 1):
        raise EngineError(f"A sample of {sample} and the scope {kind!r} don't go together.")
    if kind == "sample" and (total is None or (sample or SAMPLE) < total):
        return Scope(kind, total, seed), sample_positions(rules, sample or SAMPLE, seed, counts)
    if kind == "play":
        return Scope(kind), []
    return Scope("all", total), live_positions(rules)


def read_positions(rules: Rules, at: object) -> list[Position]:
    """Read a position, or a list of positions, in any notation. Raises PositionError, also for one that is over."""
    given: list[object] = [at]
    if isinstance(at, list | tuple) and at and all(isinstance(one, str | Position) for one in at):
        given = [*at]
    positions = [Position.parse(rules, one) for one in given]
    for position in positions:
        if position.is_over:
            raise PositionError(
                f"The game is over in {position.board}, so there is nothing to ask; give another position."
            )
    return positions
