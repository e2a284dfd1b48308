"""Write a conditional plan as JSON; its form is described in `solver.game.strategy.plan`."""

from typing import Literal

from solver.game.lines import squares_of
from solver.game.position import Position
from solver.game.rules import Rules, Side
from solver.game.squares import square_name
from solver.game.strategy.plan import Plan, parse_player
from solver.support.schemas import Answer


class PlanEnd(Answer):
    """The goal is reached."""

    result: Literal["win", "draw"]


class PlanMove(Answer):
    """A move, and what follows it."""

    square: int
    name: str
    then: "PlanMove | PlanReplies | PlanEnd"


class PlanReplies(Answer):
    """What the other side may play, and what follows each of it."""

    replies: list[PlanMove]


class PlanAnswer(Answer):
    """A conditional plan; null when the player can't reach the goal. `draw_ok`: whether a draw is enough."""

    game: str
    position: str
    hash: int
    player: Side
    draw_ok: bool
    plan: PlanMove | PlanReplies | PlanEnd | None


def plan_answer(position: Position, player: str, draw_ok: bool, plan: Plan) -> PlanAnswer:
    """Return a plan from a position with what it was asked for; `plan` is null when there is none."""
    return {
        "game": position.rules.name,
        "position": position.board,
        "hash": position.hash,
        "player": parse_player(player),
        "draw_ok": draw_ok,
        "plan": None if plan is None else plan_json(position.rules, plan, position.x | position.o),
    }


def plan_json(rules: Rules, plan: Plan, taken: int) -> PlanMove | PlanReplies | PlanEnd:
    """Return a plan as objects; `taken` is the bitmask of the squares that are taken where it begins.

    `{"result": "win"}`, or `{"square": 2, "name": "c1", "then": ...}` for a move of the player, or
    `{"replies": [{"square": 5, "name": "c2", "then": ...}, ...]}`.
    """
    if not isinstance(plan, list):
        return {"result": "win" if plan == "win" else "draw"}
    if isinstance(plan[0], int):
        square, answers = plan
        return _move(rules, square, answers, taken)
    replies = []
    for _, board, _, then in plan:
        now = sum(1 << square for square, cell in enumerate(board) if cell != " ")
        replies.append(_move(rules, next(squares_of(now & ~taken)), then, taken))
    return {"replies": replies}


def _move(rules: Rules, square: int, then: Plan, taken: int) -> PlanMove:
    return {
        "square": square,
        "name": square_name(rules, square),
        "then": plan_json(rules, then, taken | 1 << square),
    }
