"""The experiments of the notebooks this project grew from, run again: their figures beside ours.

One module a topic. The first line of its docstring names what is measured, and its
function `run() -> list[Row]` measures it.
"""

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Final

__all__ = ["OLD_NAMES", "Experiment", "Row", "experiments"]

OLD_NAMES: Final = {
    "seed_000": "and_or",
    "seed_001": "temporal_difference",
    "seed_002": "alpha_beta",
    "seed_003": "game_trees",
    "seed_004": "aima_games",
    "seed_004_mcts": "monte_carlo",
}
"""What the experiments were called before; the command line still takes these names."""


@dataclass(frozen=True)
class Row:
    """One figure: what it is, as the notebook printed it, and as measured here.

    theirs None: the notebook does not print it. exact: whether both must agree; otherwise the figure is a
    sample (games with random players) or a time, or the notebook's is known to be wrong, as `note` says.
    """

    what: str
    theirs: str | int | float | None
    ours: str | int | float | None
    exact: bool = True
    note: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the figures are as they should be."""
        return not self.exact or self.theirs is None or self.theirs == self.ours


@dataclass(frozen=True)
class Experiment:
    """The experiments of one notebook: its name, such as `and_or`, what is measured, and how."""

    name: str
    title: str
    run: Callable[[], list[Row]]


def experiments() -> list[Experiment]:
    """All experiments, by name."""
    found = []
    for info in pkgutil.iter_modules(__path__, f"{__name__}."):
        module = import_module(info.name)
        title = (module.__doc__ or "").strip().split("\n", 1)[0]
        found.append(Experiment(info.name.rpartition(".")[2], title, module.run))
    return found
