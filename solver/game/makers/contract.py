"""The contract of makers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from solver.errors import RulesError, quoted
from solver.game.rules import Rules


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


def begins_with(word: str) -> Callable[[Sequence[str]], bool]:
    """Make the test of a maker whose names begin with a word."""
    return lambda words: words[0] == word


def read_number(text: str, what: str, least: int, most: int) -> int:
    """Read a number of a game's name; raises RulesError when it is none, or out of range."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and least <= int(text) <= most):
        raise RulesError(f"{quoted(text)} can't be {what}; write a number from {least} to {most}.")
    return int(text)
