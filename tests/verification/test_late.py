"""Late positions of games without a table: their values against tables, and samples of them in reports."""

import pytest
from solver.verification.late import LateSearch, draw_late_positions

from solver.errors import EngineError, MissingTable
from solver.game.games import parse_game
from solver.game.position import Position
from solver.verification.truth import InMemoryTable, open_truth
from solver.verification.verify import verify

CONNECT_FOUR = parse_game("6,7,4,gravity")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["3,3,3", "3,3,3,gravity", "3,3,3,misere"])
def test_values_are_those_of_the_whole_solution(game: str) -> None:
    rules = parse_game(game)
    late, table = LateSearch(rules), InMemoryTable(rules)
    positions = draw_late_positions(late, 60, 0)
    assert positions
    assert [late.moves(one) for one in positions] == [table.moves(one) for one in positions]


def test_a_draw_of_positions_is_the_same_each_time_and_another_for_another_seed() -> None:
    late = LateSearch(CONNECT_FOUR)
    first = draw_late_positions(late, 20, 1)
    assert first == draw_late_positions(late, 20, 1) != draw_late_positions(late, 20, 2)
    assert len({*first}) == 20
    assert all(2 <= 42 - one.ply <= 10 and len(one.legal_moves) > 1 for one in first)
    assert all(one.to_move == "O" for one in draw_late_positions(late, 5, 1, "O"))


def test_large_games_are_asked_in_a_sample_of_late_positions() -> None:
    report = verify("random", CONNECT_FOUR, sample=30, seed=3, workers=1)
    assert report.positions == 30
    assert "a sample of 30 positions with at most 10 empty squares, each solved by search" in str(report)
    assert report.interval is not None
    assert not report.refutations


def test_an_early_position_of_a_large_game_is_refused() -> None:
    assert isinstance(open_truth(parse_game("15,15,5")), LateSearch)
    with pytest.raises(MissingTable, match="has 42 empty squares: positions with up to 10 are solved by search"):
        open_truth(CONNECT_FOUR).probe(Position.start(CONNECT_FOUR))
    with pytest.raises(EngineError, match="only a sample of late positions"):
        verify("random", CONNECT_FOUR, scope="all")
