"""`mnk learn`: a learner is trained, measured, kept and drawn."""

import json
from pathlib import Path
from xml.etree import ElementTree

from solver.engines.learner import Learner
from tests.commands import TableFile, assert_refused, mnk


def test_wrong_decisions_become_fewer(table_file: TableFile) -> None:
    data = table_file("3,3,3").parent
    result = mnk("learn", "3,3,3", "--episodes", "20000", "--draw", "0.5", "--json", "--data", data)
    curve = json.loads(result.stdout)
    assert (curve["game"], curve["decisions"]) == ("3,3,3", 4520)
    wrong = {point["episodes"]: point["wrong"] for point in curve["points"]}
    assert wrong[20000] < wrong[1000] < wrong[0]


def test_a_learner_is_kept_and_drawn(table_file: TableFile, tmp_path: Path) -> None:
    data = table_file("3,3,3").parent
    kept, drawn = tmp_path / "td.npz", tmp_path / "curve.svg"
    result = mnk("learn", "3,3,3", "--episodes", "50", "--save", kept, "-o", drawn, "--data", data)
    assert result.stdout.splitlines()[0].startswith("3,3,3: wrong decisions of 4,520")
    first = [line.split()[0] for line in result.stdout.splitlines()[2:]]
    assert first == ["episodes", "0", "1", "2", "5", "10", "20", "50"]
    assert Learner.load(kept).episodes == 50
    assert ElementTree.parse(drawn).getroot().tag.endswith("svg")


def test_what_can_not_be_learned_is_refused(table_file: TableFile, tmp_path: Path) -> None:
    data = table_file("3,3,3").parent
    assert_refused(mnk("learn", "5,5,4", "--data", data), 2, "16 squares")
    assert_refused(mnk("learn", "2,2,2", "--data", tmp_path), 3, "mnk build 2,2,2")
    absent = tmp_path / "absent" / "curve.svg"
    assert_refused(mnk("learn", "3,3,3", "--episodes", "1", "-o", absent, "--data", data), 5, "can't be written")
