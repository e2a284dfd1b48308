"""Find strategies by and-or search. A table can replace most of the search.

A strategy has a move and an answer to every reply, until the goal is reached. It is written as nested lists, as and-or
searches print them:

    strategy  'win' or 'draw'                        the goal is reached
              [square, answers]                      play there
              None                                   no strategy exists
    answers   'win' or 'draw'                        the move, or the only reply to it, ends the game
              [['if', board, 'then', strategy], ...] one for each reply, in the order of the squares

A board in a strategy is a list of cells, 'x', 'o' or ' '. Parts that several lines of play lead to are shared, not
copied.

The algorithm is AND-OR-GRAPH-SEARCH (Russell and Norvig, Artificial Intelligence, section 4.3). Actions are tried in
the order of the squares, and the first that succeeds is taken, even if another wins sooner. With a table, the search
never backtracks.
"""

from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from solver.errors import NotationError, quoted
from solver.game.legality import vacant
from solver.game.lines import completed, squares_of
from solver.game.notation import read
from solver.game.position import Position, own_and_other
from solver.game.rules import MAX_BOARD, OTHER, Rules, Side
from solver.game.value import Value

StrategyTree = list[Any] | str | None
Probe = Callable[[Position], Value]


def parse_player(player: str) -> Side:
    """Return `X` or `O`, given in either case. Raises NotationError for any other string."""
    if player.upper() not in OTHER:
        raise NotationError(f"The player {quoted(player)} is neither X nor O.")
    return "X" if player.upper() == "X" else "O"


def read_board(rules: Rules, board: object) -> tuple[int, int]:
    """Return the stones of X and of O on a board, given in any notation except moves. Raises NotationError."""
    stones = read(rules, board)
    if isinstance(stones, list):
        raise NotationError(f"A strategy needs a board, not moves such as {quoted(board)}; write its rows.")
    return stones


@dataclass
class AndOrSearch:
    """A search for strategies of one player, `X` or `O`. The bitboard `own` contains the player's stones."""

    rules: Rules
    player: str
    draw_ok: bool  # whether a draw reaches the goal, or only a win
    can_succeed: Callable[[int, int], bool] | None = None
    """Returns False if the player cannot reach the goal from (own, other) with the opponent to move."""
    _: KW_ONLY
    remember: bool = True  # search each position once, even if several orders of moves lead to it
    most_stones: int = MAX_BOARD  # the number of the player's stones at which strategies end with an empty list
    nodes: int = field(default=0, init=False)  # the or-nodes (of unfinished games) and and-nodes entered
    _strategies: dict[tuple[int, int], StrategyTree] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        self._lines = (self.rules.x_lines, self.rules.o_lines)[:: 1 if self.player == "X" else -1]

    def or_search(self, own: int, other: int) -> StrategyTree:
        """Return a strategy for the player, who is to move."""
        result = self._result(own, other)
        if result:
            return self._if_goal(result)
        if (own, other) not in self._strategies or not self.remember:
            self._strategies[own, other] = self._first_success(own, other)
        return self._strategies[own, other]

    def and_search(self, own: int, other: int) -> StrategyTree:
        """Return the answers to all replies of the other side, who is to move; None if some reply has no answer."""
        self.nodes += 1
        result = self._result(own, other)
        if result:
            return self._if_goal(result)
        if own.bit_count() >= self.most_stones:
            return []
        replies = [other | 1 << square for square in self._moves(own | other)]
        only = self._result(own, replies[0]) if len(replies) == 1 else None
        if only:
            return self._if_goal(only)
        strategies = []
        for reply in replies:
            strategy = self.or_search(own, reply)
            if strategy is None:
                return None
            strategies.append(["if", self._board(own, reply), "then", strategy])
        return strategies

    def _first_success(self, own: int, other: int) -> StrategyTree:
        self.nodes += 1
        for square in self._moves(own | other):
            after = own | 1 << square
            if self.can_succeed is None or self.can_succeed(after, other):
                answers = self.and_search(after, other)
                if answers is not None:
                    return [square, answers]
        return None

    def _result(self, own: int, other: int) -> str | None:
        mine, theirs = completed(self._lines[0], own), completed(self._lines[1], other)
        if mine or theirs:
            return "win" if bool(mine) != self.rules.misere else "loss"
        if (own | other).bit_count() < self.rules.plies:
            return None
        winner = self.rules.unfinished
        return "draw" if winner is None else "win" if winner == self.player else "loss"

    def _if_goal(self, result: str) -> str | None:
        return result if result == "win" or (self.draw_ok and result == "draw") else None

    def _moves(self, taken: int) -> Iterator[int]:
        return squares_of(vacant(self.rules, taken))

    def _board(self, own: int, other: int) -> list[str]:
        mine, theirs = "xo" if self.player == "X" else "ox"
        squares = range(self.rules.squares)
        return [mine if own >> s & 1 else theirs if other >> s & 1 else " " for s in squares]


def find_strategy(
    probe: Probe, position: Position, player: str | None, draw_ok: bool, depth: int | None = None
) -> StrategyTree:
    """Return a strategy with which `player` (`X` or `O`, by default the side to move) wins, or None if there is none.

    With `draw_ok`, a draw is enough. If the other side is to move, the outermost level is a list of answers, as after a
    move of the player. After `depth` moves of the player, the lists of answers are empty. Raises NotationError if
    `player` is invalid.
    """
    player = parse_player(player or position.to_move)
    own, other = own_and_other(position.x, position.o, player)

    def can_succeed(own: int, other: int) -> bool:
        after = Position._of(position.rules, *own_and_other(own, other, player))
        return probe(after).wdl <= (0 if draw_ok else -1)

    most = MAX_BOARD if depth is None else own.bit_count() + depth
    search = AndOrSearch(position.rules, player, draw_ok, can_succeed, most_stones=most)
    if player == position.to_move:
        return search.or_search(own, other)
    return search.and_search(own, other) if can_succeed(own, other) else None
