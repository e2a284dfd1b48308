"""Choose the positions that an engine is asked about: all of them, or a uniform sample drawn from a seed."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from solver.errors import EngineError, PositionError, quoted
from solver.game.position import Position, reachable_positions
from solver.game.rules import Rules
from solver.game.sampling import draw_position
from solver.tablebase import Prober, Tablebase, TablebaseFolder
from solver.verification.late import SAMPLE as LATE_SAMPLE
from solver.verification.late import LateSearch, draw_late_positions

MOST_POSITIONS = 20_000
"""Games of at most so many positions with a move to make are verified in all of them, unless told otherwise."""

VISITED_SQUARES = 9
"""Boards of up to so many squares are visited position by position: to count, to solve, to check helpers.

It takes a fraction of a second, less than loading what counts larger games.
"""


class PlyCount(NamedTuple):
    """The number of positions of a ply."""

    positions: int

    live: int
    """Those with a move to make."""


@lru_cache(maxsize=2)  # a verification asks for them several times
def every_position(rules: Rules) -> tuple[Position, ...]:
    """Return every position that arises in play, finished ones too, by ply and then as they are met."""
    return tuple(reachable_positions(rules))


def live_positions(rules: Rules) -> list[Position]:
    """Return every position with a move to make, not only canonical ones: engines err in some orientations only."""
    return [position for position in every_position(rules) if not position.is_over]


def count_plies(rules: Rules, table: object = None) -> dict[int, PlyCount]:
    """Count the positions of each ply, by a table of the game if there is one."""
    if isinstance(table, TablebaseFolder):
        table = table.table(rules)
    if isinstance(table, Tablebase):
        rows = [{key: int(value or 0) for key, value in row.items()} for row in table.plies()]
        return {row["ply"]: PlyCount(row["positions"], row["positions"] - row["terminal"]) for row in rows}
    if rules.squares <= VISITED_SQUARES:
        positions = Counter(position.ply for position in every_position(rules))
        live = Counter(position.ply for position in live_positions(rules))
        return {ply: PlyCount(positions[ply], live[ply]) for ply in range(rules.squares + 1)}
    from solver.count import count_positions  # loads the compiler

    return {count.ply: PlyCount(count.positions, count.positions - count.terminal) for count in count_positions(rules)}


def sample_positions(rules: Rules, count: int, seed: int, counts: Mapping[int, PlyCount]) -> list[Position]:
    """Draw `count` different positions with a move to make, every such set as likely as any other; sorted by ply, hash.

    A ply is drawn by its number of positions (`counts`), then stones until they make a position of the game:
    so each position is as likely as any other, however few games lead to it. All positions if there are no more.
    """
    weights = [ply.live for ply in counts.values()]
    if count >= sum(weights):
        return live_positions(rules)
    draw = random.Random(f"{rules} {seed}")
    found: set[Position] = set()
    while len(found) < count:
        [ply] = draw.choices(list(counts), weights)
        found.add(draw_position(rules, ply, draw))
    return sorted(found, key=lambda position: (position.ply, position.hash))


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

    side: str | None = None
    """The only side, `X` or `O`, in whose positions it is asked; None for both."""

    empty: int | None = None
    """The most empty squares of its positions, where only late ones can be solved."""


def choose_positions(
    rules: Rules, truth: Prober, kind: str | None, sample: int | None, seed: int, side: str | None = None
) -> tuple[Scope, Sequence[Position]]:
    """Return the scope and its positions, none for `play`. Raises EngineError for options that don't go together.

    kind: `all`, `play` or `sample`; by default all positions where they are at most MOST_POSITIONS, else a sample.
    sample: how many positions, SAMPLE by default. side: only positions where `X` or `O` moves.
    """
    if side not in {None, "X", "O"}:
        raise EngineError(f"There is no side {quoted(side)}; choose X, which moves first, or O.")
    if isinstance(truth, LateSearch):
        if kind not in {None, "sample"}:
            raise EngineError(
                f"There is no table of {rules}, so only a sample of late positions can be judged; leave --scope out."
            )
        late = draw_late_positions(truth, sample or LATE_SAMPLE, seed, side)
        return Scope("sample", None, seed, side, truth.empty), late
    counts = {} if kind == "play" else count_plies(rules, truth)
    counts = {ply: count for ply, count in counts.items() if side is None or ply % 2 == "XO".index(side)}
    total = sum(count.live for count in counts.values()) or None
    if kind is None:
        kind = "all" if sample is None and total is not None and total <= MOST_POSITIONS else "sample"
    if kind not in {"all", "play", "sample"}:
        raise EngineError(f"There is no scope {kind!r}; choose one of all, play, sample.")
    if sample is not None and (kind != "sample" or sample < 1):
        raise EngineError(f"A sample of {sample} and the scope {kind!r} don't go together.")
    if kind == "sample" and (total is None or (sample or SAMPLE) < total):
        return Scope(kind, total, seed, side), sample_positions(rules, sample or SAMPLE, seed, counts)
    if kind == "play":
        return Scope(kind, side=side), []
    return Scope("all", total, side=side), [p for p in live_positions(rules) if side in {None, p.to_move}]


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
