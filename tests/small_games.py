"""A list of games that are small enough for the slow twin; all kernels, builders and checks are tested on it."""

import pytest
from _pytest.mark import ParameterSet

SMALL_GAMES = [
    "1,1,1", "1,2,2", "1,9,3,exact", "2,2,2",
    "2,2,3",  # k fits no line
    "2,3,2,exact,torus", "2,4,2,exact,misere", "2,5,2,full", "3,2,2,misere", "1,3,1", "1,7,1,misere", "3,3,1",
    "3,3,2", "3,3,2,exact", "3,3,2,exact,gravity", "3,3,3", "3,3,3,exact,torus", "3,3,3,full", "3,3,3,full,gravity",
    "3,3,3,gravity", "3,3,3,gravity,misere", "3,3,3,misere", "3,3,3,misere,torus", "3,3,3,torus",
    "3,4,3,gravity,misere,torus", "4,3,3,gravity,torus", "5,2,3,gravity",
]  # fmt: skip

MID_GAMES = ["4,4,4", "4,4,3,exact", "4,4,4,torus", "4,4,4,gravity", "4,4,4,gravity,torus", "3,5,3,misere"]


def slow_games(*games: str) -> list[ParameterSet]:
    """Return test parameters marked `slow`, which run only with scripts/test --long."""
    return [pytest.param(game, marks=pytest.mark.slow) for game in games]
