"""Monte Carlo tree search in the notebook on game classes (seed 004, file 004_a8f07fdda5ead75c)."""

import pytest

from solver.course.experiments import monte_carlo
from solver.engines.builtin.mcts import MonteCarlo
from solver.engines.engine import make_engine
from solver.engines.playing import play_game
from solver.game.games import parse_game
from solver.game.position import Position

RULES = parse_game("3,3,3")


def test_its_parameters_are_the_defaults() -> None:
    engine = MonteCarlo()
    assert (engine.constant, engine.playouts, engine.reuse) == (1.4, 1000, False)


def test_its_game() -> None:
    """Alpha-beta search to the end against tree search: neither can lose."""
    for seed in range(5):
        x, o = make_engine("alphabeta", RULES), make_engine("mcts:seed=1", RULES)
        assert play_game(x, o, Position.start(RULES), seed=seed).outcome == "draw"
        assert play_game(o, x, Position.start(RULES), seed=seed).outcome == "draw"


def test_the_time_is_that_of_the_search() -> None:
    """The notebook prints microseconds without the whole seconds, and its minimax the time before the search."""
    engine = make_engine("mcts:playouts=200000,seed=1", RULES)
    few = make_engine("mcts:playouts=1,seed=1", RULES)
    long, short = (player.choose(Position.start(RULES)).seconds for player in (engine, few))
    assert long is not None
    assert short is not None
    assert long > short > 0


@pytest.mark.slow
def test_the_experiment() -> None:
    rows = {row.what: row.ours for row in monte_carlo.run()}
    assert [ours for what, ours in rows.items() if "20 games" in what] == ["0 20 0", "0 20 0"]
    fair = [ours for what, ours in rows.items() if what.endswith("half a win")]
    as_loss = [ours for what, ours in rows.items() if what.endswith("a loss, as there")]
    assert len(fair) == len(as_loss) == 3
    assert all(isinstance(a, int) and isinstance(b, int) and a < b for a, b in zip(fair, as_loss, strict=True))
