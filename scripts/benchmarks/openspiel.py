"""Measure OpenSpiel's solver for small games (https://github.com/google-deepmind/open_spiel), in the group `bench`.

As a program, `python -m benchmarks.openspiel GAME FOLDER`, it measures itself.
"""

import random
import sys
from importlib.util import find_spec
from typing import Any

from benchmarks.figure import seconds, timed
from benchmarks.process import peak_megabytes, report
from solver import Rules, parse_game
from solver.game.rules import require_rectangle

_LOOKUPS = 2_000


def is_installed() -> bool:
    """Return True if OpenSpiel is installed; it has no packages for some systems."""
    return find_spec("pyspiel") is not None


def game_string(rules: Rules) -> str:
    """Return the game in OpenSpiel's notation, where m is the number of columns.

    >>> game_string(parse_game("4,5,3"))
    'mnk(m=5,n=4,k=3)'
    """
    m, n, k = require_rectangle(rules, "OpenSpiel")[:3]
    return f"mnk(m={n},n={m},k={k})"


def main(game: str, _folder: str) -> None:
    """Solve the game, look up some positions, and report the times."""
    from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

    solver = MinimaxSolver(game_string(parse_game(game)))
    elapsed, _ = timed(solver.solve)
    peak = peak_megabytes()
    states = _states(game_string(parse_game(game)))
    probe = seconds(lambda: [solver.values_from_state(state) for state in states]) / len(states)
    # The solver keeps a value for each move; the best one is the value of the position.
    report(seconds=elapsed, megabytes=peak, probe=probe, root=float(max(solver.values_from_state(states[0]))))


def _states(game: str) -> list[Any]:
    """Return the start, and random positions where the game is not over."""
    import pyspiel

    draw = random.Random(1)
    start = pyspiel.load_game(game).new_initial_state()
    found = [start]
    while len(found) < _LOOKUPS:
        state = start.clone()
        while not state.is_terminal():
            found.append(state.clone())
            state.apply_action(draw.choice(state.legal_actions()))
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
