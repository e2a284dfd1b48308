"""The documentation builds without a warning, and Python runs on its page for that."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import browser
import pytest
from playwright.sync_api import Page, Route, expect, sync_playwright

from tests.docs.pages import DOCS
from tests.pyodide import install_pyodide

pytestmark = pytest.mark.slow  # scripts/test --long has Sphinx

HOST = "https://cdn.jsdelivr.net/npm/pyodide"
PATIENCE = 120_000  # ms


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-b", "dirhtml", "-W", "--keep-going", "-q", str(DOCS), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def page(site: Path, tmp_path: Path) -> Iterator[Page]:
    """The page on which Python runs, which it has from npm in the place of the host that serves npm."""
    packages = install_pyodide(tmp_path)
    program = browser.find()
    assert program, "no Chromium or Chrome is found; scripts/test installs it or says what to do"

    def fulfil(route: Route) -> None:
        route.fulfill(path=packages / "pyodide" / route.request.url.rpartition("/")[2])

    with (
        ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server,
        sync_playwright() as playwright,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        opened = playwright.chromium.launch(executable_path=program, args=list(browser.OPTIONS))
        context = opened.new_context()
        context.route(f"{HOST}@*/**", fulfil)
        found = context.new_page()
        errors: list[object] = []
        found.on("pageerror", lambda error: errors.append(error))  # noqa: PLW0108 - a method takes no attributes
        found.goto(f"http://127.0.0.1:{server.server_port}/how-to/browser/")
        yield found
        opened.close()
        server.shutdown()
    assert not errors


def test_the_site_has_what_it_makes_of_code_and_data(site: Path) -> None:
    assert "negamax_6" in (site / "explanation" / "engines" / "index.html").read_text(encoding="utf-8")
    assert "3,340,492,143,849" in (site / "solved" / "index.html").read_text(encoding="utf-8")


@pytest.mark.browser
def test_a_function_is_graded_in_the_browser(page: Page) -> None:
    page.get_by_label("Program").fill("def best_move(board):\n    return board.index(' ')\n")
    page.get_by_role("button", name="Grade").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    report = page.locator("#grade .report")
    expect(report).to_contain_text("0.5865", timeout=PATIENCE)
    expect(report).to_contain_text("in this process, as no other can be started")
    expect(page.locator("#grade .state")).to_be_empty()
    page.get_by_label("Program").fill("def best_move(board):\n    return 1 / 0\n")
    page.get_by_role("button", name="Grade").click()
    expect(page.locator("#grade .state")).to_contain_text("division by zero", timeout=PATIENCE)
    page.get_by_label("Program").fill("def best_move(board):\n    while True: pass\n")
    page.get_by_role("button", name="Grade").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#grade .state")).to_have_text("Stopped.")
