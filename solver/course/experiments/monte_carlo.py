"""Monte Carlo tree search: more playouts are closer to perfect, unless a draw is worth as little as a loss.

The engine `mcts` does as the notebook: UCB1 with the constant 1.4, 1000 playouts, the most visited move. Unlike it:

* A draw is worth half a win to both sides. The notebook adds only the results above 0, as `draw=0` does.
* An untried move is drawn at random and not the first, and one node is added a playout and not all children
  at once, which changes no bound.
* The time is that of the whole search. The notebook prints `.microseconds`, which leaves out the whole seconds (and
  its minimax takes the time before the search begins).
"""

from collections.abc import Iterator

from solver.course.experiments import Row
from solver.engines.builtin.mcts import MonteCarlo
from solver.engines.match import Terms, play_match
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.rules import Rules
from solver.search.small import InMemoryTable

PLAYOUTS = 1000  # with the constant 1.4
_NOTE = "the notebook prints no game, and a time without the whole seconds"


def run() -> list[Row]:
    """Measure the notebook's game, wrong decisions over all positions, and the real time of a decision."""
    rules = parse_game("3,3,3")
    return [*_games(rules), *_wrong(rules), *_time(rules)]


def _games(rules: Rules) -> Iterator[Row]:
    engine = f"mcts:playouts={PLAYOUTS},seed=1"
    for x, o in (("alphabeta", engine), (engine, "alphabeta")):
        score = play_match(x, o, Terms(Position.start(rules), games=20)).as_x
        counts = " ".join(str(int(part)) for part in score.parts)
        yield Row(f"{x} against {o}, 20 games: wins, draws, losses", None, counts)


def _wrong(rules: Rules) -> Iterator[Row]:
    from solver.engines.curve import unfinished_positions

    positions, table = unfinished_positions(rules), InMemoryTable(rules)
    for draw, words in ((0.5, "a draw worth half a win"), (0.0, "a draw worth a loss, as there")):
        for playouts in (10, 100, PLAYOUTS):
            engine = MonteCarlo(playouts=playouts, draw=draw, seed=1)
            wrong = sum(
                -table.probe_wdl(position.play(engine.choose(position).move)) < table.probe_wdl(position)
                for position in positions
            )
            yield Row(f"wrong decisions of {len(positions):,}, {playouts} playouts, {words}", None, wrong)


def _time(rules: Rules) -> Iterator[Row]:
    engine = MonteCarlo(playouts=PLAYOUTS, seed=1)
    engine.prepare(rules, None)
    seconds = engine.choose(Position.start(rules)).seconds or 0.0
    yield Row(f"seconds for {PLAYOUTS} playouts from the empty board", None, round(seconds, 6), note=_NOTE)
