"""Turn observations of reinforcement-learning environments into base-3 hashes, for `Tablebase.probe_many`.

    wdl, distance = table.probe_many(openspiel_hashes(table.rules, batch))

Batches may have any shape. Neither PettingZoo nor OpenSpiel needs to be installed. The supported layouts are:

* PettingZoo's `tictactoe_v3`: planes last (the side to move, the other side), the board column by column, so
  that action 1 is the square below action 0;
* PettingZoo's `connect_four_v3`, with gravity: the same planes, the board row by row; actions are columns;
* OpenSpiel's `tic_tac_toe` and `mnk`: planes first (empty, O, X), the board row by row;
* OpenSpiel's `connect_four`, with gravity: planes first (X, O, empty), the board row by row from the bottom.

The rules give the size of the board. The hash of a board of up to 39 squares fits into int64. On a larger board, such
as that of Connect Four, hashes are whole numbers of Python in an array of objects.
"""

from solver.errors import NotationError, missing_package

try:
    import numpy as np
    import numpy.typing as npt
except ModuleNotFoundError as error:
    raise missing_package(error) from error

from solver.game.arrays import Hashes
from solver.game.base3 import HASHED_SQUARES
from solver.game.rules import Rules, require_rectangle

Planes = npt.NDArray[np.bool_]


def pettingzoo_hashes(rules: Rules, observations: npt.ArrayLike) -> Hashes:
    """Return the hashes (int64[...]) of observations [..., n, m, 2] of the agent to move.

    With gravity the observations are those of `connect_four`, [..., m, n, 2]. The agent is X if both sides have equally
    many stones, otherwise O. For more than 39 squares, the array has whole numbers of Python. Raises NotationError for
    other shapes.
    """
    m, n, *_ = require_rectangle(rules, "PettingZoo")
    planes = _planes(observations, (m, n, 2) if rules.gravity else (n, m, 2), rules)
    own, other = np.moveaxis(planes if rules.gravity else planes.swapaxes(-2, -3), -1, 0)
    is_x = (own.sum(axis=(-1, -2)) == other.sum(axis=(-1, -2)))[..., None, None]
    return _hash(np.where(is_x, own, other), np.where(is_x, other, own))


def pettingzoo_action(rules: Rules, square: int) -> int:
    """Return the action for a square: its number, counted column by column, or, with gravity, the number of its column.

    >>> pettingzoo_action(parse_game("3,3,3"), 1), pettingzoo_action(parse_game("6,7,4,gravity"), 36)
    (3, 1)
    """
    m, n, *_ = require_rectangle(rules, "PettingZoo")
    row, column = divmod(square, n)
    return column if rules.gravity else column * m + row


def openspiel_hashes(rules: Rules, observations: npt.ArrayLike) -> Hashes:
    """Return the hashes (int64[...]) of observation tensors [..., 3, m, n], or flat [..., 3mn].

    With gravity the observations are those of `connect_four`. For more than 39 squares, the array has whole numbers of
    Python. Raises NotationError for other shapes.
    """
    m, n, *_ = require_rectangle(rules, "OpenSpiel")
    array = np.asarray(observations)
    if array.shape[-1:] == (3 * rules.squares,):
        array = array.reshape(*array.shape[:-1], 3, m, n)
    first, o, last = np.moveaxis(_planes(array, (3, m, n), rules), -3, 0)
    return _hash(first[..., ::-1, :], o[..., ::-1, :]) if rules.gravity else _hash(last, o)


def _planes(observations: npt.ArrayLike, shape: tuple[int, ...], rules: Rules) -> Planes:
    """Return observations as Booleans. Raises NotationError unless their last dimensions are `shape`."""
    array = np.asarray(observations)
    if array.shape[-3:] != shape:
        raise NotationError(f"Observations of {rules} must have the shape {('...', *shape)}, not {array.shape}.")
    planes: Planes = array != 0
    return planes


def _hash(x: Planes, o: Planes) -> Hashes:
    stones = x.astype(np.int64) + 2 * o.astype(np.int64)
    flat = stones.reshape(*stones.shape[:-2], -1)
    powers = [3**square for square in range(flat.shape[-1])]
    kind = np.int64 if len(powers) <= HASHED_SQUARES else object
    hashes: Hashes = flat.astype(kind) @ np.array(powers, kind)
    return hashes
