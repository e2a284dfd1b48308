"""What `mnk match` and `mnk tournament` share: their options, records of games, and how scores are shown."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from solver.cli.common import data_option, progress
from solver.cli.files import OUTPUT_FILE, SVG_FILE
from solver.game.position import Position
from solver.game.rules import Rules
from solver.match.game import GameRecord
from solver.match.match import GAMES, Terms, Watch
from solver.match.result import MatchResult
from solver.support.english import plural
from solver.support.files import write_file

__all__ = ["Contest", "contest_options", "read_contest", "warn_of_forfeits"]

_F = TypeVar("_F", bound=Callable[..., Any])

TIME = 60.0
"""Seconds an engine may take for a move unless told otherwise, so that one that never answers is found out."""

_OPTIONS = (
    click.option(
        "--game", "rules", metavar="GAME", type=Rules.parse, default="3,3,3", show_default=True, help="The game."
    ),
    click.option(
        "--games",
        type=click.IntRange(min=1),
        metavar="N",
        help=f"How many games a pair plays; default: their exact expectation where it is quickly had, else {GAMES}.",
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
    click.option(
        "--time",
        type=click.FloatRange(min=0, min_open=True),
        metavar="SECONDS",
        default=TIME,
        show_default=True,
        help="How long an engine may take for a move.",
    ),
    click.option(
        "--forfeit", is_flag=True, help="An engine that fails loses its game, instead of stopping everything."
    ),
    click.option("--processes", type=click.IntRange(min=1), metavar="N", help="How many work; default: all cores."),
    click.option(
        "--json", "as_json", is_flag=True, help="Print every game and then the result, each as a line of JSON."
    ),
    click.option(
        "--records",
        type=OUTPUT_FILE,
        metavar="FILE",
        help="Write every game there as JSON.",
    ),
    click.option("--svg", type=SVG_FILE, metavar="FILE", help="Draw the result there, as bars."),
    data_option,
)


@dataclass(frozen=True)
class Contest:
    """The options of a command, read."""

    terms: Terms
    data: Path
    processes: int
    as_json: bool
    records: Path | None
    svg: Path | None

    def place(self) -> str:
        """Where the games begin, for a heading: `on 3,3,3 after 2 random plies`."""
        terms = self.terms
        start = f" from {terms.start.board}" if terms.start.ply else ""
        drawn = f" after {plural(terms.random_plies, 'random ply', 'random plies')}" if terms.random_plies else ""
        return f"on {terms.start.rules}{start}{drawn}"

    def show(self, result: Mapping[str, Any], lines: Iterable[str], picture: Callable[[], str]) -> None:
        """Print the result, as text or as a line of JSON, and draw it where that is asked for."""
        if self.as_json:
            terms = {"game": self.terms.start.rules.name, "start": self.terms.start.board, "seed": self.terms.seed}
            click.echo(json.dumps({**terms, "random_plies": self.terms.random_plies, "result": result}))
        else:
            click.echo("\n".join(lines))
        if self.svg:
            write_file(self.svg, picture() + "\n")

    @contextmanager
    def watch(self, label: str) -> Iterator[Watch]:
        """What is to be told of every game: it writes records and shows the progress."""
        with ExitStack() as stack:
            show = stack.enter_context(progress(label))
            file = stack.enter_context(self.records.open("w", encoding="utf-8")) if self.records else None

            def watch(record: GameRecord, total: int) -> None:
                if self.as_json or file:
                    line = json.dumps(record.json())
                    if file:
                        print(line, file=file)
                    if self.as_json:
                        click.echo(line)
                if show:
                    show(record.number, total)

            yield watch


def contest_options(command: _F) -> _F:
    """Gives a command these options, as `read_contest` takes them."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def read_contest(
    *,
    rules: Rules,
    games: int | None,
    exact: bool,
    start: str,
    random_plies: int,
    seed: int,
    time: float,
    forfeit: bool,
    processes: int | None,
    as_json: bool,
    records: Path | None,
    svg: Path | None,
    data: Path,
    swap: bool = False,
) -> Contest:
    """The options as a Contest. Raises PositionError, and click.UsageError for options that exclude each other."""
    if exact and games:
        raise click.UsageError("--exact and --games exclude each other: an expectation is of no number of games.")
    position = Position.parse(rules, start)
    terms = Terms(position, games, exact, random_plies, swap, seed, time, forfeit)
    return Contest(terms, data, processes or os.cpu_count() or 1, as_json, records, svg)


def warn_of_forfeits(results: Iterable[MatchResult]) -> None:
    """Name on standard error the engines that forfeited games, with the first reason."""
    for result in results:
        for engine, errors in zip((result.first, result.second), result.failures, strict=True):
            if errors:
                games = plural(len(errors), "game")
                click.echo(f"Warning: {engine} forfeited {games}; the first because: {errors[0]}", err=True)
