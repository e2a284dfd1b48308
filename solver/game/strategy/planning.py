"""Read conditional plans from a table.

This is and-or search with the table in place of most of the search: an action is followed only when the table says
that it succeeds, so that none has to be taken back.
"""

from collections.abc import Callable
from typing import Final

from solver.errors import ImpossiblePosition, quoted
from solver.game.position import Position, own_and_other
from solver.game.rules import Rules
from solver.game.strategy.notebook import with_picture
from solver.game.strategy.plan import Plan, parse_player, read_board
from solver.game.strategy.search import AndOrSearch, CanSucceed
from solver.game.value import Value

__all__ = ["SEARCH_LIMIT", "plan_board", "plan_position"]

Probe = Callable[[Position], Value]

# Boards with stones that no game places are searched without a table, up to this many empty squares.
SEARCH_LIMIT: Final = 9


def plan_position(probe: Probe, position: Position, player: str | None, draw_ok: bool) -> Plan:
    """Plan how `player` (`X` or `O`, by default the side to move) reaches the goal.

    When it is the other's turn, the outermost level is a list of answers, as after a move of the player.
    Raises NotationError for another player, and what `probe` raises.
    """
    player = parse_player(player or position.to_move)
    own, other = own_and_other(position.x, position.o, player)
    can_succeed = _ask_table(probe, position.rules, player == "X", draw_ok)
    search = AndOrSearch(position.rules, player, draw_ok, can_succeed)
    if player == position.to_move:
        plan = search.or_search(own, other)
    else:
        plan = search.and_search(own, other) if can_succeed(own, other) else None
    return with_picture(plan, position.rules, position.board, player)


def plan_board(probe: Probe, rules: Rules, board: object, player: str, draw_ok: bool) -> Plan:
    """Plan for a player who is to move on a board, in any notation (`oo./ox./..x`), whoever began.

    Where O began, the table is asked about the same board with the colours exchanged. Where neither can
    have begun, because it would be the other's turn, no table knows the board; it is searched when at
    most SEARCH_LIMIT squares are empty. Raises NotationError and ImpossiblePosition.
    """
    player = parse_player(player)
    own, other = own_and_other(*read_board(rules, board), player)
    lead = own.bit_count() - other.bit_count()
    if lead in {0, -1}:
        began = lead == 0
        position = Position(rules, own, other) if began else Position(rules, other, own)
        can_succeed = _ask_table(probe, position.rules, began, draw_ok)
    elif rules.squares - (own | other).bit_count() > SEARCH_LIMIT:
        raise ImpossiblePosition(
            f"It can't be the turn of {player} on {quoted(board)}, whoever began; "
            f"such a board is searched only when at most {SEARCH_LIMIT} squares are empty."
        )
    else:
        can_succeed = None
    plan = AndOrSearch(rules, player, draw_ok, can_succeed).or_search(own, other)
    return with_picture(plan, rules, board, player)


def _ask_table(probe: Probe, rules: Rules, began: bool, draw_ok: bool) -> CanSucceed:
    """Let the table tell whether a player can succeed; `began`: the player's stones are the table's X."""

    def can_succeed(own: int, other: int) -> bool:
        position = Position._of(rules, own, other) if began else Position._of(rules, other, own)
        return probe(position).wdl <= (0 if draw_ok else -1)

    return can_succeed
