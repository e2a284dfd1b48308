"""Play by minimax over the whole game tree, or by alpha-beta search (`solver.engines.alphabeta`).

Minimax walks every order of moves without pruning or memory, so it is a yardstick for searches that prune. Its kernel
`solver.kernels.tree_walk` walks about 100 million nodes per second.
"""

from dataclasses import dataclass
from math import perm
from typing import TYPE_CHECKING, Final, NamedTuple

from solver.engines.alphabeta import search
from solver.engines.engine import Choice, Engine, Tables, register
from solver.errors import EngineError, missing_package
from solver.game.position import Position
from solver.game.rules import Rules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MOST_NODES: Final = 20_000_000_000  # the largest tree that is walked, estimated from the empty squares: a few minutes


class Walk(NamedTuple):
    """The value of each move in a position that is not over, and the numbers of nodes and leaves below the position."""

    values: dict[int, float]  # the minimax value of each legal move, for the side that makes it
    nodes: "npt.NDArray[np.int64]"  # int64[D]: the numbers of nodes at depth 1, 2, ...
    leaves: "npt.NDArray[np.int64]"
    """int64[D, 4]: how many of them are leaves: lost, drawn or won for the side to move at the root, or cut off."""


def walk_moves(position: Position, depth: int | None = None) -> Walk:
    """Walk the tree below a position that is not over: the whole tree, or `depth` plies (at least 1).

    A position at the depth limit in which w moves win at once has the value w / (w + 1) for the side to move, so that
    every estimate is below the value of a win. Raises EngineError for more than 64 squares or MOST_NODES nodes. An
    interrupt takes effect only between two moves of the position.
    """
    try:
        import numpy as np
    except ModuleNotFoundError as error:
        raise missing_package(error) from error

    from solver.engines.kernel_boards import playout_board, sides
    from solver.kernels.tree_walk import CUT_OFF, immediate_wins, walk_tree

    rules = position.rules
    empty, left = rules.squares - position.ply, rules.plies - position.ply
    columns = rules.stride if rules.has_supports else empty
    most_plies = left if depth is None else min(depth, left)
    if sum(min(perm(empty, ply), columns**ply) for ply in range(most_plies + 1)) > MOST_NODES:
        raise EngineError(
            f"The tree of {rules} from {position.board} may have more than {MOST_NODES:,} nodes; "
            "set a depth or start later in the game."
        )
    board, limit = playout_board(rules), rules.squares + 1 if depth is None else depth
    nodes, leaves = np.zeros(rules.squares + 2, np.int64), np.zeros((rules.squares + 2, 4), np.int64)
    values = {}
    for square in position.legal_moves:
        child = position.play(square)
        nodes[0] += 1
        over = child.value_if_over
        if over is not None:
            leaves[0, 1 + over.wdl] += 1  # for the opponent, whose win is the mover's loss
            values[square] = -float(over.wdl)
        elif limit == 1:
            leaves[0, CUT_OFF] += 1
            wins = immediate_wins(board, *sides(child))
            values[square] = -wins / (wins + 1)
        else:
            values[square] = -walk_tree(board, *sides(child), limit - 1, nodes, leaves)
    return Walk(values, nodes, leaves[:, [2, 1, 0, CUT_OFF]])


@register("minimax")
@dataclass
class Minimax(Engine):
    """Walks the whole game tree and plays the first of the best moves; boards of up to 64 squares.

    depth: the number of plies to look ahead; `none` searches to the end of the game. Positions at the limit are
    evaluated by the number of immediate wins. The value is 1, 0 or -1 if it is certain; an estimate lies between them.
    """

    depth: int | None = None
    deterministic = True

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise ValueError("depth must be at least 1, or none to search to the end")

    def prepare(self, rules: Rules, tables: Tables) -> None:
        """Compile the kernels for the game. Raises EngineError for a board of more than 64 squares."""
        del tables
        walk_moves(Position.start(rules), 2)

    def choose(self, position: Position) -> Choice:
        """Return the first of the moves with the highest value, and the number of nodes of the whole tree.

        Raises EngineError if the tree is too large.
        """
        walk = walk_moves(position, self.depth)
        move = max(walk.values, key=lambda square: walk.values[square])
        return Choice(move, walk.values[move] + 0.0, (move,), 1 + int(walk.nodes.sum()))


@register("alphabeta")
@dataclass
class AlphaBeta(Engine):
    """Alpha-beta search; evaluates positions by the lines that lack one stone.

    cutoff: the number of plies to look ahead; `none` searches to the end of the game.
    """

    cutoff: int | None = None
    deterministic = True

    def __post_init__(self) -> None:
        if self.cutoff is not None and self.cutoff < 1:
            raise ValueError("cutoff must be at least 1, or none to search to the end")

    def choose(self, position: Position) -> Choice:
        """Return the first move of best play, with the value, the expected moves, and the number of nodes."""
        found = search(position, self.cutoff)
        return Choice(found.line[0], found.value, found.line, found.nodes)
