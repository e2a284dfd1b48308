"""Report what was found out about an engine, in any of the formats."""

from typing import Any

from solver.verification.findings import Findings
from solver.verification.formats import format_findings
from solver.verification.formats.as_html import render_piece
from solver.verification.formats.as_json import encode_findings

_GROUPS_IN_NOTEBOOK = 2


class Report(Findings):
    """The findings, which can be printed, written in a format, or shown in a notebook.

    `float(report)` is the score, `bool(report)` whether the engine passes.
    """

    def __float__(self) -> float:
        return self.score

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        verdict = "passed" if self.passed else "failed"
        return f"<Report of {self.engine} on {self.rules}: {verdict}, score {self.score:.4f}>"

    def _repr_html_(self) -> str:
        """Show the answers and the worst groups of blunders in a notebook; `format("html")` has more."""
        return render_piece(self, _GROUPS_IN_NOTEBOOK)

    def format(self, name: str = "text") -> str:
        """Write the report in one of `solver.verification.formats.FORMATS`. Raises EngineError for another name."""
        return format_findings(self, name)

    def json(self) -> dict[str, Any]:
        """Return the report as an object for JSON."""
        return encode_findings(self)
