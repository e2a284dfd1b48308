"""Rules and positions as NumPy arrays: lines, permutations, boards, canonical hashes and best moves.

Positions are arrays of base-3 hashes.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, reduce

import numpy as np
import numpy.typing as npt

from solver.game.lines import Line, squares_of
from solver.game.notation import square_name
from solver.game.rules import Rules
from solver.game.symmetry import Permutation

Hashes = npt.NDArray[np.int64]
Ranks = npt.NDArray[np.int16]
_NO_MOVE = 9999  # worse than the rank of any move
_DIGITS = 8  # squares that are decoded by one look-up
_LOW_DIGITS = (np.arange(3**_DIGITS)[:, None] // 3 ** np.arange(_DIGITS) % 3).astype(np.uint8)


def line_array(lines: Sequence[Line]) -> npt.NDArray[np.int64]:
    """Return lines on up to 63 squares as an array (int64[L, 2]); each row is a line's mask and its guard."""
    return np.array(lines, np.int64).reshape(-1, 2)


def cells_of(rules: Rules, x: int, o: int) -> npt.NDArray[np.int8]:
    """Return the squares of a position, int8[S]: 0 for an empty square, 1 for X, 2 for O."""
    size = (rules.squares + 7) // 8
    both = np.frombuffer(x.to_bytes(size, "little") + o.to_bytes(size, "little"), np.uint8).reshape(2, size)
    bits = np.unpackbits(both, axis=1, count=rules.squares, bitorder="little").astype(np.int8)
    cells: npt.NDArray[np.int8] = bits[0] + 2 * bits[1]
    return cells


def masks_of(cells: npt.NDArray[np.int8]) -> tuple[int, int]:
    """Return the masks of both sides' stones, given the squares as `cells_of` returns them."""
    x, o = (int.from_bytes(np.packbits(cells == mark, bitorder="little").tobytes(), "little") for mark in (1, 2))
    return x, o


def byte_images(group: Sequence[Permutation]) -> npt.NDArray[np.int64]:
    """For each permutation, each byte of a mask and each value of the byte, return the image: int64[G, 7, 256].

    A mask has up to 56 squares, and its image is the OR of the images of its bytes.
    """
    permutations = np.array(group, np.int64)
    images = np.zeros((len(permutations), 7, 256), np.int64)
    values = np.arange(256)
    for square in range(permutations.shape[1]):
        taken = values >> square % 8 & 1
        images[:, square // 8] |= taken << permutations[:, square, None]
    return images


def sort_distinct(values: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Sort an array in place and return its distinct values; numpy.unique takes ten times as long (NumPy 2.4)."""
    values.sort()
    first = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=first[1:])
    return values[first]


def number_rows(rows: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Number the distinct rows of an array; return (each row's number, the distinct rows)."""
    numbers = np.zeros(len(rows), np.int64)
    first = numbers[:1]
    for column in rows.T:
        values, index = np.unique(column, return_inverse=True)
        _, first, numbers = np.unique(numbers * len(values) + index, return_index=True, return_inverse=True)
    return numbers, rows[first]


def digits(rules: Rules, hashes: Hashes) -> npt.NDArray[np.uint8]:
    """Return the base-3 digits of `hashes` (int64[P]): uint8[P, squares], with 0 for empty, 1 for X and 2 for O."""
    parts = []
    for start in range(0, rules.squares, _DIGITS):
        rest = hashes // 3**_DIGITS  # divmod takes no whole numbers of Python, the hashes of large boards
        low = (hashes - rest * 3**_DIGITS).astype(np.int64, copy=False)
        parts.append(_LOW_DIGITS[low, : rules.squares - start])
        hashes = rest
    return np.concatenate(parts, axis=1)


def board_texts(rules: Rules, hashes: Hashes) -> npt.NDArray[np.bytes_]:
    """Return the boards with these `hashes` (int64[P]) as byte strings such as `XO./.X./...`."""
    diagram = rules.diagram
    empty = np.frombuffer(diagram.write("." * rules.squares).encode(), np.uint8)
    text = np.tile(empty, (len(hashes), 1))
    places = np.array(diagram.place_of)
    text[:, places + places // diagram.columns] = np.frombuffer(b".XO", np.uint8)[digits(rules, hashes)]
    return text.view(f"S{empty.size}").reshape(-1)


def canonical_hashes(rules: Rules, hashes: Hashes) -> Hashes:
    """Return, for each position, the smallest hash among its images under `rules.board_symmetries`: int64[P].

    `hashes` must be in ascending order and include every position's images. The steps of the group are processed
    in reverse order. Each step maps the positions, and looks up the smallest hash found so far for each image. So no
    permutations need to be multiplied.
    """
    cells, smallest = digits(rules, hashes), hashes
    for permutations, _ in reversed(rules.board_symmetries.steps):
        images = (smallest[np.searchsorted(hashes, cells @ (3 ** np.array(p, np.int64)))] for p in permutations)
        smallest = reduce(np.minimum, images)
    return smallest


def move_ranks(wdl: npt.NDArray[np.integer], distance: npt.NDArray[np.integer]) -> Ranks:
    """Return the ranks of moves, given the values of the positions after them; smaller is better, as in `Value.rank`.

    wdl: 1, 0 or -1 for the side to move after the move. distance: plies to the end from there, -1 if unknown.
    """
    # A win should come soon, a loss late.
    return np.where(wdl < 0, distance, np.where(wdl == 0, 1000, 2000 - distance)).astype(np.int16)


def best_moves(
    rules: Rules, hashes: Hashes, plies: Hashes | int, legal: Hashes, ranks_of: Callable[[Hashes], Ranks]
) -> Hashes:
    """Return each position's best moves as a bitmask of squares (int64[P]); 0 if there are no legal moves.

    plies: the number of stones on each board, or one number for all boards. legal: the legal moves as bitmasks.
    ranks_of: takes an array of the hashes of positions and returns the `move_ranks` of the moves to these positions.
    The array is ascending if `hashes` is ascending.
    """
    ranks = np.full((rules.squares, len(hashes)), _NO_MOVE, np.int16)
    stones = np.broadcast_to(1 + np.asarray(plies) % 2, hashes.shape)
    for square in range(rules.squares):
        movers = np.flatnonzero(legal >> square & 1)
        ranks[square, movers] = ranks_of(hashes[movers] + stones[movers] * 3**square)
    best = ranks.min(axis=0)
    masks = np.zeros(len(hashes), np.int64)
    for square, rank in enumerate(ranks):
        masks |= ((rank == best) & (rank != _NO_MOVE)).astype(np.int64) << square
    return masks


@lru_cache(maxsize=1 << 18)
def square_names(rules: Rules, mask: int) -> tuple[str, ...]:
    """Return the names of the squares of a bitmask, such as ("a1", "b2")."""
    return tuple([square_name(rules, square) for square in squares_of(mask)])
