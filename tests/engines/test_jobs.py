"""Matches in several processes: the same games, and engines that never answer."""

import pytest

from solver.engines.match import Terms, play_match
from solver.engines.playing import GameRecord
from solver.errors import EngineError, EngineFailed
from solver.game.games import parse_game
from solver.game.position import Position
from tests.faulty_engines import installed_faulty_engines

__all__ = ["installed_faulty_engines"]

START = Position.start(parse_game("3,3,3"))


def records(first: str, second: str, terms: Terms, processes: int) -> list[GameRecord]:
    """The games of a match, in the order in which they are reported."""
    found: list[GameRecord] = []
    play_match([first, second], terms, processes=processes, watch=lambda record, _: found.append(record))
    return found


@pytest.mark.slow
def test_any_number_of_processes_plays_the_same_games() -> None:
    terms = Terms(START, games=150, swap=True, random_plies=1, seed=4)
    alone, many = records("random", "random", terms, 0), records("random", "random", terms, 3)
    assert [record.number for record in many] == [*range(1, 151)]
    assert [(record.start, record.moves, record.seed) for record in many] == [
        (record.start, record.moves, record.seed) for record in alone
    ]


@pytest.mark.slow
def test_expectations_are_made_in_processes_too() -> None:
    report = play_match(["random", "random"], Terms(START), processes=2)
    assert report == play_match(["random", "random"], Terms(START))


@pytest.mark.sampled
@pytest.mark.usefixtures("installed_faulty_engines")
@pytest.mark.parametrize(
    ("name", "terms", "part"),
    [
        ("stuck", Terms(START, games=2, time=1), "engine stuck did not answer within 1 s, as O after 3 moves"),
        ("unsure", Terms(START, time=0.1), "unsure did not answer within 0.1 s, as O"),
        ("raising", Terms(START, games=2), "raising raised ZeroDivisionError"),
        ("dying", Terms(START, games=2), "engine dying ended its process (exit code 7), as O after 1 move"),
    ],
)
def test_an_engine_that_fails_is_named(name: str, terms: Terms, part: str) -> None:
    with pytest.raises(EngineFailed) as caught:
        play_match(["random", name], terms, processes=1)
    assert part in str(caught.value)


@pytest.mark.slow
@pytest.mark.usefixtures("installed_faulty_engines")
def test_an_engine_that_never_answers_forfeits_and_play_goes_on() -> None:
    played = records("stuck", "random", Terms(START, games=4, swap=True, time=0.1, forfeit=True), 2)
    assert [record.number for record in played] == [1, 2, 3, 4]
    assert [record.outcome for record in played] == ["O", "X", "O", "X"]
    assert [len(record.moves) for record in played] == [2, 3, 2, 3]
    assert all("stuck did not answer within 0.1 s" in str(record.error) for record in played)


@pytest.mark.slow
@pytest.mark.usefixtures("installed_faulty_engines")
def test_an_engine_that_kills_its_process_forfeits() -> None:
    played = records("random", "dying", Terms(START, games=4, forfeit=True), 2)
    assert [record.number for record in played] == [1, 2, 3, 4]
    assert all(record.outcome == "X" and len(record.moves) == 1 for record in played)
    assert all("exit code 7" in str(record.error) for record in played)


@pytest.mark.slow
def test_an_unknown_engine_is_refused_by_the_processes() -> None:
    with pytest.raises(EngineError, match="There is no engine 'alphabet'"):
        play_match(["random", "alphabet"], Terms(START, games=2), processes=2)
