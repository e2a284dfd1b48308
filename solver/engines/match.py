"""Play matches between pairs of engines: games in either colour, or their exact expectation."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from solver.engines.engine import Tables
from solver.engines.expectation import MOST_POSITIONS
from solver.engines.jobs import ExpectationJob, GameJob, RunJobs, open_runner
from solver.engines.playing import GameRecord
from solver.engines.results import MatchResult
from solver.errors import EngineError, PositionError
from solver.game.position import Position

GAMES = 100
"""Games of a match, where its exact expectation can't be known and no number is asked for."""

Pair = tuple[str, str]
Watch = Callable[[GameRecord, int], None]


@dataclass(frozen=True)
class Terms:
    """The terms that the games of a match have in common.

    Raises PositionError for a start where the game is over.
    """

    start: Position
    """Where games begin. Whoever is to move there, the first engine plays X."""
    games: int | None = None
    """How many; None for the exact expectation where that is quickly had, otherwise GAMES."""
    exact: bool = False
    """The expectation, however long it takes."""
    random_plies: int = 0
    """Plies drawn before the engines begin, anew for each game; with `swap`, for each pair of games."""
    swap: bool = False
    """The engines exchange colours after each game."""
    seed: int = 0
    """All that is drawn follows from it: the same terms give the same games in any number of processes."""
    time: float | None = None
    """Seconds for a move."""
    forfeit: bool = False
    """An engine that fails loses its game, instead of stopping all."""

    def __post_init__(self) -> None:
        if self.start.is_over:
            raise PositionError(f"The game is already over in {self.start.board}; choose a position to play from.")


def play_match(
    first: str, second: str, terms: Terms, *, tables: Tables = None, processes: int = 0, watch: Watch | None = None
) -> MatchResult:
    """Play, or expect, a match between two engines; see `play_pairs`."""
    [result] = play_pairs([(first, second)], terms, tables=tables, processes=processes, watch=watch)
    return result


def play_pairs(
    pairs: Sequence[Pair], terms: Terms, *, tables: Tables = None, processes: int = 0, watch: Watch | None = None
) -> list[MatchResult]:
    """Play, or expect, a match between the engines of each pair, given as `make_engine` reads them.

    tables: for engines that need them; with processes, a path. processes: how many work; 0 for this one
    alone, which can't stop an engine that never answers, but knows engines that are registered only here.
    watch: called with each record, in the order of their numbers 1, 2, ..., and the number of all games.
    Raises EngineError, EngineFailed, PositionError, and what else engines raise when they are made ready.
    """
    results = [MatchResult(*pair) for pair in pairs]
    runner = open_runner(terms.start.rules, tables=tables, time=terms.time, forfeit=terms.forfeit, processes=processes)
    with runner as run_jobs:
        if terms.exact or terms.games is None:
            _expect(results, terms, run_jobs)
        _play([result for result in results if not result.exact], terms, run_jobs, watch)
    return results


def _expect(results: Sequence[MatchResult], terms: Terms, run_jobs: RunJobs) -> None:
    """Fill in the results that can be expected. Raises EngineError for the first that can't, if it must be exact."""
    most = None if terms.exact else MOST_POSITIONS
    sides = (False, True) if terms.swap else (False,)
    pairs = [_seat_engines(result, swapped) for result in results for swapped in sides]
    jobs = [
        ExpectationJob(number, x, o, terms.start, terms.random_plies, most) for number, (x, o) in enumerate(pairs, 1)
    ]
    scores = run_jobs(jobs, len(jobs))
    for result in results:
        found = [score for score in islice(scores, len(sides)) if score is not None]
        if len(found) == len(sides):
            result.expect(*found)
        elif terms.exact:
            raise EngineError(
                f"The match between {result.first} and {result.second} can't be expected exactly, because one of them "
                "does not know the probabilities of its moves; play games instead."
            )


def _play(results: Sequence[MatchResult], terms: Terms, run_jobs: RunJobs, watch: Watch | None) -> None:
    """Play the games of each match and count them in its result."""
    games = GAMES if terms.games is None else terms.games
    total = games * len(results)
    for number, record in enumerate(run_jobs(_list_jobs(results, games, terms), total)):
        results[number // games].add(record, swapped=_is_swapped(terms, number % games))
        if watch:
            watch(record, total)


def _list_jobs(results: Sequence[MatchResult], games: int, terms: Terms) -> Iterator[GameJob]:
    for place, result in enumerate(results):
        for game in range(games):
            opening = game // 2 if terms.swap else game
            x, o = _seat_engines(result, _is_swapped(terms, game))
            number = place * games + game + 1
            seed = _make_seed(terms.seed, result.first, result.second, game)
            yield GameJob(number, x, o, terms.start, terms.random_plies, seed, _make_seed(terms.seed, opening))


def _is_swapped(terms: Terms, game: int) -> bool:
    return terms.swap and game % 2 == 1


def _seat_engines(result: MatchResult, swapped: bool) -> Pair:
    """Return the engines as X and O."""
    return (result.second, result.first) if swapped else (result.first, result.second)


def _make_seed(*of: object) -> int:
    """Make a seed that follows from these."""
    return random.Random(" ".join(map(str, of))).getrandbits(32)
