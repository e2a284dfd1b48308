"""Count every position that occurs in play, by ply, and every complete game, by length and result.

Five methods that agree wherever two of them run, and share no code but for the two that read with automata:

* *walk* (levels.py) visits the positions one by one: every variant, up to some 200 million positions;
* *profile* (profile.py) reads both sides' stones square by square: games without gravity, many of up to 36 squares;
* *overlines* (overlines.py) does so where a longer row does not count: many such games of up to 36 squares;
* *subsets* (subsets.py) sums over sets of squares: any game without gravity, 25 squares within seconds;
* *shapes* (shapes.py) sweeps the shapes that columns of stones can have: positions of games with gravity.

"Canonical" is up to `rules.board_symmetries`: those of a rectangle, of any other board all that its lines have.

>>> counts = count_positions(parse_game("3,3,3"))
>>> sum(count.positions for count in counts), sum(count.canonical for count in counts)
(5478, 765)
>>> sum(count.games for count in count_games(parse_game("3,3,3")))
255168
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from solver.count import levels, overlines, profile, shapes, subsets
from solver.count.counts import GameCount, PlyCount
from solver.count.levels import walk
from solver.errors import RulesError, quoted
from solver.game.rules import Rules

__all__ = ["GameCount", "PlyCount", "count_games", "count_positions", "walk"]

_POSITION_COUNTERS = {
    "shapes": shapes.count_positions,
    "profile": profile.count_positions,
    "overlines": overlines.count_positions,
    "subsets": subsets.count_positions,
    "walk": levels.count_positions,
}
_GAME_COUNTERS = {"profile": profile.count_games, "subsets": subsets.count_games, "walk": levels.count_games}


def count_positions(rules: Rules, method: str = "auto") -> list[PlyCount]:
    """Count the positions of every ply from 0 to a full board.

    `method` is "shapes" (gravity only), "profile", "overlines" or "subsets" (no gravity), "walk", or "auto" for the
    fastest that fits. Raises RulesError for a method that does not fit the game, and a game that is too large for it.
    """
    return list(_counted(rules, _choose(rules, method, _POSITION_COUNTERS)))


@lru_cache(maxsize=4)  # a build forecasts, then solves
def _counted(rules: Rules, method: str) -> tuple[PlyCount, ...]:
    return tuple(_POSITION_COUNTERS[method](rules))


def count_games(rules: Rules, method: str = "auto") -> list[GameCount]:
    """Count the games of every length from 0 to a full board, and the nodes of the game tree (perft).

    The numbers are exact; they may exceed 64 bits. `method` is "profile" or "subsets" (no gravity), "walk", or "auto".
    Raises the errors of `count_positions`.
    """
    return _GAME_COUNTERS[_choose(rules, method, _GAME_COUNTERS)](rules)


def _choose(rules: Rules, method: str, methods: Collection[str]) -> str:
    """Choose the method: the one asked for if it fits the game, else an error; for "auto" the fastest."""
    fitting = [name for name in _fitting(rules) if name in methods]
    if method == "auto":
        return fitting[0]
    if method not in fitting:
        known = ", ".join(["auto", *fitting])
        raise RulesError(f"{rules} can't be counted by the method {quoted(method)}; choose one of {known}.")
    return method


def has_wrapping_lines(rules: Rules) -> bool:
    """True where lines may cross the edges, and so stay open for long when a board is read row by row."""
    return rules.rectangle is None or (rules.rectangle.torus and rules.rectangle.k > 2)


def _fitting(rules: Rules) -> list[str]:
    """List the methods that fit a game, the fastest first."""
    if rules.has_supports:
        return ["shapes", "walk"]
    if rules.exact:
        by_sets, by_automaton = not overlines.is_quick(rules), "overlines"
    else:
        by_sets, by_automaton = has_wrapping_lines(rules), "profile"
    if by_sets and rules.squares <= subsets.MOST_SQUARES:
        return ["subsets", by_automaton, "walk"]
    return [by_automaton, "subsets", "walk"]
