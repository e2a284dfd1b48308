"""k in a row on a rectangle: `m,n,k`, m rows and n columns, in this order (some libraries put columns first)."""

from __future__ import annotations

from collections.abc import Sequence

from solver.drawing.diagram import grid
from solver.errors import RulesError
from solver.game.lines import full_lines, row_lines
from solver.game.makers.contract import Maker
from solver.game.rules import MAX_BOARD, Rectangle, Rules
from solver.game.symmetry import board_permutations
from solver.support.english import plural

_OWN = frozenset({"exact", "full", "gravity", "torus"})


def make(sizes: Sequence[str], variants: frozenset[str]) -> Rules:
    """Make the rules; raises RulesError for a board that is empty or too large, and variants that contradict."""
    m, n, k = (int(size) for size in sizes)
    if min(m, n, k) < 1:
        raise RulesError(f"A game needs at least 1 row, 1 column and 1 in a row, not {m},{n},{k}.")
    if m * n > MAX_BOARD:
        raise RulesError(
            f"A board of {m} rows and {n} columns has {m * n} squares; the largest that can be played has {MAX_BOARD}."
        )
    torus, exact, full, gravity = (variant in variants for variant in ("torus", "exact", "full", "gravity"))
    if full:
        _check_full(m, n, k, torus, exact)
    lines = full_lines(m, n) if full else row_lines(m, n, k, torus=torus, exact=exact)
    size = f"{plural(m, 'row')}, {plural(n, 'column')}"
    return Rules(
        name=f"{m},{n},{k}",
        words=size if full else f"{size}, {k} in a row",
        diagram=grid(m, n),
        x_lines=lines,
        o_lines=lines,
        stride=n if gravity else 0,
        flips=tuple(board_permutations(m, n, torus)),
        rectangle=Rectangle(m, n, k, torus, exact, full),
        variants=tuple(sorted(variants)),
    )


def _check_full(m: int, n: int, k: int, torus: bool, exact: bool) -> None:
    if k != min(m, n):
        raise RulesError(
            f"With 'full' k is the shorter side of the board, so write {m},{n},{min(m, n)},full instead of k = {k}."
        )
    if torus or exact:
        other = "torus" if torus else "exact"
        reason = "a whole row can't wrap" if torus else "a whole row can't be too long"
        raise RulesError(f"'full' and '{other}' can't be combined: {reason}; leave one of them out.")


def _reads(words: Sequence[str]) -> bool:
    sizes = words[:3]
    return len(sizes) == 3 and all(size.isascii() and size.isdecimal() and len(size) < 10 for size in sizes)


MAKER = Maker(
    form="ROWS,COLUMNS,IN-A-ROW",
    about="k in a row on a rectangle, such as tic-tac-toe",
    examples=("3,3,3", "4,5,4,gravity", "4,4,4,misere", "15,15,5,exact"),
    size_words=3,
    reads=_reads,
    make=make,
    variants=_OWN,
)
