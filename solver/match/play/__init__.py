"""A game that a person plays, whatever shows it: the moves made and taken back, the replies, how strong they are."""

from solver.match.play.game import Game
from solver.match.play.strengths import STRENGTHS, engine_of

__all__ = ["STRENGTHS", "Game", "engine_of"]
