"""Open an engine under test: tell by how it is written which kind it is.

Engines of this package, and those that others have registered (`alphabeta:cutoff=2`), are asked here.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from solver.engines.engine import Choice, list_engines, make_engine
from solver.errors import EngineError, quoted
from solver.game.rules import Rules
from solver.support.threads import CAN_START
from solver.verification.adapters.chance import make_seed
from solver.verification.adapters.command import open_command
from solver.verification.adapters.gomocup import open_gomocup
from solver.verification.adapters.http import open_http
from solver.verification.adapters.openspiel import open_openspiel
from solver.verification.adapters.pooled import PooledEngine
from solver.verification.adapters.python import open_python
from solver.verification.adapters.python_engine import call_engine
from solver.verification.adapters.questions import Question, QuestionRunner
from solver.verification.contract import AskOptions, EngineSpec, EngineUnderTest
from solver.verification.conventions.board_formats import OWN_POSITION, Layout
from solver.verification.conventions.convention import Convention, Reply
from solver.verification.conventions.move_formats import INDEX, WITH_KEYS, ReplyFormat

_CONVENTION: Final = Convention(Layout(OWN_POSITION), reply=ReplyFormat(WITH_KEYS, INDEX))


def is_ours(text: str) -> bool:
    """Return whether an engine of this name is registered."""
    name = text.partition(":")[0].strip()
    return any(info.name == name for info in list_engines())


def open_ours(spec: object, rules: Rules, options: AskOptions) -> EngineUnderTest:
    """Open an engine by its name; raises EngineError when it can't be made."""
    name, convention = str(spec).strip(), "an engine of this package, asked by its own interface"
    make = partial(_OurEngine, name, options.seed)
    return PooledEngine(name, make, rules, options, convention=convention, asked_by=_CONVENTION, is_ours=True)


class _OurEngine(QuestionRunner):
    def __init__(self, name: str, seed: int, rules: Rules) -> None:
        super().__init__(rules)
        self._engine, self._seed = make_engine(name, rules), seed

    def reply(self, question: Question) -> Reply:
        """Put a question to the engine after it has forgotten the others, with a seed of its own."""
        position = question.position
        seed = make_seed(self._seed, position, question.attempt)

        def choose() -> Choice:
            self._engine.new_game(seed)
            return self._engine.choose(position)

        return call_engine(choose, seed)


Adapter = Callable[[object, Rules, AskOptions], EngineUnderTest]

_PREFIXES: Final[dict[str, Adapter]] = {  # how the text of an engine begins that is not Python
    "cmd:": open_command,
    "gomocup:": open_gomocup,
    "openspiel:": open_openspiel,
    "http://": open_http,
    "https://": open_http,
}
_FILE: Final = re.compile(r".*\.(py|ipynb)(:[\w.]*)?", re.DOTALL)


def open_engine(spec: EngineSpec, rules: Rules, *, options: AskOptions | None = None) -> EngineUnderTest:
    """Open the engine that `spec` names, ready to be asked.

    A text is, in this order of precedence: `cmd:COMMAND`, `gomocup:COMMAND`, `http://...`, `openspiel:BOT`,
    `FILE.py:NAME` or `FILE.py` (or a notebook, `FILE.ipynb`), one of our engines (`alphabeta:cutoff=2`),
    `MODULE:NAME` or `MODULE`.
    Anything else is a Python object: a function, a class, an instance, a module.

    Raises EngineError when the engine can't be found, started or read.
    """
    options = options or AskOptions()
    if not CAN_START:
        _require_no_process(spec, options)
    return _find_adapter(spec)(spec, rules, options)


def _require_no_process(spec: EngineSpec, options: AskOptions) -> None:
    """Raise EngineError for what can't be asked where no process can be started."""
    if options.sandbox:
        raise EngineError("A sandbox is a process, and none can be started here; leave it out.")
    if isinstance(spec, str) and _find_adapter(spec) is not open_ours:
        raise EngineError(f"{quoted(spec)} needs a process, and none can be started here; give a function.")


def _find_adapter(spec: EngineSpec) -> Adapter:
    if not isinstance(spec, str):
        return open_python
    text = spec.strip()
    for prefix, adapter in _PREFIXES.items():
        if text.startswith(prefix):
            return adapter
    return open_ours if not _FILE.fullmatch(text) and is_ours(text) else open_python
