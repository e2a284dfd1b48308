"""`mnk tournament`: let every engine play every other, and print the cross table."""

from collections.abc import Iterator
from typing import Any

import click

from solver.cli.match import contest_options, read_contest, warn_of_forfeits
from solver.cli.options import mnk_command
from solver.cli.output import align_columns
from solver.engines.tournament import Tournament, play_tournament
from solver.support.english import plural


@mnk_command(
    "tournament",
    "mnk tournament random graded:strength=0.5 perfect",
    "mnk tournament random mcts --game 4,4,4 --games 20 -o result.svg",
)
@click.argument("engines", metavar="ENGINE...", nargs=-1, required=True)
@contest_options
def command(engines: tuple[str, ...], **options: Any) -> None:
    """Let every ENGINE play every other, in both colours.

    An ENGINE is a name with options, such as alphabeta:cutoff=2; `mnk engines` lists them. Pairs that know the
    probabilities of their moves in a small game do not play, their exact expectation counts.
    """
    contest = read_contest(engines, swap=True, **options)
    title = f"Tournament of {plural(len(engines), 'engine')}"
    with contest.watch(title) as watch:
        tournament = play_tournament(
            engines, contest.terms, tables=contest.data, processes=contest.processes, watch=watch
        )
    warn_of_forfeits(tournament.matches)
    heading = f"{title} {contest.place()}"
    contest.show(heading, _format_standings(tournament), tournament.json(), tournament.bars())


def _format_standings(tournament: Tournament) -> Iterator[str]:
    yield align_columns(tournament.cells(), left=[1])
    yield ""
    yield "Points a game, 1 for a win and 1/2 for a draw, of each engine against the others."
    exact = sum(match.exact for match in tournament.matches)
    games = sum(int(match.score.games) for match in tournament.matches if not match.exact)
    yield f"{plural(exact, 'pair')} expected exactly, {plural(games, 'game')} played."
