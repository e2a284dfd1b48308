"""Search by alpha-beta with a heuristic (Russell and Norvig, Artificial Intelligence, section 5.3).

Moves are tried in the order of the squares, and among equal values, the first is kept. A position counts as a node when
it is entered. The search stops only where the same side is to move as at the root, so that the opponent has always
replied before a position is evaluated. So a cut-off of 3 searches the same nodes as a cut-off of 4. Values are for the
side to move:

    +-10     the game is won or lost (more than 10 if 10 lines or more could be threatened)
    else     the lines that the side to move could complete with one stone, minus the opponent's; negated in misere

>>> search(Position.parse(parse_game("3,3,3"), "XO./OX./..."), cutoff=2)
SearchResult(value=10, line=(8,), nodes=13)
"""

from typing import Final, NamedTuple

from solver.errors import PositionError
from solver.game.legality import vacant
from solver.game.lines import squares_of
from solver.game.position import Position
from solver.game.rules import Rules

_LEAST_WIN: Final = 10
_INFINITE: Final = 1 << 30


class SearchResult(NamedTuple):
    """The value for the side to move, the expected moves of both sides, and the number of nodes."""

    value: int
    line: tuple[int, ...]
    nodes: int


def winning_score(rules: Rules) -> int:
    """Return the value of a won position: 10, or more if threats could add up to 10.

    >>> winning_score(parse_game("3,3,3")), winning_score(parse_game("4,5,4"))
    (10, 18)
    """
    return max(_LEAST_WIN, len(rules.lines) + 1)


def evaluate(position: Position, player: str | None = None) -> int:
    """Return the value of a position without search, for `X` or `O` (by default the side to move).

    >>> evaluate(Position.parse(parse_game("3,3,3"), "XX./XO./..O"), "X")
    2
    """
    over = position.value_if_over
    if over is None:
        value = _Search(position.rules, _INFINITE).evaluate(position.own, position.other)
    else:
        value = over.wdl * winning_score(position.rules)
    return value if player in {None, position.to_move} else -value


def search(position: Position, cutoff: int | None = None) -> SearchResult:
    """Search `cutoff` plies ahead, or to the end of the game (None). Raises PositionError if the game is over."""
    if position.is_over:
        raise PositionError(f"The game is over in {position.board}, so there is nothing to search.")
    work = _Search(position.rules, _INFINITE if cutoff is None else cutoff + cutoff % 2)
    value, line = work.visit(position.own, position.other, -1, -_INFINITE, _INFINITE, 0)
    return SearchResult(value, line, work.nodes)


class _Search:
    """A search in progress: the rules, the cut-off (an even number), and the number of nodes."""

    def __init__(self, rules: Rules, limit: int) -> None:
        self.rules = rules
        self.limit = limit
        self.win = winning_score(rules)
        self.unfinished = 0 if rules.unfinished is None else self.win if rules.unfinished == "X" else -self.win
        # By the side that moved last, O or X. The root has no last square: -1 stands for it and is on no line.
        self.lines_through = (*rules.o_lines_through, ()), (*rules.x_lines_through, ())
        self.threats = [
            [(mask, guard, mask.bit_count() - 1) for mask, guard in lines] for lines in (rules.x_lines, rules.o_lines)
        ]
        self.nodes = 0

    def visit(self, own: int, other: int, last: int, alpha: int, beta: int, depth: int) -> tuple[int, tuple[int, ...]]:
        """Return a position's value for the side to move, and the moves of best play. last: the square just played.

        The search is fail-soft, and values are integers, so that negation is exact.
        """
        self.nodes += 1
        ply = (own | other).bit_count()
        for mask, guard in self.lines_through[ply & 1][last]:
            if other & mask == mask and not other & guard:
                return (self.win if self.rules.misere else -self.win), ()
        if ply == self.rules.plies:
            return (-self.unfinished if ply & 1 else self.unfinished), ()
        if depth >= self.limit and not depth & 1:
            return self.evaluate(own, other), ()
        value = -_INFINITE
        line: tuple[int, ...] = ()
        for square in squares_of(vacant(self.rules, own | other)):
            reply, rest = self.visit(other, own | 1 << square, square, -beta, -alpha, depth + 1)
            if -reply > value:
                value, line = -reply, (square, *rest)
                alpha = max(alpha, value)
            if value >= beta:
                break
        return value, line

    def evaluate(self, own: int, other: int) -> int:
        """Return the value of a position at the cut-off."""
        side = (own | other).bit_count() & 1
        score = _count_open(self.threats[side], own, other) - _count_open(self.threats[1 - side], other, own)
        return -score if self.rules.misere else score


def _count_open(threats: list[tuple[int, int, int]], own: int, other: int) -> int:
    return sum(
        [
            (own & mask).bit_count() == missing_one and not own & guard
            for mask, guard, missing_one in threats
            if not other & mask
        ]
    )
