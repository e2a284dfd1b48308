"""Answer HEAD as GET without the body, and log every error that nobody expected."""

import logging

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from solver.web.errors import failure
from solver.web.responses import respond

_LOG = logging.getLogger("solver.web")


class HeadAndErrorMiddleware:
    """ASGI middleware around the whole application, inside the one that adds the headers for other sites (CORS)."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False
        head = scope["method"] == "HEAD"

        async def send_on(message: Message) -> None:
            nonlocal started
            started = True
            await send({**message, "body": b""} if head and message["type"] == "http.response.body" else message)

        try:
            await self.app({**scope, "method": "GET"} if head else scope, receive, send_on)
        except ClientDisconnect:  # nobody is left to be answered
            return
        except Exception:
            _LOG.exception("An error nobody expected, in %s %r", scope["method"], scope["path"])
            if started:  # too late to say anything else
                raise
            answer = failure(500, "internal_error", "Something went wrong in the server; its log says what.")
            await respond(answer, status=500)(scope, receive, send)
