"""Conditional plans: what to play, and what to answer to every reply, until the goal is reached.

`plan` describes their form and writes them as JSON; `planning` finds them, alone or with a table; `rendering` and
`notebook` show them. `rendering` is imported only when a plan is shown.
"""

from solver.game.strategy.notebook import ConditionalPlan, with_picture
from solver.game.strategy.plan import Plan, PlanAnswer, parse_player, plan_answer, plan_json, read_board
from solver.game.strategy.planning import SEARCH_LIMIT, AndOrSearch, plan_board, plan_position

__all__ = [
    "SEARCH_LIMIT",
    "AndOrSearch",
    "ConditionalPlan",
    "Plan",
    "PlanAnswer",
    "parse_player",
    "plan_answer",
    "plan_board",
    "plan_json",
    "plan_position",
    "read_board",
    "with_picture",
]
