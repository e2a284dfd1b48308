"""OpenSpiel's bots, called through the adapter, also on boards whose sides differ."""

import random
from importlib import import_module
from typing import Any

import pytest

from solver.errors import EngineError
from solver.export.observations import openspiel_hashes
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.find_engine import AskOptions, EngineUnderTest
from solver.verification.verify import verify
from tests.commands import TableFile

pytestmark = pytest.mark.peers


def walks(rules: Rules, least: int, count: int) -> list[Position]:
    """Yield unfinished positions of random games with at least a given number of stones."""
    chance, found = random.Random(7), dict[Position, None]()
    while len(found) < count:
        position = Position.start(rules)
        while not position.is_over and len(found) < count:
            if position.ply >= least:
                found[position] = None
            position = position.play(chance.choice(position.legal_moves))
    return [*found]


def ask(bot: str, rules: Rules, positions: list[Position]) -> list[int | None]:
    with EngineUnderTest(bot, rules, AskOptions()) as tested:
        tested.ask(positions)
        return [tested.answers[position].move for position in positions]


@pytest.mark.parametrize("game", ["3,3,3", "3,4,3", "5,4,4"])
def test_a_bot_with_the_first_action_takes_the_first_empty_square(game: str) -> None:
    rules = parse_game(game)
    positions = walks(rules, 0, 300)
    order = ":".join(map(str, range(rules.squares)))
    bot = f"openspiel:fixed_action_preference,actions={order}"
    moves = ask(bot, rules, positions)
    assert moves == [min(position.legal_moves) for position in positions]


def test_a_bot_that_takes_the_first_action_drops_into_the_first_column() -> None:
    rules = parse_game("4,5,4,gravity")
    positions = walks(rules, 0, 300)
    moves = ask("openspiel:fixed_action_preference,actions=0:1:2:3:4", rules, positions)
    assert moves == [min(position.legal_moves, key=lambda square: square % 5) for position in positions]


@pytest.mark.parametrize(
    ("game", "theirs"),
    [
        ("3,3,3", "tic_tac_toe"), ("3,4,3", "mnk(m=4,n=3,k=3)"),
        ("3,4,3,gravity", "connect_four(rows=3,columns=4,x_in_row=3)"), ("5,7,4,gravity", "connect_four(rows=5)"),
    ],
)  # fmt: skip
def test_observations_are_read(game: str, theirs: str) -> None:
    rules, chance = parse_game(game), random.Random(5)
    spiel: Any = import_module("pyspiel")
    for _ in range(20):
        position, state = Position.start(rules), spiel.load_game(theirs).new_initial_state()
        while not position.is_over:
            assert int(openspiel_hashes(rules, state.observation_tensor(0))) == position.hash
            square = chance.choice(position.legal_moves)
            state.apply_action(square % rules.diagram.columns if rules.gravity else square)
            position = position.play(square)
        assert state.is_terminal()


@pytest.mark.parametrize("game", ["3,4,3", "4,3,3", "4,4,4", "3,4,3,gravity", "4,4,4,gravity"])
def test_its_search_states_the_values_of_the_table(game: str, table_file: TableFile) -> None:
    rules = parse_game(game)
    at = walks(rules, rules.squares - 7, 200)
    report = verify("openspiel:minimax", rules, at=at, tables=table_file(game).parent)
    assert report.passed
    assert report.values is not None
    assert (report.values.positions, report.values.agreeing) == (200, 200)


@pytest.mark.parametrize(
    ("bot", "game", "said"),
    [
        ("nobody", "3,3,3", "no bot nobody; choose one of minimax, mcts, "),
        ("mcts,depth=3", "3,3,3", "no option depth; it has simulations, uct_c and seed"),
        ("mcts", "4,4,4,gravity,misere", "no game with the rules of 4,4,4,gravity,misere"),
    ],
)
def test_unsupported_options_and_games_are_refused(bot: str, game: str, said: str) -> None:
    with pytest.raises(EngineError, match=said):
        EngineUnderTest(f"openspiel:{bot}", parse_game(game), AskOptions())
