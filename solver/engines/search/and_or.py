"""Search conditional plans by and-or search: the player chooses, and a plan must meet every reply of the opponent.

Russell and Norvig, Artificial Intelligence, section 4.3. Actions are tried in the order of the squares, and the
first that succeeds is taken. `solver.game.strategy` gives the same plans out of a table, without search.

With `late=True` a won move is judged only after the first reply to it. When that completes a line too, and one that
is looked at sooner (rows, then columns, then diagonals), the win is taken for a loss. So no plan is found where there
is one (O to move in `XXO/.../...` wins by c2), and other nodes are entered.

>>> search_board(Rules.parse("3,3,3"), ".../.../...", "X", draw_ok=False)
FoundPlan(plan=None, nodes=14022)
"""

from typing import NamedTuple

from solver.game.lines import completed
from solver.game.position import Position, own_and_other
from solver.game.rules import Rules
from solver.game.strategy import AndOrSearch, Plan, parse_player, read_board, with_picture

__all__ = ["FoundPlan", "search_board", "search_position"]


class FoundPlan(NamedTuple):
    """A plan (None: there is none), and the number of or-nodes and and-nodes that the search entered."""

    plan: Plan
    nodes: int


def search_board(
    rules: Rules, board: object, player: str, draw_ok: bool = True, *, remember: bool = False, late: bool = False
) -> FoundPlan:
    """Search the plan of a player who is to move on a board, in any notation, whoever began.

    draw_ok: whether a draw is a success. remember: search each position once only. late: judge a won move
    only after the first reply to it. Raises NotationError.
    """
    x, o = read_board(rules, board)
    own, other = own_and_other(x, o, parse_player(player))
    searching = _make_search(rules, parse_player(player), draw_ok, remember, late)
    return FoundPlan(with_picture(searching.or_search(own, other), rules, board, player), searching.nodes)


def search_position(
    position: Position, player: str | None = None, draw_ok: bool = True, *, remember: bool = False, late: bool = False
) -> FoundPlan:
    """Search the plan of a player (by default the side to move) in a position.

    When it is the other's turn, the outermost level is a list of answers. Raises NotationError.
    """
    player = parse_player(player or position.to_move)
    own, other = own_and_other(position.x, position.o, player)
    searching = _make_search(position.rules, player, draw_ok, remember, late)
    plan = (searching.or_search if player == position.to_move else searching.and_search)(own, other)
    return FoundPlan(with_picture(plan, position.rules, position.board, player), searching.nodes)


def _make_search(rules: Rules, player: str, draw_ok: bool, remember: bool, late: bool) -> AndOrSearch:
    return (_LateSearch if late else AndOrSearch)(rules, player, draw_ok, remember=remember)


class _LateSearch(AndOrSearch):
    """Judges the player's move only together with the first reply to it."""

    def and_search(self, own: int, other: int) -> Plan:
        """As the base does, unless the first reply to a won move has a line that is looked at sooner."""
        if self._result(own, other) == "win" and self._loses_to_first_reply(own, other):
            self.nodes += 1
            return None
        return super().and_search(own, other)

    def _loses_to_first_reply(self, own: int, other: int) -> bool:
        square = next(self._moves(own | other), None)
        if square is None:
            return False
        both = {True: own, False: other | 1 << square}
        owners = (mine for line in self._rules.lines for mine, stones in both.items() if completed([line], stones))
        return not next(owners)
