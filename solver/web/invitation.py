"""Links to the page that work on other devices, and their QR codes."""

from collections.abc import Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Annotated
from urllib.parse import urlsplit, urlunsplit

import segno
from psutil import net_if_addrs, net_if_stats

from solver.support.json_types import Answer, Described
from solver.web.responses import BadRequest


class Code(Answer):
    """A QR code."""

    size: Annotated[int, Described("The modules of a side, without a margin.", 33)]
    path: Annotated[
        str, Described("The dark modules, as the path of an SVG whose unit is a module.", "M0 0h1v1h-1zM2 0h1v1h-1z")
    ]


class Invitation(Answer):
    """A link for other devices."""

    link: Annotated[str, Described(example="http://192.168.1.5:8000/?game=3,3,3")]
    works: Annotated[bool, Described("False: the link works only on the machine of the server.")]
    code: Code


def invite(link: str, addresses: Sequence[str]) -> Invitation:
    """Return a link for other devices: one to this machine only becomes one to the first of the server's addresses.

    addresses: those that other devices can use, such as http://192.168.1.5:8000. Raises BadRequest.
    """
    try:
        parts = urlsplit(link)
        local = _is_local(parts.hostname or "")
    except ValueError as error:
        raise BadRequest(f"The link is invalid: {error}.") from error
    if local and addresses:
        link = urlunsplit(parts._replace(netloc=urlsplit(addresses[0]).netloc))
    return {"link": link, "works": not local or bool(addresses), "code": _code(link)}


def places(address: str, port: int) -> list[str]:
    """Return the addresses of the page of a server that listens on an IP address: for this machine, then for others."""
    listens = ip_address(address)
    if not listens.is_unspecified:
        return [_place(listens, port)]
    found = [ip_address("127.0.0.1" if listens.version == 4 else "::1"), *_own_addresses(listens.version)]
    return [_place(each, port) for each in found]


def _place(address: IPv4Address | IPv6Address, port: int) -> str:
    return f"http://[{address}]:{port}" if address.version == 6 else f"http://{address}:{port}"


def _own_addresses(version: int) -> list[IPv4Address | IPv6Address]:
    """Return the addresses of this machine in its networks."""
    found = []
    for name, stats in net_if_stats().items():
        for each in net_if_addrs().get(name, []) if stats.isup else []:
            with suppress(ValueError):  # the address of a card
                found.append(ip_address(each.address.partition("%")[0]))
    return [each for each in found if each.version == version and not each.is_loopback and not each.is_link_local]


def _is_local(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:  # a name
        return False


def _code(text: str) -> Code:
    rows = segno.make(text, micro=False).matrix
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    return {"size": len(rows), "path": path}
