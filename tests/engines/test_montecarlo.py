"""Monte Carlo tree search: fair playouts, right signs and draws."""

import random
from itertools import pairwise

import pytest

from solver.engines.alphabeta import evaluate, search
from solver.engines.builtin.mcts import MonteCarlo
from solver.engines.engine import Choice, make_engine
from solver.engines.kernel_boards import playout_board, random_state, sides
from solver.engines.match import expectation
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.rules import Rules
from solver.kernels.playouts import playout
from solver.search.truth import Truth
from solver.verification.positions import live_positions
from tests.engines import test_learner
from tests.uncompiled import assert_pass_uncompiled

GAMES = ["3,3,3", "3,3,3,misere", "2,4,2,exact", "3,4,3,gravity", "2,5,2,exact,torus", "3,3,3,full", "2,2,3"]


def play_out(position: Position, games: int) -> list[int]:
    """Count the losses, draws and wins of the side to move in random games."""
    board, stones, state, results = playout_board(position.rules), sides(position), random_state(1), [0, 0, 0]
    for _ in range(games):
        results[playout(board, *stones, state) + 1] += 1
    return results


@pytest.mark.sampled
@pytest.mark.parametrize("game", GAMES)
def test_playouts_are_fair(game: str) -> None:
    """Wins, draws and losses agree with the exact expectation, within five standard errors."""
    start = Position.start(parse_game(game))
    games = 40_000
    expected = expectation(make_engine("random", start.rules), make_engine("random", start.rules), start)
    assert expected is not None
    losses, draws, wins = play_out(start, games)
    for count, share in zip((wins, draws, losses), expected.parts, strict=True):
        assert abs(count / games - float(share)) <= 0.0125 * (0 < share < 1)


@pytest.mark.parametrize("game", ["8,8,5", "8,8,5,misere", "8,8,4,exact,gravity,torus", "1,64,3", "64,1,3,gravity"])
def test_64_squares_are_played(game: str) -> None:
    position = Position.start(parse_game(game))
    engine = MonteCarlo(playouts=50, seed=1)
    while position.ply < 6 and not position.is_over:
        position = position.play(engine.choose(position).move)
    assert sum(play_out(position, 100)) == 100


@pytest.mark.parametrize("game", GAMES)
def test_short_endings_are_played_well(game: str) -> None:
    """Correct for both sides and every variant: no move gives away the value that alpha-beta search finds."""
    engine = MonteCarlo(playouts=400, seed=1)
    for position in endings(parse_game(game)):
        move = engine.choose(position).move
        after = position.play(move)
        kept = evaluate(after) if after.is_over else search(after).value
        assert kept == -search(position).value, (position, move)


def endings(rules: Rules) -> list[Position]:
    """Positions with one to three empty squares, met in random games."""
    draw = random.Random(1)
    found = []
    for _ in range(40):
        position = Position.start(rules)
        while not position.is_over:
            if rules.squares - position.ply <= 3:
                found.append(position)
            position = position.play(draw.choice(position.legal_moves))
    return found


def wrong(engine: MonteCarlo, table: Truth) -> int:
    """Return how many of the 4,520 decisions give something away."""
    mistakes = 0
    for position in live_positions(table.rules):
        move = engine.choose(position).move
        mistakes += -table.probe_wdl(position.play(move)) < table.probe_wdl(position)
    return mistakes


@pytest.mark.slow
def test_more_playouts_are_closer_to_perfect(tictactoe: Truth) -> None:
    mistakes = [wrong(MonteCarlo(playouts=playouts, seed=1), tictactoe) for playouts in (1, 10, 100, 1000)]
    assert mistakes[0] > 1500
    assert all(more < fewer / 3 for fewer, more in pairwise(mistakes))
    assert mistakes[-1] < 25


@pytest.mark.slow
def test_draws_worth_a_loss_cost_decisions(tictactoe: Truth) -> None:
    """As in the notebook and several public versions; more playouts do not help."""
    assert wrong(MonteCarlo(playouts=500, seed=1, draw=0), tictactoe) > 150


def test_the_same_seed_plays_alike_and_another_differs() -> None:
    start = Position.start(parse_game("4,4,4"))

    def choices(engine: MonteCarlo) -> list[Choice]:
        return [engine.choose(start) for _ in range(3)]

    assert choices(MonteCarlo(seed=3)) == choices(MonteCarlo(seed=3)) != choices(MonteCarlo(seed=4))
    engine = MonteCarlo(seed=3)
    engine.new_game(8)
    first = choices(engine)
    engine.new_game(8)
    assert choices(engine) == first
    engine.new_game(9)
    assert choices(engine) != first


def test_the_fields_of_a_choice() -> None:
    position = Position.start(parse_game("3,3,3"))
    choice = MonteCarlo(playouts=300, seed=1).choose(position)
    assert choice.move == choice.line[0]
    assert choice.nodes == 301  # the root, and one a playout
    assert choice.value is not None
    assert 0.5 < choice.value < 1
    for square in choice.line:
        position = position.play(square)


@pytest.mark.slow
def test_the_kernels_pass_without_the_compiler() -> None:
    """Learning is compared with its slow twin in every run, and here as plain Python too."""
    assert_pass_uncompiled(__file__, test_the_fields_of_a_choice.__name__)
    learning = test_learner.test_the_kernel_learns_as_its_slow_twin.__name__
    assert_pass_uncompiled(str(test_learner.__file__), f"{learning}[2,4,2,exact]", f"{learning}[3,3,3,gravity]")
