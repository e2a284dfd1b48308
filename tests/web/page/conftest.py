"""A browser, a server, and the page open in it, checked for errors that are not visible."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import browser as browsers
import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from serving import Server

import solver
from solver.store.schema import Metric
from tests.web.page.explorer import PATIENCE, Explorer, Scheme
from tests.web.page.host import Host

GAMES: dict[str, Metric | None] = {"3,3,3": None, "3,4,3,gravity": None, "3,3,3,misere": "wdl", "5,5,3,gravity": None}

Open = Callable[..., Explorer]
Serve = Callable[..., Host]


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    for game, metric in GAMES.items():
        solver.build_table(solver.parse_game(game), folder, metric=metric)
    return folder


@pytest.fixture(scope="session")
def address(tables: Path) -> Iterator[str]:
    with Server(tables) as server:
        yield server.address


@pytest.fixture(scope="package")  # not the session: an event loop runs in this thread while it is open
def browser() -> Iterator[Browser]:
    program = browsers.find()
    assert program, "no Chromium or Chrome is found; scripts/test installs it or explains how"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=list(browsers.OPTIONS))
        yield opened
        opened.close()


@pytest.fixture(scope="package")
def tab(browser: Browser) -> Iterator[Page]:
    """One tab for all tests: opening a new one takes longer than most tests."""
    with browser.new_context() as context:
        yield context.new_page()


@pytest.fixture
def serve_folder() -> Iterator[Serve]:
    """`serve_folder(folder, ranges=False)`: a static host, see `Host`."""
    with ExitStack() as hosts:
        yield lambda folder, *, ranges=True: hosts.enter_context(Host(folder, ranges=ranges))


@pytest.fixture
def visit(browser: Browser, tab: Page, address: str, serve_folder: Serve) -> Iterator[Open]:
    """`visit("?game=3,3,3", width=360, scheme="dark")`: the page, open there. Hidden errors fail the test.

    expected: a pattern of the console errors that the test causes. A second visit, or a fresh one, is in a new profile.
    Static hosts stop after all pages are closed, which would miss them otherwise.
    """
    opened: list[Explorer] = []

    def go(
        query: str = "",
        *,
        width: int = 1280,
        height: int = 900,
        scheme: Scheme = "light",
        at: str = address,
        expected: str = "^$",
        document: str = "",
        fresh: bool = False,
    ) -> Explorer:
        page = browser.new_context().new_page() if opened or fresh else tab
        page.set_default_timeout(PATIENCE * 1000)
        opened.append(Explorer(page, at, expected, document))
        opened[-1].emulate(width, scheme, height)
        return opened[-1].open(query)

    yield go
    for explorer in opened:
        explorer.leave()
        if explorer.expected != "^$":
            explorer.page.wait_for_timeout(500)  # late errors of this test, which would be the next one's in this tab
    for explorer in opened:
        if explorer.page is not tab:
            explorer.page.context.close()
    for explorer in opened:
        assert explorer.outside == []
        assert explorer.unexpected() == []
