"""Write the findings about an engine in a format: each module `as_NAME` has a function `render` that returns text."""

from importlib import import_module

from solver.verification.findings import Findings
from solver.verification.wording import require_format

__all__ = ["FORMATS", "format_findings"]

FORMATS = ("text", "json", "csv", "markdown", "junit", "gradescope", "html")
"""The formats for people and machines; `text` is the default."""


def format_findings(findings: Findings, name: str) -> str:
    """Write the findings in one of the FORMATS, without a newline at the end. Raises EngineError for another name."""
    require_format(name, FORMATS)
    text: str = import_module(f"{__name__}.as_{name}").render(findings)
    return text.rstrip("\n")
