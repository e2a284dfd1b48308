"""Choose the positions that an engine plays: all, a uniform sample or, of a large game, forced or late positions."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from solver.errors import GraderError, PositionError, quoted
from solver.game.legality import vacant
from solver.game.position import Position, reachable_positions
from solver.game.rules import Rules
from solver.game.sampling import sample_position
from solver.search.forced import draw_forced
from solver.search.sources import SMALL, ThreatSearch
from solver.search.truth import Truth

MOST_POSITIONS = 20_000  # a game with more positions is sampled by default; only positions with a legal move count

SAMPLE = 1000  # the default number of positions in a sample

LATE_SAMPLE = 200  # the default number of late or forced positions in a sample

_MOST_GAMES = 20  # random games for each late or forced position
_LATEST, _EARLIEST = 2, 4  # empty squares of the late positions used to try conventions


@dataclass(frozen=True)
class Scope:
    """The positions on which an engine is graded."""

    kind: str  #: `all`, `sample` or `given`.
    total: int | None = None  #: Positions of the game with a legal move, if known.
    seed: int | None = None  #: The seed of a sample and of the order of positions; None if they are given.
    side: str | None = None  #: The only side, `X` or `O`, that is graded; None for both.
    is_cut: bool = False  #: True if time ran out before all of them were played.
    empty: int | None = None  #: The most empty squares of a position, if only late positions can be solved.
    is_forced: bool = False  #: True if threats settle the positions: wins by continuous fours, and defences.


@lru_cache(maxsize=2)  # a verification needs them several times
def live_positions(rules: Rules) -> tuple[Position, ...]:
    """Return every position with a legal move, in every orientation, because engines err in only some orientations."""
    return tuple(position for position in reachable_positions(rules) if not position.is_over)


def count_live(truth: Truth) -> dict[int, int]:
    """Return the number of positions with a legal move at each ply. Without a table, the game must be small."""
    if truth.is_whole:
        return {ply: live for ply, live in enumerate(truth.table.live_counts()) if live}
    return Counter(position.ply for position in live_positions(truth.rules))


def sample_positions(rules: Rules, count: int, seed: int, live: Mapping[int, int]) -> list[Position]:
    """Choose `count` distinct positions with a legal move uniformly at random; return them sorted by ply and hash.

    live: the number of these positions at each ply. A ply is chosen in proportion to this number, then stones are
    chosen until they form a position of the game, so all positions are equally likely.
    """
    draw = random.Random(f"{rules} {seed}")
    found: set[Position] = set()
    for _ in range(1000 + 100 * count):
        if len(found) == count:
            return _sort(found)
        [ply] = draw.choices([*live], [*live.values()])
        found.add(sample_position(rules, ply, draw))
    raise GraderError(f"{rules} seems to have fewer positions than its table says; check it with `mnk check`.")


def choose_positions(
    rules: Rules, truth: Truth, sample: int | None, seed: int, side: str | None = None
) -> tuple[Scope, Sequence[Position]]:
    """Return the scope and its positions: all if there are at most MOST_POSITIONS, else a sample.

    sample: the number of positions to choose. seed: that of the sample and of the order in which positions are asked.
    side: `X` or `O`, to choose only positions where that side is to move. Raises GraderError.
    """
    if side not in {None, "X", "O"}:
        raise GraderError(f"There is no side {quoted(side)}; choose X, which moves first, or O.")
    if sample is not None and sample < 1:
        raise GraderError(f"A sample has at least one position, not {sample}.")
    if truth.threats and (forced := _draw_forced_positions(truth.threats, rules, sample or LATE_SAMPLE, seed, side)):
        return Scope("sample", None, seed, side, is_forced=True), forced
    if not truth.is_whole and rules.squares > SMALL:
        late = draw_late_positions(rules, sample or LATE_SAMPLE, seed, truth.empty or rules.plies - 1, side)
        return Scope("sample", None, seed, side, empty=truth.empty), late
    live = {ply: one for ply, one in count_live(truth).items() if side in {None, "XO"[ply % 2]}}
    total = sum(live.values())
    wanted = sample or (SAMPLE if total > MOST_POSITIONS else total)
    if wanted < total:
        return Scope("sample", total, seed, side), sample_positions(rules, wanted, seed, live)
    return Scope("all", total, seed, side), [p for p in live_positions(rules) if side in {None, p.to_move}]


def draw_late_positions(
    rules: Rules, count: int, seed: int, most_empty: int = _EARLIEST, side: str | None = None
) -> list[Position]:
    """Choose distinct random positions with few empty squares and at least two legal moves; sort by ply and hash.

    Each arises in a random game in which nobody completes a line. Raises GraderError if none was found.
    """
    draw = random.Random(f"{rules} {seed}")
    found: set[Position] = set()
    for _ in range(_MOST_GAMES * count):
        position = _play_at_random(rules, rules.plies - draw.randint(_LATEST, most_empty), draw)
        if position and len(position.legal_moves) > 1 and side in {None, position.to_move}:
            found.add(position)
        if len(found) == count:
            break
    if not found:
        raise GraderError(f"No late position of {rules} was found in random games; give positions (option at).")
    return _sort(found)


def _draw_forced_positions(
    threats: ThreatSearch, rules: Rules, count: int, seed: int, side: str | None
) -> list[Position]:
    """Choose up to `count` positions of random games in which play is forced; sort by ply and hash."""
    found = (forced.position for forced in draw_forced(threats, rules, seed, _MOST_GAMES * count))
    return _sort({*islice((position for position in found if side in {None, position.to_move}), count)})


def _play_at_random(rules: Rules, plies: int, draw: random.Random) -> Position | None:
    """Return the position after `plies` random moves that do not end the game; None if no such move is left."""
    position, squares = Position.start(rules), draw.sample(range(rules.squares), rules.squares)
    while position.ply < plies:
        free = vacant(rules, position.x | position.o)
        after = (position.play(square) for square in squares if free >> square & 1)
        following = next((one for one in after if not one.is_over), None)
        if following is None:
            return None
        position = following
    return position


def read_positions(rules: Rules, at: object) -> list[Position]:
    """Read a position, or a list of positions, in any notation. Raises PositionError, also if the game is over."""
    given: list[object] = [at]
    if isinstance(at, list | tuple) and at and all(isinstance(one, str | Position) for one in at):
        given = [*at]
    positions = [Position.parse(rules, one) for one in given]
    for position in positions:
        if position.is_over:
            raise PositionError(f"The game is over in {position.board}, so there is no move; give another position.")
    return positions


def _sort(positions: set[Position]) -> list[Position]:
    return sorted(positions, key=lambda position: (position.ply, position.hash))
