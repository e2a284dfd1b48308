"""Positions to ask a table for."""

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from itertools import islice
from statistics import median

from benchmarks.figure import timed
from solver import Position, Rules, Tablebase
from solver.store.layout import layout_of

_DRAWS = 40  # positions drawn for each that is wanted, in search of new pages


def played(rules: Rules) -> Iterator[Position]:
    """Random positions where play goes on, the same in every run, without end."""
    draw = random.Random(1)
    while True:
        position = Position.start(rules)
        for _ in range(draw.randrange(rules.squares)):
            if not position.is_over:
                position = position.play(draw.choice(position.legal_moves))
        if not position.is_over:
            yield position


def on_different_pages(table: Tablebase, count: int) -> list[Position]:
    """Up to so many random positions, no two on one page of the table, so that none finds its page read already."""
    layout = layout_of(table.rules, table.metric)
    return _first_of_each(
        islice(played(table.rules), _DRAWS * count), lambda position: layout.locate(position)[0], count
    )


def microseconds_each(probe: Callable[[Position], object], positions: Sequence[Position]) -> float:
    """The median time of one probe, each asked once and timed by itself."""
    return median(timed(partial(probe, position))[0] for position in positions) * 1e6


def _first_of_each(positions: Iterator[Position], kind: Callable[[Position], Hashable], count: int) -> list[Position]:
    found: dict[Hashable, Position] = {}
    for position in positions:
        found.setdefault(kind(position), position)
        if len(found) == count:
            break
    return [*found.values()]
