"""`mnk serve`: the tables over HTTP, with the explorer page."""

import socket
from pathlib import Path

import click

from solver.cli.common import data_option, examples
from solver.errors import MnkError

__all__ = ["command"]


@click.command(
    "serve",
    epilog=examples(
        "mnk serve                       the tables of data at http://127.0.0.1:8000",
        "mnk serve --port 0              at any free port",
    ),
)
@data_option
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="N", default=8000, show_default=True, help="0: any free one."
)
def command(data: Path, host: str, port: int) -> None:
    """Serve the explorer page, and the tables to programs over HTTP, until Ctrl-C."""
    import uvicorn

    from solver.web import create_app

    app = create_app(data)
    with _listening(host, port) as listener:
        address, port = listener.getsockname()[:2]
        click.echo(f"Serving {data} at http://{f'[{address}]' if ':' in address else address}:{port}; Ctrl-C stops it.")
        server = uvicorn.Server(uvicorn.Config(app, access_log=False, log_level="warning"))
        try:
            server.run(sockets=[listener])
        except KeyboardInterrupt:
            pass
    click.echo("Stopped.")


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises MnkError in one sentence when it can't."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise MnkError(
            f"The address {host} can't be listened on at port {port} ({error.strerror}); "
            "choose another --port, or 0 for any free one."
        ) from error
