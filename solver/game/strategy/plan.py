"""The form of a conditional plan, how to read the board and the player that it belongs to, and how to write it as JSON.

A plan is nested lists, as and-or searches print them:

    plan     'win' or 'draw'                    the goal is reached
             [square, answers]                  play there
             None                               there is no plan
    answers  'win' or 'draw'                    the move, or the only reply to it, ends the game
             [['if', board, 'then', plan], ...] one for each reply, in the order of the squares

A board in a plan is a list of cells, 'x', 'o' or ' '. Parts that several lines of play lead to are shared,
not copied.
"""

from typing import Any, Literal

from solver.errors import NotationError, quoted
from solver.game.lines import squares_of
from solver.game.notation import read
from solver.game.position import Position
from solver.game.rules import Rules, Side
from solver.game.squares import square_name
from solver.support.schemas import Answer

Plan = list[Any] | str | None


def parse_player(player: str) -> Side:
    """Read `X` or `O`, in either case; raises NotationError."""
    match player.upper():
        case "X":
            return "X"
        case "O":
            return "O"
    raise NotationError(f"The player {quoted(player)} is neither X nor O.")


def read_board(rules: Rules, board: object) -> tuple[int, int]:
    """Read the stones of X and of O on a board in any notation, whoever began; raises NotationError for moves."""
    stones = read(rules, board)
    if isinstance(stones, list):
        raise NotationError(f"A plan needs a board, not moves such as {quoted(board)}; write its rows.")
    return stones


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
