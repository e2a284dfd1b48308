"""How an engine is beaten: the tree of its play, the shortest line, the proof that there is none."""

from fractions import Fraction

import pytest
from solver.verification.contract import Answer, AnswerCache, Failure

from solver.engines.results import MatchScore
from solver.game.games import parse_game
from solver.game.position import Position
from solver.verification import verify as module
from solver.verification.refutation import PlayTree, explore_play
from solver.verification.verify import verify
from tests.verification.fakes import THREE, FakeEngine, Mind, first, minimax, perfect, spoiled


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


def shortest_loss(position: Position, side: str, mind: Mind) -> int:
    """The plies to a loss of `side`, 99 where there is none: a plain recursion, as a witness."""
    if position.is_over:
        return 0 if position.outcome == ("O" if side == "X" else "X") else 99
    moves = [mind(position)] if position.to_move == side else list(position.legal_moves)
    return 1 + min(shortest_loss(position.play(move), side, mind) for move in moves if isinstance(move, int))


@pytest.mark.parametrize("side", ["X", "O"])
def test_the_line_is_the_shortest_and_can_be_played(side: str) -> None:
    refutation = verify(FakeEngine(first), THREE).refutations[side]
    assert refutation.beaten
    assert refutation.line is not None
    position = Position.start(THREE)
    for move in refutation.line:
        if position.to_move == side:
            assert move == first(position)
        position = position.play(move)
    assert position.outcome == ("O" if side == "X" else "X")
    assert len(refutation.line) == shortest_loss(Position.start(THREE), side, first)


def test_the_move_that_loses_is_marked() -> None:
    report = verify(FakeEngine(first), THREE)
    assert "lost in 6 plies: X a1, O b1, X c1?, O b2, X a2?, O b3, O wins" in str(report)
    assert report.refutations["X"].mistakes == (2, 4)
    assert verify(FakeEngine(perfect), THREE).refutations["X"].mistakes == ()


def test_there_is_a_proof_that_minimax_is_unbeaten() -> None:
    report = verify(FakeEngine(minimax), THREE, scope="play")
    for refutation in report.refutations.values():
        assert (refutation.beaten, refutation.complete, refutation.line) == (False, True, None)
    facts = report.json()
    assert (facts["beaten_as_x"], facts["beaten_as_o"]) == (False, False)


def test_an_unbeaten_engine_may_blunder_where_its_own_games_never_lead() -> None:
    mind = spoiled("OX./..X/...", 2)  # it opens elsewhere
    report = verify(FakeEngine(mind), THREE)
    assert report.blunders == 1
    assert not report.refutations["X"].beaten
    assert report.groups[0].in_play == (Position.parse(THREE, "OX./..X/...") in set(play_tree(mind, "O").asked))


def play_tree(mind: Mind, side: str) -> PlayTree:
    return explore_play(THREE, side, AnswerCache(FakeEngine(mind)))


def test_no_move_at_all_forfeits_the_game() -> None:
    def mind(position: Position) -> int | Answer:
        return Answer(None, Failure.EXCEPTION, "IndexError") if position.ply == 2 else perfect(position)

    refutation = verify(FakeEngine(mind), THREE).refutations["X"]
    assert (refutation.beaten, refutation.forfeit) == (True, Failure.EXCEPTION)
    assert refutation.line is not None
    assert len(refutation.line) == 2


def test_a_game_that_is_lost_anyway_is_not_held_against_the_engine() -> None:
    rules = parse_game("3,3,2")
    report = verify(FakeEngine(perfect, rules=rules), rules)
    assert report.refutations["O"].beaten
    assert report.refutations["O"].lost_anyway
    assert report.passed
    assert "lost for O anyway" in str(report)


def test_what_to_expect_from_an_engine_that_chooses_at_random() -> None:
    # As X on two squares in a row of three it plays each of its two answers half of the time.
    rules = parse_game("1,3,2")

    def mind(position: Position) -> Answer:
        moves = position.legal_moves
        return Answer(moves[0], others=(Answer(moves[-1]),))

    refutation = verify(FakeEngine(mind, rules=rules), rules).refutations["X"]
    # After a1 (or c1) the best reply is b1, and then the last square draws.
    assert refutation.expected is not None
    assert refutation.expected == MatchScore(draws=Fraction(1))
    as_o = verify(FakeEngine(mind, rules=rules), rules).refutations["O"]
    # X begins in the middle and wins with either square that is left.
    assert as_o.expected is not None
    assert as_o.expected == MatchScore(losses=Fraction(1))


def test_the_expectation_weighs_its_answers_by_how_often_they_came() -> None:
    rules = parse_game("1,3,2")

    def mind(position: Position) -> Answer:
        return Answer(1, others=(Answer(1), Answer(0))) if position.ply == 0 else Answer(position.legal_moves[0])

    refutation = verify(FakeEngine(mind, rules=rules), rules).refutations["X"]
    # The middle wins, a1 draws: two of three times it plays the middle.
    assert refutation.expected is not None
    assert refutation.expected == MatchScore(Fraction(2, 3), Fraction(1, 3))


def test_one_of_our_random_engines_is_expected_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = parse_game("1,3,2")
    tested = FakeEngine(first, rules=rules)
    monkeypatch.setattr(module, "open_engine", lambda *_, **__: tested)
    refutations = verify("random", rules).refutations
    # As X it wins if it begins in the middle (1/3); as O, after X's middle, it loses.
    assert refutations["X"].expected == MatchScore(Fraction(1, 3), Fraction(2, 3))
    assert refutations["O"].expected == MatchScore(losses=Fraction(1))
    assert refutations["X"].exact
    assert not verify(tested, rules).refutations["X"].exact
