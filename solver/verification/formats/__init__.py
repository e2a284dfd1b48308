"""Write the findings about an engine in a format, or why there are none."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from solver.verification.findings import Findings, Unverified
from solver.verification.formats.data import render_csv, render_csv_error, render_json, render_json_error
from solver.verification.formats.gradescope import render_gradescope, render_gradescope_error
from solver.verification.formats.html import render_html, render_html_error
from solver.verification.formats.junit import render_junit, render_junit_error
from solver.verification.formats.text import render_markdown, render_markdown_error, render_text, render_text_error
from solver.verification.wording import require_format

__all__ = ["FORMATS", "Format", "format_findings", "format_unverified"]


class Format(NamedTuple):
    """A format of reports."""

    render: Callable[[Findings], str]
    """Writes what was found out about an engine."""
    render_error: Callable[[Unverified], str]
    """Writes why an engine could not be verified."""


FORMATS: Final[Mapping[str, Format]] = {
    "text": Format(render_text, render_text_error),
    "json": Format(render_json, render_json_error),
    "csv": Format(render_csv, render_csv_error),
    "markdown": Format(render_markdown, render_markdown_error),
    "junit": Format(render_junit, render_junit_error),
    "gradescope": Format(render_gradescope, render_gradescope_error),
    "html": Format(render_html, render_html_error),
}
"""The formats for people and machines; `text` is the default."""


def format_findings(findings: Findings, name: str) -> str:
    """Write the findings in one of the FORMATS, without a newline at the end. Raises EngineError for another name."""
    require_format(name, FORMATS)
    return _encodable(FORMATS[name].render(findings))


def format_unverified(unverified: Unverified, name: str) -> str:
    """Write in one of the FORMATS that an engine could not be verified, without a newline at the end."""
    return _encodable(FORMATS[name].render_error(unverified))


def _encodable(text: str) -> str:
    """Write what UTF-8 can't hold, such as half of a pair that an engine returned, as an escape."""
    return text.rstrip("\n").encode("utf-8", "backslashreplace").decode("utf-8")
