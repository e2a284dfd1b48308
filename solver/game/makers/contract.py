"""The contract of makers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from solver.drawing.diagram import Diagram
from solver.errors import RulesError, quoted
from solver.game.lines import Line, mask_of
from solver.game.rules import Rules
from solver.support.english import plural


class Maker(NamedTuple):
    """A family of games."""

    form: str
    """How a name is written, such as `affine,ORDER`."""
    about: str
    """The family in one line."""
    examples: tuple[str, ...]
    """Names of some of its games."""
    size_words: int
    """The number of words before the variants."""
    reads: Callable[[Sequence[str]], bool]
    """Whether the words of a name, in lower case, are for this maker."""
    make: Callable[[Sequence[str], frozenset[str]], Rules]
    """Make the rules from the words before the variants, and those of the maker's own variants that are given.

    The name of the rules is without variants, `Rules.variants` holds the maker's own. Raises RulesError.
    """
    variants: frozenset[str] = frozenset()
    """Variants that only this maker knows, besides those of every game."""


def named_maker(
    form: str, about: str, examples: tuple[str, ...], make: Callable[[Sequence[str], frozenset[str]], Rules]
) -> Maker:
    """Make the maker of a family whose names begin with a word, the first of its form."""
    head, *others = form.split(",")
    return Maker(form, about, examples, 1 + len(others), lambda words: words[0] == head, make)


def rules_of_sets(name: str, words: str, diagram: Diagram, sets: Iterable[Iterable[int]], **more: Any) -> Rules:
    """Make rules by which either side wins that takes all squares of one of some sets."""
    lines = tuple(Line(mask_of(squares)) for squares in sets)
    return Rules(name=name, words=words, diagram=diagram, x_lines=lines, o_lines=lines, **more)


_SIGNS: Final = frozenset("xo._-#/ ")
_NAME: Final = re.compile(r"[^\s,+=/:]{1,20}")


def require_names(names: Sequence[str]) -> None:
    """Raise RulesError unless these can be the names of all squares, in lower case, and nothing else of a position."""
    for name in names:
        if not (_NAME.fullmatch(name) and name.isprintable()) or set(name) <= _SIGNS:
            raise RulesError(f"{quoted(name)} can't be the name of a square; write up to 20 letters and digits.")
        if name == "start":
            raise RulesError("'start' is the empty board, so no square can be called so; give it another name.")
    for name, count in Counter(names).items():
        if count > 1:
            raise RulesError(f"Two squares are called {quoted(name)}; give each a name of its own.")


def read_number(text: str, what: str, least: int, most: int) -> int:
    """Read a number of a game's name; raises RulesError when it is none, or out of range."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and least <= int(text) <= most):
        raise RulesError(f"{quoted(text)} can't be {what}; write a number from {least} to {most}.")
    return int(text)


def describe_sets(squares: int, x_sets: Sequence[Line], o_sets: Sequence[Line]) -> str:
    """Describe a game of which no more is known: `7 squares, 7 lines`."""
    if sorted(x_sets) == sorted(o_sets):
        lines = plural(len(x_sets), "line")
    else:
        lines = f"{plural(len(x_sets), 'line')} of X, {plural(len(o_sets), 'line')} of O"
    return f"{plural(squares, 'square')}, {lines}"
