"""The benchmark of the server: it measures every figure, and a failed answer ends it."""

import re
import sys
from pathlib import Path

import pytest
from benchmarks import serving

from solver.solve import build_table
from tests.web.test_api_server import served

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the memory of a process is read from /proc"
)


@pytest.mark.slow
def test_every_figure_is_measured(tmp_path: Path) -> None:
    for game in ("2,2,2", "2,3,2"):
        build_table(game, tmp_path)
    with serving.serving(tmp_path) as server:
        figures = [*serving.probes(server, "2,2,2", 500), serving.batches(server, "2,2,2", 20)]
        figures += serving.memory(server, ("2,2,2", "2,3,2"), 100, 200)
    assert [figure.unit.split(" ")[0] for figure in figures] == ["requests/s", "requests/s", "positions/s", "MB", "MB"]
    assert all(figure.value > 1 for figure in figures)


def test_a_failed_answer_ends_it(tmp_path: Path) -> None:
    with served(tmp_path) as (process, address, _):
        port = re.search(r":(\d+)$", address)
        assert port
        server = serving.Server(process.pid, int(port[1]))
        with pytest.raises(SystemExit, match="404 Not Found"):
            serving.load(server, serving.requests_for("3,3,3", 1), 10)
        process.kill()
        process.wait()
        with pytest.raises(OSError, match="No such file"):
            serving.load(server, serving.requests_for("3,3,3", 1), 10)


def test_a_server_that_does_not_start_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/true")
    with pytest.raises(SystemExit, match="did not start"), serving.serving(tmp_path):
        pass
