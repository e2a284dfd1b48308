"""Conditional plans, up to a size that one request may ask for."""

from typing import Final

from solver.game.position import Position
from solver.game.strategy import Plan, PlanAnswer
from solver.game.value import Value
from solver.tablebase import Prober, Tablebase
from solver.web.failures import TooLarge

__all__ = ["MOST_MOVES", "MOST_PROBES", "plan_answer"]

MOST_PROBES: Final = 50_000  # of the table, to find a plan
MOST_MOVES: Final = 20_000  # in a plan that is written out, its shared parts as often as they occur
_TOO_LONG: Final = "The plan from here is too long to be sent; ask for that of a later position."


def plan_answer(table: Tablebase, position: Position, player: str | None, goal: str) -> PlanAnswer:
    """The plan as `Prober.plan_json` has it. Raises TooLarge."""
    return _Bounded(table).plan_json(position, player, draw_ok=goal == "draw")


class _Bounded(Prober):
    """A table that answers so many probes and no more, and refuses plans that would be too long."""

    def __init__(self, table: Tablebase) -> None:
        self._table = table
        self._left = MOST_PROBES

    def probe(self, position: Position) -> Value:
        """As the table. Raises TooLarge when it was asked too often."""
        self._left -= 1
        if self._left < 0:
            raise TooLarge(_TOO_LONG)
        return self._table.probe(position)

    def plan(self, position: Position, player: str | None = None, draw_ok: bool = True) -> Plan:
        """As the table. Raises TooLarge."""
        plan = super().plan(position, player, draw_ok)
        if _moves_in(plan, {}) > MOST_MOVES:
            raise TooLarge(_TOO_LONG)
        return plan

    def close(self) -> None:
        """The table stays open for others."""


def _moves_in(plan: Plan, known: dict[int, int]) -> int:
    """How many moves a plan has when it is written out; `known` holds the counts of parts met before, by id."""
    if not isinstance(plan, list):
        return 0
    if id(plan) not in known:
        below = plan[1:] if isinstance(plan[0], int) else [reply[3] for reply in plan]
        own = 1 if isinstance(plan[0], int) else len(plan)
        known[id(plan)] = own + sum(_moves_in(part, known) for part in below)
    return known[id(plan)]
