"""Visit the positions of a game one by one."""

from collections.abc import Iterator

from solver.game.position import Position
from solver.game.rules import Rules


def reachable_positions(rules: Rules) -> Iterator[Position]:
    """Visit every position that arises in play, finished ones too, by ply and then as they are met.

    >>> sum(1 for _ in reachable_positions(parse_game("3,3,3")))
    5478
    """
    level = [Position.start(rules)]
    while level:
        yield from level
        level = list(dict.fromkeys(position.play(square) for position in level for square in position.legal_moves))
