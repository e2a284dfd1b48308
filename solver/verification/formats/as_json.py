"""Write the findings as JSON: first the figures that scripts look for, then everything else."""

import json
from typing import Any

from solver.game.position import Position
from solver.game.squares import square_name
from solver.game.value import Value
from solver.verification.contract import Failure
from solver.verification.findings import Findings
from solver.verification.formats import sentences
from solver.verification.grade import BlunderGroup, Verdict
from solver.verification.refutation import Refutation
from solver.verification.stated_values import StatedValues
from solver.verification.wording import encode_json


def render(findings: Findings) -> str:
    """Write indented JSON."""
    return json.dumps(encode_findings(findings), indent=2)


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
        "notes": list(findings.notes),
        "scope": {
            "kind": findings.scope.kind,
            "words": sentences.write_scope(findings),
            "total": findings.scope.total,
            "seed": findings.scope.seed,
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
        "name": None if move is None else square_name(position.rules, move),
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
