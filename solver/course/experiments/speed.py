"""Decisions a second on the empty board of tic-tac-toe, beside those of the notebooks.

The times that the notebooks print were taken on other machines years ago. Give the public notebooks to `run` to time
their own functions in the same run, in turn with ours.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from solver.course.experiments import Row
from solver.engines.engine import list_engines, make_engine
from solver.errors import EngineError, MissingTable
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.rules import Rules

_EMPTY: Final = [" "] * 9
_SECONDS: Final = 0.2  # that one measurement takes, unless a single decision takes longer

Call = Callable[[], object]
Functions = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """A decision that a notebook timed."""

    what: str
    engine: str
    """Our engine."""
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
    """Time the tasks that the notebooks timed, then every other engine as it is without options.

    notebooks: the public ones, as `.ipynb` or as text; their functions are run.
    """
    originals = [read_functions(path.read_text(encoding="utf-8")) for path in notebooks]
    rules = parse_game("3,3,3")
    return [*_tasks(rules, originals), *_others(rules)]


def _tasks(rules: Rules, originals: list[Functions]) -> Iterator[Row]:
    for task in TASKS:
        ours = _rate(_decision(task.engine, rules))
        theirs = 1 / task.printed
        yield _row(f"{task.what} ({task.engine})", theirs, ours, "as printed")
        for functions in originals:
            call = _find_original(task, functions)
            if call:
                yield _row(f"{task.what} ({task.engine})", _rate(call), ours, "as measured in this run")


def _others(rules: Rules) -> Iterator[Row]:
    timed = {task.engine for task in TASKS}
    for name in [info.name for info in list_engines() if not info.problem and info.name not in timed]:
        try:
            decision = _decision(name, rules)
        except (EngineError, MissingTable) as error:  # needs an option, or a table that is not there
            yield Row(name, None, None, note=str(error))
        else:
            yield Row(name, None, _round(_rate(decision)))


def _row(what: str, theirs: float, ours: float, origin: str) -> Row:
    note = f"{origin}; ours {_round(ours / theirs):,} times as fast"
    return Row(what, _round(theirs), _round(ours), exact=False, note=note)


def _decision(name: str, rules: Rules) -> Call:
    engine, start = make_engine(name, rules), Position.start(rules)

    def decide() -> object:
        engine.new_game()  # for engines that follow a plan or keep a tree
        return engine.choose(start)

    return decide


def _rate(call: Call) -> float:
    """Count calls a second, without the first, which may compile."""
    call()
    begun, calls, seconds = perf_counter(), 0, 0.0
    while seconds < _SECONDS:
        call()
        calls += 1
        seconds = perf_counter() - begun
    return calls / seconds


def _round(rate: float) -> float:
    """Round a rate to three digits."""
    rounded = float(f"{rate:.3g}")
    return int(rounded) if rounded >= 100 else rounded


def read_functions(notebook: str) -> Functions:
    """Define the top-level functions of a notebook, ready to be called; returns them by name.

    notebook: the text of an `.ipynb` file, or of one exported as plain text, output and all. Only function
    definitions are taken from it; they may use NumPy as `np`, `math`, and the counters that they switch off.
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


def _find_original(task: Task, functions: Functions) -> Call | None:
    """Find the original of a task, if these functions have it."""
    try:
        task.original(functions)
    except (KeyError, TypeError):  # another notebook, perhaps with a function of the same name
        return None
    return lambda: task.original(functions)
