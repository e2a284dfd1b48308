"""A report as JUnit XML, which continuous-integration servers show: a test case for every question.

Only what the pass requires can fail; of the other questions the answer is in `system-out`.
"""

from xml.etree import ElementTree as Xml

from solver.verification.checks import checks_of
from solver.verification.formats.as_text import render as as_text
from solver.verification.report import Report

__all__ = ["render"]


def render(report: Report) -> str:
    """The report as a `testsuites` element."""
    checks = checks_of(report)
    failed = [check for check in checks if check.required and check.passed is False and not report.passed]
    name = f"{report.engine} on {report.rules}"
    counts = {"tests": str(len(checks)), "failures": str(len(failed)), "errors": "0"}
    root = Xml.Element("testsuites", counts)
    suite = Xml.SubElement(root, "testsuite", {"name": name, **counts, "time": f"{report.seconds:.3f}"})
    properties = Xml.SubElement(suite, "properties")
    for key, value in {"score": f"{report.score:.6f}", "convention": report.convention}.items():
        Xml.SubElement(properties, "property", {"name": key, "value": _printable(value)})
    for check in checks:
        case = Xml.SubElement(suite, "testcase", {"classname": f"mnk.verify.{report.rules}", "name": check.name})
        if check in failed:
            Xml.SubElement(case, "failure", {"message": _printable(check.words)}).text = _printable(as_text(report))
        else:
            Xml.SubElement(case, "system-out").text = _printable(f"{check.mark}: {check.words}")
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode")


def _printable(text: str) -> str:
    """Text without the control characters that XML can't hold."""
    return "".join(sign if sign >= " " or sign in "\n\t" else " " for sign in text)
