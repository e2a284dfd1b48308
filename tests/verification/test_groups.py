"""Blunders grouped by symmetry."""

from solver.verification.grade import Blunder
from solver.verification.verify import verify
from tests.verification.fakes import THREE, FakeEngine, first, spoiled


def test_errors_in_one_orientation_are_found_and_named() -> None:
    report = verify(FakeEngine(spoiled("X../.O./..X", 2)), THREE)
    [group] = report.groups
    assert (group.kind, group.orientations, len(group.verdicts)) == (Blunder.DRAW_TO_LOSS, 2, 1)
    assert group.example.position.board == "X../.O./..X"
    assert group.asked == 2
    alone = verify(FakeEngine(spoiled("X../.O./..X", 2)), THREE, at="X../.O./..X")
    assert "in 1 of 1 orientation asked, of 2" in str(alone)
    end = group.example.position.play(2)
    for move in group.line:
        end = end.play(move)
    assert end.outcome == "X"


def test_the_orientations_of_a_group_are_images_of_each_other() -> None:
    report = verify(FakeEngine(first), THREE)
    assert sum(len(group.verdicts) for group in report.groups) == report.blunders
    for group in report.groups:
        assert 1 <= len(group.verdicts) <= group.orientations <= 8
        assert {verdict.position.canonical() for verdict in group.verdicts} == {group.canonical}
        assert {verdict.fault for verdict in group.verdicts} == {group.kind}
