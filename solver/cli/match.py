"""`mnk match`: let two engines play each other, or expect how they would. `mnk tournament` shares its options."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import click

from solver.cli.options import OUTPUT_FILE, count_option, data_option, mnk_command, seconds_option, svg_option
from solver.cli.output import align_columns
from solver.cli.running import show_progress
from solver.engines.engine import read_engine
from solver.engines.match import GAMES, Terms, Watch, play_match
from solver.engines.playing import GameRecord
from solver.engines.results import Bars, Effort, MatchResult
from solver.game.files import read_game
from solver.game.position import Position
from solver.game.rules import Rules
from solver.support.drawing.charts import draw_shares
from solver.support.english import plural
from solver.support.files import write_file
from solver.support.threads import available_cores

_F = TypeVar("_F", bound=Callable[..., Any])

TIME = 60.0
"""Seconds an engine may take for a move unless told otherwise, so that one that never answers is found out."""

_OPTIONS = (
    click.option(
        "--game", "rules", metavar="GAME", type=read_game, default="3,3,3", show_default=True, help="The game."
    ),
    count_option(
        "--games",
        f"How many games a pair plays; default: their exact expectation where it is quickly had, else {GAMES}.",
    ),
    click.option("--exact", is_flag=True, help="The exact expectation instead of games, however long it takes."),
    click.option("--from", "start", metavar="POSITION", default="start", show_default=True, help="Where games begin."),
    click.option(
        "--random-plies",
        type=click.IntRange(min=0),
        metavar="K",
        default=0,
        show_default=True,
        help="Begin after K random moves, others in each game.",
    ),
    click.option(
        "--seed", type=int, metavar="S", default=0, show_default=True, help="All that is drawn follows from it."
    ),
    seconds_option("--time", "time", "How long an engine may take for a move.", default=TIME, show_default=True),
    click.option(
        "--forfeit", is_flag=True, help="An engine that fails loses its game, instead of stopping everything."
    ),
    count_option("--processes", "How many work; default: all cores."),
    click.option(
        "--json", "as_json", is_flag=True, help="Print every game and then the result, each as a line of JSON."
    ),
    click.option("--records", type=OUTPUT_FILE, metavar="FILE", help="Write every game there as JSON."),
    svg_option("Draw the result there, as bars."),
    data_option,
)


@dataclass(frozen=True)
class Contest:
    """The options of `mnk match` or `mnk tournament`, read."""

    terms: Terms
    processes: int
    data: Path
    as_json: bool
    records: Path | None
    svg: Path | None

    def place(self) -> str:
        """Name the place where the games begin, for a heading: `on 3,3,3 after 2 random plies`."""
        terms = self.terms
        start = f" from {terms.start.board}" if terms.start.ply else ""
        drawn = f" after {plural(terms.random_plies, 'random ply', 'random plies')}" if terms.random_plies else ""
        return f"on {terms.start.rules}{start}{drawn}"

    def show(self, heading: str, lines: Iterable[str], result: Mapping[str, Any], bars: Bars) -> None:
        """Print the result, as text or as a line of JSON, and draw it where that is asked for."""
        terms = self.terms
        if self.as_json:
            facts = {"game": terms.start.rules.name, "start": terms.start.board, "seed": terms.seed}
            click.echo(json.dumps({**facts, "random_plies": terms.random_plies, "result": result}))
        else:
            click.echo("\n".join([heading, "", *lines]))
        if self.svg:
            write_file(self.svg, draw_shares(heading, bars) + "\n")

    @contextmanager
    def watch(self, label: str) -> Iterator[Watch]:
        """Give what writes the record of every game, and shows the progress, when it is called."""
        with ExitStack() as stack:
            show = stack.enter_context(show_progress(label))
            file = stack.enter_context(self.records.open("w", encoding="utf-8")) if self.records else None

            def watch(record: GameRecord, total: int) -> None:
                line = json.dumps(record.json()) if self.as_json or file else ""
                if file:
                    print(line, file=file)
                if self.as_json:
                    click.echo(line)
                if show:
                    show(record.number, total)

            yield watch


def contest_options(command: _F) -> _F:
    """Add the options that `read_contest` takes to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def read_contest(engines: Sequence[str], *, rules: Rules, start: str, processes: int | None, **options: Any) -> Contest:
    """Read the options, and check that the engines can be made.

    Raises PositionError, EngineError, and click.UsageError for options that exclude each other.
    """
    if options["exact"] and options["games"]:
        raise click.UsageError("--exact and --games exclude each other: an expectation is of no number of games.")
    given = {field.name: options.pop(field.name) for field in fields(Terms) if field.name in options}
    terms = Terms(Position.parse(rules, start), **given)
    for engine in engines:
        read_engine(engine)
    return Contest(terms, processes or available_cores(), **options)


def warn_of_forfeits(results: Iterable[MatchResult]) -> None:
    """Name on standard error the engines that forfeited games, with the first reason."""
    for result in results:
        for engine, errors in zip((result.first, result.second), result.failures, strict=True):
            if errors:
                games = plural(len(errors), "game")
                click.echo(f"Warning: {engine} forfeited {games}; the first because: {errors[0]}", err=True)


@mnk_command(
    "match",
    "mnk match random random                       exactly, as the game is small",
    "mnk match perfect:ties=random random --swap   in both colours",
    "mnk match alphabeta:cutoff=2 mcts --game 4,4,4 --games 50 --random-plies 2",
    "mnk match random perfect --games 1000 --json  a line of JSON for every game",
)
@click.argument("first", metavar="ENGINE")
@click.argument("second", metavar="ENGINE")
@click.option("--swap", is_flag=True, help="Exchange colours after every game; otherwise the first engine plays X.")
@contest_options
def command(first: str, second: str, **options: Any) -> None:
    """Let the first ENGINE play X against the second.

    An ENGINE is a name with options, such as alphabeta:cutoff=2; `mnk engines` lists them. Where both know the
    probabilities of their moves and the game is small, their exact expectation is given instead of games.
    """
    contest = read_contest([first, second], **options)
    with contest.watch(f"{first} against {second}") as watch:
        result = play_match(first, second, contest.terms, tables=contest.data, processes=contest.processes, watch=watch)
    warn_of_forfeits([result])
    games = "the exact expectation" if result.exact else plural(int(result.score.games), "game")
    heading = f"{result.first} against {result.second} {contest.place()}: {games}"
    contest.show(heading, _format_result(result), result.json(), result.bars())


def _format_result(result: MatchResult) -> Iterator[str]:
    yield align_columns(result.cells(), left=[0, 1])
    if not result.exact:
        yield ""
        yield from map(_format_effort, (result.first, result.second), result.efforts)


def _format_effort(engine: str, effort: Effort) -> str:
    pace = f", {effort.moves / effort.seconds:,.0f} a second" if effort.seconds else ""
    nodes = f", {effort.nodes / effort.moves:,.1f} nodes a move" if effort.nodes else ""
    return f"{engine}: {plural(effort.moves, 'move')}{pace}{nodes}"
