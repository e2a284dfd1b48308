"""Play by and-or search (`solver.engines.search.and_or`)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from time import perf_counter
from typing import Literal

from solver.engines.contract import Choice, register
from solver.engines.search.and_or import search_position
from solver.engines.stochastic import StochasticEngine, uniform
from solver.game.lines import mask_of
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.strategy import Plan

__all__ = ["AndOr"]

Stones = tuple[int, int]


@register("and-or")
@dataclass
class AndOr(StochasticEngine):
    """And-or search: follows a plan that meets every reply; without a plan it moves at random.

    goal: whether a draw is a success (draw) or not (win). remember: search each position once only; fewer
    nodes, the same moves. late: judge a won move only after the first reply to it, which misses plans. A plan is
    searched once and then followed: as long as the game stays within it, a move takes no search and no node.
    """

    goal: Literal["draw", "win"] = "draw"
    remember: bool = True
    late: bool = False
    _plan: dict[Stones, int] = field(default_factory=dict, init=False, repr=False)
    _rules: Rules | None = field(default=None, init=False, repr=False)

    def new_game(self, seed: int | None = None) -> None:
        """Forget the plan; draw anew from `seed`, together with the engine's own."""
        super().new_game(seed)
        self._plan = {}

    def distribution(self, position: Position) -> dict[int, Fraction]:
        """Give the move of the plan probability 1, or without one each legal move the same."""
        move, _ = self._find_move(position)
        return uniform(position.legal_moves) if move is None else {move: Fraction(1)}

    def choose(self, position: Position) -> Choice:
        """Choose the move of the plan, with the nodes entered to find it; its value 1 says that there is a plan."""
        began = perf_counter()
        move, nodes = self._find_move(position)
        if move is None:
            move = self._random.choice(position.legal_moves)
            return Choice(move, 0.0, (), nodes, perf_counter() - began)
        return Choice(move, 1.0, (move,), nodes, perf_counter() - began)

    def _find_move(self, position: Position) -> tuple[int | None, int]:
        """Find the move of a plan and the nodes entered: none when the position is part of the plan followed."""
        if position.rules != self._rules:
            self._plan, self._rules = {}, position.rules
        stones = position.x, position.o
        if stones in self._plan:
            return self._plan[stones], 0
        found = search_position(position, draw_ok=self.goal == "draw", remember=self.remember, late=self.late)
        if found.plan is None:
            return None, found.nodes
        self._plan = dict(_list_moves(position, found.plan))
        return self._plan[stones], found.nodes


def _list_moves(position: Position, plan: Plan) -> Iterator[tuple[Stones, int]]:
    """List the move of a plan in each position that it foresees."""
    if not isinstance(plan, list):
        return
    square, answers = plan
    yield (position.x, position.o), square
    if isinstance(answers, list):
        for _, board, _, then in answers:
            x, o = (mask_of(s for s, cell in enumerate(board) if cell == symbol) for symbol in "xo")
            yield from _list_moves(Position._of(position.rules, x, o), then)
