"""A static host for a folder, with or without ranges, that records the responses."""

import re
import sys
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from os import SEEK_END
from pathlib import Path
from threading import Thread
from typing import Any, Self


class Host:
    """A host for a folder, inside `with` or until `stop`. `sent` lists the path and the bytes of each response.

    ranges: whether it supports ranges, which Python's own server does not.
    """

    def __init__(self, folder: Path, *, ranges: bool = True) -> None:
        self.sent: list[tuple[str, int]] = []
        handler = partial(_Ranges if ranges else _Plain, self.sent, directory=str(folder))
        self._server = _Server(("127.0.0.1", 0), handler)
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,))
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop serving; may be called twice."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report an error, except of a browser that has closed the page."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Plain(SimpleHTTPRequestHandler):
    def __init__(self, sent: list[tuple[str, int]], *arguments: object, **options: object) -> None:
        self.sent = sent
        super().__init__(*arguments, **options)  # type: ignore[arg-type]

    def log_message(self, *_: object) -> None:
        """Log nothing."""

    def send_header(self, keyword: str, value: str) -> None:
        """Send a header, and record the announced length."""
        if keyword.lower() == "content-length":
            self.sent.append((self.path.partition("?")[0].lstrip("/"), int(value)))
        super().send_header(keyword, value)


class _Ranges(_Plain):
    def do_GET(self) -> None:
        """Send the requested range."""
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if not asked:
            super().do_GET()
            return
        start, last = map(int, asked.groups())
        with Path(self.translate_path(self.path)).open("rb") as file:
            size = file.seek(0, SEEK_END)
            file.seek(start)
            piece = file.read(last + 1 - start)
        self.send_response(HTTPStatus.PARTIAL_CONTENT)
        self.send_header("Content-Range", f"bytes {start}-{last}/{size}")
        self.send_header("Content-Length", str(len(piece)))
        self.end_headers()
        self.wfile.write(piece)
