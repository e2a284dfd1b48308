"""Matches between engines: games, their exact expectation, tournaments, and the processes that play them.

terms = Terms(Position.start(rules), games=100, swap=True)
report = play_match("alphabeta:cutoff=2", "random", terms, watch=lambda record, total: print(record.moves))
report.score            # Score(wins, draws, losses) of the first engine
"""

from solver.match.expect import expectation
from solver.match.game import Record, play_game
from solver.match.match import Terms, play_match
from solver.match.report import Report
from solver.match.score import Score
from solver.match.tournament import Standing, Tournament, play_tournament

__all__ = [
    "Record",
    "Report",
    "Score",
    "Standing",
    "Terms",
    "Tournament",
    "expectation",
    "play_game",
    "play_match",
    "play_tournament",
]
