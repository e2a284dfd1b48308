"""Play games, matches and tournaments between engines, or expect them exactly; hold the game that a person plays.

terms = Terms(Position.start(rules), games=100, swap=True)
result = play_match("alphabeta:cutoff=2", "random", terms, watch=lambda record, total: print(record.moves))
result.score            # Score(wins, draws, losses) of the first engine
"""

from solver.match.expect import expectation
from solver.match.game import GameRecord, play_game
from solver.match.match import Terms, play_match
from solver.match.result import MatchResult, Score
from solver.match.tournament import Standing, Tournament, play_tournament

__all__ = [
    "GameRecord",
    "MatchResult",
    "Score",
    "Standing",
    "Terms",
    "Tournament",
    "expectation",
    "play_game",
    "play_match",
    "play_tournament",
]
