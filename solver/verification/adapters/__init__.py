"""The kinds of engines that can be put under test, told apart by how they are written."""

import re
from collections.abc import Callable
from importlib import import_module
from typing import Final

from solver.game.rules import Rules
from solver.verification.subject import AskOptions, Subject

__all__ = ["find_adapter"]

Adapter = Callable[[object, Rules, AskOptions], Subject]

_PREFIXES: Final = {  # how the text of an engine begins that is not Python: its module here, and what opens it
    "cmd:": ("command", "open_command"),
    "gomocup:": ("gomocup", "open_gomocup"),
    "openspiel:": ("openspiel", "open_openspiel"),
    "http://": ("http", "open_http"),
    "https://": ("http", "open_http"),
}
_FILE: Final = re.compile(r".*\.py(:[\w.]*)?", re.DOTALL)


def find_adapter(spec: object) -> Adapter:
    """What makes a subject of this kind."""
    home = "python", "open_python"
    if isinstance(spec, str):
        text = spec.strip()
        prefix = next((prefix for prefix in _PREFIXES if text.startswith(prefix)), None)
        if prefix is not None:
            home = _PREFIXES[prefix]
        elif not _FILE.fullmatch(text) and _is_ours(text):
            home = "ours", "open_ours"
    module, name = home
    adapter: Adapter = getattr(import_module(f"{__name__}.{module}"), name)
    return adapter


def _is_ours(text: str) -> bool:
    from solver.verification.adapters.ours import is_ours

    return is_ours(text)
