"""Get moves from a server: each question is posted as JSON, and the answer is JSON.

    {"game": "3,3,3", "board": "XO./.X./...", "to_move": "O", "legal_moves": [2, 3, 5, 6, 7, 8]}

The answer is a move, or an object with "move" and perhaps "value".
"""

import json
from collections.abc import Callable
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from solver.verification.host import EngineFailure

_LONGEST = 1 << 16  # bytes of an answer


def open_http(setup: dict[str, Any]) -> Callable[[dict[str, Any]], Any]:
    """Return a function that gets moves from the server."""

    def ask(question: dict[str, Any]) -> Any:
        fields = {"game": setup["game"]["name"], "board": question["board"], "to_move": question["player"]}
        body = json.dumps({**fields, "legal_moves": question["moves"]}).encode()
        request = Request(setup["argument"], body, {"Content-Type": "application/json"})
        try:
            with urlopen(request) as reply:  # without a limit: this process is ended if the engine is late
                text = reply.read(_LONGEST).decode("utf-8", "replace").strip()
        except HTTPError as error:
            raise EngineFailure("exception", f"the server answered {error.code} {error.reason}") from None
        except OSError as error:
            raise EngineFailure("crash", f"the server can't be reached: {error}") from None
        try:
            return json.loads(text)
        except ValueError:
            return text

    return ask
