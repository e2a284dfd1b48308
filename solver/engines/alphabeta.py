"""Search by alpha-beta with a heuristic (Russell and Norvig, Artificial Intelligence, section 5.3).

By default moves are tried in the order of the squares, and the first of equal values is kept. A position counts as a
node when it is entered. Only nodes of the side to move at the root are cut off, so that the opponent always answers
before a position is evaluated: a cut-off of 3 searches the same nodes as 4. Values are for the side to move:

    +-10     the game is won or lost (more than 10 if 10 lines or more could be threatened)
    else     lines that the side to move could complete with one stone, less the opponent's; negated in misere

These options change the number of nodes and the choice among equal moves, but not the value:

    ordering        try moves that win or prevent a win first, then those through the most lines
    transposition   reuse the values of positions that were met before, or bounds on them
    deepen          search with cut-off 2, 4, ..., starting with the best move so far; stop when the result is certain

>>> search(Position.parse(parse_game("3,3,3"), "XO./OX./..."), cutoff=2)
SearchResult(value=10, line=(8,), nodes=13)
"""

from typing import TYPE_CHECKING, Final, NamedTuple

from solver.errors import PositionError
from solver.game.legality import vacant
from solver.game.lines import completing, squares_of
from solver.game.position import Position
from solver.game.rules import Rules

if TYPE_CHECKING:
    from solver.tablebase import Prober


_LEAST_WIN: Final = 10
_INFINITE: Final = 1 << 30

_Line = tuple[int, ...]
_Visit = tuple[int, _Line]


class SearchResult(NamedTuple):
    """The value for the side to move, the expected line, and the number of nodes."""

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
        value = _Search(position.rules).evaluate(position.own, position.other)
    else:
        value = over.wdl * winning_score(position.rules)
    return value if player in {None, position.to_move} else -value


def search(
    position: Position,
    cutoff: int | None = None,
    *,
    deepen: bool = False,
    ordering: bool = False,
    transposition: bool = False,
    tables: "Prober | None" = None,
) -> SearchResult:
    """Search a position that is not over, with the options of the engine.

    cutoff: plies to look ahead, None for all. tables: their values replace the evaluation at the cut-off. Raise
    PositionError if the game is over, and the errors of the tables.
    """
    if position.is_over:
        raise PositionError(f"The game is over in {position.board}, so there is nothing to search.")
    limit = _INFINITE if cutoff is None else cutoff + cutoff % 2
    work = _Search(position.rules, ordering=ordering, transposition=transposition, tables=tables)
    return work.deepen(position, limit) if deepen else work.run(position, limit)


class _Search:
    """A search in progress: the rules and options, the number of nodes, the memory."""

    def __init__(
        self,
        rules: Rules,
        *,
        ordering: bool = False,
        transposition: bool = False,
        tables: "Prober | None" = None,
    ) -> None:
        self.rules = rules
        self.tables = tables
        self.win = winning_score(rules)
        self.unfinished = 0 if rules.unfinished is None else self.win if rules.unfinished == "X" else -self.win
        # By the side of the last stone, O or X. At the root there is no last stone: the square -1 is on no line.
        self.lines_through = (*rules.o_lines_through, ()), (*rules.x_lines_through, ())
        self.lines = rules.x_lines, rules.o_lines
        self.threats = [[(mask, guard, mask.bit_count() - 1) for mask, guard in lines] for lines in self.lines]
        self.ordering = ordering
        x_lines, o_lines = rules.x_lines_through, rules.o_lines_through
        # The squares, those on the most lines first.
        self.order = sorted(range(rules.squares), key=lambda square: -len(x_lines[square]) - len(o_lines[square]))
        # Bounds (least, most, line) by own stones, other's stones, plies to the cut-off.
        self.memory: dict[tuple[int, int, int], tuple[int, int, _Line]] | None = {} if transposition else None
        self.hints: dict[tuple[int, int], int] | None = None  # while deepening: the best move before
        self.limit = _INFINITE
        self.estimated = False  # whether a position was evaluated at the cut-off
        self.nodes = 0

    def run(self, position: Position, limit: int) -> SearchResult:
        """Search with one cut-off, an even number."""
        self.limit, self.estimated = limit, False
        if self.memory:
            self.memory.clear()  # its values belong to another cut-off
        value, line = self.visit(position.own, position.other, -1, -_INFINITE, _INFINITE, 0)
        return SearchResult(value, line, self.nodes)

    def deepen(self, position: Position, limit: int) -> SearchResult:
        """Search with cut-off 2, 4, ... up to the limit or a certain result."""
        self.hints = {}
        found = self.run(position, 2)
        for cutoff in range(4, min(limit, self.rules.squares + 1) + 1, 2):
            if not self.estimated or abs(found.value) == self.win:
                break
            found = self.run(position, cutoff)
        return found._replace(nodes=self.nodes)

    def visit(self, own: int, other: int, last: int, alpha: int, beta: int, depth: int) -> _Visit:
        """Return the value and line of a position for the side to move. last: the square just played.

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
        if self.memory is None:
            return self.descend(own, other, alpha, beta, depth)

        key = own, other, self.limit - depth
        least, most, line = self.memory.get(key, (-_INFINITE, _INFINITE, ()))
        if least == most or least >= beta or most <= alpha:
            return (most if most <= alpha else least), line
        value, line = self.descend(own, other, alpha, beta, depth)
        self.memory[key] = (
            value if value > alpha else -_INFINITE,
            value if value < beta else _INFINITE,
            line,
        )
        return value, line

    def descend(self, own: int, other: int, alpha: int, beta: int, depth: int) -> _Visit:
        """Return the value and line of a position that is neither over nor cut off."""
        value = -_INFINITE
        line: _Line = ()
        for square in self.moves(own, other):
            reply, rest = self.visit(other, own | 1 << square, square, -beta, -alpha, depth + 1)
            if -reply > value:
                value, line = -reply, (square, *rest)
                alpha = max(alpha, value)
            if value >= beta:
                break
        if self.hints is not None:
            self.hints[own, other] = line[0]
        return value, line

    def moves(self, own: int, other: int) -> list[int]:
        """Return the legal moves in the order in which they are tried."""
        free = vacant(self.rules, own | other)
        moves = self.sorted(free, own, other) if self.ordering else list(squares_of(free))
        hint = self.hints.get((own, other)) if self.hints else None
        if hint is not None:
            moves.remove(hint)
            moves.insert(0, hint)
        return moves

    def sorted(self, free: int, own: int, other: int) -> list[int]:
        """Return the free squares; those that complete a line of either side come first, in misere last."""
        side = (own | other).bit_count() & 1
        completes = completing(self.lines[side], own, own | other)
        prevents = completing(self.lines[1 - side], other, own | other)
        moves = [square for square in self.order if free >> square & 1]
        sign = 1 if self.rules.misere else -1
        moves.sort(key=lambda square: sign * (2 * (completes >> square & 1) + (prevents >> square & 1)))
        return moves

    def evaluate(self, own: int, other: int) -> int:
        """Return the value of a position at the cut-off."""
        if self.tables is not None:
            x, o = (own, other) if own.bit_count() == other.bit_count() else (other, own)
            return self.win * self.tables.probe(Position._of(self.rules, x, o)).wdl
        self.estimated = True
        side = (own | other).bit_count() & 1
        score = _count_open(self.threats[side], own, other) - _count_open(self.threats[1 - side], other, own)
        return -score if self.rules.misere else score


def _count_open(threats: list[tuple[int, int, int]], own: int, other: int) -> int:
    """Return the number of lines that lack one stone."""
    return sum(
        [
            (own & mask).bit_count() == missing_one and not own & guard
            for mask, guard, missing_one in threats
            if not other & mask
        ]
    )
