"""Ask engines at an address of the web: `http://localhost:8000/move`.

Each position is sent as JSON by POST:

    {"game": "3,3,3", "board": "XO./.X./...", "to_move": "O", "legal_moves": [2, 3, 5, 6, 7, 8]}

and the answer is JSON: the move alone, or an object with "move" (and "value" if it states one). Moves may be written
as in `cmd:`. An address that holds `{board}`, `{game}` or `{to_move}` is filled in and fetched by GET instead.
"""

import json
from functools import partial
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

from solver.errors import EngineError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.adapters.sessions import (
    Session,
    SessionEngine,
    SessionFailed,
    detect_reply_format,
    make_text_layout,
)
from solver.verification.contract import AskOptions, EngineUnderTest, Failure
from solver.verification.conventions.board_formats import Layout
from solver.verification.conventions.convention import Convention
from solver.verification.conventions.move_formats import to_plain

LONGEST: Final = 1 << 16  # bytes of an answer that are read


def open_http(spec: object, rules: Rules, options: AskOptions) -> EngineUnderTest:
    """Open an address; raises EngineError when no answer of it can be read."""
    if options.sandbox:
        raise EngineError("An engine at an address can't be put into a sandbox from here; leave out --sandbox.")
    text, layout = str(spec).strip(), make_text_layout(options)
    engine = SessionEngine(text, rules, options, partial(_WebSession, text, options, layout), Convention(layout))
    detect_reply_format(engine)
    engine.isolation = "at its own address"
    engine.convention = f"{engine.asked_by.describe()}; sent by {'GET' if '{' in text else 'POST, as JSON'}"
    return engine


class _WebSession(Session):
    def __init__(self, address: str, options: AskOptions, layout: Layout) -> None:
        self._address, self._options, self._layout = address, options, layout

    def question(self, position: Position) -> Any:
        fields = {
            "game": position.rules.name,
            "board": self._layout.write(position),
            "to_move": position.to_move,
        }
        if "{" in self._address:
            filled = self._address
            for key, value in fields.items():
                filled = filled.replace(f"{{{key}}}", quote(value, safe=""))
            request = Request(filled)
        else:
            body = json.dumps({**fields, "legal_moves": [*position.legal_moves]}).encode()
            request = Request(self._address, body, {"Content-Type": "application/json"})
        try:
            with urlopen(request, timeout=self._options.seconds_per_move) as answer:
                return _read(answer.read(LONGEST))
        except TimeoutError:
            raise SessionFailed(Failure.TIMEOUT, f"no answer within {self._options.seconds_per_move:g} s") from None
        except HTTPError as error:
            error.close()
            raise SessionFailed(Failure.EXCEPTION, f"the server said {error.code} {error.reason}") from None
        except (OSError, HTTPException) as error:
            if isinstance(getattr(error, "reason", None), TimeoutError):
                raise SessionFailed(Failure.TIMEOUT, "no connection in time") from None
            raise SessionFailed(Failure.CRASH, f"the server can't be reached: {error}") from None


def _read(body: bytes) -> Any:
    text = body.decode("utf-8", errors="replace").strip()
    try:
        return to_plain(json.loads(text))
    except (ValueError, RecursionError):
        return text
