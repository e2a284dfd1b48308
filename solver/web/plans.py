"""Answer with conditional plans, up to a size that one request may ask for."""

from collections.abc import Sequence
from random import Random
from typing import Final

from solver.game.position import Position
from solver.game.strategy import Plan, PlanAnswer
from solver.game.value import Value
from solver.tablebase import Prober, Tablebase
from solver.web.errors import TooLarge

MOST_PROBES: Final = 50_000  # of the table, to find a plan
MOST_MOVES: Final = 20_000  # in a plan that is written out, its shared parts as often as they occur
_DESCENTS: Final = 32  # of an estimate
_DOUBT: Final = 16  # so many times too long an estimate is believed at once
_TOO_LONG: Final = "The plan from here is too long to be sent; ask for that of a later position."


def plan_answer(table: Tablebase, position: Position, player: str | None, goal: str) -> PlanAnswer:
    """Return the plan of a player for a goal, `win` or `draw`. Raises TooLarge, before any search where it is clear."""
    if _estimate_moves(table, position, player or position.to_move, goal) > _DOUBT * MOST_MOVES:
        raise TooLarge(_TOO_LONG)
    return _BoundedProber(table).plan_json(position, player, draw_ok=goal == "draw")


def _estimate_moves(table: Tablebase, position: Position, player: str, goal: str) -> float:
    """Estimate the moves of a plan from random descents through it (Knuth 1975, Mathematics of Computation 29)."""
    random = Random(position.hash)  # the same answer to the same question
    return sum(_descend(table, position, player, goal, random) for _ in range(_DESCENTS)) / _DESCENTS


def _descend(table: Tablebase, position: Position, player: str, goal: str, random: Random) -> float:
    """Follow a plan with replies drawn at random; a move on the way stands for all that are as deep."""
    count, ways, enough = 0.0, 1, 0 if goal == "draw" else -1
    while not position.is_over:
        moves: Sequence[int] = position.legal_moves
        if position.to_move == player:
            moves = [s for s in moves if table.probe(position.play(s)).wdl <= enough][:1]
        if not moves:
            return 0
        ways *= len(moves)
        count += ways
        position = position.play(random.choice(moves))
    return count


class _BoundedProber(Prober):
    """A table that refuses to be probed more than MOST_PROBES times, and plans of more than MOST_MOVES moves."""

    def __init__(self, table: Tablebase) -> None:
        self._table = table
        self._left = MOST_PROBES

    def probe(self, position: Position) -> Value:
        """Probe the table. Raises TooLarge when it was probed too often."""
        self._left -= 1
        if self._left < 0:
            raise TooLarge(_TOO_LONG)
        return self._table.probe(position)

    def plan(self, position: Position, player: str | None = None, draw_ok: bool = True) -> Plan:
        """Find a plan. Raises TooLarge."""
        plan = super().plan(position, player, draw_ok)
        if _count_moves(plan, {}) > MOST_MOVES:
            raise TooLarge(_TOO_LONG)
        return plan

    def close(self) -> None:
        """Leave the table open for others."""


def _count_moves(plan: Plan, known: dict[int, int]) -> int:
    """Count the moves of a plan that is written out; `known` holds the counts of parts met before, by id."""
    if not isinstance(plan, list):
        return 0
    if id(plan) not in known:
        below = plan[1:] if isinstance(plan[0], int) else [reply[3] for reply in plan]
        own = 1 if isinstance(plan[0], int) else len(plan)
        known[id(plan)] = own + sum(_count_moves(part, known) for part in below)
    return known[id(plan)]
