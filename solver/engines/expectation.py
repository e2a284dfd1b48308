"""Compute the exact expectation of a game between engines that know the probabilities of their moves.

A forward sweep visits the positions ply by ply. Each position distributes its probability over the legal moves.
Random against random on 3,3,3 gives 737/1260 wins, 121/420 losses and 8/63 draws.
"""

from collections import defaultdict
from fractions import Fraction

from solver.engines.engine import Engine
from solver.engines.playing import request_distribution, require_live
from solver.engines.results import MatchScore, score_game
from solver.game.position import Position


def expectation(x: Engine, o: Engine, start: Position, *, most: int | None = None) -> MatchScore | None:
    """Return the exact probabilities that X wins, that the game is a draw, and that X loses.

    most: the most positions to visit; None for no limit. Returns None if an engine does not know the probabilities of
    its moves, or if the game has more positions. Raises EngineFailed; PositionError if the game is over at the start.
    """
    require_live(start)
    engines = {"X": x, "O": o}
    score, live, visited = MatchScore(), {start: Fraction(1)}, 0
    while live:
        visited += len(live)
        if most is not None and visited > most:
            return None
        after: defaultdict[Position, Fraction] = defaultdict(Fraction)
        for position, probability in live.items():
            moves = request_distribution(engines[position.to_move], position)
            if moves is None:
                return None
            for move, chance in moves.items():
                after[position.play(move)] += probability * chance
        live = {position: probability for position, probability in after.items() if position.outcome is None}
        for position in after.keys() - live.keys():
            wins, draws, losses = score_game(position.outcome or "", "X").parts
            score += MatchScore(wins * after[position], draws * after[position], losses * after[position])
    return score
