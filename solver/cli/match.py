"""`mnk match`: two engines play each other, or are expected to."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import click

from solver.cli.common import examples
from solver.cli.contest import contest_options, read_contest, warn_of_forfeits
from solver.cli.words import columns
from solver.drawing.bars import svg_bars
from solver.engines.contract import read_engine
from solver.match.match import play_match
from solver.match.result import Effort, MatchResult
from solver.support.english import plural

__all__ = ["command"]

_EXAMPLES = examples(
    "mnk match random random                           exactly, as the game is small",
    "mnk match perfect:ties=random random --swap       in both colours",
    "mnk match alphabeta:cutoff=2 mcts --game 4,4,4 --games 50 --swap --random-plies 2",
    "mnk match random perfect --games 1000 --json      a line of JSON for every game",
)


@click.command("match", epilog=_EXAMPLES)
@click.argument("first", metavar="ENGINE")
@click.argument("second", metavar="ENGINE")
@click.option("--swap", is_flag=True, help="Exchange colours after every game; otherwise the first engine plays X.")
@contest_options
def command(first: str, second: str, **options: Any) -> None:
    """Let the first ENGINE play X against the second.

    An ENGINE is a name with options, such as alphabeta:cutoff=2; `mnk engines` lists them. Where both know the
    probabilities of their moves and the game is small, their exact expectation is given instead of games.
    """
    contest = read_contest(**options)
    for engine in (first, second):
        read_engine(engine)
    with contest.watch(f"{first} against {second}") as watch:
        result = play_match(first, second, contest.terms, tables=contest.data, processes=contest.processes, watch=watch)
    warn_of_forfeits([result])
    games = "the exact expectation" if result.exact else plural(int(result.score.games), "game")
    heading = f"{result.first} against {result.second} {contest.place()}: {games}"
    contest.show(result.json(), _lines(heading, result), partial(_picture, heading, result))


def _lines(heading: str, result: MatchResult) -> Iterator[str]:
    yield heading
    yield ""
    yield columns(result.cells(), left=[0, 1])
    if not result.exact:
        yield ""
        yield from map(_effort, (result.first, result.second), result.efforts)


def _picture(heading: str, result: MatchResult) -> str:
    return svg_bars(heading, result.bars())


def _effort(engine: str, effort: Effort) -> str:
    pace = f", {effort.moves / effort.seconds:,.0f} a second" if effort.seconds else ""
    nodes = f", {effort.nodes / effort.moves:,.1f} nodes a move" if effort.nodes else ""
    return f"{engine}: {plural(effort.moves, 'move')}{pace}{nodes}"
