"""Write a report for programs: JSON, JUnit XML and Gradescope's results.json; list the formats.

The XML is valid under the schemas of both Apache Ant and Jenkins: Ant's requires the time, the host and an order of
elements, and Jenkins' forbids additional elements. Gradescope's format is described at
https://gradescope-autograders.readthedocs.io/en/latest/specs/.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final

from solver.errors import EngineError, quoted
from solver.game.notation import square_name
from solver.game.value import Value
from solver.verification.findings import Findings, NotGraded
from solver.verification.grade import SEVERITY, Verdict
from solver.verification.text import list_criteria, render_text, write_headline, write_scope

_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, section 2.2
_PACKAGE: Final = "mnk.verify"


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
        "score": findings.score,
        "points": findings.points,
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
        "violations": findings.violations,
        "convention": findings.convention,
        "isolation": findings.isolation,
        "notes": findings.notes,
        "scope": {**asdict(findings.scope), "words": write_scope(findings)},
        "seconds": round(findings.seconds, 3),
        "play": play,
        "values": findings.values and asdict(findings.values),
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
        "played": verdict.played and _encode_value(verdict.played),
        "detail": verdict.answer.detail,
        "output": verdict.answer.output,
        "command": findings.command_for(verdict),
    }


def _encode_value(value: Value) -> dict[str, Any]:
    return {"category": value.category, "wdl": value.wdl, "distance": value.distance}


def _render_json(found: Findings | NotGraded) -> str:
    if isinstance(found, Findings):
        return json.dumps(encode_findings(found), indent=1)
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


def _render_gradescope(found: Findings | NotGraded) -> str:
    """Write a test for every criterion; the first test has the points.

    If the engine cannot be loaded or called, the result is 0 points and the reason. If the grader failed, the result
    has no score and a message to the teacher.
    """
    results: dict[str, Any] = {
        "execution_time": round(found.seconds, 3),
        "output_format": "text",
        "visibility": "visible",
    }
    if isinstance(found, Findings):
        tests: list[dict[str, Any]] = []
        for one in list_criteria(found):
            status = {} if one.met is None else {"status": "passed" if one.met else "failed"}
            tests.append({"name": one.name, "output": one.details, **status})
        tests[0] |= {"score": found.points, "max_score": found.most_points, "output": render_text(found)}
        results |= {"score": found.points, "output": write_headline(found), "tests": tests}
    elif found.is_engines_fault:
        test = {"name": "can be asked", "output": found.message, "status": "failed"}
        results |= {"score": 0.0, "output": found.headline}
        results["tests"] = [{**test, "score": 0.0, "max_score": found.most_points}]
    else:
        results["output"] = f"{found.headline}. This is not the student's fault. Teacher: {found.message}"
    return json.dumps(results, indent=2)


def _render_junit(found: Findings | NotGraded) -> str:
    """Write a test case for every criterion; only required criteria can fail."""
    import platform  # these load slowly
    from xml.etree import ElementTree as Xml

    # The name of each case with its problem, if it has one: failure or error, its type, a message and a text.
    cases: list[tuple[str, tuple[str, str, str, str] | None]] = []
    if isinstance(found, NotGraded):
        game, text, properties = found.game, found.message, {"graded": "no"}
        kind = f"{'engine' if found.is_engines_fault else 'grader'}.{found.kind}"
        cases.append(("is graded", ("error", kind, text, text)))
    else:
        game, text = found.rules.name, render_text(found)
        properties = {"score": f"{found.score:.6f}", "points": f"{found.points:g}", "convention": found.convention}
        for one in list_criteria(found):
            fails = one.required and one.met is False and not found.passed
            said = one.details if cases else text
            cases.append((one.name, ("failure", "verdict", one.details, said) if fails else None))
    problems = [problem[0] for _, problem in cases if problem]
    facts = {
        "name": f"{found.engine} on {game}",
        "package": _PACKAGE,
        "id": "0",
        "timestamp": found.began.strftime("%Y-%m-%dT%H:%M:%S"),
        "hostname": platform.node() or "localhost",
        "tests": str(len(cases)),
        "failures": str(problems.count("failure")),
        "errors": str(problems.count("error")),
        "time": f"{found.seconds:.3f}",
    }
    root = Xml.Element("testsuites")
    suite = Xml.SubElement(root, "testsuite", {name: _clean(value) for name, value in facts.items()})
    listed = Xml.SubElement(suite, "properties")
    for name, value in properties.items():
        Xml.SubElement(listed, "property", {"name": name, "value": _clean(value)})
    for number, (name, problem) in enumerate(cases):
        time = f"{0.0 if number else found.seconds:.3f}"  # the first case has the time of all
        case = Xml.SubElement(suite, "testcase", {"classname": f"{_PACKAGE}.{game}", "name": name, "time": time})
        if problem:
            tag, kind, message, content = problem
            Xml.SubElement(case, tag, {"type": kind, "message": _clean(message)}).text = _clean(content)
    Xml.SubElement(suite, "system-out").text = _clean(text)
    Xml.SubElement(suite, "system-err")
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode")


def _clean(text: str) -> str:
    """Replace characters that XML cannot contain with spaces."""
    return _NO_XML.sub(" ", text)


def _render_html(found: Findings | NotGraded) -> str:
    from solver.verification.report_page import render_html  # loads the drawing code

    return render_html(found)


FORMATS: Final[Mapping[str, Callable[[Findings | NotGraded], str]]] = {
    "text": render_text,
    "json": _render_json,
    "junit": _render_junit,
    "gradescope": _render_gradescope,
    "html": _render_html,
}
"""The formats by name. Each function writes findings, or the reason why nothing was graded."""


def write_report(found: Findings | NotGraded, name: str) -> str:
    """Write a report in one of the FORMATS, without a newline at the end. Raises EngineError for another name."""
    if name not in FORMATS:
        raise EngineError(f"There is no report format {quoted(name)}; choose one of {', '.join(FORMATS)}.")
    # Text that UTF-8 can't hold, such as half of a surrogate pair that an engine returned, is escaped.
    return FORMATS[name](found).rstrip("\n").encode("utf-8", "backslashreplace").decode("utf-8")
