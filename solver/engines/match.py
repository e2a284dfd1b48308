"""Play a match between engines: games on either side, or their exact expectation.

terms = Terms(Position.start(rules), games=100, swap=True)
result = play_match(["alphabeta:cutoff=2", "random"], terms, watch=lambda record, total: print(record.moves))
result.score            # MatchScore(wins, draws, losses) of the first engine
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice

from solver.engines.engine import Tables
from solver.engines.expectation import MOST_POSITIONS
from solver.engines.jobs import ExpectationJob, GameJob, JobRunner, Settings
from solver.engines.playing import GameRecord, require_live
from solver.engines.results import MatchResult, PairResult
from solver.errors import EngineError
from solver.game.position import Position

GAMES = 100
"""Games of a pair by default, unless their exact expectation is available."""

Watch = Callable[[GameRecord, int], None]


@dataclass(frozen=True)
class Terms:
    """The terms of a match. Raise PositionError if the game is over at the start."""

    start: Position
    """The position before the first move. The first engine plays X there, even if O is to move."""
    games: int | None = None
    """Games of each pair; None for the exact expectation if it is quick to compute, otherwise GAMES."""
    exact: bool = False
    """Compute the exact expectation, however long it takes."""
    random_plies: int = 0
    """Random plies before the engines' first move, drawn for each game; with `swap`, for each two games."""
    swap: bool = False
    """The engines swap sides after each game."""
    seed: int = 0
    """The seed of all random choices: the same terms give the same games with any number of processes."""
    time: float | None = None
    """Seconds per move."""
    forfeit: bool = False
    """An engine that fails loses its game instead of ending the match."""

    def __post_init__(self) -> None:
        require_live(self.start)


def play_match(
    engines: Sequence[str], terms: Terms, *, tables: Tables = None, processes: int = 0, watch: Watch | None = None
) -> MatchResult:
    """Return the result of a match between two engines, or of a round robin in which every pair swaps sides.

    engines: as `make_engine` reads them. tables: for engines that need them; with processes, a path. processes: the
    number of worker processes; 0 for this process alone, where an engine that never answers cannot be stopped, and
    where engines that only this program has registered can play. watch: called after each game with its record and the
    number of all games; records arrive in the order of their numbers 1, 2, ...
    Raise EngineError for fewer than two engines or, in a round robin, for two of the same name; EngineFailed,
    PositionError, and the errors of engines that cannot be prepared.
    """
    if len(engines) < 2:
        raise EngineError("A match needs at least two engines.")
    if len(engines) > 2:
        terms = replace(terms, swap=True)
        for engine in engines:
            if engines.count(engine) > 1:
                raise EngineError(f"The engine {engine} is named twice in the round robin; name it once.")
    pairs = [PairResult(*pair) for pair in combinations(engines, 2)]
    with JobRunner(Settings(terms.start.rules, tables, terms.time, terms.forfeit), processes) as runner:
        if terms.exact or terms.games is None:
            _expect(pairs, terms, runner)
        _play([pair for pair in pairs if not pair.exact], terms, runner, watch)
    return MatchResult(tuple(engines), tuple(pairs))


def _expect(pairs: Sequence[PairResult], terms: Terms, runner: JobRunner) -> None:
    """Set the results that can be computed exactly. Raise EngineError if one cannot although the terms require it."""
    most = None if terms.exact else MOST_POSITIONS
    sides = (False, True) if terms.swap else (False,)
    seats = [_seat_engines(pair, swapped) for pair in pairs for swapped in sides]
    jobs = [ExpectationJob(x, o, terms.start, terms.random_plies, most) for x, o in seats]
    scores = runner.run(jobs, len(jobs))
    for pair in pairs:
        found = [score for score in islice(scores, len(sides)) if score is not None]
        if len(found) == len(sides):
            pair.expect(*found)
        elif terms.exact:
            raise EngineError(
                f"The exact expectation of {pair.first} against {pair.second} is unavailable, because one of them "
                "does not know the probabilities of its moves; play games instead."
            )


def _play(pairs: Sequence[PairResult], terms: Terms, runner: JobRunner, watch: Watch | None) -> None:
    """Play the games of each pair and add them to its result."""
    games = GAMES if terms.games is None else terms.games
    total = games * len(pairs)
    for number, record in enumerate(runner.run(_list_jobs(pairs, games, terms), total)):
        pairs[number // games].add(record, swapped=_is_swapped(terms, number % games))
        if watch:
            watch(record, total)


def _list_jobs(pairs: Sequence[PairResult], games: int, terms: Terms) -> Iterator[GameJob]:
    for place, pair in enumerate(pairs):
        for game in range(games):
            opening = game // 2 if terms.swap else game
            x, o = _seat_engines(pair, _is_swapped(terms, game))
            number = place * games + game + 1
            seed = _make_seed(terms.seed, pair.first, pair.second, game)
            yield GameJob(number, x, o, terms.start, terms.random_plies, seed, _make_seed(terms.seed, opening))


def _is_swapped(terms: Terms, game: int) -> bool:
    return terms.swap and game % 2 == 1


def _seat_engines(pair: PairResult, swapped: bool) -> tuple[str, str]:
    """Return the engines that play X and O."""
    return (pair.second, pair.first) if swapped else (pair.first, pair.second)


def _make_seed(*parts: object) -> int:
    """Return a seed that depends on these values only."""
    return random.Random(" ".join(map(str, parts))).getrandbits(32)
