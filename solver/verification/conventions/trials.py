"""Make the positions on which conventions are tried: late ones, where engines are quick and most replies are telling.

Where one square is left, the only legal answer shows how squares are numbered. Where some moves throw a
result away and others don't, the answer shows whether the engine takes the marks for what they are.
"""

import random
from collections.abc import Iterator
from typing import Final, NamedTuple

from solver.game.position import Position
from solver.game.rules import Rules

GAMES: Final = 400
MOST_FORCED, MOST_TELLING = 8, 12  # of positions with one move, of those with better and worse ones for each side
SOLVABLE: Final = 5  # empty squares up to which a position is searched to its end


class Trial(NamedTuple):
    """A position to ask an engine in, and the truth about it."""

    position: Position
    good: frozenset[int]
    """The moves that are good there; all of them, if none is bad."""
    wdl: int | None
    """Its value for the side to move, where it is known."""


def make_trials(rules: Rules) -> list[Trial]:
    """Return the trials in the order they are asked: some of every sort first, the same whenever it is called."""
    late = sorted(_meet_positions(rules), key=lambda position: -position.ply)[: 80 * MOST_TELLING]
    random.Random(1).shuffle(late)
    late.sort(key=lambda position: -position.ply)
    seen: dict[Position, int] = {}
    forced, other = list[Trial](), list[Trial]()
    telling: dict[str, list[Trial]] = {"O": [], "X": []}
    squares = set[int]()
    for position in late:
        if len(position.legal_moves) == 1:
            move = position.legal_moves[0]
            if move not in squares and len(forced) < MOST_FORCED:
                squares.add(move)
                forced.append(_make_trial(position, seen))
        elif len(telling[position.to_move]) < MOST_TELLING:
            trial = _make_trial(position, seen)
            is_telling = len(trial.good) < len(position.legal_moves)
            (telling[position.to_move] if is_telling else other).append(trial)
    both = [*_alternate(telling)] or other[:MOST_TELLING]
    return [*forced[:1], *both[:2], *forced[1:], *both[2:], *(other[:8] if len(forced) + len(both) < 8 else [])]


def _meet_positions(rules: Rules) -> set[Position]:
    """Return positions near the end of games of random moves, none of them over."""
    chance = random.Random(0)
    found = set[Position]()
    for _ in range(GAMES if rules.squares <= 25 else 40):
        position = Position.start(rules)
        path = []
        while moves := position.legal_moves:
            path.append(position)
            position = position.play(chance.choice(moves))
        found.update(path[-4:])
    return found


def _alternate(telling: dict[str, list[Trial]]) -> Iterator[Trial]:
    """Yield a trial of O, then one of X, and so on: an engine may know one side alone."""
    for place in range(MOST_TELLING):
        for side in telling.values():
            yield from side[place : place + 1]


def _make_trial(position: Position, seen: dict[Position, int]) -> Trial:
    moves = position.legal_moves
    wins = frozenset(m for m in moves if _is_won(position.play(m)))
    if position.rules.squares - position.ply <= SOLVABLE:
        values = {move: -_solve(position.play(move), seen) for move in moves}
        best = max(values.values())
        good = frozenset(move for move, value in values.items() if value == best)
        return Trial(position, good, best)
    safe = frozenset(m for m in moves if not _is_threatened(position.play(m)))
    return Trial(position, wins or safe or frozenset(moves), 1 if wins else None)


def _is_won(after: Position) -> bool:
    value = after.value_if_over
    return value is not None and value.wdl < 0


def _is_threatened(position: Position) -> bool:
    return any(_is_won(position.play(move)) for move in position.legal_moves)


def _solve(position: Position, seen: dict[Position, int]) -> int:
    if position not in seen:
        over = position.value_if_over
        seen[position] = over.wdl if over else max(-_solve(position.play(m), seen) for m in position.legal_moves)
    return seen[position]
