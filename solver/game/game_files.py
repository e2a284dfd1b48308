"""Read the rules of games from files, and convert rules to and from the text that a table stores.

A file is JSON (`solver.game.json_file`) or a Positional Game Description (`solver.game.pg_file`). Both modules are
loaded only when needed.
"""

import re
from dataclasses import replace
from os.path import exists, isfile
from pathlib import Path
from typing import Final

from solver.errors import RulesError, quoted
from solver.game.games import parse_game
from solver.game.rules import Rules

MOST_BYTES: Final = 1_000_000  # of a file

ENDINGS: Final = (".json", ".pg")

_GAME_NAME: Final = re.compile(r"[a-z0-9_]+\.[0-9a-f]{12}")


def read_game(given: str) -> Rules:
    """Return the rules of a game, given its name or the path of a .json or .pg file. Raises RulesError."""
    if given.lower().endswith(ENDINGS):
        return read_file(Path(given))
    if found := re.match(r"(.+?\.(?:json|pg))\s*,\s*(.+)", given, re.IGNORECASE):
        key = {"misere": '"misere": true', "maker": '"x_lines" instead of "lines", and "unfinished": "O"'}
        raise RulesError(
            f"The game {found[1]} is a file, which takes no variant {quoted(found[2])}; write the rule into the file"
            f"{f', as {key[found[2]]}' if found[2] in key else ''}."
        )
    return parse_game(given)


def read_file(path: Path) -> Rules:
    """Return the rules of the game in a file. Raises RulesError if the file cannot be read or is invalid."""
    try:
        if exists(path) and not isfile(path):  # to open a pipe would wait for a writer
            raise RulesError(f"The game {path} is not a file; write its rules to a file.")
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise RulesError(f"The game {path} has more than {MOST_BYTES:,} bytes; choose a game with fewer lines.")
        text = content.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8, or its name is invalid"
        raise RulesError(f"The game {path} can't be read: {reason}; choose another file.") from error
    from solver.game import json_file, pg_file

    try:
        rules = (pg_file if path.suffix.lower() == ".pg" else json_file).read(text)
    except RulesError as error:
        raise RulesError(f"{path}: {error}") from error
    return name_rules(rules, path.stem)


def name_rules(rules: Rules, name: str) -> Rules:
    """Return the rules under the name `WORD.FINGERPRINT`.

    If the rules already have a name of this form, WORD is unchanged; otherwise it is made from `name`.
    """
    if is_file_game(rules.name):
        name = rules.name.partition(".")[0]
    word = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:40] or "game"
    return replace(rules, name=f"{word}.{rules.fingerprint}")


def is_file_game(name: str) -> bool:
    """Return True if a name has the form of a game read from a file, such as fano.3f9a0c12be47."""
    return bool(_GAME_NAME.fullmatch(name))


def write_rules(rules: Rules) -> str:
    """Convert rules to a string for `read_rules`: the game's name if `rules.rectangle` is set, otherwise JSON."""
    if rules.rectangle:
        return rules.name
    from solver.game import json_file

    return json_file.write(rules)


def read_rules(text: str) -> Rules:
    """Parse a string made by `write_rules`. Raises RulesError if it is invalid or its rules do not match its name."""
    if not text.startswith("{"):
        return parse_game(text)
    from solver.game import json_file

    rules = json_file.read(text)
    if is_file_game(rules.name):
        if not rules.name.endswith(f".{rules.fingerprint}"):
            raise RulesError(f"The rules of {rules.name} do not match the fingerprint in its name.")
        return rules
    known = parse_game(rules.name)
    if not known.is_same_game(rules):
        raise RulesError(f"The rules of {rules.name} differ from those of this version.")
    return known
