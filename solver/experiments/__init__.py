"""The experiments of the notebooks this project grew from, run again: their figures beside ours.

One module a notebook, `seed_000` to `seed_004`, each with a docstring whose first line names what is
measured and a function `run() -> list[Row]`.
"""

from dataclasses import dataclass

__all__ = ["Row"]


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
