"""Games on the numbers 1 to n: k of them in arithmetic progression win (Beck, "Van der Waerden games", 1981)."""

from collections.abc import Sequence
from typing import Final

from solver.drawing.diagram import Diagram
from solver.game.makers.maker import Maker, read_number, rules_of_sets
from solver.game.rules import Rules

_WAERDEN: Final = {1: 1, 2: 3, 3: 9, 4: 35, 5: 178}
"""The van der Waerden numbers W(k, k), by k: among W(k, k) numbers, one side always has k in arithmetic progression."""

_MOST, _COLUMNS = 200, 10
_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _progression(sizes: Sequence[str], _: frozenset[str]) -> Rules:
    n = read_number(sizes[1], "a number of squares", 1, _MOST)
    k = read_number(sizes[2], "the length of a progression", 1, n)
    places = tuple((float(i % _COLUMNS), float(i // _COLUMNS)) for i in range(n)) if n > _COLUMNS else ()
    diagram = Diagram(1, n, tuple(range(n)), tuple(str(i + 1) for i in range(n)), points=places)
    steps = range(1, (n - 1) // (k - 1) + 1) if k > 1 else (1,)
    sets = [range(start, start + k * step, step) for step in steps for start in range(n - (k - 1) * step)]
    count = _WORDS[k] if k < len(_WORDS) else str(k)
    words = f"the numbers 1 to {n}, {count} equally spaced numbers win"
    always_won = n >= _WAERDEN.get(k, n + 1)
    return rules_of_sets(f"progression,{n},{k}", diagram, sets, words=words, always_won=always_won)


MAKER = Maker(
    form="progression,N,K",
    about="the numbers 1 to N, of which K in arithmetic progression win (van der Waerden games)",
    examples=("progression,9,3", "progression,12,4", "progression,13,4,maker"),
    make=_progression,
)
