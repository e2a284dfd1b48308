"""The kinds of engines that can be put under test, told apart by how they are written."""

import re
from collections.abc import Callable
from typing import Final

from solver.rules import Rules
from solver.verification.subject import AskOptions, Subject

__all__ = ["PREFIXES", "find_adapter"]

Adapter = Callable[[object, Rules, AskOptions], Subject]

PREFIXES: Final = ("cmd:", "gomocup:", "openspiel:", "http://", "https://")
"""How the text of an engine begins that is no Python code and none of ours."""

_FILE: Final = re.compile(r".*\.py(:[\w.]*)?", re.DOTALL)


def find_adapter(spec: object) -> Adapter:
    """What makes a subject of this kind."""
    from solver.verification.adapters import command, gomocup, http, openspiel, ours, python

    if not isinstance(spec, str):
        return python.open_python
    text = spec.strip()
    by_prefix: dict[str, Adapter] = {
        "cmd:": command.open_command,
        "gomocup:": gomocup.open_gomocup,
        "openspiel:": openspiel.open_openspiel,
        "http://": http.open_http,
        "https://": http.open_http,
    }
    for prefix, adapter in by_prefix.items():
        if text.startswith(prefix):
            return adapter
    if not _FILE.fullmatch(text) and ours.is_ours(text):
        return ours.open_ours
    return python.open_python
