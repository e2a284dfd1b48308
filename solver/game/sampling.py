"""Choose positions of a game uniformly at random."""

from random import Random

from solver.errors import ImpossiblePosition, PositionError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.support.splitmix import SplitMix64

_MOST_DRAWN = 1_000_000  # a damaged table can claim that there are such positions

Chance = Random | SplitMix64  # a source of random draws; `SplitMix64` can be reproduced in other languages


def sample_position(rules: Rules, ply: int, draw: Chance) -> Position:
    """Choose an unfinished position with `ply` stones uniformly at random. Raises PositionError if none is found."""
    for _ in range(_MOST_DRAWN):
        taken = _draw_squares(rules, ply, draw)
        x = set(draw.sample(taken, (ply + 1) // 2))
        try:
            position = Position(rules, sum(1 << s for s in x), sum(1 << s for s in taken if s not in x))
        except ImpossiblePosition:
            continue
        if not position.is_over:
            return position
    raise PositionError(
        f"No unfinished position of {rules} with {ply} stones was drawn; check its table with `mnk check`."
    )


def _draw_squares(rules: Rules, ply: int, draw: Chance) -> list[int]:
    """Return `ply` random squares; with gravity, none above an empty square. All such sets are equally likely."""
    if not rules.gravity:
        return draw.sample(range(rules.squares), ply)
    heights: list[int] = []
    while sum(heights) != ply or not heights:
        heights = [draw.randrange(rules.squares // rules.stride + 1) for _ in range(rules.stride)]
    return [
        rules.squares - (level + 1) * rules.stride + column
        for column, height in enumerate(heights)
        for level in range(height)
    ]
