"""A plan that a notebook shows as a tree of boards. In every other respect it is the nested lists it is made of."""

from typing import Any, Final

from solver.game.rules import Rules

__all__ = ["DrawnPlan"]

MOST_BOARDS: Final = 24
"""Of a plan with more of them, only the first moves are shown."""


class DrawnPlan(list[Any]):
    """The outermost list of a plan, with where it begins: a board in any notation, and whose plan it is."""

    def __init__(self, plan: list[Any], rules: Rules, board: object, player: str) -> None:
        super().__init__(plan)
        self._begins = rules, board, player

    def _repr_svg_(self) -> str:
        """The picture; of a large plan the first moves, and how many boards follow."""
        from solver.game.strategy.showing import plan_depth, plan_svg

        return plan_svg(*self._begins, self, plan_depth(self, MOST_BOARDS))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """The same as text, for IPython; it would print the lists, parts that are shared again and again."""
        from solver.game.strategy.showing import plan_depth, plan_text

        del cycle
        printer.text(plan_text(*self._begins, self, plan_depth(self, MOST_BOARDS)))
