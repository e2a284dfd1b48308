"""Draw positions to probe."""

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from itertools import islice
from statistics import median

from benchmarks.figure import timed
from solver import Position, Rules, Tablebase
from solver.store.layout import layout_of

_DRAWS = 40  # positions to draw for each one that is needed, in search of new pages


def played(rules: Rules) -> Iterator[Position]:
    """Yield random positions where the game is not over, without end; they are the same in every run."""
    draw = random.Random(1)
    while True:
        position = Position.start(rules)
        for _ in range(draw.randrange(rules.squares)):
            if not position.is_over:
                position = position.play(draw.choice(position.legal_moves))
        if not position.is_over:
            yield position


def on_different_pages(table: Tablebase, count: int) -> list[Position]:
    """Return at most `count` random positions on different pages of the table, so that no page is cached."""
    layout = layout_of(table.rules, table.metric)
    return _first_of_each(
        islice(played(table.rules), _DRAWS * count), lambda position: layout.locate(position)[0], count
    )


def microseconds_each(probe: Callable[[Position], object], positions: Sequence[Position]) -> float:
    """Return the median time of a probe; each position is probed once and timed separately."""
    return median(timed(partial(probe, position))[0] for position in positions) * 1e6


def _first_of_each(positions: Iterator[Position], kind: Callable[[Position], Hashable], count: int) -> list[Position]:
    found: dict[Hashable, Position] = {}
    for position in positions:
        found.setdefault(kind(position), position)
        if len(found) == count:
            break
    return [*found.values()]
