"""Write the findings as JUnit XML, which continuous-integration servers show: a test case for every criterion.

Only what the pass requires can fail; the results of the other criteria are in `system-out`.
"""

from xml.etree import ElementTree as Xml

from solver.verification.criteria import list_criteria
from solver.verification.findings import Findings
from solver.verification.formats.as_text import render as render_text


def render(findings: Findings) -> str:
    """Write a `testsuites` element."""
    criteria = list_criteria(findings)
    failed = [one for one in criteria if one.required and one.met is False and not findings.passed]
    name = f"{findings.engine} on {findings.rules}"
    counts = {"tests": str(len(criteria)), "failures": str(len(failed)), "errors": "0"}
    root = Xml.Element("testsuites", counts)
    suite = Xml.SubElement(root, "testsuite", {"name": name, **counts, "time": f"{findings.seconds:.3f}"})
    properties = Xml.SubElement(suite, "properties")
    for key, value in {"score": f"{findings.score:.6f}", "convention": findings.convention}.items():
        Xml.SubElement(properties, "property", {"name": key, "value": _replace_controls(value)})
    for one in criteria:
        case = Xml.SubElement(suite, "testcase", {"classname": f"mnk.verify.{findings.rules}", "name": one.name})
        if one in failed:
            failure = Xml.SubElement(case, "failure", {"message": _replace_controls(one.details)})
            failure.text = _replace_controls(render_text(findings))
        else:
            Xml.SubElement(case, "system-out").text = _replace_controls(f"{one.mark}: {one.details}")
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode")


def _replace_controls(text: str) -> str:
    """Replace the control characters that XML can't hold by spaces."""
    return "".join(sign if sign >= " " or sign in "\n\t" else " " for sign in text)
