"""Make the positions on which conventions are tried: late ones, where engines are quick and few replies are legal.

They tell readings apart by what is legal. Where one square is left, the only legal answer shows how squares are
numbered; where few are left, those are preferred that are taken when rows are read as columns, or counted from 1.
"""

import random
from typing import Final

from solver.game.position import Position
from solver.game.rules import Rules

GAMES: Final = 400
LAST: Final = 4  # positions of each game
MOST_FORCED, MOST_OTHERS = 8, 4  # of positions with one move, of those with each other number of moves


def make_trials(rules: Rules) -> list[Position]:
    """Return the trials in the order they are asked: some of every sort first, the same whenever it is called."""
    late = sorted(_meet_positions(rules), key=lambda position: (position.x, position.o))
    random.Random(1).shuffle(late)
    late.sort(key=lambda position: (_count_confusions(position), -position.ply))
    by_moves: dict[int, list[Position]] = {}
    squares = set[int]()
    for position in late:
        moves = position.legal_moves
        kept = by_moves.setdefault(len(moves), [])
        if len(moves) == 1 and (moves[0] in squares or len(kept) >= MOST_FORCED):
            continue
        if len(moves) == 1 or len(kept) < MOST_OTHERS:
            squares.update(moves if len(moves) == 1 else ())
            kept.append(position)
    groups = [by_moves[count] for count in sorted(by_moves)[:LAST]]
    first = [group[0] for group in groups]
    return first + [position for group in groups for position in group[1:]]


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
        found.update(path[-LAST:])
    return found


def _count_confusions(position: Position) -> int:
    """Return how many moves would be legal too if rows were columns, or if squares were counted from another number."""
    diagram, legal = position.rules.diagram, {*position.legal_moves}
    places = [diagram.row_and_column(square) for square in legal]
    shifted = {square + step for square in legal for step in (-1, 1)}
    return len(legal & shifted) + len(legal & {diagram.square_at(column, row) for row, column in places})
