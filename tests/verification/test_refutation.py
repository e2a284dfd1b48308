"""How an engine is beaten: the tree of its play, the shortest line, the proof that none exists."""

import pytest

from solver.game.games import parse_game
from solver.game.position import Position
from solver.verification.answer import EngineAnswer, Failure
from solver.verification.refutation import find_refutation
from solver.verification.verify import Report, verify
from tests.verification import referee
from tests.verification.fakes import THREE, FakeEngine, first, graded, minimax, perfect, solved, spoiled

GAME = referee.THREE


@pytest.mark.parametrize("side", ["X", "O"])
def test_the_tree_of_play_has_every_reachable_position(side: str) -> None:
    tested = FakeEngine(perfect)
    _, asked = find_refutation(solved(), THREE, side, tested)
    seen = {Position.start(THREE)}
    queue = [*seen]
    for position in queue:
        moves = [perfect(position)] if position.to_move == side else position.legal_moves
        new = {position.play(move) for move in moves if not position.play(move).is_over} - seen
        seen.update(new)
        queue += new
    assert {*asked} == {position for position in seen if position.to_move == side} == {*tested.asked}
    assert len(tested.asked) == len({*tested.asked})


def test_a_search_that_is_cut_off_claims_nothing() -> None:
    cut, asked = find_refutation(solved(), THREE, "X", FakeEngine(perfect), 5)
    assert (cut.complete, cut.beaten, len(asked) <= 5) == (False, None, True)
    early, _ = find_refutation(solved(), THREE, "X", FakeEngine(first), 2000)
    assert (early.beaten, early.complete) == (True, False)


@pytest.mark.parametrize("side", ["X", "O"])
def test_the_line_is_the_shortest_and_can_be_played(side: str, bad: Report) -> None:
    refutation = bad.refutations[side]
    assert refutation.beaten
    assert refutation.line is not None
    position = Position.start(THREE)
    for move in refutation.line:
        if position.to_move == side:
            assert move == first(position)
        position = position.play(move)
    assert position.outcome == ("O" if side == "X" else "X")
    assert len(refutation.line) == GAME.shortest_loss(GAME.first, side)


def test_the_move_that_loses_is_marked(good: Report, bad: Report) -> None:
    assert "lost in 6 plies: X a1, O b1, X c1?, O b2, X a2?, O b3, O wins" in str(bad)
    assert bad.refutations["X"].mistakes == (2, 4)
    assert good.refutations["X"].mistakes == ()


def test_there_is_a_proof_that_minimax_is_unbeaten() -> None:
    report = graded(minimax)
    for refutation in report.refutations.values():
        assert (refutation.beaten, refutation.complete, refutation.line) == (False, True, None)
    assert [found["proof"] for found in report.json()["play"].values()] == [True, True]


def test_an_unbeaten_engine_may_blunder_where_its_own_games_never_lead() -> None:
    mind = spoiled("OX./..X/...", 2)  # it opens elsewhere
    report = verify(FakeEngine(mind), THREE)
    assert report.wrong == 1
    assert not report.refutations["X"].beaten
    _, asked = find_refutation(solved(), THREE, "O", FakeEngine(mind))
    assert report.groups[0].in_play == (Position.parse(THREE, "OX./..X/...") in asked)


def test_no_move_at_all_forfeits_the_game() -> None:
    def mind(position: Position) -> int | EngineAnswer:
        return EngineAnswer(None, Failure.EXCEPTION, "IndexError") if position.ply == 2 else perfect(position)

    refutation = verify(FakeEngine(mind), THREE).refutations["X"]
    assert (refutation.beaten, refutation.forfeit) == (True, Failure.EXCEPTION)
    assert refutation.line is not None
    assert len(refutation.line) == 2


def test_a_game_that_is_lost_anyway_is_not_held_against_the_engine() -> None:
    rules = parse_game("3,3,2")
    report = verify(FakeEngine(perfect), rules)
    assert report.refutations["O"].beaten
    assert report.refutations["O"].lost_anyway
    assert report.passed
    assert "unbeaten as O                  ?" in str(report)
