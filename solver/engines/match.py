"""Play a match between engines: games on either side, or their exact expectation.

terms = Terms(Position.start(rules), games=100, swap=True)
result = play_match(["alphabeta:cutoff=2", "random"], terms, watch=lambda record, total: print(record.moves))
result.score            # MatchScore(wins, draws, losses) of the first engine
"""

import random
import signal
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import combinations
from multiprocessing import active_children, get_context
from typing import NamedTuple

from solver.engines.engine import Engine, Tables, make_engine
from solver.engines.expectation import expectation
from solver.engines.playing import GameRecord, play_game, random_start, require_live
from solver.engines.results import MatchResult, PairResult
from solver.errors import EngineError, EngineFailed, MnkError
from solver.game.position import Position
from solver.game.rules import Rules

GAMES = 100
"""Games of a pair by default, unless their exact expectation is available."""

MOST_POSITIONS = 20_000
"""The most positions of an expectation that a match computes: a few seconds."""

Watch = Callable[[GameRecord, int], None]


@dataclass(frozen=True)
class Terms:
    """The terms of a match. Raise PositionError if the game is over at the start."""

    start: Position
    """The position before the first move. The first engine plays X there, even if O is to move."""
    games: int | None = None
    """Games of each pair; None for the exact expectation if it is quick to compute, otherwise GAMES."""
    random_plies: int = 0
    """Random plies before the engines' first move, drawn for each game; with `swap`, for each pair of games."""
    swap: bool = False
    """The engines swap sides after each game."""
    seed: int = 0
    """The seed of all random choices: the same terms give the same games with any number of processes."""

    def __post_init__(self) -> None:
        require_live(self.start)


def play_match(
    engines: Sequence[str], terms: Terms, *, tables: Tables = None, processes: int = 0, watch: Watch | None = None
) -> MatchResult:
    """Return the result of a match between two engines, or of a round robin in which every pair swaps sides.

    engines: as `make_engine` reads them. tables: for engines that need them; with processes, a path. processes: the
    number of worker processes; 0 for this process alone, where engines that only this program has registered can play.
    watch: called after each game with its record and the number of all games, in the order of the games. Raise
    EngineError for fewer than two engines or, in a round robin, for two of the same name; EngineFailed, PositionError,
    and the errors of engines that cannot be prepared.
    """
    if len(engines) < 2:
        raise EngineError("A match needs at least two engines.")
    if len(engines) > 2:
        terms = replace(terms, swap=True)
        for engine in engines:
            if engines.count(engine) > 1:
                raise EngineError(f"The engine {engine} is named twice in the round robin; name it once.")
    pairs = [PairResult(*pair) for pair in combinations(engines, 2)]
    rules = terms.start.rules
    if terms.games is None:
        _expect(pairs, terms, _Players(rules, tables))
    # Other players, because open tables cannot be sent to workers.
    _play([pair for pair in pairs if not pair.exact], terms, _Players(rules, tables), processes, watch)
    return MatchResult(tuple(engines), tuple(pairs))


def _expect(pairs: Sequence[PairResult], terms: Terms, players: "_Players") -> None:
    """Set the results that can be computed exactly."""
    for pair in pairs:
        found = []
        for swapped in (False, True) if terms.swap else (False,):
            x, o = _seat_engines(pair, swapped)
            score = expectation(
                players.get(x, "X"), players.get(o, "O"), terms.start,
                random_plies=terms.random_plies, most=MOST_POSITIONS,
            )  # fmt: skip
            if score is None:
                break
            found.append(score)
        else:
            pair.expect(*found)


def _play(pairs: Sequence[PairResult], terms: Terms, players: "_Players", processes: int, watch: Watch | None) -> None:
    """Play the games of each pair and add them to its result."""
    games = GAMES if terms.games is None else terms.games
    total = games * len(pairs)
    with closing(_run(_list_games(pairs, games, terms), players, processes)) as records:
        for number, record in enumerate(records):
            pairs[number // games].add(record, swapped=_is_swapped(terms, number % games))
            if watch:
                watch(record, total)


def _list_games(pairs: Sequence[PairResult], games: int, terms: Terms) -> Iterator["_GameJob"]:
    for place, pair in enumerate(pairs):
        for game in range(games):
            opening = game // 2 if terms.swap else game
            x, o = _seat_engines(pair, _is_swapped(terms, game))
            number = place * games + game + 1
            seed = _make_seed(terms.seed, pair.first, pair.second, game)
            yield _GameJob(number, x, o, terms, seed, _make_seed(terms.seed, opening))


def _is_swapped(terms: Terms, game: int) -> bool:
    return terms.swap and game % 2 == 1


def _seat_engines(pair: PairResult, swapped: bool) -> tuple[str, str]:
    """Return the engines that play X and O."""
    return (pair.second, pair.first) if swapped else (pair.first, pair.second)


def _make_seed(*parts: object) -> int:
    """Return a seed that depends on these values only."""
    return random.Random(" ".join(map(str, parts))).getrandbits(32)


# Games, in this process or in worker processes


class _Players:
    """The engines of a match, one of each name for each side."""

    def __init__(self, rules: Rules, tables: Tables) -> None:
        self._rules, self._tables = rules, tables
        self._engines: dict[tuple[str, str], Engine] = {}

    def get(self, name: str, side: str) -> Engine:
        """Return an engine that is ready to play. Raise MnkError; EngineFailed for any other exception."""
        if (name, side) not in self._engines:
            try:
                self._engines[name, side] = make_engine(name, self._rules, tables=self._tables)
            except MnkError:
                raise
            except Exception as error:
                problem = f"{type(error).__name__} ({error})"
                raise EngineFailed(f"The engine {name} cannot be prepared for {self._rules}: {problem}.") from error
        return self._engines[name, side]


class _GameJob(NamedTuple):
    """A game to play."""

    number: int
    x: str
    o: str
    terms: Terms
    seed: int
    """The seed of both engines."""
    start_seed: int
    """The seed of the random plies."""

    def run(self, players: _Players) -> GameRecord:
        """Return the record of the game. Raise EngineFailed if an engine fails."""
        x, o = players.get(self.x, "X"), players.get(self.o, "O")
        start = random_start(self.terms.start, self.terms.random_plies, self.start_seed)
        return play_game(x, o, start, seed=self.seed, number=self.number)


_players: _Players  # in a worker process


def _enter_worker(players: _Players) -> None:
    """Prepare a worker process to ignore interrupts; the parent ends it."""
    global _players  # noqa: PLW0603 - an executor has no other way to pass them to the jobs
    signal.signal(signal.SIGINT, lambda *_: None)
    _players = players


def _run_job(job: _GameJob) -> GameRecord:
    return job.run(_players)


def _run(jobs: Iterable[_GameJob], players: _Players, processes: int) -> Generator[GameRecord, None, None]:
    """Yield the records of games in their order. Raise MnkError; EngineFailed if an engine ends its process."""
    if not processes:
        yield from (job.run(players) for job in jobs)
        return
    others = {*active_children()}
    with ProcessPoolExecutor(processes, get_context("spawn"), _enter_worker, (players,)) as pool:
        try:
            for future in [pool.submit(_run_job, job) for job in jobs]:
                yield future.result()
        except BaseException as error:  # also on an interrupt: no engine finishes its game
            for child in {*active_children()} - others:
                child.kill()
            if not isinstance(error, BrokenProcessPool):
                raise
            raise EngineFailed(
                "A worker process ended before its game did. An engine may have ended it, or the script that plays the "
                "match lacks the guard `if __name__ == '__main__':`; with `processes=0` no worker is needed."
            ) from error
