"""Play a match between engines, or compute its exact expectation.

terms = Terms(Position.start(rules), games=100, swap=True)
result = play_match(["alphabeta:cutoff=2", "random"], terms, watch=lambda record, total: print(record.moves))
result.score            # MatchScore(wins, draws, losses) of the first engine
"""

import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import inf
from numbers import Real

from solver.engines.engine import Engine, Tables, make_engine
from solver.engines.playing import GameRecord, play_game, request_distribution, require_live
from solver.engines.results import MatchResult, MatchScore, PairResult, score_game
from solver.errors import EngineError, EngineFailed, PositionError, require_numbers
from solver.game.position import Position

GAMES = 100  # games of a pair by default, unless their exact expectation is available

MOST_POSITIONS = 20_000  # the most positions that a match visits to compute an exact expectation: a few seconds

Watch = Callable[[GameRecord, int], None]
Seat = Callable[[PairResult, bool], tuple[Engine, Engine]]  # the engines that play X and O, perhaps swapped


@dataclass(frozen=True)
class Terms:
    """The terms of a match. Raises PositionError for a game that is over, and for an opening of another game."""

    start: Position
    """The position before the first move. The first engine plays X there, even if O is to move."""
    games: int | None = None
    """Games of each pair; None for the exact expectation if it is quick to compute, otherwise 100 games."""
    swap: bool = False
    """The engines swap sides after each game."""
    seed: int = 0
    """The seed of all random choices: the same terms give the same games."""

    openings: tuple[Position, ...] = ()
    """Positions to begin from in turn instead of `start`; with `swap`, both engines play X from each."""
    clock: float | None = None
    """The seconds that an engine has for all its moves in a game; None for no limit."""

    def __post_init__(self) -> None:
        require_numbers(1, games=self.games)
        require_numbers(0, inf, Real, clock=self.clock)
        for start in (self.start, *self.openings):
            require_live(start)
            if not start.rules.is_same_game(self.start.rules):
                raise PositionError(f"An opening of {start.rules} begins no game of {self.start.rules}; leave it out.")


def play_match(
    engines: Sequence[str],
    terms: Terms,
    *,
    tables: Tables = None,
    watch: Watch | None = None,
    make: Callable[[str], Engine] | None = None,
) -> MatchResult:
    """Return the result of a match between two engines, or of a round robin in which every pair swaps sides.

    engines and tables: as for `make_engine`. watch: called after each game with the game's record and the total number
    of games. make: returns the engine of a name, instead of `make_engine`, and closes it later. Raises EngineError for
    fewer than two engines or, in a round robin, for two engines of the same name. Also raises PositionError, and the
    errors of engines that cannot be prepared. An engine that fails to give a legal move loses the game.
    """
    if len(engines) < 2:
        raise EngineError("A match needs at least two engines.")
    if len(engines) > 2:
        terms = replace(terms, swap=True)
        for engine in engines:
            if engines.count(engine) > 1:
                raise EngineError(f"The engine {engine} is named twice in the round robin; name it once.")
    pairs = [PairResult(*pair) for pair in combinations(engines, 2)]
    with ExitStack() as stack:

        @cache  # the side is part of the key, because an engine may play against itself
        def open_engine(name: str, _side: str) -> Engine:
            if make:
                return make(name)
            engine = make_engine(name, terms.start.rules, tables=tables)
            stack.callback(engine.close)
            return engine

        def seat(pair: PairResult, swapped: bool) -> tuple[Engine, Engine]:
            x, o = (pair.second, pair.first) if swapped else (pair.first, pair.second)
            return open_engine(x, "X"), open_engine(o, "O")

        for pair in pairs:  # a missing engine ends the match before its first game
            for swapped in (False, True) if terms.swap else (False,):
                seat(pair, swapped)
        if terms.games is None and not terms.openings:
            _expect(pairs, terms, seat)
        _play([pair for pair in pairs if not pair.exact], terms, seat, watch)
    return MatchResult(tuple(engines), tuple(pairs))


def _expect(pairs: Sequence[PairResult], terms: Terms, seat: Seat) -> None:
    for pair in pairs:
        found = []
        for swapped in (False, True) if terms.swap else (False,):
            score = None
            with suppress(EngineFailed):  # then games show how often it fails
                score = expectation(*seat(pair, swapped), terms.start, most=MOST_POSITIONS)
            if score is None:
                break
            found.append(score)
        else:
            pair.as_x, pair.exact = found[0], True
            pair.as_o = found[1].of_other() if terms.swap else pair.as_o


def expectation(x: Engine, o: Engine, start: Position, *, most: int | None = None) -> MatchScore | None:
    """Return the exact probabilities that X wins, that the game is a draw, and that X loses.

    Random against random on 3,3,3 gives 737/1260 wins, 121/420 losses and 8/63 draws. A forward sweep visits the
    positions ply by ply; each distributes its probability over the legal moves.

    most: the most positions to visit; None for no limit. Returns None if an engine does not know the probabilities of
    its moves, or if the game has more than `most` positions. Raises EngineFailed; PositionError if the game is over at
    the start.
    """
    require_live(start)
    engines = {"X": x, "O": o}
    score, live, visited = MatchScore(), {start: Fraction(1)}, 0
    while live:
        visited += len(live)
        if most is not None and visited > most:
            return None
        after: defaultdict[Position, Fraction] = defaultdict(Fraction)
        for position, probability in live.items():
            moves = request_distribution(engines[position.to_move], position)
            if moves is None:
                return None
            for move, chance in moves.items():
                after[position.play(move)] += probability * chance
        live = {position: probability for position, probability in after.items() if position.outcome is None}
        for position in after.keys() - live.keys():
            wins, draws, losses = score_game(position.outcome or "", "X").parts
            score += MatchScore(wins * after[position], draws * after[position], losses * after[position])
    return score


def _play(pairs: Sequence[PairResult], terms: Terms, seat: Seat, watch: Watch | None) -> None:
    games = GAMES if terms.games is None else terms.games
    for place, pair in enumerate(pairs):
        for game in range(games):
            swapped = terms.swap and game % 2 == 1
            x, o = seat(pair, swapped)
            seed = random.Random(f"{terms.seed} {pair.first} {pair.second} {game}").getrandbits(32)
            openings = terms.openings or (terms.start,)
            start = openings[game // (1 + terms.swap) % len(openings)]
            number = place * games + game + 1
            record = play_game(x, o, start, seed=seed, number=number, forfeits=True, clock=terms.clock)
            if swapped:
                pair.as_o += score_game(record.outcome, "O")
            else:
                pair.as_x += score_game(record.outcome, "X")
            if watch:
                watch(record, games * len(pairs))
