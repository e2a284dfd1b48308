"""Games by name: `4,5,4`, `affine,3`, `tic-tac-toe`.

A maker makes the games of one family. The first word of a game's name is its family (`affine,3`), except that names of
games on rectangles and boxes begin with a size (`4,5,4`, `3x3x3,3`). Variants come last in a name;
`solver.game.makers.variants` applies those that any game can have. Other packages add makers through entry points of
the group `mnk_tablebase.games`.
"""

import copyreg
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache
from typing import Any, Final

from solver.errors import RulesError, quoted
from solver.game.makers import animals, boxes, graphs, hexagons, planes, progressions
from solver.game.makers.maker import Maker
from solver.game.makers.variants import COMMON, OPTIONS, vary
from solver.game.rules import Rules, weigh_rules
from solver.support.recent import RecentCache

ENTRY_POINTS: Final = "mnk_tablebase.games"

MAKERS: Final = (*boxes.MAKERS, animals.MAKER, *graphs.MAKERS, *hexagons.MAKERS, *planes.MAKERS, progressions.MAKER)
"""The built-in makers."""

ALIASES: Final = {
    "tic-tac-toe": "3,3,3",
    "noughts-and-crosses": "3,3,3",
    "connect-four": "6,7,4,gravity",
    "connect4": "6,7,4,gravity",
    "connect-4": "6,7,4,gravity",
    "gomoku": "15,15,5",
    "qubic": "4x4x4,4",
    "sim": "clique,6,3,misere",
    "fano": "projective,2",
}
"""Common names of games, and their formal names."""

_VALUED: Final = [f"{key}={form}" for key, form in OPTIONS.items()]
VARIANTS: Final = (*sorted(COMMON | boxes.RECTANGLES.variants), *_VALUED)
"""The variants of games on rectangles: all of them."""

_MOST_BYTES: Final = 8 << 20  # of rules that are kept, so that the same name gives the same object
_ADVICE: Final = "write rows,columns,in-a-row such as 3,3,3 or 4,5,4,gravity"


def makers() -> Iterator[Maker]:
    """Yield every maker: the built-in ones, then those that other packages add."""
    yield from MAKERS
    yield from load_added()


@cache
def load_added() -> tuple[Maker, ...]:
    """Return the makers that other packages add. Raises RulesError if one cannot be loaded."""
    from importlib.metadata import entry_points  # slow to load

    found = []
    for entry in entry_points(group=ENTRY_POINTS):
        try:
            found.append(entry.load())
        except Exception as error:
            raise RulesError(
                f"The package that adds the games {quoted(entry.name)} can't be loaded: {error}."
            ) from error
    return tuple(found)


def parse_game(name: str) -> Rules:
    """Return the rules of the game with this name, in either case; `-` may replace a comma, with or without spaces.

    The same name gives the same object, so that derived data is shared. Raises RulesError.

    >>> [parse_game(name).name for name in ("4,5,4", "4-4-4-gravity", "3, 3, 3, Misere", "Tic-tac-toe", "affine,3")]
    ['4,5,4', '4,4,4,gravity', '3,3,3,misere', '3,3,3', 'affine,3']
    """
    return _parsed(name)


def _parse(name: str) -> Rules:
    text = name.strip().lower().replace("è", "e")
    head, comma, rest = text.partition(",")
    written = head.strip().replace(" ", "-")
    alias = max((one for one in ALIASES if f"{written}-".startswith(f"{one}-")), key=len, default="")
    if alias:
        text = ALIASES[alias] + written.removeprefix(alias) + comma + rest
    words = [word.strip() for word in text.replace("-", ",").split(",")]
    words = [str(int(word)) if word.isascii() and word.isdecimal() and len(word) < 10 else word for word in words]
    maker = _maker_of(words, name)
    count = 1 + maker.form.count(",")  # the words before the variants
    sizes, variants = words[:count], words[count:]
    if len(sizes) < count:
        raise RulesError(
            f"The game {quoted(name)} can't be read; "
            f"{_suggest(text) or f'write {maker.form}, such as {maker.examples[0]}.'}"
        )
    plain, options = _split(maker, variants, name)
    rules = vary(maker.make(sizes, plain & maker.variants), plain & COMMON, options)
    return rules if rules.name == name else parse_game(rules.name)


_parsed: Final = RecentCache(_parse, weigh_rules, _MOST_BYTES)


def _maker_of(words: list[str], name: str) -> Maker:
    found = [maker for maker in MAKERS if maker.reads(words)]
    found = found or [maker for maker in load_added() if maker.reads(words)]
    if not found:
        if suggestion := _suggest(name.strip().lower()):
            raise RulesError(f"The game {quoted(name)} can't be read; {suggestion}")
        raise RulesError(
            f"The game {quoted(name)} can't be read; {_ADVICE} "
            f"(variants: {', '.join(VARIANTS)}), "
            "or another game that `mnk games` lists."
        )
    if len(found) > 1:
        kinds = " and ".join(maker.form for maker in found)
        raise RulesError(
            f"The game {quoted(name)} means two games, {kinds}; uninstall the package that adds one of them."
        )
    return found[0]


def _suggest(text: str) -> str:
    """Return a clause that suggests a similar name, or a game on the board of the given size; "" if there is none."""
    from difflib import get_close_matches  # here, because most names are correct

    if size := re.fullmatch(r"(\d{1,2})[x,](\d{1,2})", text):
        found = [f"{size[1]},{size[2]},{min(int(size[1]), int(size[2]))}"]
    else:
        known = [*ALIASES, *(example for maker in MAKERS for example in maker.examples)]
        found = get_close_matches(text.replace(" ", "-"), known, n=1, cutoff=0.7)
    return f"perhaps {found[0]} is meant, or another that `mnk games` lists." if found else ""


def _split(maker: Maker, variants: list[str], name: str) -> tuple[frozenset[str], dict[str, str]]:
    """Return the variants without a value, and a dictionary of those of the form KEY=VALUE."""
    options = dict[str, str]()
    for place, variant in enumerate(variants):
        key, equals, value = variant.partition("=")
        if not (key in OPTIONS if equals else variant in COMMON | maker.variants):
            known = sorted(COMMON | maker.variants)
            raise RulesError(
                f"The game {quoted(name)} has an unknown variant {quoted(variant)}; "
                f"choose from {', '.join([*known, *_VALUED])}."
            )
        if key in options and key != "plies":
            raise RulesError(f"The game {quoted(name)} has {key}= twice; write {key}={options[key]}+{value}.")
        if key in options or variant in variants[:place]:
            raise RulesError(f"The game {quoted(name)} names the variant {quoted(key)} twice; once is enough.")
        if equals:
            options[key] = value
    return frozenset(variants) - {f"{key}={value}" for key, value in options.items()}, options


def _reduce(rules: Rules) -> tuple[Callable[..., Rules], tuple[Any, ...]]:
    """Pickle rules as their name if `parse_game` returns them, so that unpickling returns the shared object."""
    try:
        if parse_game(rules.name) == rules:
            return parse_game, (rules.name,)
    except RulesError:
        pass
    return Rules, tuple(getattr(rules, field.name) for field in fields(rules))


copyreg.pickle(Rules, _reduce)
