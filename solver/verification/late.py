"""Know the values of late positions of games that are too large for a table, by a search to the end.

They are drawn from random games in which nobody completes a line, so a sample of them says how an engine plays endings.
"""

import random

from solver.errors import EngineError, MissingTable
from solver.game.legality import vacant
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.value import Value
from solver.support.english import plural
from solver.tablebase import Prober

LARGE = 25
"""Games on more squares than this are asked in late positions where there is no table."""

SAMPLE = 200
"""Late positions of a sample, where no number is asked for."""

_MOST_GAMES = 20  # random games for each position wanted


class LateSearch(Prober):
    """The values of positions of one game with few empty squares, searched when they are asked for."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.empty = 10 if rules.gravity else 8
        """The most empty squares of a position that is searched: up to some ten thousand positions follow it."""
        self._seen: dict[Position, Value] = {}

    def probe(self, position: Position) -> Value:
        """Return the value for the side to move. Raises MissingTable for another game, or a position too early."""
        empty = self.rules.plies - position.ply
        if not position.rules.is_same_game(self.rules) or empty > self.empty:
            raise MissingTable(
                f"There is no table of {position.rules}, and {position.board} has {plural(empty, 'empty square')}: "
                f"positions with up to {self.empty} are solved by search instead."
            )
        if position not in self._seen:
            self._seen.clear()  # the next position shares little with this one
        return self._search(position)

    def _search(self, position: Position) -> Value:
        if position not in self._seen:
            self._seen[position] = position.value_if_over or min(
                (self._search(position.play(move)).before_move() for move in position.legal_moves),
                key=lambda value: value.rank,
            )
        return self._seen[position]


def draw_late_positions(truth: LateSearch, count: int, seed: int, side: str | None = None) -> list[Position]:
    """Draw different positions that the search can solve, with at least two moves; sorted by ply and hash.

    Each is one that a random game without a line came to. Fewer come back where there are no more.
    """
    rules, draw = truth.rules, random.Random(f"{truth.rules} {seed}")
    found: set[Position] = set()
    for _ in range(_MOST_GAMES * count):
        left = draw.randint(2, truth.empty)
        position = _play_at_random(rules, rules.plies - left, draw)
        if position and len(position.legal_moves) > 1 and side in {None, position.to_move}:
            found.add(position)
        if len(found) == count:
            break
    if not found:
        raise EngineError(f"No late position of {rules} was met in random games; give positions with --at.")
    return sorted(found, key=lambda position: (position.ply, position.hash))


def _play_at_random(rules: Rules, plies: int, draw: random.Random) -> Position | None:
    """Play so many plies of a game of random moves, none of which ends it; None where no such move is left."""
    position, squares = Position.start(rules), draw.sample(range(rules.squares), rules.squares)
    while position.ply < plies:
        free = vacant(rules, position.x | position.o)
        after = (position.play(square) for square in squares if free >> square & 1)
        following = next((one for one in after if not one.is_over), None)
        if following is None:
            return None
        position = following
    return position
