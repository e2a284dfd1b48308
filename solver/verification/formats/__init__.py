"""Write the findings about an engine in a format."""

from collections.abc import Callable, Mapping
from typing import Final

from solver.verification.findings import Findings
from solver.verification.formats.data import render_csv, render_gradescope, render_json, render_junit
from solver.verification.formats.html import render_html
from solver.verification.formats.text import render_markdown, render_text
from solver.verification.wording import require_format

__all__ = ["FORMATS", "format_findings"]

FORMATS: Final[Mapping[str, Callable[[Findings], str]]] = {
    "text": render_text,
    "json": render_json,
    "csv": render_csv,
    "markdown": render_markdown,
    "junit": render_junit,
    "gradescope": render_gradescope,
    "html": render_html,
}
"""The formats for people and machines; `text` is the default."""


def format_findings(findings: Findings, name: str) -> str:
    """Write the findings in one of the FORMATS, without a newline at the end. Raises EngineError for another name."""
    require_format(name, FORMATS)
    return FORMATS[name](findings).rstrip("\n")
