"""The games that names and files stand for: `4,5,4`, `affine,3`, `tic-tac-toe`, `my_game.json`.

A maker knows one family of games. The name of a family is the first word of its games (`affine,3`); games on boards
begin with a size (`4,5,4`, `3x3x3,3`). After a maker's own words come variants, which `solver.game.makers.variants`
applies to any game. Other packages add makers by entry points of the group `mnk_tablebase.games`.

A file is JSON (`solver.game.makers.json_game`) or a Positional Game Description (`solver.game.makers.pg`).
"""

from __future__ import annotations

import copyreg
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from solver.errors import RulesError, quoted
from solver.game.makers import animals, boxes, graphs, hexagons, planes, rectangle
from solver.game.makers.contract import Maker
from solver.game.makers.variants import COMMON, OPTIONS, VARIANTS, vary
from solver.game.rules import Rules

ENTRY_POINTS: Final = "mnk_tablebase.games"

MAKERS: Final = (
    rectangle.MAKER,
    boxes.MAKER,
    animals.MAKER,
    *graphs.MAKERS,
    *hexagons.MAKERS,
    *planes.MAKERS,
)
"""The makers that are always there."""

ALIASES: Final = {
    "tic-tac-toe": "3,3,3",
    "noughts-and-crosses": "3,3,3",
    "gomoku": "15,15,5",
    "connect-four": "6,7,4,gravity",
    "sim": "clique,6,3,misere",
    "fano": "projective,2",
}
"""Names that people use, and what they stand for."""

ENDINGS: Final = (".json", ".pg")

_GAME_NAME: Final = re.compile(r"[a-z0-9_]+\.[0-9a-f]{12}")
_ADVICE: Final = "write rows,columns,in-a-row such as 3,3,3 or 4,5,4,gravity"


def makers() -> Iterator[Maker]:
    """Yield every maker: our own, then those that other packages add."""
    yield from MAKERS
    yield from load_added()


@cache
def load_added() -> tuple[Maker, ...]:
    """Load the makers of other packages. Raises RulesError when one can't be loaded."""
    from importlib.metadata import entry_points  # it takes longer to load than all of this package

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
    """Return the rules of the game of this name; case and spaces do not matter, and `-` may stand for a comma.

    The same name gives the same object, so that derived data is shared. Raises RulesError.

    >>> [parse_game(name).name for name in ("4,5,4", "4-4-4-gravity", "3, 3, 3, Misere", "Tic-tac-toe", "affine,3")]
    ['4,5,4', '4,4,4,gravity', '3,3,3,misere', '3,3,3', 'affine,3']
    """
    return _parse(name)


@lru_cache(maxsize=1024)
def _parse(name: str) -> Rules:
    text = name.strip().lower().replace("è", "e")
    head, comma, rest = text.partition(",")
    text = ALIASES.get(head.strip().replace(" ", "-"), head) + comma + rest
    words = [_plain(word.strip()) for word in text.replace("-", ",").split(",")]
    maker = _find_maker(words, name)
    count = maker.size_words
    sizes, variants = words[:count], words[count:]
    if len(sizes) < count:
        raise RulesError(
            f"The game {quoted(name)} can't be read; "
            f"{_suggest(text) or f'write {maker.form}, such as {maker.examples[0]}.'}"
        )
    plain, options = _split(maker, variants, name)
    return _shared(maker, tuple(sizes), frozenset(plain), tuple(sorted(options.items())))


def _plain(word: str) -> str:
    """Write a number without leading zeros."""
    return str(int(word)) if word.isascii() and word.isdecimal() and len(word) < 10 else word


def _find_maker(words: list[str], name: str) -> Maker:
    found = [maker for maker in MAKERS if maker.reads(words)]
    found = found or [maker for maker in load_added() if maker.reads(words)]
    if not found:
        if suggestion := _suggest(name.strip().lower()):
            raise RulesError(f"The game {quoted(name)} can't be read; {suggestion}")
        raise RulesError(
            f"The game {quoted(name)} can't be read; {_ADVICE} (variants: {', '.join(VARIANTS)}), "
            "or another game that `mnk games` lists."
        )
    if len(found) > 1:
        kinds = " and ".join(maker.form for maker in found)
        raise RulesError(
            f"The game {quoted(name)} means two games, {kinds}; uninstall the package that adds one of them."
        )
    return found[0]


def _suggest(text: str) -> str:
    """Say which other name may be meant, by the size of a board alone, spelt alike, or without commas; else nothing."""
    from difflib import get_close_matches  # most names are read

    size = re.fullmatch(r"(\d{1,2})[x,](\d{1,2})", text)
    first, comma, rest = text.partition(",")
    if size:
        meant = f"{size[1]},{size[2]},{min(int(size[1]), int(size[2]))}"
    elif alike := get_close_matches(first.replace(" ", "-"), ALIASES, n=1, cutoff=0.8):
        meant = alike[0]
    else:
        word, *others = re.findall(r"[a-z]+|\d+", first) or [""]
        heads = {maker.form.partition(",")[0] for maker in MAKERS if maker.form[0].islower()}
        meant = ",".join([*(get_close_matches(word, heads, n=1) or [word]), *others]) + comma + rest
        if meant == text or not _can_be_read(meant):
            return ""
    return f"perhaps {meant} is meant, or another that `mnk games` lists."


def _can_be_read(name: str) -> bool:
    try:
        _parse(name)
    except RulesError:
        return False
    return True


def _split(maker: Maker, variants: list[str], name: str) -> tuple[list[str], dict[str, str]]:
    """Split variants into plain ones and those with a value."""
    plain, options = list[str](), dict[str, str]()
    for variant in variants:
        key, equals, value = variant.partition("=")
        if not (key in OPTIONS if equals else variant in COMMON | maker.variants):
            known = sorted(COMMON | maker.variants)
            raise RulesError(
                f"The game {quoted(name)} has an unknown variant {quoted(variant)}; "
                f"choose from {', '.join(known)}, {', '.join(f'{key}={form}' for key, (form, _) in OPTIONS.items())}."
            )
        if key in options and key != "plies":
            raise RulesError(f"The game {quoted(name)} has {key}= twice; write {key}={options[key]}+{value}.")
        if variant in plain or key in options:
            raise RulesError(f"The game {quoted(name)} names the variant {quoted(key)} twice; once is enough.")
        if equals:
            options[key] = value
        else:
            plain.append(variant)
    return plain, options


@lru_cache(maxsize=1024)
def _shared(
    maker: Maker, sizes: tuple[str, ...], variants: frozenset[str], options: tuple[tuple[str, str], ...]
) -> Rules:
    """Make the one object that stands for these rules, so that every spelling shares its derived data."""
    rules = maker.make(sizes, variants & maker.variants)
    return vary(rules, variants & COMMON, dict(options))


def read_game(given: str) -> Rules:
    """Read a game by name, or from a file whose path ends in .json or .pg. Raises RulesError."""
    return read_file(Path(given)) if given.lower().endswith(ENDINGS) else parse_game(given)


def read_file(path: Path) -> Rules:
    """Read the game in a file. Raises RulesError when it can't be read, or is no game."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise RulesError(f"The game {path} can't be read: {reason}.") from error
    try:
        rules = _read_pg(text) if path.suffix.lower() == ".pg" else _read_json(text)
    except RulesError as error:
        raise RulesError(f"{path}: {error}") from error
    return name_rules(rules, path.stem)


def _read_pg(text: str) -> Rules:
    from solver.game.makers import pg

    return pg.read(text)


def _read_json(text: str) -> Rules:
    from solver.game.makers import json_game

    return json_game.read(text)


def name_rules(rules: Rules, name: str) -> Rules:
    """Name rules by a word and their fingerprint; by the word that they had, if they were named so before."""
    if is_file_game(rules.name):
        name = rules.name.partition(".")[0]
    word = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:40] or "game"
    return replace(rules, name=f"{word}.{rules.fingerprint}")


def is_file_game(name: str) -> bool:
    """True for a name such as fano.3f9a0c12be47, of a game that was read from a file."""
    return bool(_GAME_NAME.fullmatch(name))


def write_rules(rules: Rules) -> str:
    """Write rules as text that `read_rules` reads anywhere: the name alone of k in a row on a rectangle, else JSON."""
    if rules.rectangle:
        return rules.name
    from solver.game.makers import json_game

    return json_game.write(rules)


def read_rules(text: str) -> Rules:
    """Read what `write_rules` has written.

    Raises RulesError, also where a maker knows another game of that name, and where a file's game has other rules than
    its name says.
    """
    if not text.startswith("{"):
        return parse_game(text)
    rules = _read_json(text)
    if is_file_game(rules.name):
        if not rules.name.endswith(f".{rules.fingerprint}"):
            raise RulesError(f"The rules of {rules.name} are others than those that it was named by.")
        return rules
    known = parse_game(rules.name)
    if not known.is_same_game(rules):
        raise RulesError(f"The rules of {rules.name} are others than this version gives it.")
    return known


def _reduce(rules: Rules) -> tuple[Callable[..., Rules], tuple[Any, ...]]:
    """Pickle the name alone if it leads back to these rules, so that derived data is shared again."""
    try:
        if parse_game(rules.name) == rules:
            return parse_game, (rules.name,)
    except RulesError:
        pass
    return Rules, tuple(getattr(rules, field.name) for field in fields(rules))


copyreg.pickle(Rules, _reduce)
