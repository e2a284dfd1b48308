"""Play by strategies that and-or search finds.

The player chooses, and a strategy must meet every reply of the opponent: Russell and Norvig, Artificial Intelligence,
section 4.3. Actions are tried in the order of the squares, and the first that succeeds is taken. With a table,
`solver.game.strategies.find_strategy` finds the same strategies without search.

With `late=True`, a winning move is evaluated only after the first reply to it. If the reply also completes a line, and
that line is checked before the player's (rows, then columns, then diagonals), the win counts as a loss. So the search
misses some strategies (O to move in `XXO/.../...` wins by c2), and enters different nodes from the normal search.

>>> search_board(parse_game("3,3,3"), ".../.../...", "X", draw_ok=False)
FoundStrategy(strategy=None, nodes=14022)
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NamedTuple

from solver.engines.engine import Choice, StochasticEngine, register, uniform
from solver.game.legality import vacant
from solver.game.lines import completed, squares_of
from solver.game.position import Position
from solver.game.rules import OTHER, Rules, Side
from solver.game.strategies import Strategy, add_stone, follow_moves, parse_player, read_board, result_for


class FoundStrategy(NamedTuple):
    """A strategy, or None, and the number of or-nodes and and-nodes that the search entered."""

    strategy: Strategy | None  #: The strategy; None if no strategy reaches the goal.
    nodes: int  #: The number of nodes that the search entered.


def search_board(
    rules: Rules, board: object, player: str, draw_ok: bool = True, *, remember: bool = False, late: bool = False
) -> FoundStrategy:
    """Search for a strategy of `player`, who is to move on a board in any notation, whichever side moved first.

    draw_ok: whether a draw is a success. remember: search each position only once. late: evaluate a winning move only
    after the first reply to it. Raises NotationError.
    """
    start, search = read_board(rules, board), _Search(parse_player(player), draw_ok, remember, late)
    found = follow_moves(start, search.player, search.moves.get) if search.or_search(start) else None
    return FoundStrategy(found, search.nodes)


def search_position(position: Position, draw_ok: bool = True, *, remember: bool = False) -> FoundStrategy:
    """Return the strategy of the side to move in a position, and the number of nodes that the search entered.

    draw_ok: whether a draw is a success. remember: search each position only once.
    """
    return search_board(position.rules, position.board, position.to_move, draw_ok, remember=remember)


@dataclass
class _Search:
    """AND-OR-GRAPH-SEARCH for one player. Every position has a value at the end of the game, so none is unknown."""

    player: Side
    draw_ok: bool
    remember: bool
    late: bool
    nodes: int = 0  # the or-nodes (of unfinished games) and and-nodes entered
    moves: dict[Position, int | None] = field(default_factory=dict)  # of each or-node; None if no move succeeds

    def or_search(self, position: Position) -> bool:
        """Return True if the player, who is to move, has a strategy."""
        if position.is_over:
            return self._succeeds(position)
        if position not in self.moves or not self.remember:
            self.nodes += 1
            moves = (s for s in position.legal_moves if self._and_search(add_stone(position, self.player, s)))
            self.moves[position] = next(moves, None)
        return self.moves[position] is not None

    def _and_search(self, position: Position) -> bool:
        """Return True if the player has a strategy after every reply of the other side, which is to move."""
        self.nodes += 1
        if position.is_over:
            return self._succeeds(position) and not (self.late and self._loses_to_first_reply(position))
        return all(self.or_search(add_stone(position, OTHER[self.player], square)) for square in position.legal_moves)

    def _succeeds(self, position: Position) -> bool:
        return result_for(self.player, position) in ({"win", "draw"} if self.draw_ok else {"win"})

    def _loses_to_first_reply(self, position: Position) -> bool:
        """Return True if the first reply to a win makes a line that is checked before the player's."""
        rules = position.rules
        square = next(squares_of(vacant(rules, position.x | position.o)), None)
        if square is None or not position.winning_line:
            return False
        reply = add_stone(position, OTHER[self.player], square)
        owners = (
            side
            for line in rules.lines
            for side, lines, stones in (("X", rules.x_lines, reply.x), ("O", rules.o_lines, reply.o))
            if line in lines and completed([line], stones)
        )
        return next(owners) != self.player


@register("and-or")
@dataclass
class AndOr(StochasticEngine):
    """And-or search: follows a strategy that meets every reply; without a strategy it moves at random.

    goal: `draw` if a draw is a success, otherwise `win`. The engine searches for a strategy once and then follows it:
    while the game stays within the strategy, choosing a move needs no search, and its count of nodes is 0.
    """

    goal: Literal["draw", "win"] = "draw"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._moves: dict[Position, int] = {}  # the moves of the strategies found so far

    def new_game(self, seed: int | None = None) -> None:
        """Forget the strategy, and restart the random choices from `seed` and the engine's own seed."""
        super().new_game(seed)
        self._moves = {}

    def distribution(self, position: Position) -> dict[int, Fraction]:
        """Return probability 1 for the strategy's move. Without a strategy, every legal move is equally likely."""
        move, _ = self._find_move(position)
        return uniform(position.legal_moves) if move is None else {move: Fraction(1)}

    def choose(self, position: Position) -> Choice:
        """Return the strategy's move and the nodes entered to find it; the value is 1 if a strategy exists."""
        move, nodes = self._find_move(position)
        if move is None:
            move = self._random.choice(position.legal_moves)
            return Choice(move, 0.0, (), nodes)
        return Choice(move, 1.0, (move,), nodes)

    def _find_move(self, position: Position) -> tuple[int | None, int]:
        """Return the strategy's move and the number of nodes entered: 0 if a known strategy contains the position."""
        if position in self._moves:
            return self._moves[position], 0
        found = search_position(position, draw_ok=self.goal == "draw", remember=True)
        self._moves.update(found.strategy.moves if found.strategy else {})
        return self._moves.get(position), found.nodes
