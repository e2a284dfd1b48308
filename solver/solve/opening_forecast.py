"""Forecast an opening table, and find the first ply at which a search settles positions.

Positions are counted. The time is that of a short search of positions that share their first moves, as in a build.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import monotonic, process_time
from typing import NamedTuple

from solver.count import count_positions
from solver.game.position import Position
from solver.game.rules import Rules, require_rectangle
from solver.search.gravity import Search
from solver.solve.forecast import require_disk, require_memory
from solver.solve.opening import MEMORY, Progress
from solver.solve.opening_positions import list_positions
from solver.support.threads import available_cores

_SECONDS = 5.0  # the time of the sample
_SHARED_PLIES = 4  # the number of last moves in which positions of a sample differ
_RANDOM_POSITIONS = 4  # random positions at each ply
_SETTLED_EMPTY = 24  # empty squares from which a search takes far less than a second
_LISTED_BYTES = 100  # memory for a position of the last ply, while they are listed
_FILE_BYTES = 0.8  # of the file for each position up to mirror images: measured for 6,7,4,gravity with 12 plies
_BASE_BYTES = 200 << 20  # bytes of the program
_LEAST_BYTES = 64 << 20  # bytes for the results of the searches


class OpeningForecast(NamedTuple):
    """The needs of building an opening table."""

    plies: int
    positions: int  # positions that occur in play at plies 0 to `plies`
    searched: int  # those of the last ply that are not over, up to mirror images
    peak_memory: int  # bytes, if the build gets its default memory
    least_memory: int  # bytes of the smallest budget
    file_bytes: int  # bytes of the finished table
    temporary_bytes: int  # additional bytes on the disk during the build
    seconds: float | None = None  # on this machine; None if its speed was not measured, or nothing was settled in time


def forecast_opening(rules: Rules, plies: int, second_each: float | None = None) -> OpeningForecast:
    """Forecast the build of an opening table, given the seconds per position from `sample_opening`."""
    counts = count_positions(rules, plies)
    last = counts[-1]
    searched = last.canonical - last.canonical_x_wins - last.canonical_o_wins - last.canonical_draws
    listed = _BASE_BYTES + _LISTED_BYTES * searched
    return OpeningForecast(
        plies=plies,
        positions=sum(count.positions for count in counts),
        searched=searched,
        peak_memory=listed + MEMORY,
        least_memory=listed + _LEAST_BYTES,
        file_bytes=65_536 + round(_FILE_BYTES * sum(count.canonical for count in counts)),
        temporary_bytes=searched,
        seconds=None if second_each is None else second_each * searched,
    )


def sample_opening(rules: Rules, plies: int, threads: int | None) -> float | None:
    """Return the seconds for a position of the last ply on some threads; None if none is settled within _SECONDS."""
    board, first = require_rectangle(rules, "An opening table"), max(plies - _SHARED_PLIES, 0)
    starts, random = list_positions(board, first).live, Random(0)
    if not len(starts):  # all games end before
        return 0.0
    search = Search(rules)
    search.plies_of(starts[:0])  # compiles
    begun, until, found = process_time(), monotonic() + _SECONDS, 0
    while monotonic() < until:
        at = random.randrange(len(starts))
        live = list_positions(board, plies - first, starts[at : at + 1]).live
        found += len(search.plies_of(live, lambda: monotonic() > until))
        if len(starts) == 1:
            break
    return (process_time() - begun) / found / (threads or available_cores()) if found else None


def first_settled_ply(rules: Rules, seconds: float, progress: Progress | None) -> int:
    """Return the first ply from which a search settles random positions of every second ply within `seconds` each."""
    search, random = Search(rules, seconds=seconds), Random(0)
    most = rules.squares - _SETTLED_EMPTY
    settled = most
    for ply in range(most, -1, -2):
        if progress:
            progress(most - ply, most)
        if any(search.solve(position) is None for position in _random_positions(rules, ply, random)):
            break
        settled = ply
    return settled


def _random_positions(rules: Rules, ply: int, random: Random) -> Iterator[Position]:
    """Yield some unfinished positions of random games at a ply."""
    for _ in range(_RANDOM_POSITIONS if ply else 1):
        position: Position | None = Position.start(rules)
        while position and position.ply < ply:
            moves = [after for move in position.legal_moves if not (after := position.play(move)).is_over]
            position = random.choice(moves) if moves else None
        if position:
            yield position


def require_opening_fits(rules: Rules, plies: int, memory: int | None, folder: Path) -> int | None:
    """Return the bytes for the results of a build's searches, None for the default.

    Raises DoesNotFit if the build needs more memory than its budget or than is available, or more disk than is free.
    """
    found = forecast_opening(rules, plies)
    require_memory(found.least_memory, memory)
    require_disk(found.file_bytes + found.temporary_bytes, folder)
    return None if memory is None else memory - found.least_memory + _LEAST_BYTES
