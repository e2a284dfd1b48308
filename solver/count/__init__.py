"""Count the positions that can arise in play, by ply; complete games, by length and result; and the pages of a table.

Positions are counted by four methods:

* *automaton* (automaton.py) reads both sides' stones square by square: most games of up to 40 squares without gravity;
* *set classes* (set_classes.py) lists sets up to symmetry: games without gravity but with many symmetries or lines;
* *shapes* (shapes.py) sweeps through the shapes that columns of stones can have: games with gravity;
* *walk* (walking.py) visits the positions one by one: every game of up to about 200 million positions.

"Canonical" means up to `rules.board_symmetries`: a rectangle's symmetries or, on any other board, those of the lines.

>>> from solver.game.games import parse_game
>>> counts = count_positions(parse_game("3,3,3"))
>>> sum(count.positions for count in counts), sum(count.canonical for count in counts)
(5478, 765)
>>> from solver.count.walking import count_games
>>> sum(count.games for count in count_games(parse_game("3,3,3")))
255168
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from math import comb
from typing import NamedTuple

from solver.count import automaton, records, set_classes, shapes, walking
from solver.count.records import PlyCount
from solver.errors import RulesError
from solver.game.rules import Rules
from solver.game.symmetry import cycle_masks, cycles

_QUICK_BYTES = 500_000_000  # bytes of the counts of automata that take a few seconds
_SMALL_BOARD = 22  # squares: automata take seconds at most, unless there are many lines
_MANY_LINES = 150
_FEW_CLASSES = 1 << 18  # classes of sets on a larger board that take a minute or two at most
_LARGEST_BOARD = 64  # squares: symmetries of larger boards are not searched for, and their sets can exceed 2**63


def count_positions(rules: Rules, plies: int | None = None) -> list[PlyCount]:
    """Return the counts of each ply's positions. `plies` is the last ply to count (default: all); it requires gravity.

    Raises RulesError for a game that is too large, or without gravity, and for plies below 0.
    """
    if plies is not None and (plies < 0 or not rules.has_supports):
        raise RulesError(
            f"The first plies of {rules} can't be counted alone; name a game with gravity, and 0 or more plies."
        )
    return list(_counted(rules) if plies is None else shapes.count_positions(rules, plies))


@lru_cache(maxsize=4)  # for a forecast and the build after it
def _counted(rules: Rules) -> tuple[PlyCount, ...]:
    if rules.has_supports:
        return tuple(shapes.count_positions(rules))
    if _has_few_classes(rules):
        return tuple(set_classes.count_positions(rules))
    with suppress(RulesError):  # a forecast has counted them already
        return automaton.count_positions(rules, _QUICK_BYTES)
    try:
        return automaton.count_positions(rules)
    except RulesError:
        if _can_list_sets(rules):
            return tuple(set_classes.count_positions(rules))
        if walking.can_visit(rules):
            return tuple(walking.count_positions(rules))
        raise


def require_countable(rules: Rules) -> None:
    """Raise RulesError as `count_positions` does, without counting: it takes up to a minute or two."""
    is_small = _has_few_classes(rules) or walking.can_visit(rules)
    if not (rules.has_supports or is_small or _can_list_sets(rules)):
        automaton.require_countable(rules)


def _can_list_sets(rules: Rules) -> bool:
    return set_classes.is_supported(rules) or set_classes.is_supported(rules, classes=sum(count_pages(rules).solved))


def _has_few_classes(rules: Rules) -> bool:
    """Return True if counting by classes of sets is faster than counting by automata, or almost as fast."""
    if rules.squares <= _SMALL_BOARD:
        return len(rules.lines) > _MANY_LINES and set_classes.is_supported(rules)
    return set_classes.is_supported(rules, _FEW_CLASSES)


def count_or_bound_positions(rules: Rules) -> tuple[int, bool]:
    """Return (number of positions that can arise, True), or (an upper bound, False) if counting takes too long."""
    with suppress(RulesError):
        is_small = rules.squares <= _SMALL_BOARD and set_classes.is_supported(rules)
        if is_small or set_classes.is_quick(rules):
            return sum(count.positions for count in count_positions(rules)), True
        if not rules.has_supports and not _has_few_classes(rules):
            return sum(count.positions for count in automaton.count_positions(rules, _QUICK_BYTES)), True
        if rules.has_supports and not shapes.takes_long(rules):
            return sum(count.positions for count in count_positions(rules)), True
    return records.boards(rules), False


class PageCounts(NamedTuple):
    """The numbers of pages, by the number of stones in the key: X's stones or, with gravity, all stones."""

    solved: Sequence[int]
    stored: Sequence[int]
    """Pages in the file. With gravity these are the canonical ones, except the full board, where the game is over."""
    exact: bool = True
    """False for bounds. They include X-sets with a line or sets that cannot be placed, or ignore that some sets on a
    large board are symmetric."""


@lru_cache(maxsize=4)  # for a forecast and the build after it
def count_pages(rules: Rules) -> PageCounts:
    """Return the numbers of a game's pages: exact if counting takes only seconds, otherwise upper bounds."""
    if rules.has_supports:
        return PageCounts(
            records.occupied_sets(rules), [*_canonical_shapes(rules)[:-1], 0], rules.squares <= _LARGEST_BOARD
        )
    pages = [-(-comb(rules.squares, size) // rules.board_symmetries.order) for size in range(rules.plies // 2 + 1)]
    exact = False
    if rules.squares <= _LARGEST_BOARD:
        sizes = records.conjugacy_classes(rules.symmetries)
        fixed = [records.occupied_sets(rules, cycles(symmetry))[: len(pages)] for symmetry in sizes]
        with suppress(RulesError):  # too many states; then sets with a line are counted too
            fixed = [automaton.lineless_sets(rules, cycle_masks(symmetry)) for symmetry in sizes]
            exact = automaton.all_can_be_placed(rules, _QUICK_BYTES)
        pages = records.mean_fixed(fixed, list(sizes.values()))
    return PageCounts(pages, pages, exact)


def _canonical_shapes(rules: Rules) -> list[int]:
    """Return, for each ply, the number of shapes of columns up to symmetry; approximate on a large board."""
    if rules.squares > _LARGEST_BOARD:
        return [-(-sets // rules.board_symmetries.order) for sets in records.occupied_sets(rules)]
    columns = records.column_count(rules)
    sizes = records.conjugacy_classes(rules.symmetries)
    tops = [[symmetry[top] % columns for top in range(columns)] for symmetry in sizes]
    return records.mean_fixed(
        [records.occupied_sets(rules, cycles(permutation)) for permutation in tops], list(sizes.values())
    )
