"""Exploring an engine's play: all of it, or until the search is cut off."""

from solver.game.position import Position
from solver.verification.answer_cache import AnswerCache
from solver.verification.play_tree import explore_play
from solver.verification.verify import verify
from tests.verification.fakes import THREE, FakeEngine, first, perfect


def test_its_play_is_every_position_that_it_can_be_led_to() -> None:
    tested = FakeEngine(perfect)
    report = verify(tested, THREE, scope="play")
    reached = {side: {Position.start(THREE)} for side in "XO"}
    for side, seen in reached.items():
        queue = list(seen)
        for position in queue:
            moves = [perfect(position)] if position.to_move == side else position.legal_moves
            new = {position.play(move) for move in moves if not position.play(move).is_over} - seen
            seen.update(new)
            queue += new
    expected = {p for side, seen in reached.items() for p in seen if p.to_move == side}
    assert {verdict.position for verdict in report.verdicts} == expected == set(tested.asked)
    assert len(tested.asked) == len(expected)


def test_a_search_that_is_cut_off_claims_nothing() -> None:
    cut = explore_play(THREE, "X", AnswerCache(FakeEngine(perfect)), 5)
    assert not cut.complete
    assert cut.find_loss() is None
    assert len(cut.asked) <= 5
    early = explore_play(THREE, "X", AnswerCache(FakeEngine(first)), until_beaten=True)
    assert early.find_loss() is not None
    assert not early.complete
