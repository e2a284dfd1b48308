"""Pairing strategies: positions in which one side can't complete a line, seen at once.

A pairing is a set of disjoint pairs of empty squares such that every line that the attacker can still complete contains
a pair. The holder answers each stone of the attacker on the other square of its pair. This needs a game without
gravity, in which a further stone never hurts the holder (see `can_hold`).
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from solver.errors import missing_package
from solver.game.position import Position
from solver.game.rules import OTHER, Rules, Side

if TYPE_CHECKING:
    import numpy as np

    from solver.kernels.pairings import Lines

PAIRING_NODES: Final = 200
"""The most nodes of a search for a pairing. Stored proofs of draws depend on it: see `solver.solve.draw_proof`."""

START_STEPS: Final = 400_000
"""The most steps of a local search for a pairing of the empty board: up to two seconds."""


def can_hold(rules: Rules, holder: Side) -> bool:
    """Return True if a holder whose opponent completes no line does not lose, and stones never hurt him."""
    return not rules.gravity and not rules.misere and rules.unfinished != OTHER[holder]


def is_draw_proved(rules: Rules) -> bool:
    """Return True if X can't lose, so that a proof that X does not win proves a draw (strategy stealing).

    That holds if both sides have the same lines, and if an extra stone never hurts.
    """
    fair = rules.is_even and rules.unfinished is None and rules.plies == rules.squares
    return fair and not rules.exact and not rules.misere and not rules.gravity


class PairingFinder:
    """A search for the pairings of one side, the holder, in a game. `nodes` limits the search for each pairing.

    A position is a pair of masks, of X and of O. Results depend only on the game, the position and the limits. Threads
    can't share a finder. Needs the extra `build`.
    """

    def __init__(self, rules: Rules, holder: Side, nodes: int = PAIRING_NODES) -> None:
        try:
            from solver.kernels.pairings import make_matching
        except ModuleNotFoundError as error:
            raise missing_package(error) from error

        self._swaps, self._nodes = holder == "X", nodes
        self._lines = _lines_of(rules, holder)
        self._work = make_matching(self._lines)

    def pairing(self, x: int, o: int, steps: int = 0) -> list[tuple[int, int]] | None:
        """Return the pairs of a pairing, or None if none is found. Any side may be to move.

        steps: the limit of a second, local search, which is better on large boards and takes about 4 µs a step.
        """
        import numpy as np

        from solver.kernels.pairings import match, reduce, repair

        found, attacker, holder = -1, *self._words(x, o)
        with np.errstate(over="ignore"):  # without Numba, words overflow; this is intended
            for search, limit in ((match, self._nodes), (repair, steps)):
                if found == -1:
                    pairs = reduce(self._lines, self._work, attacker, holder)
                    found = search(self._lines, self._work, attacker, holder, pairs, limit)
        return None if found < 0 else [(int(a), int(b)) for a, b in self._work.pairs[:found]]

    def reply(self, x: int, o: int) -> int | None:
        """Return a move of the holder, to move, after which `pairing` finds one; None if there is none.

        The board must have an empty square.
        """
        from solver.kernels.pairings import find_reply

        square = find_reply(self._lines, self._work, *self._words(x, o), self._nodes)
        return None if square < 0 else int(square)

    def answer(self, x: int, o: int) -> tuple[int, list[tuple[int, int]]] | None:
        """Return the move of `reply` and the pairs of the pairing that it leads to; None if there is none."""
        move = self.reply(x, o)
        if move is None:
            return None
        own = 1 << move
        pairs = self.pairing(x | own, o) if self._swaps else self.pairing(x, o | own)
        return None if pairs is None else (move, pairs)

    def _words(self, x: int, o: int) -> "tuple[np.ndarray, np.ndarray]":
        from solver.kernels.pairings import words_of

        attacker, holder = words_of([o, x] if self._swaps else [x, o], len(self._work.weights))
        return attacker, holder


def find_pairing(
    rules: Rules, position: Position, holder: Side, nodes: int = PAIRING_NODES, steps: int = 0
) -> list[tuple[int, int]] | None:
    """Return disjoint pairs of empty squares with which `holder` stops every line of the other side, or None.

    Any side may be to move. None means that `can_hold` is False, or that no pairing was found within `nodes` nodes and
    `steps` steps (see `PairingFinder.pairing`).
    """
    if not can_hold(rules, holder):
        return None
    return PairingFinder(rules, holder, nodes).pairing(position.x, position.o, steps)


@lru_cache(maxsize=8)
def start_pairing(rules: Rules) -> tuple[tuple[int, int], ...] | None:
    """Return a pairing of O on the empty board, or None if none is found within START_STEPS steps."""
    found = find_pairing(rules, Position.start(rules), "O", steps=START_STEPS)
    return None if found is None else tuple(found)


def pairs_left(
    rules: Rules, position: Position, holder: Side, pairs: Iterable[tuple[int, int]]
) -> list[tuple[int, int]] | None:
    """Return the pairs of which both squares are empty; None if an open line of the other side contains none of them.

    So None means that the holder has not followed the pairing, or that it is his move and he must complete a pair.
    """
    taken = position.x | position.o
    left = [(a, b) for a, b in pairs if not taken >> a & 1 and not taken >> b & 1]
    own, lines = (position.x, rules.o_lines) if holder == "X" else (position.o, rules.x_lines)
    is_served = all(line.mask & own or any(line.mask >> a & line.mask >> b & 1 for a, b in left) for line in lines)
    return left if is_served else None


@lru_cache(maxsize=8)
def _lines_of(rules: Rules, holder: Side) -> "Lines":
    from solver.kernels.pairings import make_lines

    return make_lines([line.mask for line in (rules.o_lines if holder == "X" else rules.x_lines)], rules.squares)
