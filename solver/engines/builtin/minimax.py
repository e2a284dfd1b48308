"""Play by plain minimax over the whole game tree, without pruning: the yardstick for every search that prunes.

Every order of moves is walked (`solver.kernels.gametree`), and nothing is remembered.
"""

from dataclasses import dataclass
from time import perf_counter

from solver.engines.contract import Choice, Engine, Tables, register
from solver.game.position import Position
from solver.game.rules import Rules

__all__ = ["Minimax"]


@register("minimax")
@dataclass
class Minimax(Engine):
    """Walks the whole game tree and plays the first of the best moves; boards of up to 64 squares.

    depth: how many plies to look ahead, none for all; positions there are judged by the number of immediate
    wins. The value is 1, 0 or -1 where it is certain, and between them where it is judged.
    """

    depth: int | None = None
    deterministic = True

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise ValueError("depth must be at least 1, or none to search to the end")

    def prepare(self, rules: Rules, tables: Tables) -> None:
        """Compile for the game; raises EngineError for a board of over 64 squares."""
        from solver.engines.game_tree import measure_moves

        del tables
        measure_moves(Position.start(rules), 2)

    def choose(self, position: Position) -> Choice:
        """Choose the first move of the greatest value, with the nodes of the whole tree.

        Raises EngineError when the tree is too large to be walked.
        """
        from solver.engines.game_tree import measure_moves

        began = perf_counter()
        values, statistics = measure_moves(position, self.depth)
        move = max(values, key=lambda square: values[square])
        return Choice(move, values[move] + 0.0, (move,), statistics.nodes, perf_counter() - began)
