"""Engines at an address of the web: `http://localhost:8000/move`.

Each position is sent as JSON by POST:

    {"game": "3,3,3", "board": "XO./.X./...", "to_move": "O", "legal_moves": [2, 3, 5, 6, 7, 8]}

and the answer is JSON: the move alone, or an object with "move" (and "value" if it states one). Moves may be written
as in `cmd:`. An address that holds `{board}`, `{game}` or `{to_move}` is filled in and fetched by GET instead.
"""

import json
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.adapters.sessions import Session, SessionEngine, SessionFailed, text_convention
from solver.verification.boards import build_board
from solver.verification.contract import AskOptions, EngineUnderTest, Failure
from solver.verification.conventions import Convention
from solver.verification.replies import plain

__all__ = ["open_http"]

LONGEST: Final = 1 << 16  # bytes of an answer that are read


def open_http(spec: object, rules: Rules, options: AskOptions) -> EngineUnderTest:
    """An address under test; raises EngineError when no answer of it can be read."""
    text, way = str(spec).strip(), text_convention(options)
    engine = SessionEngine(text, rules, options, lambda: _WebSession(text, options, way), way, False)
    engine.convention = f"{engine.way.words()}; sent by {'GET' if '{' in text else 'POST, as JSON'}"
    return engine


class _WebSession(Session):
    def __init__(self, address: str, options: AskOptions, way: Convention) -> None:
        self._address, self._options, self._way = address, options, way

    def question(self, position: Position) -> Any:
        fields = {
            "game": position.rules.name,
            "board": build_board(self._way.board, self._way.marks, position),
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
        return plain(json.loads(text))
    except ValueError:
        return text
