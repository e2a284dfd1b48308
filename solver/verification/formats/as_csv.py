"""Write the findings as CSV: a row for every position with anything to report."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from solver.game.squares import square_name
from solver.verification.findings import Findings
from solver.verification.grade import Verdict
from solver.verification.wording import encode_csv, format_squares

_CELLS: Final[Mapping[str, Callable[[Findings, Verdict], Any]]] = {
    "game": lambda findings, _: findings.rules.name,
    "engine": lambda findings, _: findings.engine,
    "hash": lambda _, verdict: verdict.position.hash,
    "position": lambda _, verdict: verdict.position.board,
    "to_move": lambda _, verdict: verdict.position.to_move,
    "canonical": lambda _, verdict: verdict.position.canonical().hash,
    "kind": lambda _, verdict: verdict.fault.value if verdict.fault else "",
    "move": lambda findings, verdict: _name_move(findings, verdict.answer.move),
    "best": lambda findings, verdict: format_squares(findings.rules, verdict.best),
    "value": lambda _, verdict: str(verdict.value),
    "played": lambda _, verdict: "" if verdict.played is None else str(verdict.played),
    "missed_win_in_one": lambda _, verdict: int(verdict.missed_win_in_one),
    "slow_win": lambda _, verdict: int(verdict.slow_win),
    "short_defence": lambda _, verdict: int(verdict.short_defence),
    "unstable": lambda _, verdict: int(verdict.unstable),
    "detail": lambda _, verdict: verdict.answer.detail,
    "command": lambda findings, verdict: findings.command(verdict),
}


def render(findings: Findings) -> str:
    """Write the rows with a line of headings."""
    return encode_csv(list(_CELLS), list_rows(findings))


def list_rows(findings: Findings) -> Iterator[dict[str, Any]]:
    """Yield one row for every remarkable position by column; `kind` is empty where the value is kept."""
    for verdict in findings.verdicts:
        if verdict.remarkable:
            yield {column: cell(findings, verdict) for column, cell in _CELLS.items()}


def _name_move(findings: Findings, move: int | None) -> str:
    return "" if move is None else square_name(findings.rules, move)
