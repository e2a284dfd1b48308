"""Decide which positions can arise in play, and give the reason why others cannot.

In most games any order of moves works, as long as no line is complete before the last move. If the order matters,
because stones support others (gravity) or because a longer row contains a line (exact), play is searched backwards from
the position to the empty board.
"""

from collections.abc import Callable, Iterator
from functools import partial

from solver.game.lines import Line, LineIndex, completed_in, index_lines, squares_of
from solver.game.notation import square_name
from solver.game.rules import Rules, derived
from solver.support.english import plural

# The most positions that a backward search visits, about 70 bytes each: more than the 3**12 that can precede a position
# of 2,12,gravity, the most on 25 squares. On a larger board, one that is not refuted within this limit is accepted.
SEARCH_LIMIT = 600_000


def reason_impossible(rules: Rules, x: int, o: int) -> str | None:
    """Return why no order of legal moves leads to these stones, as a clause; None if one does."""
    return (
        _reason_stones(rules, x, o)
        or _reason_floating(rules, x | o)
        or _reason_lines(rules, x, o)
        or reason_out_of_order(rules, x, o)
    )


def reason_out_of_order(rules: Rules, x: int, o: int) -> str | None:
    """Return why no order of moves leads to these stones, as a clause for an error message; None if one does.

    The stones must have passed all other tests. Nothing is searched if the order of moves never matters in the game.
    """
    if rules.gravity:
        # The squares that are taken identify a position, since each stone stays where it is.
        found = _leads_back(
            x | o, lambda taken: (x_then | o_then for x_then, o_then in _before(rules, x & taken, o & taken))
        )
    elif rules.exact:
        # Without gravity the sides do not interfere: each must be able to place its own stones.
        found = all(
            not completed_in(longer, side) or _leads_back(side, partial(_side_before, index, longer))
            for side, index, longer in zip((x, o), (rules.x_index, rules.o_index), _longer_rows(rules), strict=True)
        )
    else:
        return None
    return None if found else "no order of moves leads there"


def vacant(rules: Rules, taken: int) -> int:
    """Return the bitmask of the squares where a stone may be placed if the game is not over."""
    free = (1 << rules.squares) - 1 & ~taken
    return free & (taken >> rules.stride | rules.ground) if rules.gravity else free


def covered(rules: Rules, taken: int) -> int:
    """Return the bitmask of the squares directly below a stone; 0 without gravity."""
    return taken << rules.stride & (1 << rules.squares) - 1 if rules.gravity else 0


def _reason_stones(rules: Rules, x: int, o: int) -> str | None:
    if x < 0 or o < 0 or (x | o) >> rules.squares:
        return f"a stone stands off the board of {rules.squares} squares"
    if x & o:
        return f"both sides have a stone on {square_name(rules, next(squares_of(x & o)))}"
    if (x | o).bit_count() > rules.plies:
        return (
            f"the board has {(x | o).bit_count()} stones, but the game ends after {plural(rules.plies, 'ply', 'plies')}"
        )
    if x.bit_count() - o.bit_count() not in (0, 1):
        return (
            f"X has {plural(x.bit_count(), 'stone')} and O has {plural(o.bit_count(), 'stone')}, "
            "but X moves first and the sides take turns, so X must have as many as O or one more"
        )
    return None


def _reason_floating(rules: Rules, taken: int) -> str | None:
    for square in squares_of(taken):
        below = rules.supports[square]
        if below >= 0 and not taken >> below & 1:
            return f"the stone on {square_name(rules, square)} floats above an empty square"
    return None


def _reason_lines(rules: Rules, x: int, o: int) -> str | None:
    x_line, o_line = completed_in(rules.x_index, x), completed_in(rules.o_index, o)
    if x_line and o_line:
        return "both sides have a line, but the game ends with the first one"
    if not x_line and not o_line:
        return None
    owner, other = ("X", "O") if x_line else ("O", "X")
    if (owner == "X") != _x_moved_last(x, o):
        return f"{owner} has a line, so {other} can't have moved after it"
    if not any(_before(rules, x, o)):
        return f"{owner}'s line can't have been completed by the last move"
    return None


def _before(rules: Rules, x: int, o: int) -> Iterator[tuple[int, int]]:
    """Yield the unfinished positions from which one move leads to this one."""
    x_moved = _x_moved_last(x, o)
    mover, other = (x, o) if x_moved else (o, x)
    index, others = (rules.x_index, rules.o_index) if x_moved else (rules.o_index, rules.x_index)
    if completed_in(others, other):
        return
    for square in squares_of(mover & ~covered(rules, x | o)):
        rest = mover ^ 1 << square
        if not completed_in(index, rest):
            yield (rest, other) if x_moved else (other, rest)


def _side_before(index: LineIndex, longer: LineIndex, stones: int) -> Iterator[int]:
    """For each stone of a side without which no line remains, yield the other stones in complete `longer` rows.

    Order matters in these rows alone, because removing a stone from one can leave a line. All other stones can be
    placed at any time.
    """
    for square in squares_of(stones):
        rest = stones ^ 1 << square
        if not completed_in(index, rest):
            yield completed_in(longer, rest)


@derived
def _longer_rows(rules: Rules) -> tuple[LineIndex, LineIndex]:
    """For each line of X and of O, and each square of its guard, return the line extended by that square."""
    x, o = (
        index_lines({Line(mask | 1 << end) for mask, guard in side for end in squares_of(guard)})
        for side in (rules.x_lines, rules.o_lines)
    )
    return x, o


def _leads_back(start: int, before: Callable[[int], Iterator[int]]) -> bool:
    """Return True if steps of `before` lead from the stones `start` to none, or if SEARCH_LIMIT do not decide it."""
    seen, stack = {start}, [start]
    while stack and len(seen) <= SEARCH_LIMIT:
        stones = stack.pop()
        if not stones:
            return True
        fresh = [earlier for earlier in before(stones) if earlier not in seen]
        seen.update(fresh)
        stack += fresh
    return bool(stack)


def _x_moved_last(x: int, o: int) -> bool:
    return x.bit_count() > o.bit_count()
