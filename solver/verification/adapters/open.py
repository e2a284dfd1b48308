"""Open an engine under test: tell by how it is written which kind it is."""

import re
from collections.abc import Callable
from typing import Final

from solver.game.rules import Rules
from solver.verification.adapters.command import open_command
from solver.verification.adapters.gomocup import open_gomocup
from solver.verification.adapters.http import open_http
from solver.verification.adapters.openspiel import open_openspiel
from solver.verification.adapters.ours import is_ours, open_ours
from solver.verification.adapters.python import open_python
from solver.verification.contract import AskOptions, EngineSpec, EngineUnderTest

__all__ = ["open_engine"]

Adapter = Callable[[object, Rules, AskOptions], EngineUnderTest]

_PREFIXES: Final[dict[str, Adapter]] = {  # how the text of an engine begins that is not Python
    "cmd:": open_command,
    "gomocup:": open_gomocup,
    "openspiel:": open_openspiel,
    "http://": open_http,
    "https://": open_http,
}
_FILE: Final = re.compile(r".*\.py(:[\w.]*)?", re.DOTALL)


def open_engine(spec: EngineSpec, rules: Rules, *, options: AskOptions | None = None) -> EngineUnderTest:
    """Open the engine that `spec` names, ready to be asked.

    A text is, in this order of precedence: `cmd:COMMAND`, `gomocup:COMMAND`, `http://...`, `openspiel:BOT`,
    `FILE.py:NAME` or `FILE.py`, one of our engines (`alphabeta:cutoff=2`), `MODULE:NAME` or `MODULE`.
    Anything else is a Python object: a function, a class, an instance, a module.

    Raises EngineError when the engine can't be found, started or read.
    """
    return _find_adapter(spec)(spec, rules, options or AskOptions())


def _find_adapter(spec: EngineSpec) -> Adapter:
    if not isinstance(spec, str):
        return open_python
    text = spec.strip()
    for prefix, adapter in _PREFIXES.items():
        if text.startswith(prefix):
            return adapter
    return open_ours if not _FILE.fullmatch(text) and is_ours(text) else open_python
