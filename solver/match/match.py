"""Matches between pairs of engines: games in either colour, or their exact expectation."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from solver.engines.contract import Tables
from solver.errors import EngineError, PositionError
from solver.game.position import Position
from solver.match.expect import MOST_POSITIONS
from solver.match.game import Record
from solver.match.jobs import ExpectationJob, GameJob
from solver.match.processes import DoJobs, open_workplace
from solver.match.report import Report

__all__ = ["GAMES", "Terms", "play_match", "play_pairs"]

GAMES = 100
"""Games of a match, where its exact expectation can't be known and no number is asked for."""

Pair = tuple[str, str]
Watch = Callable[[Record, int], None]


@dataclass(frozen=True)
class Terms:
    """What the games of a match have in common.

    start: where they begin; whoever is to move there, the first engine plays X. random_plies: so many plies
    are drawn before the engines begin, anew for each game (with `swap`, for each pair of games).
    games: how many; None for the exact expectation where that is quickly had, otherwise GAMES. exact: the
    expectation, however long it takes. swap: the engines exchange colours after each game.
    seed: all that is drawn follows from it, so that the same terms give the same games in any number of
    processes. time: seconds for a move. forfeit: an engine that fails loses its game, instead of stopping all.
    Raises PositionError for a start where the game is over.
    """

    start: Position
    games: int | None = None
    exact: bool = False
    random_plies: int = 0
    swap: bool = False
    seed: int = 0
    time: float | None = None
    forfeit: bool = False

    def __post_init__(self) -> None:
        if self.start.is_over:
            raise PositionError(f"The game is already over in {self.start.board}; choose a position to play from.")


def play_match(
    first: str, second: str, terms: Terms, *, tables: Tables = None, processes: int = 0, watch: Watch | None = None
) -> Report:
    """Play, or expect, a match between two engines; see `play_pairs`."""
    [report] = play_pairs([(first, second)], terms, tables=tables, processes=processes, watch=watch)
    return report


def play_pairs(
    pairs: Sequence[Pair], terms: Terms, *, tables: Tables = None, processes: int = 0, watch: Watch | None = None
) -> list[Report]:
    """Play, or expect, a match between the engines of each pair, given as `make_engine` reads them.

    tables: for engines that need them; with processes, a path. processes: how many work; 0 for this one
    alone, which can't stop an engine that never answers, but knows engines that are registered only here.
    watch: called with each record, in the order of their numbers 1, 2, ..., and the number of all games.
    Raises EngineError, EngineFailed, PositionError, and what else engines raise when they are made ready.
    """
    reports = [Report(*pair) for pair in pairs]
    place = open_workplace(
        terms.start.rules, tables=tables, time=terms.time, forfeit=terms.forfeit, processes=processes
    )
    with place as do:
        if terms.exact or terms.games is None:
            _expect(reports, terms, do)
        _play([report for report in reports if not report.exact], terms, do, watch)
    return reports


def _expect(reports: Sequence[Report], terms: Terms, do: DoJobs) -> None:
    """Fill in the reports whose expectation can be known. Raises EngineError for the first that can't, if it must."""
    most = None if terms.exact else MOST_POSITIONS
    sides = (False, True) if terms.swap else (False,)
    stones = terms.start.x, terms.start.o
    pairs = [_seated(report, swapped) for report in reports for swapped in sides]
    jobs = [ExpectationJob(number, x, o, stones, terms.random_plies, most) for number, (x, o) in enumerate(pairs, 1)]
    scores = do(jobs, len(jobs))
    for report in reports:
        found = [score for score in islice(scores, len(sides)) if score is not None]
        if len(found) == len(sides):
            report.expect(*found)
        elif terms.exact:
            raise EngineError(
                f"The match between {report.first} and {report.second} can't be expected exactly, because one of them "
                "does not know the probabilities of its moves; play games instead."
            )


def _play(reports: Sequence[Report], terms: Terms, do: DoJobs, watch: Watch | None) -> None:
    """Play the games of each report and count them there."""
    games = GAMES if terms.games is None else terms.games
    total = games * len(reports)
    for number, record in enumerate(do(_games(reports, games, terms), total)):
        reports[number // games].add(record, swapped=_is_swapped(terms, number % games))
        if watch:
            watch(record, total)


def _games(reports: Sequence[Report], games: int, terms: Terms) -> Iterator[GameJob]:
    stones = terms.start.x, terms.start.o
    for place, report in enumerate(reports):
        for game in range(games):
            opening = game // 2 if terms.swap else game
            x, o = _seated(report, _is_swapped(terms, game))
            number = place * games + game + 1
            seed = _draw(terms.seed, report.first, report.second, game)
            yield GameJob(number, x, o, stones, terms.random_plies, seed, _draw(terms.seed, opening))


def _is_swapped(terms: Terms, game: int) -> bool:
    return terms.swap and game % 2 == 1


def _seated(report: Report, swapped: bool) -> Pair:
    """The engines as X and O."""
    return (report.second, report.first) if swapped else (report.first, report.second)


def _draw(*of: object) -> int:
    """A seed that follows from these."""
    return random.Random(" ".join(map(str, of))).getrandbits(32)
