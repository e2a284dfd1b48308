"""Conditional plans: what to play, and what to answer to every reply, until the goal is reached.

`plan` describes their form; `search` finds them, `planning` reads them from a table; `as_json`, `rendering` and
`notebook` show them. `rendering` is imported only when a plan is shown.
"""

from solver.game.strategy.as_json import PlanAnswer, plan_answer, plan_json
from solver.game.strategy.notebook import ConditionalPlan, with_picture
from solver.game.strategy.plan import Plan, parse_player, read_board
from solver.game.strategy.planning import SEARCH_LIMIT, plan_board, plan_position
from solver.game.strategy.search import AndOrSearch

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
