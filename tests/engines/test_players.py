"""Random, perfect and graded players: their moves and probabilities."""

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import count, pairwise
from pathlib import Path

import pytest

import solver.web
from solver.engines.builtin import perfect
from solver.engines.builtin.perfect import STRENGTHS, strength_spec
from solver.engines.engine import Engine, make_engine
from solver.engines.match import Terms, expectation, play_match
from solver.game.games import parse_game
from solver.game.position import Position
from solver.search.truth import Truth, open_truth
from tests.commands import TableFile

RULES = parse_game("3,3,3")
START = Position.start(RULES)
PLAYERS = Path(solver.web.__path__[0], "page", "js", "players.js")


Made = Callable[[str], Engine]


@pytest.fixture
def made(tictactoe: Truth) -> Made:
    """Make an engine for 3,3,3 with the table of that game."""
    return lambda text: make_engine(text, RULES, tables=tictactoe)


def chances(engine: Engine, board: str) -> dict[int, Fraction]:
    found = engine.distribution(Position.parse(RULES, board))
    assert found is not None
    assert sum(found.values()) == 1
    return found


def test_random_plays_all_moves_with_the_same_probability() -> None:
    engine = make_engine("random", RULES)
    assert chances(engine, "XO./.X./...") == dict.fromkeys([2, 3, 5, 6, 7, 8], Fraction(1, 6))
    assert {engine.choose(START).move for _ in range(500)} == set(range(9))


def test_greedy_completes_no_line_that_loses() -> None:
    [report] = play_match(["greedy", "random"], Terms(Position.start(parse_game("3,3,3,misere")), swap=True)).pairs
    assert report.exact
    assert report.score.wins > 2 * report.score.losses


def test_minimax_walks_the_plies_of_the_game() -> None:
    position = Position.parse(parse_game("5,5,4,plies=4"), "a1 b1")
    assert make_engine("minimax", position.rules).choose(position).nodes == 1 + 23 + 23 * 22


def test_random_follows_from_its_seed() -> None:
    def moves(text: str, seed: int | None = None) -> list[int]:
        engine = make_engine(text, RULES)
        engine.new_game(seed)
        return [engine.choose(START).move for _ in range(20)]

    assert moves("random:seed=7") == moves("random:seed=7")
    assert moves("random:seed=7") != moves("random:seed=8")
    assert moves("random", seed=1) == moves("random", seed=1) != moves("random", seed=2)
    assert moves("random:seed=7", seed=1) != moves("random:seed=8", seed=1)


@pytest.mark.parametrize(
    ("ties", "board", "moves"),
    [
        ("fastest", "XX./OO./...", [2]),  # both win at once, one is the first
        ("fastest", "X../.O./..X", [1]),  # draws
        ("random", "X../.O./..X", [1, 3, 5, 7]),  # the edges draw, the corners lose
        ("random", "start", [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        ("traps", "start", [0, 2, 6, 8]),  # one of the eight replies to a corner holds
        ("traps", "XX./OO./...", [2]),
    ],
)
def test_perfect_moves(made: Made, ties: str, board: str, moves: list[int]) -> None:
    assert chances(made(f"perfect:ties={ties}"), board) == dict.fromkeys(moves, Fraction(1, len(moves)))


@pytest.mark.parametrize("ties", ["fastest", "random", "traps"])
def test_perfect_never_loses_to_random(made: Made, ties: str) -> None:
    perfect, other = made(f"perfect:ties={ties}"), made("random")
    for x, o in ((perfect, other), (other, perfect)):
        score = expectation(x, o, START)
        assert score is not None
        assert (score.losses if x is perfect else score.wins) == 0


def test_perfect_states_the_value(made: Made) -> None:
    engine = made("perfect")
    values = [engine.choose(Position.parse(RULES, board)).value for board in ("XX./OO./...", "start", "XO./X../...")]
    assert values == [1, 0, -1]


def test_perfect_plays_from_a_table_without_distances(table_file: TableFile) -> None:
    rules = parse_game("4,4,3")
    engine = make_engine("perfect", rules, tables=table_file("4,4,3", metric="wdl"))
    position = Position.start(rules)
    while not position.is_over:
        position = position.play(engine.choose(position).move)
    assert position.outcome == "X"


@pytest.mark.parametrize("board", ["start", "XX./OO./...", "X../.O./..X", "X../.../..."])
def test_graded_lies_between_random_and_perfect(made: Made, board: str) -> None:
    assert chances(made("graded:strength=0"), board) == chances(made("random"), board)
    assert chances(made("graded:strength=1"), board) == chances(made("perfect:ties=random"), board)


def test_graded_mixes_exactly(made: Made) -> None:
    careless = Fraction(9, 10) / 5
    assert chances(made("graded:strength=0.1"), "XX./OO./...") == {
        2: careless + Fraction(1, 10),
        **dict.fromkeys([5, 6, 7, 8], careless),
    }


@pytest.mark.slow
def test_a_stronger_player_scores_more(made: Made) -> None:
    """Exactly, against the random player in both colours."""

    def share(text: str) -> Fraction:
        as_x, as_o = expectation(made(text), made("random"), START), expectation(made("random"), made(text), START)
        assert as_x is not None
        assert as_o is not None
        return (as_x + as_o.of_other()).share

    names = [f"graded:strength={strength}" for strength in ("0", "0.25", "0.5", "0.75", "1")]
    shares = [share(name) for name in names]
    assert shares[0] == Fraction(1, 2)
    assert all(weaker < stronger for weaker, stronger in pairwise(shares))


def share_of_best(table: Truth, engine: str, position: Position) -> Fraction:
    """Return the probability that an engine plays one of the best moves."""
    chances = make_engine(engine, table.rules, tables=table).distribution(position)
    moves = table.moves(position)
    assert chances is not None
    return sum(
        (chances.get(square, Fraction(0)) for square, value in moves if value.rank == moves[0][1].rank), Fraction(0)
    )


def test_the_page_offers_the_same_strengths(tictactoe: Truth) -> None:
    found = re.findall(r'^  (\w+): \{ label: ".*", engine: (?:"(.*)"|null) \},$', PLAYERS.read_text(), re.MULTILINE)
    assert [name for name, _ in found] == ["person", *reversed(STRENGTHS)]
    positions = [Position.parse(RULES, text) for text in ("start", "b2", "XX./OO./...", "XO./.X./...", "a1 b2 c3")]
    for name, engine in found[1:]:
        for position in positions:
            same = share_of_best(tictactoe, strength_spec(STRENGTHS[name]), position)
            assert share_of_best(tictactoe, engine, position) == same


def test_traps_are_searched_only_until_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each search of the replies to a move may take as long as the limit."""
    searched: list[Position] = []

    def share(_: Truth, position: Position) -> float:
        searched.append(position)
        return 1.0

    monkeypatch.setattr(perfect, "share_of_mistakes", share)
    monkeypatch.setattr(perfect, "monotonic", count().__next__)  # a second later at each call
    with open_truth(parse_game("2,4,3"), "none", seconds=2) as truth:
        engine = make_engine("perfect:ties=traps", truth.rules, tables=truth)
        engine.choose(Position.start(truth.rules))
    assert len(searched) == 1
