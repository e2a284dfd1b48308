"""Run the experiments of the notebooks again: their figures beside ours.

One module a topic. The first line of its docstring names what is measured, and its
function `run() -> list[Row]` measures it.
"""

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Final

__all__ = ["OLD_NAMES", "Experiment", "Row", "list_experiments"]

OLD_NAMES: Final = {
    "seed_000": "and_or",
    "seed_001": "temporal_difference",
    "seed_002": "alpha_beta",
    "seed_003": "game_trees",
    "seed_004": "aima_games",
    "seed_004_mcts": "monte_carlo",
}
"""Former names of the experiments, which the command line still takes."""


@dataclass(frozen=True)
class Row:
    """One figure."""

    what: str
    theirs: str | int | float | None
    """The figure that the notebook prints; None if it prints none."""
    ours: str | int | float | None
    """The figure measured here."""
    exact: bool = True
    """Whether both must agree; otherwise the figure is a sample (games with random players) or a time, or the
    notebook's is known to be wrong, as `note` says."""
    note: str = ""

    @property
    def agrees(self) -> bool:
        """Whether the figures are as they should be."""
        return not self.exact or self.theirs is None or self.theirs == self.ours


@dataclass(frozen=True)
class Experiment:
    """The experiments of one topic."""

    name: str
    """Such as `and_or`."""
    title: str
    """A line about what is measured."""
    run: Callable[[], list[Row]]


def list_experiments() -> list[Experiment]:
    """List all experiments, by name."""
    found = []
    for info in pkgutil.iter_modules(__path__, f"{__name__}."):
        module = import_module(info.name)
        title = (module.__doc__ or "").strip().split("\n", 1)[0]
        found.append(Experiment(info.name.rpartition(".")[2], title, module.run))
    return found
