"""Write the findings for programs, as CSV and as JSON."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.value import Value
from solver.verification.contract import Failure
from solver.verification.findings import Findings, Score, Unverified
from solver.verification.formats import sentences
from solver.verification.grade import BlunderGroup, Verdict
from solver.verification.refutation import Refutation
from solver.verification.stated_values import StatedValues
from solver.verification.wording import encode_csv, encode_json, format_squares

_CELLS: Final[Mapping[str, Callable[[Findings, Verdict], Any]]] = {
    "game": lambda findings, _: findings.rules.name,
    "engine": lambda findings, _: findings.engine,
    "hash": lambda _, verdict: verdict.position.hash,
    "position": lambda _, verdict: verdict.position.board,
    "to_move": lambda _, verdict: verdict.position.to_move,
    "canonical": lambda _, verdict: verdict.position.canonical().hash,
    "kind": lambda _, verdict: verdict.fault.value if verdict.fault else "",
    "move": lambda _, verdict: _name_move(verdict.position, verdict.answer.move) or "",
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

CSV_COLUMNS: Final = tuple(_CELLS)


def render_csv(findings: Findings) -> str:
    """Write a row for every position with anything to report, with a line of headings."""
    return encode_csv(CSV_COLUMNS, list_rows(findings))


def render_csv_error(unverified: Unverified) -> str:
    """Write one row, whose kind is `not_verified`."""
    known = {
        "game": unverified.game,
        "engine": unverified.engine,
        "kind": "not_verified",
        "detail": unverified.message,
    }
    return encode_csv(CSV_COLUMNS, [dict.fromkeys(CSV_COLUMNS, "") | known])


def list_rows(findings: Findings) -> Iterator[dict[str, Any]]:
    """Yield one row for every remarkable position by column; `kind` is empty where the value is kept."""
    for verdict in findings.verdicts:
        if verdict.remarkable:
            yield {column: cell(findings, verdict) for column, cell in _CELLS.items()}


def _name_move(position: Position, move: int | None) -> str | None:
    return None if move is None else square_name(position.rules, move)


def render_json(findings: Findings) -> str:
    """Write indented JSON: first the figures that scripts look for, then everything else."""
    return json.dumps(encode_findings(findings), indent=2)


def render_json_error(unverified: Unverified) -> str:
    """Write indented JSON without a score."""
    facts = {
        "game": unverified.game,
        "engine": unverified.engine,
        "score": None,
        "points": 0.0,
        "most_points": unverified.most_points,
        "passed": False,
        "error": {"kind": unverified.kind, "message": unverified.message},
        "seconds": round(unverified.seconds, 3),
    }
    return json.dumps(facts, indent=2)


def encode_findings(findings: Findings) -> dict[str, Any]:
    """Encode the findings as an object. `beaten_as_x` is true, false, or null where that is not known."""
    beaten = {side: found.beaten for side, found in findings.refutations.items()}
    interval = findings.interval
    return {
        "game": findings.rules.name,
        "engine": findings.engine,
        "positions": findings.positions,
        "blunders": findings.blunders,
        "win_to_draw": findings.faults["win_to_draw"],
        "win_to_loss": findings.faults["win_to_loss"],
        "draw_to_loss": findings.faults["draw_to_loss"],
        "missed_win_in_one": findings.missed_wins_in_one,
        "slow_wins": findings.slow_wins,
        "illegal": findings.faults[Failure.ILLEGAL],
        "exceptions": findings.faults[Failure.EXCEPTION],
        "timeouts": findings.faults[Failure.TIMEOUT],
        "beaten_as_x": beaten.get("X"),
        "beaten_as_o": beaten.get("O"),
        "score": findings.score,
        "scores": {name: _encode_score(score) for name, score in findings.scores.items()},
        "points": findings.points,
        "most_points": findings.most_points,
        "points_for": findings.graded,
        "passed": findings.passed,
        "keeps_the_value": findings.keeps_the_value,
        "fastest": findings.is_fastest,
        "takes_wins_in_one": findings.takes_wins_in_one,
        "short_defences": findings.short_defences,
        "wrong_type": findings.faults[Failure.WRONG_TYPE],
        "crashes": findings.faults[Failure.CRASH],
        "changed_board": findings.changed_boards,
        "unstable": findings.unstable,
        "convention": findings.convention,
        "told": list(findings.told),
        "isolation": findings.isolation,
        "asked_solver": list(findings.asked_solver),
        "also_possible": list(findings.others),
        "readings": encode_json(findings.readings),
        "notes": list(findings.notes),
        "scope": {
            "kind": findings.scope.kind,
            "words": sentences.write_scope(findings),
            "total": findings.scope.total,
            "seed": findings.scope.seed,
            "side": findings.scope.side,
            "repeat": findings.repeat,
            "confidence_95": list(interval) if interval else None,
        },
        "seconds": round(findings.seconds, 3),
        "play": {side: _encode_refutation(findings, found) for side, found in findings.refutations.items()},
        "helpers": encode_json(findings.helpers),
        "values": _encode_values(findings.values) if findings.values else None,
        "groups": [_encode_group(findings, group) for group in findings.groups],
        "faults": [_encode_verdict(findings, verdict) for verdict in findings.verdicts if verdict.fault],
    }


def _encode_score(score: Score) -> dict[str, Any]:
    return {"positions": score.positions, "kept": score.kept, "score": score.share, "random_player": score.chance}


def _encode_verdict(findings: Findings, verdict: Verdict) -> dict[str, Any]:
    """Encode a verdict; `kind` is null where the value is kept."""
    position, move = verdict.position, verdict.answer.move
    return {
        "position": position.board,
        "hash": position.hash,
        "canonical": position.canonical().hash,
        "to_move": position.to_move,
        "kind": verdict.fault.value if verdict.fault else None,
        "move": move,
        "name": _name_move(position, move),
        "best": list(verdict.best),
        "value": _encode_value(verdict.value),
        "played": _encode_value(verdict.played),
        "moves": list(verdict.moves),
        "missed_win_in_one": verdict.missed_win_in_one,
        "slow_win": verdict.slow_win,
        "short_defence": verdict.short_defence,
        "detail": verdict.answer.detail,
        "output": verdict.answer.output,
        "command": findings.command(verdict),
    }


def _encode_value(value: Value | None) -> dict[str, Any] | None:
    return value and {"category": value.category, "wdl": value.wdl, "distance": value.distance}


def _encode_group(findings: Findings, group: BlunderGroup) -> dict[str, Any]:
    return {
        "kind": group.kind.value,
        "canonical": group.canonical.board,
        "orientations": group.orientations,
        "asked": group.asked,
        "failing": [verdict.position.board for verdict in group.verdicts],
        "in_play": group.in_play,
        "line": list(group.line),
        "example": _encode_verdict(findings, group.example),
    }


def _encode_refutation(findings: Findings, found: Refutation) -> dict[str, Any]:
    score = found.expected
    return {
        "beaten": found.beaten,
        "line": None if found.line is None else _encode_line(findings, found.line, found.mistakes),
        "forfeit": found.forfeit.value if found.forfeit else None,
        "proof": found.complete and found.beaten is False,
        "positions": found.positions,
        "lost_anyway": found.lost_anyway,
        "expected_exactly": found.exact,
        "expected": dict(zip(("wins", "draws", "losses"), score.shares, strict=True)) if score else None,
    }


def _encode_line(findings: Findings, line: tuple[int, ...], mistakes: tuple[int, ...]) -> dict[str, Any]:
    return {
        "moves": list(line),
        "mistakes": list(mistakes),
        "names": [square_name(findings.rules, move) for move in line],
        "position": Position.from_moves(findings.rules, line).board,
    }


def _encode_values(values: StatedValues) -> dict[str, Any]:
    return {
        "positions": values.positions,
        "agreeing": values.agreeing,
        "agreement": values.agreement,
        "rank_correlation": values.correlation,
        "scale": values.scale,
        "perspective": values.perspective,
        "worst": encode_json(values.worst),
    }
