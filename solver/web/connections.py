"""Connections that are closed if the headers of a request take too long, are too long, or are not HTTP."""

from asyncio import BaseTransport, TimerHandle

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from solver.web.responses import encode, failure

HEADER_SECONDS = 10.0  # from the beginning of a connection or a request to the end of its headers
MOST_HEADER_BYTES = 1 << 16


class Connection(HttpToolsProtocol):
    """A connection to a client; uvicorn itself limits only the time between two requests."""

    _timer: TimerHandle | None = None
    _bytes = 0  # received since the timer was started

    def connection_made(self, transport: BaseTransport) -> None:
        """Wait for the first request."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._start()

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        self._bytes += len(data)
        super().data_received(data)
        if self._timer is None and (self.cycle is None or self.cycle.response_complete):  # type: ignore[redundant-expr]
            self._start()  # after empty lines before a request
        if self._timer is not None and self._bytes > MOST_HEADER_BYTES:
            self.transport.close()

    def on_message_begin(self) -> None:
        """Wait for the headers of a request."""
        super().on_message_begin()
        self._start()

    def on_headers_complete(self) -> None:
        """Answer a request."""
        self._stop()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, in the common form of errors."""
        body = encode(failure(400, "bad_request", f"{msg.rstrip('.')}; send it with a client for HTTP/1.1."))
        head = "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n"
        self.transport.write(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop()
        super().connection_lost(exc)

    def _start(self) -> None:
        self._stop()
        self._timer = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _stop(self) -> None:
        self._bytes = 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
