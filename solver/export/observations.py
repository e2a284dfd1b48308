"""Turn observations of reinforcement-learning environments into base-3 hashes, for `Tablebase.probe_many`.

    wdl, distance = table.probe_many(openspiel_hashes(table.rules, batch))

Batches of any shape go in and out; neither package needs to be there. The layouts are those of

* PettingZoo's `tictactoe_v3`: planes last, the stones of the agent who is to move and the other's, and the board by
  columns, so that its action 1 is the square below action 0; with gravity those of `connect_four_v3`, the board by
  rows, whose actions are columns;
* OpenSpiel's `tic_tac_toe` and `mnk`: planes first (empty, O, X), the board by rows; `connect_four`: planes X, O,
  empty, rows from the bottom.

The rules tell how large the board is. A hash of up to 39 squares fits int64, so not one of connect four's own 6 x 7.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from solver.errors import NotationError, RulesError
from solver.game.rules import Rules, require_rectangle

Hashes = npt.NDArray[np.int64]

_MOST_SQUARES: Final = 39  # 3**40 is over the largest int64


def pettingzoo_hashes(rules: Rules, observations: npt.ArrayLike) -> Hashes:
    """Hash the positions behind observations [..., n, m, 2] of the agent whose turn it is: int64[...].

    With gravity the observations are those of `connect_four`, [..., m, n, 2]. X is the side that began: the agent's
    when both have as many stones. Raises NotationError for another shape, RulesError for over 39 squares.
    """
    m, n, *_ = require_rectangle(rules, "PettingZoo")
    if rules.gravity:
        planes = _require_shape(observations, (m, n, 2), rules, "PettingZoo's connect_four")
    else:
        planes = _require_shape(observations, (n, m, 2), rules, "PettingZoo's tictactoe").swapaxes(-2, -3)
    own, other = planes[..., 0], planes[..., 1]
    began = (own.sum(axis=(-1, -2)) == other.sum(axis=(-1, -2)))[..., None, None]
    return _hash(np.where(began, own, other), np.where(began, other, own))


def pettingzoo_action(rules: Rules, square: int) -> int:
    """Return the action for a square of ours: its number down the columns, or with gravity its column.

    >>> pettingzoo_action(parse_game("3,3,3"), 1), pettingzoo_action(parse_game("6,7,4,gravity"), 36)
    (3, 1)
    """
    m, n, *_ = require_rectangle(rules, "PettingZoo")
    row, column = divmod(square, n)
    return column if rules.gravity else column * m + row


def openspiel_hashes(rules: Rules, observations: npt.ArrayLike) -> Hashes:
    """Hash the positions behind observation tensors [..., 3, m, n], or flat [..., 3mn]: int64[...].

    With gravity they are those of `connect_four`. Raises NotationError for another shape, RulesError for over 39
    squares.
    """
    m, n, *_ = require_rectangle(rules, "OpenSpiel")
    array = np.asarray(observations)
    if array.shape[-1:] == (3 * rules.squares,):
        array = array.reshape(*array.shape[:-1], 3, m, n)
    planes = _require_shape(array, (3, m, n), rules, "OpenSpiel")
    if rules.gravity:
        planes = planes[..., ::-1, :]
        return _hash(planes[..., 0, :, :], planes[..., 1, :, :])
    return _hash(planes[..., 2, :, :], planes[..., 1, :, :])


def _require_shape(
    observations: npt.ArrayLike, shape: tuple[int, ...], rules: Rules, maker: str
) -> npt.NDArray[np.bool_]:
    if rules.squares > _MOST_SQUARES:
        raise RulesError(
            f"A hash of {rules} can be too large for int64; batches are of boards of up to {_MOST_SQUARES} squares."
        )
    array = np.asarray(observations)
    if array.shape[-3:] != shape:
        raise NotationError(
            f"Observations of {rules} by {maker} have the shape {('...', *shape)}, not {array.shape}; "
            "give them as they come."
        )
    planes: npt.NDArray[np.bool_] = array != 0
    return planes


def _hash(x: npt.NDArray[np.bool_], o: npt.NDArray[np.bool_]) -> Hashes:
    stones = x.astype(np.int64) + 2 * o.astype(np.int64)
    flat = stones.reshape(*stones.shape[:-2], -1)
    hashes: Hashes = flat @ (3 ** np.arange(flat.shape[-1], dtype=np.int64))
    return hashes
