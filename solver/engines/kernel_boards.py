"""Turn rules and positions into the 64-bit words that `solver.kernels.playouts` needs."""

import random

import numpy as np
import numpy.typing as npt

from solver.errors import EngineError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.kernels.playouts import MAX_SQUARES, PlayoutBoard


def playout_board(rules: Rules) -> PlayoutBoard:
    """Convert the rules to the form that the kernels need. Raises EngineError for a board of more than 64 squares."""
    if rules.squares > MAX_SQUARES:
        raise EngineError(
            f"This engine plays on up to {MAX_SQUARES} squares; "
            f"{rules} has {rules.squares}, so choose another engine or a smaller board."
        )
    sides = (rules.x_lines_through, rules.o_lines_through)
    through = [line for side in sides for lines in side for line in lines]
    counts = [[len(lines) for lines in side] for side in sides]
    first = np.cumsum([0, *counts[0], *counts[1]])
    return PlayoutBoard(
        full=np.uint64((1 << rules.squares) - 1),
        ground=np.uint64(rules.ground),
        stride=np.uint64(rules.stride if rules.has_supports else 0),
        plies=rules.plies,
        first=np.stack([first[: rules.squares + 1], first[rules.squares :]]).astype(np.int32),
        masks=np.array([mask for mask, _ in through], np.uint64),
        guards=np.array([guard for _, guard in through], np.uint64),
        misere=rules.misere,
        unfinished=0 if rules.unfinished is None else 1 if rules.unfinished == "X" else -1,
    )


def sides(position: Position) -> tuple[np.uint64, np.uint64]:
    """Return the stones of the side to move and those of the other side, on up to 64 squares."""
    return np.uint64(position.own), np.uint64(position.other)


def random_state(seed: object) -> npt.NDArray[np.uint64]:
    """Return an initial state (uint64[1]) of the kernels' random number generator; without a seed, states vary."""
    source = random.Random(None if seed is None else str(seed))
    return np.array([source.getrandbits(64) | 1], np.uint64)
