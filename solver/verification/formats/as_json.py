"""A report as JSON: first the figures that scripts look for, then everything else."""

import json
from typing import Any

from solver.game.position import Position
from solver.game.squares import square_name
from solver.game.value import Value
from solver.verification.beat import Beating
from solver.verification.checks import scope_text
from solver.verification.contract import Failure
from solver.verification.grade import Verdict
from solver.verification.groups import Group
from solver.verification.report import Report

__all__ = ["facts", "render", "verdict_facts"]


def render(report: Report) -> str:
    """The report as indented JSON."""
    return json.dumps(facts(report), indent=2)


def facts(report: Report) -> dict[str, Any]:
    """The report as an object for JSON. `beaten_as_x` is true, false, or null where that is not known."""
    beaten = {side: beating.beaten for side, beating in report.beatings.items()}
    interval = report.interval
    return {
        "game": report.rules.name,
        "engine": report.engine,
        "positions": report.positions,
        "blunders": report.blunders,
        "win_to_draw": report.faults["win_to_draw"],
        "win_to_loss": report.faults["win_to_loss"],
        "draw_to_loss": report.faults["draw_to_loss"],
        "missed_win_in_one": report.missed_wins_in_one,
        "slow_wins": report.slow_wins,
        "illegal": report.faults[Failure.ILLEGAL],
        "exceptions": report.faults[Failure.EXCEPTION],
        "timeouts": report.faults[Failure.TIMEOUT],
        "beaten_as_x": beaten.get("X"),
        "beaten_as_o": beaten.get("O"),
        "score": report.score,
        "passed": report.passed,
        "keeps_the_value": report.keeps_the_value,
        "fastest": report.is_fastest,
        "takes_wins_in_one": report.takes_wins_in_one,
        "short_defences": report.short_defences,
        "wrong_type": report.faults[Failure.WRONG_TYPE],
        "crashes": report.faults[Failure.CRASH],
        "changed_board": report.changed_boards,
        "unstable": report.unstable,
        "convention": report.convention,
        "notes": list(report.notes),
        "scope": {
            "kind": report.scope.kind,
            "words": scope_text(report),
            "total": report.scope.total,
            "seed": report.scope.seed,
            "repeat": report.repeat,
            "confidence_95": list(interval) if interval else None,
        },
        "seconds": round(report.seconds, 3),
        "play": {side: _beating(report, beating) for side, beating in report.beatings.items()},
        "helpers": [
            {
                "name": helper.name,
                "positions": helper.positions,
                "wrong": helper.wrong,
                "mistakes": [
                    {"position": one.position.board, "said": one.said, "right": one.right} for one in helper.mistakes
                ],
            }
            for helper in report.helpers
        ],
        "values": _values(report),
        "groups": [_group(report, group) for group in report.groups],
        "faults": [verdict_facts(report, verdict) for verdict in report.verdicts if verdict.fault],
    }


def verdict_facts(report: Report, verdict: Verdict) -> dict[str, Any]:
    """A verdict as an object; `kind` is null where the value is kept."""
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
        "value": _value(verdict.value),
        "played": _value(verdict.played),
        "moves": list(verdict.moves),
        "missed_win_in_one": verdict.missed_win_in_one,
        "slow_win": verdict.slow_win,
        "short_defence": verdict.short_defence,
        "detail": verdict.answer.detail,
        "output": verdict.answer.output,
        "command": report.command(verdict),
    }


def _value(value: Value | None) -> dict[str, Any] | None:
    return value and {"category": value.category, "wdl": value.wdl, "distance": value.distance}


def _group(report: Report, group: Group) -> dict[str, Any]:
    return {
        "kind": group.kind.value,
        "canonical": group.canonical.board,
        "orientations": group.orientations,
        "asked": group.asked,
        "failing": [verdict.position.board for verdict in group.verdicts],
        "in_play": group.in_play,
        "line": list(group.line),
        "example": verdict_facts(report, group.example),
    }


def _beating(report: Report, beating: Beating) -> dict[str, Any]:
    score = beating.expected
    line = None
    if beating.line is not None:
        end = Position.from_moves(report.rules, beating.line)
        line = {
            "moves": list(beating.line),
            "mistakes": list(beating.mistakes),
            "names": [square_name(report.rules, move) for move in beating.line],
            "position": end.board,
        }
    return {
        "beaten": beating.beaten,
        "line": line,
        "forfeit": beating.forfeit.value if beating.forfeit else None,
        "proof": beating.complete and beating.beaten is False,
        "positions": beating.positions,
        "lost_anyway": beating.lost_anyway,
        "expected_exactly": beating.exact,
        "expected": dict(zip(("wins", "draws", "losses"), score.shares, strict=True)) if score else None,
    }


def _values(report: Report) -> dict[str, Any] | None:
    values = report.values
    if values is None:
        return None
    return {
        "positions": values.positions,
        "agreeing": values.agreeing,
        "agreement": values.agreement,
        "rank_correlation": values.correlation,
        "scale": values.scale,
        "perspective": values.perspective,
        "worst": [
            {"position": one.position.board, "stated": one.stated, "meant": one.meant, "truth": one.truth}
            for one in values.worst
        ],
    }
