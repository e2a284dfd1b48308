"""`mnk serve`: serve tables over HTTP, with the explorer page."""

import logging
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import click

from solver.cli.options import data_option, mnk_command
from solver.errors import MnkError, quoted
from solver.support.english import join_names, plural
from solver.support.memory import return_freed_memory

_GRACE: Final = 3  # seconds to finish responses after Ctrl-C
_SWITCH: Final = 0.001  # seconds after which a thread with long work lets the others continue; by default 0.005


@mnk_command(
    "serve",
    "mnk serve                           tables of data, at http://127.0.0.1:8000",
    "mnk serve --port 0                  at any free port",
    "mnk serve --host 0.0.0.0            for other machines too",
    "mnk serve --allow play.example.org  behind a proxy with this name",
)
@data_option
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="N", default=8000, show_default=True, help="0: any free port."
)
@click.option(
    "--allow",
    multiple=True,
    metavar="NAME",
    help="A host name of this server, or of a site whose pages may use the API; '*': all; may be repeated.",
)
def command(data: Path, host: str, port: int, allow: tuple[str, ...]) -> None:
    """Serve the explorer page to people and the tables to programs, over HTTP, until Ctrl-C.

    It only reads the tables, and notices when one is built or rebuilt. The API is described at /openapi.json.
    """
    import uvicorn
    from anyio.to_thread import run_sync

    from solver.search.folder import Library
    from solver.web import create_app
    from solver.web.connections import Connection
    from solver.web.invitation import places

    return_freed_memory()
    sys.setswitchinterval(_SWITCH)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            games = plural(len(await run_sync(Library(data).games)), "game")  # this loads what every response needs
            await super().startup(sockets)
            click.echo(f"Serving {games} of {data} on {join_names([own, *others], 'and')} (Ctrl-C stops it)")

    if not (host := host.strip("[]")):
        raise click.UsageError("--host needs an address, such as 127.0.0.1 or, for other machines too, 0.0.0.0.")
    # On Ctrl-C uvicorn finishes its responses, then raises KeyboardInterrupt.
    with _listen(host, port) as listener, suppress(KeyboardInterrupt):
        own, *others = places(*listener.getsockname()[:2])
        app = create_app(data, {f"[{host}]" if ":" in host else host, *allow}, others)
        config = uvicorn.Config(
            app, http=Connection, access_log=False, lifespan="off", log_config=None, server_header=False,
            timeout_graceful_shutdown=_GRACE, ws="none",
        )  # fmt: skip
        Server(config).run(sockets=[listener])
    click.echo("Stopped.")


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.getaddrinfo(host, port, family)  # the next line would not say that the name is the problem
        return socket.create_server((host, port), family=family)
    except (socket.gaierror, UnicodeError) as error:
        raise MnkError(
            f"The host {quoted(host)} is unknown; give the address or the name of this machine as --host."
        ) from error
    except OSError as error:
        raise MnkError(
            f"Port {port} of {host} is unavailable ({error.strerror}); "
            "give another --port, such as 0 for any free one, or another --host."
        ) from error
