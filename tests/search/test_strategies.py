"""Values from stored strategies: asked through a Truth, a library, the engines and the HTTP API."""

import pickle
from pathlib import Path
from random import Random

import pytest

from solver.engines.engine import make_engine
from solver.errors import MissingTable, Unsettled
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.value import BoundedValue, Value
from solver.search.folder import Library
from solver.search.strategies import StoredStrategy
from solver.search.truth import open_truth
from solver.solve.proof import prove_game
from solver.store.paths import SHIPPED, strategy_path
from solver.store.strategy_file import Header, Row, write_strategy
from solver.web.served import ServedGames
from tests.commands import assert_refused, mnk
from tests.web.asgi import Client

RULES = parse_game("6,6,4")
START = Position.start(RULES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("proved")
    assert prove_game(RULES, folder)
    return folder


def test_the_first_position_and_the_strategys_move_are_known_at_once(folder: Path) -> None:
    with open_truth(RULES, folder) as truth:
        value, moves, source = truth.evaluate(START)
        assert (value, source) == (BoundedValue(1, 13), "strategy")
        assert value is not None
        assert (value.within, str(value), value.distance) == (13, "win within 13", None)
        (square, best), *others = moves
        assert best is not None
        assert best.within == 13
        assert len(others) == 35
        assert {other for _, other in others} == {None}
        assert truth.best_move(START) == square
        assert truth.probe(START.play(square)).within == 12


def test_x_wins_against_random_replies_within_the_bound(folder: Path) -> None:
    chance = Random(0)
    with open_truth(RULES, folder) as truth:
        engine = make_engine("perfect", RULES, tables=truth)
        for _ in range(20):
            position, left = START, 13
            while not position.is_over:
                value = truth.probe(position)
                assert value.wdl == (1 if position.to_move == "X" else -1)
                assert (value.within or value.distance or 0) <= left
                move = engine.choose(position).move if position.to_move == "X" else chance.choice(position.legal_moves)
                position, left = position.play(move), left - 1
            assert position.outcome == "X"


def test_after_a_move_of_x_that_is_not_the_strategys_nothing_is_claimed(folder: Path) -> None:
    with open_truth(RULES, folder, seconds=60) as truth:
        with pytest.raises(Unsettled, match=r"not settled, and its searches have nothing left to try; give a later"):
            truth.probe(START.play(0))
        with pytest.raises(MissingTable, match=r"not of 7,7,4"):
            truth.probe(Position.start(parse_game("7,7,4")))


@pytest.mark.slow
def test_a_truth_with_a_strategy_pickles_and_its_main_line_ends(folder: Path) -> None:
    with pickle.loads(pickle.dumps(open_truth(RULES, folder))) as truth:
        line = truth.mainline(START)
        assert len(line) <= 13
        assert Position.from_moves(RULES, line).outcome == "X"
    value = pickle.loads(pickle.dumps(BoundedValue(-1, 8)))
    assert (value, value.within, value.before_move().within) == (Value(-1), 8, 9)


def test_a_library_opens_a_strategy_that_was_proved_meanwhile(folder: Path, tmp_path: Path) -> None:
    with Library(tmp_path, seconds=0.01) as library:
        rules = parse_game("9,9,4")
        assert library.truth(rules).get(Position.start(rules)) is None
        assert prove_game(rules, tmp_path)
        assert library.truth(rules).probe(Position.start(rules)).wdl == 1
        assert rules not in library.games()  # it has no table
        assert library.unreadable() == {}


def test_the_api_states_the_bound(folder: Path) -> None:
    with Client(folder) as api:
        answer, table = api.json("/v1/6,6,4"), api.json("/v1/3,3,3")
    assert (answer["category"], answer["distance"], answer["within"]) == ("win", None, 13)
    assert (answer["source"], answer["moves"][0]["within"]) == ("strategy", 12)
    assert "within" not in answer["moves"][1]
    assert "within" not in table


@pytest.mark.parametrize(
    ("game", "side", "draw_ok"), [("6,6,4", "X", False), ("4x4x4,4", "X", True), ("7,7,5", "O", True)]
)
def test_a_stored_strategy_is_shown_without_a_search(game: str, side: str, draw_ok: bool) -> None:
    rules = parse_game(game)
    start = Position.start(rules)
    with open_truth(rules, seconds=0.01) as truth:
        strategy = truth.strategy(start, side, draw_ok, 1)
        assert strategy
        replies = [start] if side == "X" else [start.play(move) for move in start.legal_moves]
        assert {at: truth.holding_move(at) for at in replies} == strategy.moves


def test_a_stored_strategy_is_followed_to_its_end() -> None:
    rules = parse_game("6,6,4")
    with open_truth(rules) as truth:
        position = Position.start(rules)
        for reply in (0, 35):
            position = position.play(truth.best_move(position)).play(reply)
        strategy = truth.strategy(position, "X", draw_ok=False)
        assert strategy
        assert all(strategy.end(at) == "win" or strategy.replies(at) for at in strategy.moves)
        assert {reply for at in strategy.moves for reply in strategy.replies(at).values() if not reply.is_over} <= {
            *strategy.moves
        }
        with pytest.raises(MissingTable):
            truth.strategy(Position.start(parse_game("7,7,4")))


def test_the_memory_of_a_strategy_is_that_of_its_searches() -> None:
    with open_truth(RULES) as truth:
        [strategy] = (source for source in truth.sources if isinstance(source, StoredStrategy))
        before = strategy.memory
        truth.best_move(START.play(truth.best_move(START)).play(0))
        assert (before, strategy.memory > 100_000) == (0, True)


def test_a_strategy_of_the_other_side_is_offered() -> None:
    assert_refused(mnk("tree", "7,7,5", "--seconds", "0.1"), 3, "of X is known for 7,7,5", "ask for that of O")


def write_unfinished(folder: Path, move: int = 112) -> StoredStrategy:
    """Write a strategy whose only row is the empty board, as a proof that is not checked yet."""
    rules = parse_game("15,15,5")
    write_strategy(strategy_path(folder, rules), rules, Header("X", "wins", None, 0, "a test"), [Row(0, move, 67)])
    return StoredStrategy(strategy_path(folder, rules))


def test_the_empty_board_is_open_until_a_proof_is_finished(tmp_path: Path) -> None:
    stored = write_unfinished(tmp_path)
    start = Position.start(stored.rules)
    assert (stored.find(start, 0), stored.find_move(start), stored.holding_move(start)) == (None, None, None)
    assert not stored.stores_win(start)
    stored.close()
    with open_truth(stored.rules, tmp_path, seconds=0.1) as truth:
        assert truth.evaluate(start).value is None
        assert truth.holder(start) is None
        with pytest.raises(Unsettled, match="look for a proof with `mnk build 15,15,5 --data"):
            truth.probe(start)
    printed = mnk("export", "15,15,5", "--data", tmp_path).stdout.splitlines()[1]
    assert printed.split(",")[2:] == ["0", "X", "h8", "", "wins"]
    assert (
        "Found    X wins from the stored positions, and the empty board is open, by a test"
        in mnk("show", "15,15,5", "--data", tmp_path).stdout
    )


def test_the_tag_of_answers_changes_with_the_moves_of_a_strategy(tmp_path: Path) -> None:
    write_unfinished(tmp_path).close()
    served = ServedGames(tmp_path)
    tag = served.tag(served.truth(parse_game("15,15,5")))
    write_unfinished(tmp_path, move=113).close()
    assert ServedGames(tmp_path).tag(served.truth(parse_game("15,15,5"))) != tag


def test_an_empty_file_hides_no_strategy(tmp_path: Path) -> None:
    strategy_path(tmp_path, RULES).touch()
    with open_truth(RULES, tmp_path) as truth:
        assert truth.strategy_file
        assert truth.strategy_file.path.parent == SHIPPED
