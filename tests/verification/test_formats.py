"""The formats of a report, as other programs read them."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from solver.errors import GraderError, MissingExtra, MissingTable, StorageError, TooSlow
from solver.game.games import parse_game
from solver.game.position import Position
from solver.verification.answer import EngineAnswer, Failure
from solver.verification.findings import NotGraded
from solver.verification.formats import FORMATS, write_report
from solver.verification.sandbox import NoSandbox
from solver.verification.text import list_criteria
from solver.verification.verify import Report, verify
from tests.verification.fakes import THREE, FakeEngine, first, graded, minimax
from tests.verification.referee import FAILURES, FAULTS

KEYS = """game engine passed score points most_points random_player confidence_95 positions counted wrong counts fastest
takes_wins_in_one perfect_side convention isolation notes scope seconds play values baseline groups faults"""


def test_json_has_the_figures_that_scripts_look_for(bad: Report) -> None:
    facts = json.loads(bad.format("json"))
    assert [*facts] == KEYS.split()
    assert (facts["game"], facts["engine"], facts["positions"], facts["counted"]) == ("3,3,3", "first", 4520, 3191)
    assert facts["wrong"] == sum(facts["counts"][kind] for kind in (*FAULTS, *FAILURES)) == len(facts["faults"]) == 1869
    assert [found["beaten"] for found in facts["play"].values()] == [True, True]
    assert facts["score"] == float(bad)
    assert facts["play"]["X"]["names"] == ["a1", "b1", "c1", "b2", "a2", "b3"]


def test_every_fault_of_the_json_can_be_checked_by_hand(odd: Report) -> None:
    faults = json.loads(odd.format("json"))["faults"]
    assert {fault["kind"] for fault in faults} == {"win_to_loss", "exception"}
    for fault in faults:
        assert Position.parse(THREE, fault["hash"]).board == fault["position"]
        assert fault["command"].endswith(f"at='{fault['position']}')")
    [blunder] = [fault for fault in faults if fault["kind"] == "win_to_loss"]
    assert (blunder["move"], blunder["name"], blunder["best"]) == (6, "a3", [2])


def test_junit_fails_only_where_the_pass_is_at_stake(good: Report, bad: Report, odd: Report) -> None:
    for report, failures in ((good, 0), (bad, 3), (odd, 3)):
        suite = Xml.fromstring(report.format("junit"))
        assert int(suite.attrib["failures"]) == len(suite.findall(".//failure")) == failures
        assert int(suite.attrib["tests"]) == len(suite.findall(".//testcase"))
    suite = Xml.fromstring(graded(minimax).format("junit"))
    skipped = [case.attrib["name"] for case in suite if case.findtext("skipped")]
    assert (suite.attrib["failures"], skipped) == ("0", ["shortest win, longest defence", "takes every win in one"])


ANT = {  # the attributes that the schemas of Ant and of Jenkins both know, in the words of the first
    "testsuite": "name timestamp hostname tests failures errors time",
    "testcase": "classname name time",
    "failure": "type message",
    "error": "type message",
}


def check_junit(written: str) -> None:
    """Check the order of elements and the attributes that the schemas of Ant and Jenkins require."""
    suite = Xml.fromstring(written)
    assert suite.tag == "testsuite"
    kinds = [child.tag for child in suite]
    cases = suite[1:-2]
    assert kinds == ["properties", *["testcase"] * len(cases), "system-out", "system-err"]
    for element in suite.iter():
        assert [*element.attrib] == ANT.get(element.tag, "").split(), element.tag
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.attrib["timestamp"])
    times = [float(case.attrib["time"]) for case in cases]
    assert float(suite.attrib["time"]) == pytest.approx(sum(times), abs=0.001)
    assert int(suite.attrib["tests"]) == len(times) > 0
    assert all([child.tag for child in case] in ([], ["skipped"], ["failure"], ["error"]) for case in cases)


def test_junit_follows_the_schemas_of_ant_and_jenkins(good: Report, bad: Report, odd: Report) -> None:
    for report in (good, bad, odd):
        check_junit(report.format("junit"))
        assert f'time="{report.seconds:.3f}"' in report.format("junit")
        assert report.seconds > 0


def check_gradescope(written: str) -> dict[str, Any]:
    """Check https://gradescope-autograders.readthedocs.io/en/latest/specs/, and return the results."""
    results = json.loads(written)
    formats = {"text", "html", "simple_format", "md", "ansi"}
    visible = {"hidden", "after_due_date", "after_published", "visible"}
    known: dict[str, Any] = {
        "score": float, "execution_time": float, "output": str, "output_format": formats, "visibility": visible,
        "tests": list,
    }  # fmt: skip
    of_test: dict[str, Any] = {
        "score": float, "max_score": float, "status": {"passed", "failed"}, "name": str, "output": str,
    }  # fmt: skip
    for given, allowed in ((results, known), *((test, of_test) for test in results["tests"])):
        for key, value in given.items():
            kind = allowed[key]
            assert value in kind if isinstance(kind, set) else isinstance(value, kind), key
    scored = [test for test in results["tests"] if "score" in test]
    assert sum(test["score"] for test in scored) == results["score"]
    assert all(0 <= test["score"] <= test["max_score"] for test in scored)
    assert isinstance(results, dict)
    return results


SENTENCE = "agent.py can't be read: <b> & | `x` \x07 \ud800 'é'."
NOT_GRADED = NotGraded(
    "3,3,3", "agent.py:best", SENTENCE, "EngineError", True, 20.0, 1.5, datetime(2026, 11, 22, tzinfo=UTC)
)
OUR_FAULT = replace(NOT_GRADED, is_engines_fault=False, kind="NoSandbox", is_graders_fault=True)
NOBODYS = NotGraded.after(GraderError(SENTENCE), SENTENCE, "3,3,3", "agent.py:best", most_points=20.0)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("found", [NOT_GRADED, OUR_FAULT, NOBODYS])
def test_every_format_states_why_nothing_was_graded(name: str, found: NotGraded) -> None:
    written = write_report(found, name)
    assert written.strip() == written
    written.encode()
    for part in ("agent.py:best", "be read"):
        assert part in written.replace("\\", "")


def test_an_unusable_engine_has_zero_points_and_a_fault_of_the_grader_no_score() -> None:
    results = check_gradescope(write_report(NOT_GRADED, "gradescope"))
    [test] = results["tests"]
    assert (results["score"], test["max_score"], test["status"]) == (0, 20, "failed")
    assert "can't be read" in test["output"]
    ours = json.loads(write_report(OUR_FAULT, "gradescope"))
    assert "score" not in ours
    assert "tests" not in ours
    assert "can't be read" in ours["output"]
    assert [json.loads(write_report(found, "json"))["points"] for found in (NOT_GRADED, OUR_FAULT)] == [0, None]


def test_only_a_failure_of_the_grader_itself_is_said_not_to_be_the_students_fault() -> None:
    for error, is_ours in (
        (NoSandbox("-"), True), (MissingTable("-"), True), (StorageError("-"), True), (MissingExtra("-"), True),
        (GraderError("-"), False), (TooSlow("-"), False), (KeyboardInterrupt(), False), (OSError("-"), False),
    ):  # fmt: skip
        found = NotGraded.after(error, "Why.", "3,3,3", "agent.py")
        assert json.loads(write_report(found, "json"))["error"]["graders_fault"] is is_ours
        said = json.loads(write_report(found, "gradescope"))
        assert ("score" in said, "tests" in said) == (False, False)
        whose = "This is not the student's fault" if is_ours else "The teacher decides"
        assert said["output"] == f"agent.py on 3,3,3: not graded. {whose}. Teacher: Why."


@pytest.mark.parametrize("name", ["text", "html", "gradescope"])
def test_a_zero_is_said_to_be_one(name: str) -> None:
    assert "not graded, 0 of 20 points" in write_report(NOT_GRADED, name)
    assert "points" not in write_report(OUR_FAULT, name)
    assert "points" not in write_report(NOBODYS, name)


def test_junit_has_an_error_for_an_engine_that_was_not_graded() -> None:
    for found, kind in ((NOT_GRADED, "engine.EngineError"), (OUR_FAULT, "grader.NoSandbox")):
        written = write_report(found, "junit")
        check_junit(written)
        suite = Xml.fromstring(written)
        assert (suite.attrib["errors"], suite.attrib["failures"], suite.attrib["time"]) == ("1", "0", "1.500")
        assert suite.attrib["timestamp"] == "2026-11-22T00:00:00"
        assert [error.attrib["type"] for error in suite.iter("error")] == [kind]


def test_points_are_rounded_down(odd: Report, bad: Report) -> None:
    assert replace(odd, most_points=1.0).points < 1
    assert replace(odd, most_points=0.0001).points == 0
    assert "20 points" in replace(bad, most_points=20.0).format("text")
    results = check_gradescope(replace(bad, most_points=20.0).format("gradescope"))
    assert results["score"] == pytest.approx(20 * float(bad), abs=1e-4)
    assert results["tests"][0]["max_score"] == 20


def test_html_is_one_small_page_that_escapes_what_it_shows(odd: Report, bad: Report) -> None:
    class Tags(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.open: list[str] = []
            self.seen: list[str] = []

        def handle_starttag(self, tag: str, attrs: object) -> None:
            self.seen.append(tag)
            if tag not in {"meta", "br", "rect", "circle", "path"}:
                self.open.append(tag)

        def handle_endtag(self, tag: str) -> None:
            if tag in self.open:
                assert self.open.pop() == tag

    for report in (odd, bad, every_failure()):
        parser, page = Tags(), report.format("html")
        parser.feed(page)
        assert parser.open == []
        assert parser.seen.count("section") == min(12, len(report.groups))
        assert "src=" not in page
        assert len(page.encode()) < 60_000
        piece = report._repr_html_()
        assert piece.count("<section") == min(2, len(report.groups))
        assert "<style" not in piece
        assert piece.count("<tr>") == len(list_criteria(report)) + 1


@cache
def every_failure() -> Report:
    """An engine that fails in every way, with long messages."""
    kinds = [*Failure]

    def mind(position: Position) -> int | EngineAnswer:
        kind = kinds[position.ply % 6] if position.ply % 6 < len(kinds) and position.x & 1 else None
        return EngineAnswer(None, kind, "word " * 50, output="line\n" * 50) if kind else first(position)

    engine = FakeEngine(mind)
    engine.isolation, engine.gave_up = "in processes of its own", True
    return verify(engine, THREE)


def test_the_text_fits_on_a_screen(odd: Report, bad: Report) -> None:
    for report in (odd, bad, every_failure(), graded(minimax)):
        assert len(str(report).splitlines()) <= 40


def test_a_crash_shows_the_first_and_last_lines_of_its_output() -> None:
    """The error may be near the start: node ends with a long trace and its version."""
    crash = EngineAnswer(None, Failure.CRASH, "it ended", output="\n".join(f"line {number}" for number in range(30)))
    lines = str(verify(FakeEngine(lambda _: crash), THREE)).splitlines()
    assert [line.split()[-1] for line in lines if "it printed" in line] == [
        *map(str, range(9)),
        "...",
        *map(str, range(24, 30)),
    ]


def test_the_text_reports_where_how_badly_and_why(odd: Report) -> None:
    text = str(odd)
    for part in (
        "mind on 3,3,3: wrong in 2 of 4,520 positions", "Asked as: as positions", "1 exception, 1 win to loss",
        "1. Win to loss, in 1 of 8 orientations", "X plays a3; best: c1 (win in 1)", "Then O c2, O wins",
        "Exception in 1 position, such as X../.../...", "ValueError: <b> & |",
        "solver.verify(mind, '3,3,3', at='XX./OO./...')",
        "Failed: it keeps the value in 99.96% of the positions asked.",
    ):  # fmt: skip
        assert part in text


@pytest.mark.sampled
@pytest.mark.parametrize("name", FORMATS)
def test_every_report_has_every_format(name: str, good: Report, bad: Report, odd: Report) -> None:
    given = verify(FakeEngine(first), THREE, at="start")
    for report in (good, bad, odd, given):
        text = report.format(name)
        assert text.strip() == text
        assert report.engine in text


def test_the_boards_of_a_plane_have_its_lines() -> None:
    rules = parse_game("fano")
    report = verify(FakeEngine(first), rules)
    assert report.groups
    assert report.format("html").count(" 0 0 1 ") >= 3  # the arcs of the circle of the Fano plane
