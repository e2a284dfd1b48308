"""Write a report for programs: JSON, JUnit XML and Gradescope's results.json; list the formats.

The schemas of Apache Ant and of Jenkins are both met by the XML: Ant's wants an order of elements, the time and the
host, and Jenkins' no other elements than its own. Gradescope's is described at
https://gradescope-autograders.readthedocs.io/en/latest/specs/.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from solver.errors import EngineError, quoted
from solver.game.position import Position
from solver.game.squares import square_name
from solver.game.value import Value
from solver.verification.answer import Failure
from solver.verification.findings import Findings, NotGraded
from solver.verification.grade import Verdict
from solver.verification.refutation import Refutation
from solver.verification.text import (
    list_criteria,
    render_text,
    render_text_not_graded,
    write_headline,
    write_scope,
)

_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, section 2.2
_PACKAGE: Final = "mnk.verify"


def encode_findings(findings: Findings) -> dict[str, Any]:
    """Encode the findings as an object for JSON."""
    scope, values = findings.scope, findings.values
    return {
        "game": findings.rules.name,
        "engine": findings.engine,
        "passed": findings.passed,
        "score": findings.score,
        "points": findings.points,
        "most_points": findings.most_points,
        "positions": len(findings.verdicts),
        "critical": len(findings.critical),
        "wrong": findings.wrong,
        "counts": {kind: findings.faults[kind] for kind in (*_BLUNDER_KINDS, *Failure)},
        "missed_win_in_one": findings.missed_wins_in_one,
        "slow_wins": findings.slow_wins,
        "short_defences": findings.short_defences,
        "fastest": findings.is_fastest,
        "takes_wins_in_one": findings.takes_wins_in_one,
        "perfect_side": findings.perfect_side,
        "random_player": findings.chance,
        "confidence_95": list(findings.interval) if findings.interval else None,
        "deeds": list(findings.deeds),
        "convention": findings.convention,
        "isolation": findings.isolation,
        "notes": list(findings.notes),
        "scope": {
            "kind": scope.kind,
            "words": write_scope(findings),
            "total": scope.total,
            "seed": scope.seed,
            "side": scope.side,
        },
        "seconds": round(findings.seconds, 3),
        "play": {side: _encode_refutation(findings, found) for side, found in findings.refutations.items()},
        "values": values
        and {
            "positions": values.positions,
            "agreeing": values.agreeing,
            "scale": values.scale,
            "perspective": values.perspective,
        },
        "groups": [
            {
                "kind": group.kind.value,
                "canonical": group.canonical.board,
                "orientations": group.orientations,
                "failing": [verdict.position.board for verdict in group.verdicts],
                "in_play": group.in_play,
                "line": list(group.line),
            }
            for group in findings.groups
        ],
        "faults": [_encode_verdict(findings, verdict) for verdict in findings.verdicts if verdict.fault],
    }


_BLUNDER_KINDS: Final = ("win_to_draw", "draw_to_loss", "win_to_loss")


def _encode_verdict(findings: Findings, verdict: Verdict) -> dict[str, Any]:
    position, move = verdict.position, verdict.answer.move
    return {
        "position": position.board,
        "hash": position.hash,
        "to_move": position.to_move,
        "kind": verdict.fault and verdict.fault.value,
        "move": move,
        "name": None if move is None else square_name(position.rules, move),
        "best": list(verdict.best),
        "value": _encode_value(verdict.value),
        "played": _encode_value(verdict.played),
        "detail": verdict.answer.detail,
        "output": verdict.answer.output,
        "command": findings.command_for(verdict),
    }


def _encode_value(value: Value | None) -> dict[str, Any] | None:
    return value and {"category": value.category, "wdl": value.wdl, "distance": value.distance}


def _encode_refutation(findings: Findings, found: Refutation) -> dict[str, Any]:
    line = found.line
    return {
        "beaten": found.beaten,
        "line": None if line is None else list(line),
        "names": None if line is None else [square_name(findings.rules, move) for move in line],
        "position": None if line is None else Position.from_moves(findings.rules, line).board,
        "mistakes": list(found.mistakes),
        "forfeit": found.forfeit and found.forfeit.value,
        "proof": found.complete and found.beaten is False,
        "positions": found.positions,
        "lost_anyway": found.lost_anyway,
    }


def _render_json(findings: Findings) -> str:
    return json.dumps(encode_findings(findings), indent=1)


def _render_json_not_graded(found: NotGraded) -> str:
    facts = {
        "game": found.game,
        "engine": found.engine,
        "passed": False,
        "score": None,
        "points": 0.0 if found.is_engines_fault else None,
        "most_points": found.most_points,
        "error": {"kind": found.kind, "engines_fault": found.is_engines_fault, "message": found.message},
        "seconds": round(found.seconds, 3),
    }
    return json.dumps(facts, indent=1)


def _render_gradescope(findings: Findings) -> str:
    """Write the points and a test for every criterion, of which the first gives them all."""
    tests: list[dict[str, Any]] = []
    for one in list_criteria(findings):
        status = {} if one.met is None else {"status": "passed" if one.met else "failed"}
        tests.append({"name": one.name, "output": one.details, **status})
    tests[0] |= {"score": findings.points, "max_score": findings.most_points, "output": render_text(findings)}
    results = _describe_for_gradescope(write_headline(findings), findings.seconds, tests)
    return json.dumps({"score": findings.points, **results}, indent=2)


def _render_gradescope_not_graded(found: NotGraded) -> str:
    """Write no points and why for a student's mistake; for one of the grader no score, and a message to the teacher."""
    if found.is_engines_fault:
        score = {"score": 0.0, "max_score": found.most_points, "status": "failed"}
        results = _describe_for_gradescope(
            found.headline, found.seconds, [{"name": "can be asked", "output": found.message, **score}]
        )
        return json.dumps({"score": 0.0, **results}, indent=2)
    told = f"{found.headline}. This is not the student's fault. Teacher: {found.message}"
    return json.dumps(_describe_for_gradescope(told, found.seconds, []), indent=2)


def _describe_for_gradescope(output: str, seconds: float, tests: list[dict[str, Any]]) -> dict[str, Any]:
    results = {"execution_time": round(seconds, 3), "output": output, "output_format": "text", "visibility": "visible"}
    return {**results, "tests": tests} if tests else results


class _Case(NamedTuple):
    """One test of JUnit; `kind` is `failure`, `error`, or nothing if it passes."""

    name: str
    seconds: float = 0.0
    kind: str = ""
    type: str = ""
    message: str = ""
    text: str = ""


def _render_junit(findings: Findings) -> str:
    """Write a case for every criterion; only those that the pass requires can fail."""
    text, cases = render_text(findings), list[_Case]()
    for one in list_criteria(findings):
        seconds = 0.0 if cases else findings.seconds
        if one.required and one.met is False and not findings.passed:
            cases.append(
                _Case(one.name, seconds, "failure", "verdict", one.details, text if not cases else one.details)
            )
        else:
            cases.append(_Case(one.name, seconds))
    properties = {
        "score": f"{findings.score:.6f}",
        "points": f"{findings.points:g}",
        "convention": findings.convention,
    }
    return _write_suite(findings.rules.name, findings.engine, cases, findings.began, properties, text)


def _render_junit_not_graded(found: NotGraded) -> str:
    kind = "engine" if found.is_engines_fault else "grader"
    case = _Case("is graded", found.seconds, "error", f"{kind}.{found.kind}", found.message, found.message)
    points = {"points": "0"} if found.is_engines_fault else {}
    return _write_suite(found.game, found.engine, [case], found.began, points, found.message)


def _write_suite(
    game: str, engine: str, cases: Sequence[_Case], began: datetime, properties: dict[str, str], text: str
) -> str:
    import platform  # these load slowly
    from xml.etree import ElementTree as Xml

    root = Xml.Element("testsuites")
    suite = Xml.SubElement(
        root,
        "testsuite",
        {
            "name": _clean(f"{engine} on {game}"),
            "package": _PACKAGE,
            "id": "0",
            "timestamp": began.strftime("%Y-%m-%dT%H:%M:%S"),
            "hostname": _clean(platform.node()) or "localhost",
            "tests": str(len(cases)),
            "failures": str(sum(case.kind == "failure" for case in cases)),
            "errors": str(sum(case.kind == "error" for case in cases)),
            "time": f"{sum(case.seconds for case in cases):.3f}",
        },
    )
    listed = Xml.SubElement(suite, "properties")
    for name, value in properties.items():
        Xml.SubElement(listed, "property", {"name": name, "value": _clean(value)})
    for case in cases:
        names = {"classname": f"{_PACKAGE}.{game}", "name": case.name, "time": f"{case.seconds:.3f}"}
        element = Xml.SubElement(suite, "testcase", names)
        if case.kind:
            found = Xml.SubElement(element, case.kind, {"type": case.type, "message": _clean(case.message)})
            found.text = _clean(case.text)
    Xml.SubElement(suite, "system-out").text = _clean(text)
    Xml.SubElement(suite, "system-err")
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode")


def _clean(text: str) -> str:
    """Replace what XML can't hold by spaces."""
    return _NO_XML.sub(" ", text)


class Format(NamedTuple):
    """A format of reports: what writes findings, and what writes why nothing was graded."""

    render: Callable[[Findings], str]
    render_not_graded: Callable[[NotGraded], str]


def _render_html(found: Findings | NotGraded) -> str:
    from solver.verification.html import render_html, render_html_not_graded  # loads what draws

    return render_html(found) if isinstance(found, Findings) else render_html_not_graded(found)


FORMATS: Final[Mapping[str, Format]] = {
    "text": Format(render_text, render_text_not_graded),
    "json": Format(_render_json, _render_json_not_graded),
    "junit": Format(_render_junit, _render_junit_not_graded),
    "gradescope": Format(_render_gradescope, _render_gradescope_not_graded),
    "html": Format(_render_html, _render_html),
}
"""The formats by name."""


def write_report(found: Findings | NotGraded, name: str) -> str:
    """Write a report in one of the FORMATS, without a newline at the end. Raises EngineError for another name."""
    if name not in FORMATS:
        raise EngineError(f"There is no report format {quoted(name)}; choose one of {', '.join(FORMATS)}.")
    made = FORMATS[name]
    text = made.render(found) if isinstance(found, Findings) else made.render_not_graded(found)
    # What UTF-8 can't hold, such as half of a surrogate pair that an engine returned, is written as an escape.
    return text.rstrip("\n").encode("utf-8", "backslashreplace").decode("utf-8")
