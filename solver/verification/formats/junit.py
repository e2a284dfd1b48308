"""Write JUnit XML, which continuous-integration servers show: a test case for every criterion.

The schemas of Apache Ant and of Jenkins are both met: Ant's wants an order of elements, the time and the host, and
Jenkins' no other elements than its own.
"""

import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from xml.etree import ElementTree as Xml

from solver.verification.criteria import list_criteria
from solver.verification.findings import Findings, Unverified
from solver.verification.formats.text import render_text

_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, section 2.2
_PACKAGE: Final = "mnk.verify"


@dataclass(frozen=True)
class _Case:
    """One test."""

    name: str
    seconds: float = 0.0
    kind: str = ""
    """`failure`, `error`, or nothing where the test passes."""
    type: str = ""
    message: str = ""
    text: str = ""


def render_junit(findings: Findings) -> str:
    """Write a case for every criterion, all on the positions that the first has asked, so that it has their time.

    Only what the pass requires can fail; what became of the others is told in the text of the suite.
    """
    text, cases = render_text(findings), list[_Case]()
    for one in list_criteria(findings):
        seconds = 0.0 if cases else findings.seconds
        if one.required and one.met is False and not findings.passed:
            first = not any(case.kind for case in cases)
            cases.append(_Case(one.name, seconds, "failure", "verdict", one.details, text if first else one.details))
        else:
            cases.append(_Case(one.name, seconds))
    properties = {
        "score": f"{findings.score:.6f}",
        "score.critical": f"{findings.scores['critical'].share:.6f}",
        "points": f"{findings.points:g}",
        "convention": findings.convention,
    }
    return _write_suite(findings.rules.name, findings.engine, cases, findings.began, properties, text)


def render_junit_error(unverified: Unverified) -> str:
    """Write one case, which has an error."""
    message = unverified.message
    case = _Case("is verified", unverified.seconds, "error", unverified.kind, message, message)
    return _write_suite(unverified.game, unverified.engine, [case], unverified.began, {"points": "0"}, message)


def _write_suite(
    game: str, engine: str, cases: Sequence[_Case], began: datetime, properties: dict[str, str], text: str
) -> str:
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
        _add_case(suite, f"{_PACKAGE}.{game}", case)
    Xml.SubElement(suite, "system-out").text = _clean(text)
    Xml.SubElement(suite, "system-err")
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode")


def _add_case(suite: Xml.Element, group: str, case: _Case) -> None:
    names = {"classname": group, "name": case.name, "time": f"{case.seconds:.3f}"}
    element = Xml.SubElement(suite, "testcase", names)
    if case.kind:
        found = Xml.SubElement(element, case.kind, {"type": case.type, "message": _clean(case.message)})
        found.text = _clean(case.text)


def _clean(text: str) -> str:
    """Replace what XML can't hold by spaces."""
    return _NO_XML.sub(" ", text)
