"""List all positions of one ply, in an order that makes a search fast, for a game that `solver.search` supports.

A position is two words of stones, one for each side, as in `solver.kernels.search_board`: each column of bits has one
spare bit on top. Of a position and its mirror image, only one is listed. The order is depth first. So positions that
share their first moves, and therefore most of their search, are adjacent.
"""

from hashlib import blake2b
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.game.rules import Rectangle

Words = npt.NDArray[np.uint64]

_CHUNK = 1 << 20  # positions whose moves are listed at once


class PlyPositions(NamedTuple):
    """The positions of one ply; only one of each pair of mirror images is listed."""

    live: Words  # uint64[P, 2]: the stones of the side to move and of the other side, in unfinished games
    over: Words  # uint64[Q, 2]: the same for games in which the last move completed a line

    @property
    def digest(self) -> str:
        """A hash of the unfinished positions and their order."""
        return blake2b(self.live.tobytes(), digest_size=16).hexdigest()


def list_positions(board: Rectangle, ply: int, start: Words | None = None) -> PlyPositions:
    """Return the positions after `ply` moves with gravity from the positions `start` (default: the empty board)."""
    live = over = np.zeros((1, 2), dtype=np.uint64) if start is None else start
    for _ in range(ply):
        live, over = _list_next(board, live)
    return PlyPositions(live, over if ply else over[:0])


def _list_next(board: Rectangle, live: Words) -> tuple[Words, Words]:
    """Return the (unfinished, finished) positions one ply later, in the order of their first parents."""
    found: tuple[list[Words], list[Words]] = ([], [])
    for first in range(0, max(len(live), 1), _CHUNK):
        children = _play(board, live[first : first + _CHUNK])
        is_over = _has_line(board, children[:, 1])
        for kind, chosen in zip(found, (~is_over, is_over), strict=True):
            kind.append(_first_of_each(board, children[chosen]))
    return _first_of_each(board, np.concatenate(found[0])), _first_of_each(board, np.concatenate(found[1]))


def _play(board: Rectangle, positions: Words) -> Words:
    """Return the position after each legal move, with the other side to move; moves in central columns come first."""
    step = board.m + 1
    bottom = np.uint64(sum(1 << step * column for column in range(board.n)))
    free = (positions[:, 0] | positions[:, 1]) + bottom
    children = np.zeros((len(positions), board.n, 2), dtype=np.uint64)
    legal = np.zeros((len(positions), board.n), dtype=np.bool_)
    for place, column in enumerate(sorted(range(board.n), key=lambda column: abs(2 * column - board.n + 1))):
        move = free & np.uint64(((1 << board.m) - 1) << step * column)
        children[:, place, 0] = positions[:, 1]
        children[:, place, 1] = positions[:, 0] | move
        legal[:, place] = move > 0
    return children[legal]


def _has_line(board: Rectangle, stones: Words) -> npt.NDArray[np.bool_]:
    found = np.zeros(stones.size, dtype=np.bool_)
    for shift in (1, board.m, board.m + 1, board.m + 2):
        line = stones
        for stone in range(1, board.k):
            line = line & (stones >> np.uint64(shift * stone))
        found |= line > 0
    return found


def _first_of_each(board: Rectangle, positions: Words) -> Words:
    """Remove positions that equal an earlier position or its mirror image, and return the others in the same order."""
    own, other = positions[:, 0], positions[:, 1]
    bottom = np.uint64(sum(1 << (board.m + 1) * column for column in range(board.n)))
    # The stones of one side plus the first free squares: a different number for each position. It is made column by
    # column, so the number of the mirror image is the mirror image of the number.
    numbers = (own | other) + bottom + own
    _, firsts = np.unique(np.minimum(numbers, mirror(board, numbers)), return_index=True)
    return positions[np.sort(firsts)]


def mirror(board: Rectangle, words: Words) -> Words:
    """Return words with their columns in reverse order."""
    step = board.m + 1
    column = np.uint64((1 << step) - 1)
    image = np.zeros_like(words)
    for number in range(board.n):
        image |= (words >> np.uint64(step * number) & column) << np.uint64(step * (board.n - 1 - number))
    return image
