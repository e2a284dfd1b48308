"""The type of makers, which turn the words of a game's name into rules, and helpers that makers share."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from solver.drawing.diagram import Diagram
from solver.errors import RulesError, quoted
from solver.game.lines import Line, mask_of
from solver.game.rules import MAX_BOARD, Rules


class Maker(NamedTuple):
    """A family of games, and the function that makes the rules of a game from its name."""

    form: str
    """How a name is written, such as `affine,ORDER`."""
    about: str
    """The family in one line."""
    examples: tuple[str, ...]
    """Names of some of its games."""
    make: Callable[[Sequence[str], frozenset[str]], Rules]
    """Returns the rules, given the words before the variants, and the requested variants among `variants`.

    The name of the rules omits variants; `Rules.variants` lists the requested ones. Raises RulesError.
    """
    variants: frozenset[str] = frozenset()
    """The variants of this family alone."""
    is_name: Callable[[Sequence[str]], bool] | None = None
    """Returns True if words in lower case name a game of this family. None: their first word is that of `form`."""

    def reads(self, words: Sequence[str]) -> bool:
        """Return True if words, in lower case, name a game of this family."""
        return self.is_name(words) if self.is_name else words[0] == self.form.partition(",")[0]


def rules_of_sets(name: str, diagram: Diagram, sets: Iterable[Iterable[int]], **more: Any) -> Rules:
    """Return rules under which a side wins by taking all squares of one of the sets."""
    lines = tuple(Line(mask_of(squares)) for squares in sets)
    return Rules(name=name, diagram=diagram, x_lines=lines, o_lines=lines, **more)


MOST_LINES: Final = 25_000
"""The most lines of a game from a file, or whose lines connect two sides of the board or are copies of a graph."""

_MOST_TRIED: Final = 300_000  # steps of paths between two sides; hex,6 needs a fifth

_SIGNS: Final = frozenset("xo._-#/ ")
_NAME: Final = re.compile(r"[^\s,+=/:]{1,20}")


def require_names(names: Sequence[str]) -> None:
    """Raise RulesError unless lower-case names are distinct and cannot be mistaken for another notation."""
    for name in names:
        if not (_NAME.fullmatch(name) and name.isprintable()) or set(name) <= _SIGNS:
            raise RulesError(f"{quoted(name)} can't be the name of a square; write up to 20 letters and digits.")
        if name == "start":
            raise RulesError("'start' means the empty board, so it can't be the name of a square; choose another.")
    if twice := find_repeated(names):
        raise RulesError(f"Two squares are called {quoted(twice)}; give each a name of its own.")


def find_repeated(words: Iterable[str]) -> str | None:
    """Return the first word that occurs more than once; None if all words are distinct."""
    return next((word for word, count in Counter(words).items() if count > 1), None)


def read_number(text: str, what: str, least: int, most: int) -> int:
    """Parse a number from `least` to `most` in a game's name. `what` describes the number in a RulesError."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and least <= int(text) <= most):
        raise RulesError(f"{quoted(text)} can't be {what}; write a number from {least} to {most}.")
    return int(text)


def require_playable(m: int, n: int) -> None:
    """Raise RulesError if a board of m rows and n columns is too large."""
    if m * n > MAX_BOARD:
        raise RulesError(
            f"A board of {m} rows and {n} columns has {m * n} squares; the largest that can be played has {MAX_BOARD}."
        )


_Vertex = TypeVar("_Vertex", bound=Any)  # of any type that can be sorted


def minimal_paths(
    graph: Mapping[_Vertex, Collection[_Vertex]], starts: Collection[_Vertex], ends: Collection[_Vertex]
) -> list[list[_Vertex]]:
    """Return the paths without shortcuts from a start to an end. Raises RulesError for more than MOST_LINES."""
    found: list[list[_Vertex]] = []
    stack: list[list[_Vertex]] = [[start] for start in sorted(starts)]
    tried = 0
    while stack:
        path = stack.pop()
        here = path[-1]
        tried += len(graph.get(here, ()))
        if tried > _MOST_TRIED:
            raise RulesError("The sets of squares that connect the two sides are hard to find; choose a smaller board.")
        if here in ends:
            found.append(path)
            if len(found) > MOST_LINES:
                raise RulesError(
                    f"More than {MOST_LINES:,} sets of squares connect the two sides; choose a smaller board."
                )
            continue
        before = set(path[:-1])
        steps = [near for near in graph.get(here, ()) if near not in starts and near not in path]
        stack += [[*path, near] for near in sorted(steps) if not before.intersection(graph.get(near, ()))]
    return found
