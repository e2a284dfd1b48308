"""Refuse requests that web pages of other sites send through a visitor's browser, and bodies that never end.

Any page that a person opens can send requests to servers on that person's machine and in its network. So a request must
name this server (`Host`) by an address, as localhost, by the name of the machine, or by one of `sites`: otherwise, a
page could give its own name the address of this server. Browsers also state which page sends a request (`Origin`,
`Sec-Fetch-Site`). The API answers pages of this server and of `sites`, links that a person follows, and programs, which
state nothing. The explorer page itself can be linked and embedded everywhere.
"""

import re
from collections.abc import Collection
from contextlib import suppress
from functools import lru_cache
from ipaddress import ip_address, ip_network
from socket import gethostname
from time import monotonic
from typing import Final
from urllib.parse import urlsplit

from anyio import fail_after
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from solver.errors import InputError, MnkError, quoted
from solver.web.responses import error_answer, is_of_api, respond

BODY_SECONDS = 10.0  # for the whole body of a request
_REDIRECTS: Final = range(301, 309)
_NAME: Final = re.compile(r"[\w.:%-]+|\*", re.ASCII)


class WrongHost(MnkError):
    """The request names another server."""

    http_status = 421


class WrongOrigin(MnkError):
    """The request comes from a web page of another site."""

    http_status = 403


class SlowRequest(MnkError):
    """The body of the request did not arrive in time."""

    http_status = 408


def client_of(scope: Scope) -> str:
    """Return the address of a client; for IPv6 its network, because a client has all the addresses there."""
    host = str((scope.get("client") or ("",))[0])
    try:
        return str(ip_network((host, 64), strict=False)) if ip_address(host).version == 6 else host
    except ValueError:  # the path of a socket
        return host


def read_site(site: str) -> str:
    """Return the host name in the name or the address of a site, in lower case and ASCII. Raises InputError."""
    with suppress(ValueError):
        name = _host_name(site if "//" in site else f"//{site}").encode("idna").decode()
        if _NAME.fullmatch(name):
            return name
    raise InputError(f"{quoted(site)} has no host name; give one such as play.example.org, or * for all.")


class GuardMiddleware:
    """ASGI middleware, outside all other, that refuses requests as the docstring of this module says.

    sites: host names of this server, and of sites whose pages may use the API; `*` allows all. It also makes redirects
    relative, so that they do not repeat the name in the request, and ignores ranges of bytes.
    """

    def __init__(self, app: ASGIApp, sites: Collection[str] = ()) -> None:
        self.app = app
        machine = gethostname().lower()
        self._sites = frozenset(sites)
        self._own = self._sites | {"localhost", machine, f"{machine.partition('.')[0]}.local"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        scope = {**scope, "app_root": scope.get("root_path", "")}  # static files, inside, have another `root_path`
        try:
            if "*" not in self._sites:
                self._require_host(headers.get(b"host", b""))
                if is_of_api(scope):
                    self._require_origin(headers)
        except MnkError as error:
            await respond(error_answer(error), status=error.http_status)(scope, receive, send)
            return
        if b"range" in headers:
            scope = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] != b"range"]}
        await self.app(scope, _bounded(receive), _relative(send))

    def _require_host(self, host: bytes) -> None:
        if host and not _names_server(host, self._own):  # HTTP/1.0 allows to name none
            raise WrongHost(
                f"This server does not answer for {_quote(host)}; use its address, or start it with "
                "`mnk serve --allow NAME`."
            )

    def _require_origin(self, headers: dict[bytes, bytes]) -> None:
        origin = headers.get(b"origin")
        if origin is not None:
            with suppress(ValueError):  # not an address
                site = urlsplit(origin.decode("ascii"))
                if site.netloc.encode() == headers.get(b"host") or _host_name(origin.decode("ascii")) in self._sites:
                    return
        elif headers.get(b"sec-fetch-site", b"none") in {b"none", b"same-origin"}:
            return
        elif headers.get(b"sec-fetch-dest") == b"document" and headers.get(b"sec-fetch-user") == b"?1":
            return  # a link that a person followed
        raise WrongOrigin(
            f"Pages of {'other sites' if origin is None else _quote(origin)} may not use this server; start it with "
            "`mnk serve --allow NAME`, where NAME is the host name of the site."
        )


@lru_cache(maxsize=256)
def _names_server(host: bytes, names: frozenset[str]) -> bool:
    try:
        name = _host_name(f"//{host.decode('ascii')}")
        if name in names or name.endswith(".localhost"):
            return True
        ip_address(name)
    except ValueError:
        return False
    return True


def _host_name(address: str) -> str:
    """Return the host name in an address, in lower case and without a dot at its end. Raises ValueError."""
    return (urlsplit(address).hostname or "").removesuffix(".")


def _quote(header: bytes) -> str:
    return quoted(header.decode("latin-1"))


def _bounded(receive: Receive) -> Receive:
    """Return `receive` with a time limit for the body of the request."""
    due, is_whole = 0.0, False

    async def receive_in_time() -> Message:
        nonlocal due, is_whole
        if is_whole:  # it waits for the client to disconnect
            return await receive()
        due = due or monotonic() + BODY_SECONDS
        try:
            with fail_after(max(0.0, due - monotonic())):
                message = await receive()
        except TimeoutError:
            raise SlowRequest(f"The request took over {BODY_SECONDS:g} s to arrive; send it again.") from None
        is_whole = not message.get("more_body", False)
        return message

    return receive_in_time


def _relative(send: Send) -> Send:
    """Return `send` with redirects to paths, and with an end of the connection of a slow request."""

    async def send_on(message: Message) -> None:
        if message["type"] == "http.response.start":
            if message["status"] in _REDIRECTS:
                message = {**message, "headers": [(name, _to_path(name, value)) for name, value in message["headers"]]}
            elif message["status"] == SlowRequest.http_status:
                message = {**message, "headers": [*message["headers"], (b"connection", b"close")]}
        await send(message)

    return send_on


def _to_path(name: bytes, value: bytes) -> bytes:
    if name != b"location":
        return value
    place = urlsplit(value)
    return b"/" + place.path.lstrip(b"/") + (b"?" + place.query if place.query else b"")
