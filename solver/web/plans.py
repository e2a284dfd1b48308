"""Answer with conditional plans, up to a size that one request may ask for."""

from typing import Any, Final

from solver.game.position import Position
from solver.game.strategy import answers
from solver.game.strategy.answers import PlanAnswer
from solver.game.strategy.plan import Plan
from solver.game.strategy.planning import AndOrSearch, plan_position
from solver.tablebase import Tablebase
from solver.web.errors import TooLarge

MOST_MOVES: Final = 20_000  # in a plan that is written out, its shared parts as often as they occur


def plan_answer(table: Tablebase, position: Position, player: str | None, goal: str) -> PlanAnswer:
    """Return the plan of a player for a goal, `win` or `draw`. Raises TooLarge, after some thousand probes at most."""
    plan = plan_position(table.probe, position, player, goal == "draw", _BoundedSearch)
    return answers.plan_answer(position, player or position.to_move, goal == "draw", plan)


class _BoundedSearch(AndOrSearch):
    """A search that gives up as soon as it has found more than MOST_MOVES moves of a plan.

    With a table no move is taken back, so that all that are found are part of it.
    """

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._written = 0  # moves found so far, those of a part that occurs again counted again
        self._lengths: dict[int, int] = {}  # the moves of each part of the plan, by its `id`

    def or_search(self, own: int, other: int) -> Plan:
        """Search a plan of the player. Raises TooLarge."""
        before = self._written
        plan = super().or_search(own, other)
        if isinstance(plan, list):
            below = self._written - before  # none where the part is known
            self._count(self._lengths.setdefault(id(plan), below + 1) - below)
        return plan

    def and_search(self, own: int, other: int) -> Plan:
        """Search the answers to every reply. Raises TooLarge."""
        plan = super().and_search(own, other)
        if isinstance(plan, list):
            self._count(len(plan))
        return plan

    def _count(self, moves: int) -> None:
        self._written += moves
        if self._written > MOST_MOVES:
            raise TooLarge("The plan from here is too long to be sent; ask for that of a later position.")
