"""The positions an engine is asked about: all of them, or a uniform sample drawn from a seed."""

import random
from collections.abc import Mapping
from functools import lru_cache

from solver.errors import ImpossiblePosition
from solver.game.position import Position
from solver.game.rules import Rules
from solver.tablebase import Tablebase, TablebaseFolder

__all__ = ["MOST_POSITIONS", "every_position", "live_counts", "live_positions", "sample_positions"]

MOST_POSITIONS = 20_000
"""Games of at most so many positions with a move to make are verified in all of them, unless told otherwise."""

_SMALL = 9  # squares; counting these by visiting them is quicker than loading what counts larger games


@lru_cache(maxsize=2)  # an interview asks for them several times
def every_position(rules: Rules) -> tuple[Position, ...]:
    """Every position that arises in play, finished ones too, by ply and then as they are met."""
    found = {Position.start(rules): None}
    for position in (queue := list(found)):
        for move in position.legal_moves:
            child = position.play(move)
            if child not in found:
                found[child] = None
                queue.append(child)
    return tuple(queue)


def live_positions(rules: Rules) -> list[Position]:
    """Every position with a move to make: never only canonical ones, as engines err in some orientations only."""
    return [position for position in every_position(rules) if not position.is_over]


def live_counts(rules: Rules, table: object) -> dict[int, int]:
    """How many positions with a move to make there are at each ply."""
    if isinstance(table, TablebaseFolder):
        table = table.table(rules)
    if isinstance(table, Tablebase):
        return {int(row["ply"] or 0): int(row["positions"] or 0) - int(row["terminal"] or 0) for row in table.plies()}
    if rules.squares <= _SMALL:
        counts = dict.fromkeys(range(rules.squares + 1), 0)
        for position in live_positions(rules):
            counts[position.ply] += 1
        return counts
    from solver.count import count_positions  # loads the compiler

    return {count.ply: count.positions - count.terminal for count in count_positions(rules)}


def sample_positions(rules: Rules, count: int, seed: int, counts: Mapping[int, int]) -> list[Position]:
    """`count` different positions with a move to make, every such set as likely as any other, by hash.

    A ply is drawn by its number of positions (`counts`), then stones until they make a position of the game:
    so each position is as likely as any other, however few games lead to it. All positions if there are no more.
    """
    if count >= sum(counts.values()):
        return live_positions(rules)
    draw = random.Random(f"{rules} {seed}")
    plies, weights = list(counts), list(counts.values())
    found: set[Position] = set()
    while len(found) < count:
        [ply] = draw.choices(plies, weights)
        found.add(_drawn(rules, ply, draw))
    return sorted(found, key=lambda position: (position.ply, position.hash))


def _drawn(rules: Rules, ply: int, draw: random.Random) -> Position:
    """One position of this ply, uniformly, by drawing stones until they can arise in play and leave a move to make."""
    while True:
        taken = _taken(rules, ply, draw)
        x = set(draw.sample(taken, (ply + 1) // 2))
        try:
            position = Position(rules, sum(1 << s for s in x), sum(1 << s for s in taken if s not in x))
        except ImpossiblePosition:
            continue
        if not position.is_over:
            return position


def _taken(rules: Rules, ply: int, draw: random.Random) -> list[int]:
    """A set of `ply` squares that can all be taken at once, uniformly."""
    if not rules.gravity:
        return draw.sample(range(rules.squares), ply)
    heights: list[int] = []
    while sum(heights) != ply or not heights:
        heights = [draw.randint(0, rules.m) for _ in range(rules.n)]
    return [
        (rules.m - 1 - level) * rules.n + column for column, height in enumerate(heights) for level in range(height)
    ]
