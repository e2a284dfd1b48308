"""Compute the exact expectation of a game between engines that know the probabilities of their moves.

A forward sweep over the positions, ply by ply: each position distributes its probability over the moves that the side
to move may choose. Random against random on 3,3,3 gives 737/1260 wins, 121/420 losses and 8/63 draws.
"""

from collections import defaultdict
from fractions import Fraction

from solver.engines.engine import Engine, uniform
from solver.engines.playing import request_distribution, require_live
from solver.engines.results import MatchScore, score_game
from solver.errors import PositionError
from solver.game.position import Position


def expectation(
    x: Engine,
    o: Engine,
    start: Position,
    *,
    random_plies: int = 0,
    most: int | None = None,
) -> MatchScore | None:
    """Return the exact probabilities of X's win, a draw and X's loss.

    random_plies: random moves before the engines' first move, on condition that the game is not over after them. most:
    the most positions to visit, None for no limit. Return None if an engine does not know the probabilities of its
    moves, or if there are more positions. Raise EngineFailed, and PositionError if no game is left to play.
    """
    require_live(start)
    engines = {"X": x, "O": o}
    score, live, visited, depth = MatchScore(), {start: Fraction(1)}, 0, 0
    while live:
        visited += len(live)
        if most is not None and visited > most:
            return None
        after: defaultdict[Position, Fraction] = defaultdict(Fraction)
        for position, probability in live.items():
            if depth < random_plies:
                moves = uniform(position.legal_moves)
            elif (found := request_distribution(engines[position.to_move], position)) is not None:
                moves = dict(found)
            else:
                return None
            for move, chance in moves.items():
                after[position.play(move)] += probability * chance
        live = {position: probability for position, probability in after.items() if position.outcome is None}
        if depth < random_plies:
            total = sum(live.values())
            if not total:
                raise PositionError(
                    f"After {random_plies} random plies from {start.board} the game is over; play fewer of them."
                )
            live = {position: probability / total for position, probability in live.items()}
        else:
            for position in after.keys() - live.keys():
                wins, draws, losses = score_game(position.outcome or "", "X").parts
                score += MatchScore(wins * after[position], draws * after[position], losses * after[position])
        depth += 1
    return score
