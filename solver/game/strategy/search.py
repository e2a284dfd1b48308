"""Conditional plans: what to play, and what to answer to every reply, until the goal is reached.

This is and-or search (Russell and Norvig, Artificial Intelligence, section 4.3) with the table in place of
most of the search: an action is followed only when the table says that it succeeds, so that none has to
be taken back. As in a plain search, actions are tried in the order of the squares and the first that
succeeds is taken, which need not be the quickest.

A plan is nested lists, as such searches print them:

    plan     'win' or 'draw'                    the goal is reached
             [square, answers]                  play there
             None                               there is no plan
    answers  'win' or 'draw'                    the move, or the only reply to it, ends the game
             [['if', board, 'then', plan], ...] one for each reply, in the order of the squares

A board in a plan is a list of cells, 'x', 'o' or ' '. Parts that several lines of play lead to are shared,
not copied.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from solver.errors import ImpossiblePosition, NotationError, quoted
from solver.game.lines import completed, squares_of
from solver.game.notation import read
from solver.game.position import Position, own_and_other
from solver.game.rules import Rules
from solver.game.squares import square_name
from solver.game.strategy.drawn import DrawnPlan
from solver.game.value import Value

__all__ = [
    "SEARCH_LIMIT",
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

Plan = list[Any] | str | None
Probe = Callable[[Position], Value]
Json = dict[str, Any]

# Boards with stones that no game places are searched without a table, up to this many empty squares.
SEARCH_LIMIT: Final = 9


def plan_position(probe: Probe, position: Position, player: str | None, draw_ok: bool) -> Plan:
    """The plan by which `player` (`X` or `O`, by default the side to move) reaches the goal.

    When it is the other's turn, the outermost level is a list of answers, as after a move of the player.
    Raises NotationError for another player, and what `probe` raises.
    """
    player = player_of(player or position.to_move)
    own, other = own_and_other(position.x, position.o, player)
    hopeful = _table_oracle(probe, position.rules, player == "X", draw_ok)
    planner = Planner(position.rules, player.lower(), draw_ok, hopeful)
    if player == position.to_move:
        plan = planner.choose(own, other)
    else:
        plan = planner.answers(own, other) if hopeful(own, other) else None
    return drawn(plan, position.rules, position.board, player)


def plan_board(probe: Probe, rules: Rules, board: object, player: str, draw_ok: bool) -> Plan:
    """The plan of a player who is to move on a board, in any notation (`oo./ox./..x`), whoever began.

    Where O began, the table is asked about the same board with the colours exchanged. Where neither can
    have begun, because it would be the other's turn, no table knows the board; it is searched when at
    most SEARCH_LIMIT squares are empty. Raises NotationError and ImpossiblePosition.
    """
    player = player_of(player)
    x, o = read_board(rules, board)
    own, other = own_and_other(x, o, player)
    lead = own.bit_count() - other.bit_count()
    if lead in {0, -1}:
        began = lead == 0
        position = Position(rules, own, other) if began else Position(rules, other, own)
        hopeful = _table_oracle(probe, position.rules, began, draw_ok)
    elif rules.squares - (own | other).bit_count() > SEARCH_LIMIT:
        raise ImpossiblePosition(
            f"It can't be the turn of {player} on {quoted(board)}, whoever began; "
            f"such a board is searched only when at most {SEARCH_LIMIT} squares are empty."
        )
    else:
        hopeful = None
    return drawn(Planner(rules, player.lower(), draw_ok, hopeful).choose(own, other), rules, board, player)


def drawn(plan: Plan, rules: Rules, board: object, player: str) -> Plan:
    """The same plan, but one that a notebook draws, if there is anything to draw."""
    return DrawnPlan(plan, rules, board, player) if isinstance(plan, list) else plan


def read_board(rules: Rules, board: object) -> tuple[int, int]:
    """The stones of X and of O on a board in any notation, whoever began; raises NotationError for moves."""
    stones = read(rules, board)
    if isinstance(stones, list):
        raise NotationError(f"A plan needs a board, not moves such as {quoted(board)}; write its rows.")
    return stones


def plan_facts(position: Position, player: str, draw_ok: bool, plan: Plan) -> Json:
    """A plan from a position with what it was asked for, as an object for JSON; `plan` is null when there is none."""
    return {
        "game": position.rules.name,
        "position": position.board,
        "hash": position.hash,
        "player": player_of(player),
        "draw_ok": draw_ok,
        "plan": plan_json(position.rules, plan, position.x | position.o),
    }


def plan_json(rules: Rules, plan: Plan, taken: int) -> Json | None:
    """A plan as objects for JSON, from the bitmask of the squares that are taken where it begins.

    `{"result": "win"}`, or `{"square": 2, "name": "c1", "then": ...}` for a move of the player, or
    `{"replies": [{"square": 5, "name": "c2", "then": ...}, ...]}`; None when there is no plan.
    """
    if plan is None:
        return None
    if isinstance(plan, str):
        return {"result": plan}
    if isinstance(plan[0], int):
        square, answers = plan
        return _move_json(rules, square, answers, taken)
    replies = []
    for _, board, _, then in plan:
        now = sum(1 << square for square, cell in enumerate(board) if cell != " ")
        replies.append(_move_json(rules, next(squares_of(now & ~taken)), then, taken))
    return {"replies": replies}


def _move_json(rules: Rules, square: int, then: Plan, taken: int) -> Json:
    return {
        "square": square,
        "name": square_name(rules, square),
        "then": plan_json(rules, then, taken | 1 << square),
    }


class Planner:
    """The search, from the point of view of one player: `own` and `other` are the bitboards of both sides.

    symbol: the player's, `x` or `o`. hopeful(own, other) says whether the player can still reach the goal when
    the other is to move; True where that is not known, then the search finds out. remember: search a position
    once only, however many orders of moves lead to it. nodes: how many or-nodes (the player is to move, the game
    not over) and and-nodes (the player has just moved) were entered.
    """

    def __init__(
        self,
        rules: Rules,
        symbol: str,
        draw_ok: bool,
        hopeful: Callable[[int, int], bool] | None = None,
        *,
        remember: bool = True,
    ) -> None:
        self._rules = rules
        self._symbols = (symbol, "o" if symbol == "x" else "x")
        self._goals = {"win", "draw"} if draw_ok else {"win"}
        self._all = (1 << rules.squares) - 1
        self._chosen: dict[tuple[int, int], Plan] = {}
        self._hopeful = hopeful or _always
        self._remember = remember
        self.nodes = 0

    def choose(self, own: int, other: int) -> Plan:
        """Or: the player is to move, and one action that succeeds is enough."""
        result = self._result(own, other)
        if result:
            return self._leaf(result)
        if (own, other) in self._chosen:
            return self._chosen[own, other]
        plan = self._first_success(own, other)
        if self._remember:
            self._chosen[own, other] = plan
        return plan

    def _first_success(self, own: int, other: int) -> Plan:
        self.nodes += 1
        for square in self._moves(own | other):
            after = own | 1 << square
            answers = self.answers(after, other) if self._hopeful(after, other) else None
            if answers is not None:
                return [square, answers]
        return None

    def answers(self, own: int, other: int) -> Plan:
        """And: the other is to move, and every reply must be answered."""
        self.nodes += 1
        result = self._result(own, other)
        if result:
            return self._leaf(result)
        replies = [other | 1 << square for square in self._moves(own | other)]
        only = self._result(own, replies[0]) if len(replies) == 1 else None
        if only:
            return self._leaf(only)
        plans = []
        for reply in replies:
            plan = self.choose(own, reply)
            if plan is None:
                return None
            plans.append(["if", self._board(own, reply), "then", plan])
        return plans

    def _result(self, own: int, other: int) -> str | None:
        """How the game has ended for the player; None while it goes on."""
        mine, theirs = completed(self._rules.lines, own), completed(self._rules.lines, other)
        if mine or theirs:
            return "win" if bool(mine) != self._rules.misere else "loss"
        return "draw" if own | other == self._all else None

    def _leaf(self, result: str) -> str | None:
        return result if result in self._goals else None

    def _moves(self, taken: int) -> Iterator[int]:
        supports = self._rules.supports
        return (s for s in squares_of(self._all & ~taken) if supports[s] < 0 or taken >> supports[s] & 1)

    def _board(self, own: int, other: int) -> list[str]:
        mine, theirs = self._symbols
        squares = range(self._rules.squares)
        return [mine if own >> s & 1 else theirs if other >> s & 1 else " " for s in squares]


def _table_oracle(probe: Probe, rules: Rules, began: bool, draw_ok: bool) -> Callable[[int, int], bool]:
    """Asks the table; `began` says whether the player's stones are the table's X."""

    def hopeful(own: int, other: int) -> bool:
        position = Position._of(rules, own, other) if began else Position._of(rules, other, own)
        return probe(position).wdl <= (0 if draw_ok else -1)

    return hopeful


def _always(own: int, other: int) -> bool:
    del own, other
    return True


def player_of(player: str) -> str:
    """`X` or `O`, from either case; raises NotationError."""
    if player.upper() not in {"X", "O"}:
        raise NotationError(f"The player {quoted(player)} is neither X nor O.")
    return player.upper()
