"""Decisions per second on the empty board of tic-tac-toe, beside those of the notebooks.

The times that the notebooks print were measured on other machines years ago.
"""

from collections.abc import Iterator
from time import perf_counter
from typing import Final

from solver.course.experiments import Row
from solver.engines.engine import list_engines, make_engine
from solver.errors import EngineError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.rules import Rules

_SECONDS: Final = 0.2  # the length of a measurement, unless a single decision takes longer

TASKS: Final = (
    # the decision, the engine of this package, the seconds that the notebook prints
    ("a random move", "random", 72.4e-6),
    ("and-or search, a draw is enough", "and-or", 0.205),
    ("alpha-beta, cut-off 2", "alphabeta:cutoff=2", 0.0119),
    ("alpha-beta, cut-off 4", "alphabeta:cutoff=4", 0.299),
    ("alpha-beta, no cut-off", "alphabeta", 4.4),
)


def run() -> list[Row]:
    """Time the decisions that the notebooks timed, then those of every other engine with its default options."""
    rules = parse_game("3,3,3")
    return [*_tasks(rules), *_others(rules)]


def _tasks(rules: Rules) -> Iterator[Row]:
    for what, engine, printed in TASKS:
        theirs, ours = 1 / printed, _measure_rate(engine, rules)
        note = f"as printed; ours {_round(ours / theirs):,} times as fast"
        yield Row(f"{what} ({engine})", _round(theirs), _round(ours), exact=False, note=note)


def _others(rules: Rules) -> Iterator[Row]:
    timed = {engine for _, engine, _ in TASKS}
    for name in [info.name for info in list_engines() if not info.problem and info.name not in timed]:
        try:
            yield Row(name, None, _round(_measure_rate(name, rules)))
        except EngineError as error:  # the engine needs an option
            yield Row(name, None, None, note=str(error))


def _measure_rate(name: str, rules: Rules) -> float:
    """Return an engine's decisions per second, without the first one, which may compile."""
    engine, start = make_engine(name, rules), Position.start(rules)
    engine.choose(start)
    began, calls, seconds = perf_counter(), 0, 0.0
    while seconds < _SECONDS:
        engine.new_game()  # needed by engines that follow a strategy or keep a tree
        engine.choose(start)
        calls += 1
        seconds = perf_counter() - began
    return calls / seconds


def _round(rate: float) -> float:
    """Return a rate with three significant digits."""
    rounded = float(f"{rate:.3g}")
    return int(rounded) if rounded >= 100 else rounded
