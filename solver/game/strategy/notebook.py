"""Show a conditional plan in a notebook, as a tree of boards."""

from typing import Any, Final

from solver.game.rules import Rules
from solver.game.strategy.plan import Plan

MOST_BOARDS: Final = 24
"""Of a plan with more of them, only the first moves are shown."""


class ConditionalPlan(list[Any]):
    """The nested lists of a plan, with the board it begins on (in any notation) and the player it belongs to.

    In every respect but its pictures it is the list that it is made of.
    """

    def __init__(self, plan: list[Any], rules: Rules, board: object, player: str) -> None:
        super().__init__(plan)
        self._begins = rules, board, player

    def _repr_svg_(self) -> str:
        """Draw the plan; of a large plan the first moves, and how many boards follow."""
        from solver.game.strategy.rendering import plan_depth, plan_svg

        return plan_svg(*self._begins, self, plan_depth(self, MOST_BOARDS))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Write the plan as text, for IPython; it would print the lists, parts that are shared again and again."""
        from solver.game.strategy.rendering import plan_depth, plan_text

        del cycle
        printer.text(plan_text(*self._begins, self, plan_depth(self, MOST_BOARDS)))


def with_picture(plan: Plan, rules: Rules, board: object, player: str) -> Plan:
    """Make a plan one that a notebook draws, if there is anything to draw."""
    return ConditionalPlan(plan, rules, board, player) if isinstance(plan, list) else plan
