"""Decisions per second on the empty board of tic-tac-toe, beside those of the notebooks.

The times that the notebooks print were measured on other machines years ago. Pass the public notebooks to `run` to time
their functions in the same run.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple

from solver.course.experiments import Row
from solver.engines.engine import list_engines, make_engine
from solver.errors import EngineError, MissingTable
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.rules import Rules

_EMPTY: Final = [" "] * 9
_SECONDS: Final = 0.2  # of one measurement, unless a single decision takes longer

Functions = dict[str, Any]


class Task(NamedTuple):
    """A decision that a notebook timed."""

    what: str
    engine: str
    """The engine of this package for the same decision."""
    printed: float
    """The seconds that the notebook prints."""
    original: Callable[[Functions], object]
    """The call of the notebook's function."""


TASKS: Final = (
    Task("a random move", "random", 72.4e-6, lambda f: f["random_player"](_EMPTY)),
    Task("and-or search, a draw is enough", "and-or", 0.205, lambda f: f["and_or_search"](_EMPTY)),
    Task("alpha-beta, cut-off 2", "alphabeta:cutoff=2", 0.0119, lambda f: f["alpha_beta_search"](_EMPTY, 2)),
    Task("alpha-beta, cut-off 4", "alphabeta:cutoff=4", 0.299, lambda f: f["alpha_beta_search"](_EMPTY, 4)),
    Task("alpha-beta, no cut-off", "alphabeta", 4.4, lambda f: f["alpha_beta_search"](_EMPTY)),
)


def run(notebooks: Iterable[Path] = ()) -> list[Row]:
    """Time the decisions that the notebooks timed, then those of every other engine with its default options.

    notebooks: public ones, as `.ipynb` or exported as text, whose functions are timed too.
    """
    originals = [read_functions(path.read_text(encoding="utf-8")) for path in notebooks]
    rules = parse_game("3,3,3")
    return [*_tasks(rules, originals), *_others(rules)]


def _tasks(rules: Rules, originals: list[Functions]) -> Iterator[Row]:
    def compare(task: Task, theirs: float, origin: str) -> Row:
        note = f"{origin}; ours {_round(ours / theirs):,} times as fast"
        return Row(f"{task.what} ({task.engine})", _round(theirs), _round(ours), exact=False, note=note)

    for task in TASKS:
        ours = _measure_rate(_decision(task.engine, rules))
        yield compare(task, 1 / task.printed, "as printed")
        for functions in originals:
            try:
                task.original(functions)
            except (KeyError, TypeError):  # another notebook, perhaps with a function of the same name
                continue
            yield compare(task, _measure_rate(lambda: task.original(functions)), "as measured in this run")  # noqa: B023


def _others(rules: Rules) -> Iterator[Row]:
    timed = {task.engine for task in TASKS}
    for name in [info.name for info in list_engines() if not info.problem and info.name not in timed]:
        try:
            decision = _decision(name, rules)
        except (EngineError, MissingTable) as error:  # the engine needs an option or a table
            yield Row(name, None, None, note=str(error))
        else:
            yield Row(name, None, _round(_measure_rate(decision)))


def _decision(name: str, rules: Rules) -> Callable[[], object]:
    engine, start = make_engine(name, rules), Position.start(rules)

    def decide() -> object:
        engine.new_game()  # for engines that follow a strategy or keep a tree
        return engine.choose(start)

    return decide


def _measure_rate(call: Callable[[], object]) -> float:
    """Return the calls per second, without the first call, which may compile."""
    call()
    began, calls, seconds = perf_counter(), 0, 0.0
    while seconds < _SECONDS:
        call()
        calls += 1
        seconds = perf_counter() - began
    return calls / seconds


def _round(rate: float) -> float:
    """Return a rate with three significant digits."""
    rounded = float(f"{rate:.3g}")
    return int(rounded) if rounded >= 100 else rounded


def read_functions(notebook: str) -> Functions:
    """Return the top-level functions of a notebook by name.

    notebook: the text of an `.ipynb` file, or of one exported as text with its output. Only function definitions are
    run; they may use NumPy as `np`, `math`, and the counters DEBUG and COUNT, which are 0.
    """
    import numpy as np

    source = notebook
    if notebook.lstrip().startswith("{"):
        cells = json.loads(notebook)["cells"]
        source = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    functions: Functions = {"np": np, "math": math, "DEBUG": 0, "COUNT": 0}
    for definition in re.findall(r"^def \w+\(.*?(?=^\S|\Z)", source, re.MULTILINE | re.DOTALL):
        exec(definition, functions)
    return functions
