"""Check a stored strategy of O against every play of X: that X never completes a line.

The check walks from the empty board and tries every legal move of X. In each position with O to move, the game must be
over without a line of X, or the strategy has a legal move, or a reply leads to a position with a pairing. The check
finds pairings by a search of its own (`solver.kernels.recheck_pairings`), and verifies each of them by plain rules.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from solver.check.check_report import board_text
from solver.check.plain_rules import Stones, has_line, ply_of, successors
from solver.game.lines import squares_of
from solver.game.position import Position
from solver.game.rules import Rules
from solver.kernels.recheck_pairings import find_partners, make_board

_NODES = (30, 1_000, 100_000)  # the limits of the searches for a pairing after each reply, one after another
_MOST_FAULTS = 20  # faults that are described


@dataclass
class HoldingReport:
    """What a check of a strategy of O has found."""

    positions: int = 0  #: The number of canonical positions with O to move that the strategy reaches.
    replies: int = 0  #: The number of X's moves that were tried.
    pairings: int = 0  #: The number of positions in which a reply leads to a pairing.
    used: int = 0  #: The number of rows that are used.
    unused: int = 0  #: The number of rows that no play of X reaches.
    faulty: int = 0  #: The number of faults.
    faults: list[str] = field(default_factory=list)  #: Descriptions of the first faults.

    def add(self, fault: str) -> None:
        """Add a fault."""
        self.faulty += 1
        if len(self.faults) < _MOST_FAULTS:
            self.faults.append(fault)


def check_holding(
    rules: Rules,
    rows: Mapping[Stones, int],
    pairing: Iterable[tuple[int, int]] | None = None,
    progress: Callable[[HoldingReport], None] | None = None,
) -> HoldingReport:
    """Check that O's strategy `rows`, {(x, o) of a canonical position with O to move: square}, stops every line of X.

    pairing: the stored pairing of the empty board, which then is all that is checked.
    `progress` is called after each position of the strategy. A row that is not reached is counted, and no fault.
    """
    report, pairings = HoldingReport(), _Pairings(rules)
    seen: set[Stones] = set()
    if pairing is not None:
        report.pairings, report.unused = 1, len(rows)
        partner = dict.fromkeys(range(rules.squares), -1)
        for first, second in pairing:
            partner[first], partner[second] = second, first
        if not pairings.is_right((0, 0), [*partner.values()]):
            report.add("The stored pairs are no pairing of the empty board.")
        return report
    waiting = [(0, 0)]
    while waiting:
        for _, after in successors(rules, waiting.pop()):
            report.replies += 1
            canonical = Position._of(rules, *after).canonical()
            stones = canonical.x, canonical.o
            if stones in seen:
                continue
            seen.add(stones)
            report.positions += 1
            following = _follow(rules, rows, stones, pairings, report)
            if following:
                waiting.append(following)
        if progress:
            progress(report)
    report.unused = len(rows) - report.used
    return report


def _follow(
    rules: Rules, rows: Mapping[Stones, int], stones: Stones, pairings: "_Pairings", report: HoldingReport
) -> Stones | None:
    """Check a position with O to move; return the position after the strategy's move if X must be answered there."""
    if has_line(rules, stones[0], True):
        report.add(f"X has completed a line in {board_text(rules, stones)}.")
    elif ply_of(stones) == rules.plies:
        return None
    elif stones in rows:
        report.used += 1
        following = dict(successors(rules, stones)).get(rows[stones])
        if following is None:
            report.add(f"The move to square {rows[stones]} in {board_text(rules, stones)} is illegal.")
        elif not has_line(rules, following[1], False) and ply_of(following) < rules.plies:
            return following
    elif pairings.has_reply(stones):
        report.pairings += 1
    else:
        report.add(f"In {board_text(rules, stones)}, O has no row, and no reply with a pairing was found.")
    return None


class _Pairings:
    """A search for pairings of O, in one game."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._lines = [[*squares_of(line.mask)] for line in rules.x_lines]
        self._board = make_board(self._lines, rules.squares)

    def has_reply(self, stones: Stones) -> bool:
        """Return whether a reply of O completes a line of his, or leads to a position with a pairing."""
        x, o = stones
        weights = [0.0] * self._rules.squares
        for line in self._rules.x_lines:
            if not line.mask & o:
                for square in squares_of(line.mask & ~x):
                    weights[square] += 4.0 ** -(line.mask & ~x).bit_count()
        replies = sorted(successors(self._rules, stones), key=lambda reply: -weights[reply[0]])
        if any(has_line(self._rules, after[1], False, square) for square, after in replies):
            return True
        return any(self.has_pairing(after, nodes) for nodes in _NODES for _, after in replies)

    def has_pairing(self, stones: Stones, nodes: int = _NODES[-1]) -> bool:
        """Return whether a pairing is found, and is right by plain rules."""
        x, o = stones
        board = np.array([1 if x >> s & 1 else 2 if o >> s & 1 else 0 for s in range(self._rules.squares)], np.int64)
        found = find_partners(self._board, board, nodes)
        return bool(found) and self.is_right(stones, self._board.partner.tolist())

    def is_right(self, stones: Stones, partner: list[int]) -> bool:
        """Return whether pairs are disjoint, of empty squares, and one of them is on each line that is open to X.

        partner: the other square of each square's pair; negative without one.
        """
        x, o = stones
        for square, other in enumerate(partner):
            if other >= 0 and (other == square or partner[other] != square or (x | o) >> square & 1):
                return False
        return all(
            o & line.mask or any(partner[square] >= 0 and line.mask >> partner[square] & 1 for square in squares)
            for line, squares in zip(self._rules.x_lines, self._lines, strict=True)
        )
