"""Write the findings about an engine in a format."""

from collections.abc import Callable, Mapping
from typing import Final

from solver.verification.findings import Findings
from solver.verification.formats.data import render_csv, render_json
from solver.verification.formats.errors import ERROR_FORMATS
from solver.verification.formats.gradescope import render_gradescope
from solver.verification.formats.html import render_html
from solver.verification.formats.junit import render_junit
from solver.verification.formats.text import render_markdown, render_text
from solver.verification.formats.unverified import Unverified
from solver.verification.wording import require_format

__all__ = ["FORMATS", "format_findings", "format_unverified"]

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
    return _encodable(FORMATS[name](findings))


def format_unverified(unverified: Unverified, name: str) -> str:
    """Write in one of the FORMATS that an engine could not be verified, without a newline at the end."""
    return _encodable(ERROR_FORMATS[name](unverified))


def _encodable(text: str) -> str:
    """Write what UTF-8 can't hold, such as half of a pair that an engine returned, as an escape."""
    return text.rstrip("\n").encode("utf-8", "backslashreplace").decode("utf-8")
