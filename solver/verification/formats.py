"""Write a report for programs: JSON, JUnit XML and Gradescope's results.json; list the formats.

The XML is valid under the schemas of both Apache Ant and Jenkins: Ant's requires the time, the host and a fixed order
of elements, and Jenkins' forbids additional elements. Gradescope's format is described at
https://gradescope-autograders.readthedocs.io/en/latest/specs/.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Any, Final

from solver.errors import EngineError, printable, quoted
from solver.game.notation import square_name
from solver.game.value import Value
from solver.verification.findings import Findings, NotGraded
from solver.verification.grade import SEVERITY, Verdict
from solver.verification.report_page import render_html
from solver.verification.text import list_criteria, render_text, write_headline, write_scope


def encode_findings(findings: Findings) -> dict[str, Any]:
    """Return the findings as a JSON-compatible object."""
    rules, counts = findings.rules, findings.counts
    play = {
        side: {
            **asdict(found),
            "beaten": found.beaten,
            "proof": found.complete and found.beaten is False,
            "names": found.line and [square_name(rules, move) for move in found.line],
        }
        for side, found in findings.refutations.items()
    }
    return {
        "game": rules.name,
        "engine": findings.engine,
        "passed": findings.passed,
        "score": findings.score if findings.counted else None,
        "points": findings.points if findings.counted else None,
        "most_points": findings.most_points,
        "random_player": findings.chance,
        "confidence_95": findings.interval,
        "positions": len(findings.verdicts),
        "counted": len(findings.counted),
        "wrong": findings.wrong,
        "counts": {kind: counts[kind] for kind in (*SEVERITY, "missed_win_in_one", "slow_win", "short_defence")},
        "fastest": findings.is_fastest,
        "takes_wins_in_one": findings.takes_wins_in_one,
        "perfect_side": findings.perfect_side,
        "convention": findings.convention,
        "isolation": findings.isolation,
        "notes": findings.notes,
        "scope": {**asdict(findings.scope), "words": write_scope(findings)},
        "seconds": round(findings.seconds, 3),
        "play": play,
        "values": findings.values
        and {
            "positions": findings.values.positions,
            "agreeing": findings.values.agreeing,
            "scale": findings.values.scale,
            "for_x": findings.values.for_x,
            "disagreeing": [
                {"position": one.position.board, "stated": one.answer.value, "value": _encode_value(one.value)}
                for one in findings.values.disagreeing
            ],
        },
        "baseline": findings.baseline and {"name": findings.baseline.name, "worse": len(findings.worse)},
        "groups": [
            {
                "kind": group.kind,
                "canonical": group.canonical.board,
                "orientations": group.orientations,
                "failing": [verdict.position.board for verdict in group.verdicts],
                "in_play": group.in_play,
                "line": group.line,
            }
            for group in findings.groups
        ],
        "faults": [_encode_fault(findings, verdict) for verdict in findings.verdicts if verdict.fault],
    }


def _encode_fault(findings: Findings, verdict: Verdict) -> dict[str, Any]:
    position, move = verdict.position, verdict.answer.move
    return {
        "position": position.board,
        "hash": position.hash,
        "to_move": position.to_move,
        "kind": verdict.fault,
        "move": move,
        "name": None if move is None else square_name(position.rules, move),
        "best": verdict.best,
        "value": _encode_value(verdict.value),
        "played": _encode_value(verdict.played),
        "detail": verdict.answer.detail,
        "output": verdict.answer.output,
        "command": findings.command_for(verdict),
    }


def _encode_value(value: Value | None) -> dict[str, Any] | None:
    bound = {"within": value.within} if value and value.within else {}
    return value and {"category": value.category, "wdl": value.wdl, "distance": value.distance, **bound}


def _render_json(found: Findings | NotGraded) -> str:
    if isinstance(found, Findings):
        return json.dumps(encode_findings(found), indent=1)
    fields = {
        "game": found.game,
        "engine": found.engine,
        "passed": False,
        "score": found.points,
        "points": found.points,
        "most_points": found.most_points,
        "error": {
            "kind": found.kind,
            "engines_fault": found.is_engines_fault,
            "graders_fault": found.is_graders_fault,
            "message": found.message,
        },
        "seconds": round(found.seconds, 3),
    }
    return json.dumps(fields, indent=1)


def _render_gradescope(found: Findings | NotGraded) -> str:
    """Write a test for every criterion; the first test has the points.

    If the engine cannot be loaded or called, the result is 0 points and the reason. If the grader failed, or if the
    teacher decides, the result has no score, but a message for the teacher.
    """
    fields = {"execution_time": round(found.seconds, 3), "output_format": "text", "visibility": "visible"}
    headline, tests = write_headline(found), list[dict[str, Any]]()
    if isinstance(found, NotGraded) and not found.is_engines_fault:
        whose = "This is not the student's fault" if found.is_graders_fault else "The teacher decides"
        output = f"{headline}. {whose}. Teacher: {found.message}"
        return json.dumps({**fields, "output": output}, indent=2)
    for one in list_criteria(found):
        status = {} if one.met is None else {"status": "passed" if one.met else "failed"}
        tests.append({"name": one.name, "output": one.details, **status})
    points = {"score": found.points} if found.points is not None and isfinite(found.points) else {}
    tests[0] |= {**points, "max_score": found.most_points, "output": render_text(found)}
    return json.dumps({**fields, **points, "output": headline, "tests": tests}, indent=2)


def _render_junit(found: Findings | NotGraded) -> str:
    """Write a test case for every criterion; one not met but not required is skipped. The first has the time."""
    import platform  # these load slowly
    from xml.etree import ElementTree as Xml

    criteria, text = list_criteria(found), render_text(found)
    tag, kind = "failure", "verdict"
    if isinstance(found, NotGraded):
        tag, kind = "error", f"{'engine' if found.is_engines_fault else 'grader'}.{found.kind}"
    failed = [] if found.passed else [one for one in criteria if one.required and one.met is False]
    counts = {"tests": len(criteria), "failures": 0, "errors": 0, f"{tag}s": len(failed)}
    fields = {"name": f"{found.engine} on {found.game}", "timestamp": found.began.strftime("%Y-%m-%dT%H:%M:%S")}
    fields |= {"hostname": platform.node() or "localhost", **{name: str(count) for name, count in counts.items()}}
    suite = Xml.Element("testsuite", {**fields, "time": f"{found.seconds:.3f}"})
    Xml.SubElement(suite, "properties")
    for one in criteria:
        named = {"classname": f"mnk.verify.{found.game}", "name": one.name}
        case = Xml.SubElement(suite, "testcase", {**named, "time": f"{found.seconds * (one is criteria[0]):.3f}"})
        if one in failed:
            Xml.SubElement(case, tag, {"type": kind, "message": one.details}).text = text
        elif not one.met:
            Xml.SubElement(case, "skipped").text = one.details
    Xml.SubElement(suite, "system-out").text = text
    Xml.SubElement(suite, "system-err")
    Xml.indent(suite)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(suite, encoding="unicode")


# The formats by name. Each function writes findings, or the reason why nothing was graded.
FORMATS: Final[Mapping[str, Callable[[Findings | NotGraded], str]]] = {
    "text": render_text,
    "json": _render_json,
    "junit": _render_junit,
    "gradescope": _render_gradescope,
    "html": render_html,
}


_ENDINGS: Final = {".csv": "csv", ".json": "json", ".html": "html", ".xml": "junit", ".txt": "text"}


def reject_format(name: str, known: Iterable[str] = (*FORMATS, "csv")) -> str:
    """Return the message for an unknown format, which may be the name of a file."""
    form = _ENDINGS.get(Path(name).suffix.lower())
    hint = f"; for a file, write {quoted(f'{form}:{name}')}" if form else ""
    return f"There is no report format {quoted(name)}; choose one of {', '.join(known)}{hint}."


def write_report(found: Findings | NotGraded, name: str) -> str:
    """Return a report in one of the FORMATS, without a newline at the end. Raises EngineError for an unknown format."""
    if name not in FORMATS:
        raise EngineError(reject_format(name))
    return printable(FORMATS[name](found).rstrip("\n"), None)  # names and texts come from engines
