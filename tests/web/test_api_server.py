"""`mnk serve` as a process: the address that it prints, its answers, and how it stops."""

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from re import search
from typing import IO

import httpx
import pytest

from tests.commands import PROCESS, TableFile, assert_refused, mnk
from tests.conftest import ROOT
from tests.web.asgi import refusal


@contextmanager
def served(
    data: Path, *options: str, errors: int | IO[str] = subprocess.PIPE
) -> Iterator[tuple["subprocess.Popen[str]", str, str]]:
    """A server at a free port: the process, its address and its first line of output."""
    command = [*PROCESS, "serve", "--data", str(data), "--port", "0", *options]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = search(r"http://\S+", line)
            assert found, line + process.communicate(timeout=30)[1]
            yield process, found[0], line
        finally:
            process.kill()


def test_it_serves_and_stops(table_file: TableFile, tmp_path: Path) -> None:
    data = tmp_path / "tables"
    data.mkdir()
    (data / "mnk-3-3-3.sqlite").write_bytes(table_file("3,3,3").read_bytes())
    with served(data) as (process, address, line):
        assert line == f"Serving 3 games of {data} on {address} (Ctrl-C stops it)\n"
        assert address.startswith("http://127.0.0.1:")
        with httpx.Client(base_url=address) as client:
            assert client.get("/v1/3,3,3?position=XO./.X./...").json()["category"] == "loss"
            head = client.head("/v1/3,3,3")  # not of the application alone, but as uvicorn sends it
            assert (head.status_code, head.content, "server" in head.headers) == (200, b"", False)
            assert head.headers["content-length"] == str(len(client.get("/v1/3,3,3").content))
            (data / "mnk-3-3-3.sqlite").write_bytes(b"damaged")
            refusal(client.get("/v1/3,3,3"), 503, "unsupported_table")
            process.send_signal(signal.SIGINT)  # with a connection still open
            out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (0, "Stopped.\n")
    assert "solver.web: The file" in err
    assert "is not a tablebase" in err


@pytest.mark.parametrize("host", ["::1", "[::1]"])
def test_an_address_of_version_6_may_have_brackets(host: str, tmp_path: Path) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no such addresses")
    with served(tmp_path, "--host", host) as (_, address, _):
        assert address.startswith("http://[::1]:")
        assert httpx.get(f"{address}/v1/3,3,3").status_code == 200


def test_the_first_response_loads_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPROFILEIMPORTTIME", "1")  # a line in stderr for each module that is loaded
    errors = tmp_path / "stderr"
    with errors.open("w") as file, served(tmp_path, errors=file) as (_, address, _):
        loaded = errors.read_text()
        assert "uvicorn" in loaded
        assert httpx.get(f"{address}/v1/3,3,3/opponent?moves=b2").status_code == 200
        assert errors.read_text() == loaded


@pytest.mark.slow
def test_a_disconnected_client_is_no_error(table_file: TableFile) -> None:
    with served(table_file("3,3,3").parent) as (process, address, _):
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=10) as connection:
            connection.sendall(b"POST /v1/3,3,3/batch HTTP/1.1\r\nHost: test\r\nContent-Length: 1000\r\n\r\n{")
            httpx.get(f"{address}/v1/3,3,3")  # meanwhile the server reads the other request
        assert httpx.get(f"{address}/v1/3,3,3").status_code == 200
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert err == ""


def test_unavailable_addresses_are_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert_refused(mnk("serve", "--data", tmp_path, "--port", port), 1, port, "127.0.0.1", "--port")
    for host in ("no such host", "..", 80 * "ä"):
        assert_refused(mnk("serve", "--data", tmp_path, "--host", host, "--port", "0"), 1, "unknown", "--host")
    for host in ("", "[]"):
        assert "--host needs" in mnk("serve", "--data", tmp_path, "--host", host, "--port", "0").stderr
    assert_refused(mnk("serve", "--data", tmp_path, "--allow", "https://", "--port", "0"), 2, "host name")
    for port in ("-1", "65536", "http"):
        assert mnk("serve", "--data", tmp_path, "--port", port).exit_code == 2


@pytest.mark.parametrize("package", ["fastapi", "uvicorn"])
def test_without_the_extra_the_error_names_the_command_that_installs_it(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == package or name.startswith("solver.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    result = mnk("serve", "--data", tmp_path, "--port", "0")
    assert_refused(result, 1, "[serve]")
