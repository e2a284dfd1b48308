"""`mnk match`: two engines play each other, or are expected to."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import click

from solver.cli.common import examples
from solver.cli.contest import contest_options, read_contest, warn_of_forfeits
from solver.cli.words import columns, plural
from solver.engine import read_engine
from solver.match.match import play_match
from solver.match.report import Effort, Report
from solver.match.score import Score
from solver.render.bars import svg_bars

__all__ = ["command"]

_EXAMPLES = examples(
    "mnk match random random                           exactly, as the game is small",
    "mnk match perfect:ties=random random --swap       in both colours",
    "mnk match alphabeta:cutoff=2 mcts --game 4,4,4 --games 50 --swap --random-plies 2",
    "mnk match random perfect --games 1000 --json      a line of JSON for every game",
)
_LONGEST = 13  # characters of a fraction that is shown as one


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
        report = play_match(first, second, contest.terms, tables=contest.data, processes=contest.processes, watch=watch)
    warn_of_forfeits([report])
    games = "the exact expectation" if report.exact else plural(int(report.score.games), "game")
    heading = f"{report.first} against {report.second} {contest.place()}: {games}"
    contest.show(report.json(), _lines(heading, report), partial(_picture, heading, report))


def _sides(report: Report) -> list[tuple[str, Score]]:
    """The scores of the first engine: as X, and where they exchanged colours as O and in all."""
    if not report.as_o.games:
        return [("as X", report.as_x)]
    return [("as X", report.as_x), ("as O", report.as_o), ("", report.score)]


def _lines(heading: str, report: Report) -> Iterator[str]:
    yield heading
    yield ""
    rows = [[report.first, plays or "both", *_cells(score, report.exact)] for plays, score in _sides(report)]
    yield columns([["engine", "", "wins", "draws", "losses", "points a game"], *rows], left=[0, 1])
    if not report.exact:
        yield ""
        yield from map(_effort, (report.first, report.second), report.efforts)


def _picture(heading: str, report: Report) -> str:
    return svg_bars(heading, [(f"{report.first} {plays}".strip(), score.shares) for plays, score in _sides(report)])


def _cells(score: Score, exact: bool) -> Iterator[str]:
    for part, share in zip(score.parts, score.shares, strict=True):
        yield _fraction(part / score.games) if exact else f"{part} ({share:.1%})"
    yield f"{float(score.share):.4f}" if exact else f"{float(score.share):.3f} +- {score.error:.3f}"


def _fraction(share: Fraction) -> str:
    text, percent = str(share), f"{float(share):.2%}"
    return f"{text} ({percent})" if "/" in text and len(text) <= _LONGEST else percent


def _effort(engine: str, effort: Effort) -> str:
    pace = f", {effort.moves / effort.seconds:,.0f} a second" if effort.seconds else ""
    nodes = f", {effort.nodes / effort.moves:,.1f} nodes a move" if effort.nodes else ""
    return f"{engine}: {plural(effort.moves, 'move')}{pace}{nodes}"
