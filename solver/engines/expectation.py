"""Expect a game exactly, between engines that know the probabilities of their moves.

A forward sweep over the positions, ply by ply: each passes its probability on to those that the side to
move may choose. Random against random on 3,3,3 gives 737/1260 wins, 121/420 losses and 8/63 draws.
"""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from itertools import count

from solver.engines.builtin.random import uniform
from solver.engines.engine import Engine
from solver.engines.playing import Clock, ask_distribution
from solver.engines.results import MatchScore, score_game
from solver.errors import PositionError
from solver.game.position import Position

MOST_POSITIONS = 20_000
"""Up to this many positions a match is expected rather than played, unless told otherwise: some seconds."""

_Masses = Mapping[Position, Fraction]


def expectation(
    x: Engine,
    o: Engine,
    start: Position,
    *,
    random_plies: int = 0,
    clock: Clock | None = None,
    most: int | None = None,
) -> MatchScore | None:
    """Return the exact probabilities of X's win, a draw and X's loss.

    random_plies: as many random plies come first, under the condition that the game is not over after them.
    most: how many positions may be visited; None for as many as there are.
    Returns None when an engine does not know the probabilities of its moves, or when there are more positions.
    Raises EngineFailed, and PositionError when no game is left to play.
    """
    engines, clock = {"X": x, "O": o}, clock or Clock()
    if start.is_over:
        raise PositionError(f"The game is already over in {start.board}; choose a position to play from.")
    score, masses, visited = MatchScore(), {start: Fraction(1)}, 0
    for depth in count():
        visited += len(masses)
        if most is not None and visited > most:
            return None
        after: defaultdict[Position, Fraction] = defaultdict(Fraction)
        for position, mass in masses.items():
            drawn = depth < random_plies
            engine = engines[position.to_move]
            moves = uniform(position.legal_moves) if drawn else ask_distribution(engine, position, clock)
            if moves is None:
                return None
            for move, chance in moves.items():
                after[position.play(move)] += mass * chance
        masses = {position: mass for position, mass in after.items() if position.outcome is None}
        if depth < random_plies:
            masses = _condition(masses, start, random_plies)
        else:
            score = sum((_weigh(position, mass) for position, mass in after.items()), score)
        if not masses:
            break
    return score


def _condition(masses: _Masses, start: Position, plies: int) -> dict[Position, Fraction]:
    """Divide probabilities by their sum: the condition is that one of these positions came about."""
    total = sum(masses.values())
    if not total:
        raise PositionError(f"After {plies} random plies from {start.board} the game is over; play fewer of them.")
    return {position: mass / total for position, mass in masses.items()}


def _weigh(position: Position, mass: Fraction) -> MatchScore:
    """Return X's score times its probability, nothing while the game goes on."""
    if position.outcome is None:
        return MatchScore()
    wins, draws, losses = score_game(position.outcome, "X").parts
    return MatchScore(wins * mass, draws * mass, losses * mass)
