"""Play by strategies that and-or search finds.

The player chooses, and a strategy must meet every reply of the opponent: Russell and Norvig, Artificial Intelligence,
section 4.3. Actions are tried in the order of the squares, and the first that succeeds is taken. With a table,
`solver.game.strategies` finds the same strategies without search.

With `late=True`, a winning move is evaluated only after the first reply to it. If the reply also completes a line, and
that line is checked before the player's (rows, then columns, then diagonals), the win counts as a loss. So the search
misses some strategies (O to move in `XXO/.../...` wins by c2), and enters different nodes from the normal search.

>>> search_board(parse_game("3,3,3"), ".../.../...", "X", draw_ok=False)
FoundStrategy(strategy=None, nodes=14022)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from solver.engines.engine import Choice, StochasticEngine, register, uniform
from solver.game.lines import completed, mask_of
from solver.game.position import Position, own_and_other
from solver.game.rules import Rules
from solver.game.strategies import AndOrSearch, StrategyTree, parse_player, read_board
from solver.game.strategy_views import drawn_strategy


class FoundStrategy(NamedTuple):
    """A strategy, or None, and the number of or-nodes and and-nodes that the search entered."""

    strategy: StrategyTree  #: The strategy, as a nested list; None if no strategy reaches the goal.
    nodes: int  #: The number of nodes that the search entered.


def search_board(
    rules: Rules, board: object, player: str, draw_ok: bool = True, *, remember: bool = False, late: bool = False
) -> FoundStrategy:
    """Search for a strategy of `player`, who is to move on a board in any notation, whichever side moved first.

    draw_ok: whether a draw is a success. remember: search each position only once. late: evaluate a winning move only
    after the first reply to it. Raises NotationError.
    """
    own, other = own_and_other(*read_board(rules, board), parse_player(player))
    searching = (_LateSearch if late else AndOrSearch)(rules, parse_player(player), draw_ok, remember=remember)
    return FoundStrategy(drawn_strategy(searching.or_search(own, other), rules, board, player), searching.nodes)


def search_position(position: Position, draw_ok: bool = True, *, remember: bool = False) -> FoundStrategy:
    """Return the strategy of the side to move in a position, and the number of nodes that the search entered.

    draw_ok: whether a draw is a success. remember: search each position only once.
    """
    return search_board(position.rules, position.board, position.to_move, draw_ok, remember=remember)


class _LateSearch(AndOrSearch):
    """A search that evaluates a winning move of the player only after the first reply to it."""

    def and_search(self, own: int, other: int) -> StrategyTree:
        """Return the strategy, or None if the first reply to a win makes a line that is checked before the player's."""
        if self._result(own, other) == "win" and self._loses_to_first_reply(own, other):
            self.nodes += 1
            return None
        return super().and_search(own, other)

    def _loses_to_first_reply(self, own: int, other: int) -> bool:
        square = next(self._moves(own | other), None)
        if square is None:
            return False
        both = {True: own, False: other | 1 << square}
        owners = (
            mine
            for line in self.rules.lines
            for mine, stones in both.items()
            if line in self._lines[1 - mine] and completed([line], stones)
        )
        return not next(owners)


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
        self._moves.update(_list_moves(position, found.strategy))
        return self._moves.get(position), found.nodes


def _list_moves(position: Position, strategy: StrategyTree) -> Iterator[tuple[Position, int]]:
    if not isinstance(strategy, list):
        return
    square, answers = strategy
    yield position, square
    if isinstance(answers, list):
        for _, board, _, then in answers:
            x, o = (mask_of(s for s, cell in enumerate(board) if cell == symbol) for symbol in "xo")
            yield from _list_moves(Position._of(position.rules, x, o), then)
