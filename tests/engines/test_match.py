"""Games, expectations and matches in this process."""

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import inf, isfinite, nan
from pathlib import Path

import pytest

from solver.engines import match
from solver.engines.engine import Choice, Engine, make_engine
from solver.engines.match import Terms, expectation, play_match
from solver.engines.playing import GameRecord, play_game
from solver.engines.results import MatchResult, MatchScore, PairResult
from solver.errors import EngineError, EngineFailed, PositionError
from solver.game.games import parse_game
from solver.game.position import Position
from solver.search.truth import open_truth
from tests.commands import TableFile
from tests.faulty_engines import installed_faulty_engines

__all__ = ["installed_faulty_engines"]

RULES = parse_game("3,3,3")
START = Position.start(RULES)
RANDOM = make_engine("random", RULES)
RANDOM_ON_3_3_3 = MatchScore(Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420))


class Script(Engine):
    """Plays squares in a given order."""

    def __init__(self, moves: Sequence[int], nodes: int | None = None) -> None:
        self.name = f"script of {len(moves)}"
        self._moves, self._nodes = iter(moves), nodes

    def choose(self, position: Position) -> Choice:
        return Choice(next(self._moves), nodes=self._nodes, value=0.5 if self._nodes else None)


def watched(first: str, second: str, terms: Terms) -> tuple[PairResult, list[GameRecord]]:
    """A match, and its records."""
    records: list[GameRecord] = []
    [pair] = play_match([first, second], terms, watch=lambda record, _: records.append(record)).pairs
    return pair, records


# Games


def test_a_game_and_its_record() -> None:
    record = play_game(Script([4, 0, 8], nodes=9), Script([1, 2]), START, seed=5, number=3)
    assert (record.moves, record.outcome, record.winner) == ((4, 1, 0, 2, 8), "X", "script of 3")
    assert record.final.board == "XOO/.X./..X"
    facts = json.loads(json.dumps(record.json()))
    assert facts.pop("seconds") == [pytest.approx(choice.seconds, abs=1e-6) for choice in record.choices]
    assert facts == {
        "number": 3, "game": "3,3,3", "x": "script of 3", "o": "script of 2", "start": ".../.../...",
        "moves": ["b2", "b1", "a1", "c1", "c3"], "final": "XOO/.X./..X", "outcome": "X", "winner": "script of 3",
        "seed": 5, "values": [0.5, None, 0.5, None, 0.5], "nodes": [9, None, 9, None, 9],
    }  # fmt: skip


def test_the_clock_stops_while_an_engine_gets_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    class Slow(Script):
        def get_ready(self, position: Position) -> None:
            now[0] += 100

        def choose(self, position: Position) -> Choice:
            now[0] += 1
            return super().choose(position)

    monkeypatch.setattr("solver.engines.playing.perf_counter", lambda: now[0])
    record = play_game(Slow([4, 0, 8]), Slow([1, 2]), START)
    assert ([choice.seconds for choice in record.choices], now) == ([1] * 5, [505])


def test_a_value_that_is_no_number_is_null_in_json() -> None:
    class Odd(Script):
        def choose(self, position: Position) -> Choice:
            return replace(super().choose(position), value=nan if position.ply else inf)

    record = play_game(Odd([4, 0, 8]), Script([1, 2], nodes=1), START)
    assert json.loads(json.dumps(record.json(), allow_nan=False))["values"] == [None, 0.5, None, 0.5, None]


def test_games_of_misere_and_from_a_position_with_o_to_move() -> None:
    record = play_game(Script([0, 1, 2]), Script([3, 4]), Position.start(parse_game("3,3,3,misere")))
    assert (record.outcome, record.winner) == ("O", "script of 2")
    record = play_game(Script([2]), Script([4, 5]), Position.parse(RULES, "XX./O../..."))
    assert (record.moves, record.outcome) == ((4, 2), "X")
    assert "nodes" not in record.json()


def test_no_game_is_played_from_its_end() -> None:
    over = Position.parse(RULES, "XXX/OO./...")
    with pytest.raises(PositionError, match="already over"):
        play_game(Script([]), Script([]), over)
    with pytest.raises(PositionError, match="already over"):
        Terms(over)
    with pytest.raises(PositionError, match="already over"):
        expectation(RANDOM, RANDOM, over)


# Engines that fail


@pytest.mark.usefixtures("installed_faulty_engines")
@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("raising", "The engine raising raised ZeroDivisionError (by nothing); it was O in X../.../..."),
        ("illegal", "The engine illegal chose an illegal move (a1 (square 0) is taken"),
        ("wordy", "The engine wordy answered 'the middle', which is not a Choice"),
        ("lost", "The engine lost answered 'b2', which is not a square"),
    ],
)
def test_an_engine_that_fails_is_named(name: str, part: str) -> None:
    with pytest.raises(EngineFailed) as caught:
        play_game(Script([0]), make_engine(name, RULES), START)
    assert part in str(caught.value)


def test_a_position_that_is_not_settled_costs_no_game(tmp_path: Path) -> None:
    """Perfect play does not guess, so a match with it ends, and says what does."""
    rules = parse_game("15,16,5")
    with open_truth(rules, tmp_path, seconds=0.01) as truth:
        engine = make_engine("perfect", rules, tables=truth)
        with pytest.raises(EngineError, match=r"perfect knows no best move as O in .*; choose graded:strength=1,"):
            play_game(Script([112]), engine, Position.start(rules), forfeits=True)


def test_an_engine_that_refuses_a_game_loses_none() -> None:
    rules = parse_game("8,8,5")
    with pytest.raises(EngineError, match="set a depth or start later"):
        play_match(["minimax", "random"], Terms(Position.start(rules), games=1))


@pytest.mark.usefixtures("installed_faulty_engines")
def test_probabilities_are_checked() -> None:
    with pytest.raises(EngineFailed, match=r"improbable gave probabilities .* 9/2"):
        expectation(make_engine("improbable", RULES), RANDOM, START)
    with pytest.raises(EngineFailed, match="illegal chose an illegal move"):
        expectation(RANDOM, make_engine("illegal", RULES), START)


@pytest.mark.usefixtures("installed_faulty_engines")
def test_an_engine_that_cannot_be_prepared_is_named() -> None:
    with pytest.raises(EngineFailed, match="unready cannot be prepared for 3,3,3: LookupError"):
        play_match(["random", "unready"], Terms(START, games=1))


# Expectations


def test_random_against_random_is_known_exactly() -> None:
    assert expectation(RANDOM, RANDOM, START) == RANDOM_ON_3_3_3
    [report] = play_match(["random", "random"], Terms(START)).pairs
    assert report.exact
    assert (report.as_x, report.as_o) == (RANDOM_ON_3_3_3, MatchScore())
    assert play_match(["random", "random"], Terms(START.play(4), swap=True)).score.share == Fraction(1, 2)


def test_an_expectation_from_a_position() -> None:
    assert expectation(RANDOM, RANDOM, Position.parse(RULES, "XOX/OXX/O.O")) == MatchScore(draws=Fraction(1))
    one_of_three = Position.parse(RULES, "XX./OOX/..O")  # c1 wins; a3 and b3 leave O two squares
    score = expectation(RANDOM, RANDOM, one_of_three)
    assert score is not None
    assert score.games == 1
    assert score.wins == Fraction(1, 3) + Fraction(2, 3) * Fraction(1, 2)


@pytest.mark.slow
@pytest.mark.usefixtures("installed_faulty_engines")
def test_games_without_an_expectation_are_played() -> None:
    assert expectation(RANDOM, make_engine("slow", RULES), START) is None
    assert expectation(RANDOM, RANDOM, START, most=100) is None
    large = Position.start(parse_game("5,5,4"))
    [report] = play_match(["random", "random"], Terms(large)).pairs
    assert not report.exact
    assert report.score.games == 100


@pytest.mark.usefixtures("installed_faulty_engines")
def test_an_engine_that_fails_loses_games_without_an_expectation() -> None:
    [report] = play_match(["illegal", "random"], Terms(START, swap=True)).pairs
    assert not report.exact
    assert report.score.games == 100
    assert report.score.losses > 50


def test_an_opening_of_another_game_is_refused() -> None:
    misere = Position.start(parse_game("3,3,3,misere"))
    with pytest.raises(PositionError, match="begins no game of 3,3,3"):
        Terms(START, games=2, openings=(START, misere))


def test_scores() -> None:
    score = MatchScore(Fraction(3), Fraction(2), Fraction(5))
    assert score.points == 4
    assert (score.share, score.shares) == (Fraction(2, 5), (0.3, 0.2, 0.5))
    assert score.error == pytest.approx((3 * 0.6**2 + 2 * 0.1**2 + 5 * 0.4**2) ** 0.5 / 10)
    assert (MatchScore().share, MatchScore().error, MatchScore().shares) == (Fraction(1, 2), 0.5, (0, 0, 0))
    assert RANDOM_ON_3_3_3.json()["wins"] == "737/1260"
    assert score.json() == {"wins": 3, "draws": 2, "losses": 5, "share": 0.4}


def test_ratings() -> None:
    """Engines of which each beats the next by 3 to 1 are 191 apart, and less with one more drawn game for each pair."""
    score = MatchScore(wins=Fraction(75), losses=Fraction(25))
    far = MatchScore(wins=Fraction(90), losses=Fraction(10))
    pairs = PairResult("a", "b", score), PairResult("b", "c", score), PairResult("a", "c", far)
    ratings = MatchResult(("a", "b", "c"), pairs).ratings
    assert [round(rating) for rating, _ in ratings.values()] == [188, 0, -188]
    assert all(40 < error < 80 for _, error in ratings.values())
    assert sum(rating for rating, _ in ratings.values()) == pytest.approx(0)
    difference, low, high = pairs[0].elo
    assert difference == pytest.approx(188, abs=1)
    assert 70 < (high - low) / 2 < 90
    assert low < difference < high
    assert PairResult("a", "b", as_x=MatchScore(wins=Fraction(9))).elo[0] < 600
    assert MatchResult(("a", "b"), (PairResult("a", "b", exact=True),)).ratings == {}


@pytest.mark.parametrize(
    ("score", "low", "high"),
    [
        (MatchScore(draws=Fraction(100)), -7, 7),
        (MatchScore(draws=Fraction(2)), -255, 255),
        (MatchScore(wins=Fraction(10)), 166, inf),
        (MatchScore(losses=Fraction(10)), -inf, -166),
        (MatchScore(wins=Fraction(1), draws=Fraction(98), losses=Fraction(1)), -12, 12),
        (MatchScore(wins=Fraction(50), losses=Fraction(50)), -67, 67),
    ],
)
def test_the_interval_of_a_match_without_wins_or_without_losses(score: MatchScore, low: float, high: float) -> None:
    pair = PairResult("a", "b", score)
    assert pair.elo[1:] == pytest.approx((low, high), abs=1)
    assert pair.json()["elo"]["interval_95"] == [*(end if isfinite(end) else None for end in pair.elo[1:])]


# Matches


@pytest.mark.parametrize("start", [START, START.play(0)])
def test_a_match_agrees_with_its_records(start: Position) -> None:
    terms = Terms(start, games=40, swap=True, seed=11)
    report, records = watched("random", "random:seed=1", terms)
    assert [record.number for record in records] == [*range(1, 41)]
    assert {(record.x, record.o) for record in records[::2]} == {("random", "random:seed=1")}
    assert {(record.x, record.o) for record in records[1::2]} == {("random:seed=1", "random")}
    assert {record.start for record in records} == {start}
    wins = sum(record.winner == "random" for record in records)
    draws = sum(record.outcome == "draw" for record in records)
    assert report.score == MatchScore(Fraction(wins), Fraction(draws), Fraction(40 - wins - draws))
    assert report.as_x.games == report.as_o.games == 20


def test_a_match_follows_from_its_seed() -> None:
    def moves(seed: int) -> list[tuple[int, ...]]:
        _, records = watched("random", "random", Terms(START, games=5, seed=seed))
        return [record.moves for record in records]

    assert moves(1) == moves(1) != moves(2)
    assert len(set(moves(1))) == 5


@pytest.mark.slow
def test_games_come_near_their_expectation() -> None:
    report, _ = watched("random", "random", Terms(START, games=2000, seed=3))
    assert abs(float(report.score.share - RANDOM_ON_3_3_3.share)) < 4 * report.score.error


# Round robins


def test_a_round_robin(table_file: TableFile) -> None:
    engines = ["random", "perfect:ties=random", "graded:strength=0.5"]
    result = play_match(engines, Terms(START.play(0).play(4)), tables=table_file("3,3,3"))
    assert [(pair.first, pair.second) for pair in result.pairs] == [*combinations(engines, 2)]
    assert all(pair.exact and pair.score.games == 2 for pair in result.pairs)
    standings = result.standings
    assert [standing.engine for standing in standings] == ["perfect:ties=random", "graded:strength=0.5", "random"]
    for one, other in combinations(standings, 2):
        assert one.against[other.engine] == other.against[one.engine].of_other()
    assert sum(standing.share for standing in standings) == Fraction(3, 2)
    assert standings[0].share == sum(score.share for score in standings[0].against.values()) / 2
    assert standings[0].shares[2] == 0
    facts = json.loads(json.dumps(result.json()))
    assert [row["engine"] for row in facts["standings"]] == [standing.engine for standing in standings]
    assert len(facts["pairs"]) == 3


@pytest.mark.slow
@pytest.mark.usefixtures("installed_faulty_engines")
def test_a_round_robin_may_be_part_computed_and_part_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "GAMES", 4)
    result = play_match(["random", "random:seed=1", "slow"], Terms(Position.parse(RULES, "XOX/O../...")))
    assert [pair.exact for pair in result.pairs] == [True, False, False]
    assert [int(pair.score.games) for pair in result.pairs] == [2, 4, 4]


@pytest.mark.parametrize(("engines", "part"), [(["random"], "two engines"), (["random"] * 3, "random is named twice")])
def test_a_match_needs_different_engines(engines: list[str], part: str) -> None:
    with pytest.raises(EngineError, match=part):
        play_match(engines, Terms(START))
