"""Check a stored strategy of O against every play of X: that X never completes a line.

The check walks from the empty board and tries every legal move of X. In each position with O to move, the game must be
over without a line of X, or the strategy has a legal move, or a reply leads to a position with a pairing. An adviser
names that reply and the pairs. It is not trusted: the pairs are verified by plain rules.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from solver.check.check_report import StrategyReport, board_text
from solver.check.plain_rules import Stones, has_line, ply_of, successors
from solver.game.position import Position
from solver.game.rules import Rules

Pairs: TypeAlias = Iterable[tuple[int, int]]
Answer: TypeAlias = Callable[[int, int], tuple[int, Pairs] | None]
"""A search for a reply of O that leads to a pairing, given the masks of X and O: the reply and the pairs."""


def check_holding(
    rules: Rules,
    rows: Mapping[Stones, int],
    answer: Answer,
    report: StrategyReport,
    pairing: Pairs | None = None,
    progress: Callable[[StrategyReport], None] = lambda _: None,
) -> None:
    """Check that O's strategy `rows`, {(x, o) of a canonical position with O to move: square}, stops every line of X.

    answer: names replies that lead to pairings. pairing: the stored pairing of the empty board, which then is all that
    is checked. report: gets the numbers and the problems. A row that is not reached is counted, and no problem.
    progress: called after each position of the strategy.
    """
    report.unused, seen = len(rows), set[Stones]()
    if pairing is not None:
        report.pairings = 1
        if not is_pairing(rules, (0, 0), pairing):
            report.add("The stored pairs are no pairing of the empty board.")
        return
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
            following = _follow(rules, rows, stones, answer, report)
            if following:
                waiting.append(following)
        progress(report)


def _follow(
    rules: Rules, rows: Mapping[Stones, int], stones: Stones, answer: Answer, report: StrategyReport
) -> Stones | None:
    """Check a position with O to move; return the position after the strategy's move if X must be answered there."""
    if has_line(rules, stones[0], True):
        report.add(f"X has completed a line in {board_text(rules, stones)}.")
    elif ply_of(stones) == rules.plies:
        return None
    elif stones in rows:
        report.unused -= 1
        following = dict(successors(rules, stones)).get(rows[stones])
        if following is None:
            report.add(f"The move to square {rows[stones]} in {board_text(rules, stones)} is illegal.")
        elif not has_line(rules, following[1], False) and ply_of(following) < rules.plies:
            return following
    elif _has_reply(rules, stones, answer):
        report.pairings += 1
    else:
        report.add(f"In {board_text(rules, stones)}, O has no row, and no reply with a pairing was found.")
    return None


def _has_reply(rules: Rules, stones: Stones, answer: Answer) -> bool:
    """Return whether a reply of O completes a line of his, or leads to a position with a pairing that is named."""
    replies = dict(successors(rules, stones))
    if any(has_line(rules, after[1], False, square) for square, after in replies.items()):
        return True
    if (found := answer(*stones)) is None:
        return False
    square, pairs = found
    return square in replies and is_pairing(rules, replies[square], pairs)


def is_pairing(rules: Rules, stones: Stones, pairs: Pairs) -> bool:
    """Return whether pairs are disjoint, of empty squares, and one of them is on each line that is open to X."""
    x, o = stones
    both = [1 << first | 1 << second for first, second in pairs]
    taken = x | o
    for pair in both:
        if pair.bit_count() != 2 or pair & taken or pair >> rules.squares:
            return False
        taken |= pair
    return all(line.mask & o or any(pair & ~line.mask == 0 for pair in both) for line in rules.x_lines)
