"""Conditional plans: read from a table or searched, and shown as text and pictures.

`solver.game.strategy.showing` draws them; it is imported only when a plan is shown.
"""

from solver.game.strategy.drawn import DrawnPlan
from solver.game.strategy.search import (
    SEARCH_LIMIT,
    Json,
    Plan,
    Planner,
    drawn,
    plan_board,
    plan_facts,
    plan_json,
    plan_position,
    player_of,
    read_board,
)

__all__ = [
    "SEARCH_LIMIT",
    "DrawnPlan",
    "Json",
    "Plan",
    "Planner",
    "drawn",
    "plan_board",
    "plan_facts",
    "plan_json",
    "plan_position",
    "player_of",
    "read_board",
]
