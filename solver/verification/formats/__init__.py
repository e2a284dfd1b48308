"""The forms a report is written in, by name; each module has a function `render` from a report to text."""

from importlib import import_module
from typing import TYPE_CHECKING

from solver.errors import EngineError, quoted

if TYPE_CHECKING:
    from solver.verification.report import Report

__all__ = ["FORMATS", "formatted"]

FORMATS = ("text", "json", "csv", "markdown", "junit", "gradescope", "html")
"""For people and machines; `text` is the default."""


def formatted(report: "Report", name: str) -> str:
    """A report in one of the FORMATS, without a newline at the end. Raises EngineError for another name."""
    if name not in FORMATS:
        raise EngineError(f"There is no format {quoted(name)} of a report; choose one of {', '.join(FORMATS)}.")
    text: str = import_module(f"{__name__}.as_{name}").render(report)
    return text.rstrip("\n")
