"""The explorer page as a person uses it: squares, moves, headlines, by their accessible names."""

import re
from collections.abc import Callable
from time import monotonic
from typing import Literal, Self, TypeVar

from playwright.sync_api import ConsoleMessage, Error, Locator, Page, Request, expect

from solver import Position
from solver.game.descriptions import describe_value
from solver.game.notation import square_name
from solver.search.truth import Truth

Scheme = Literal["light", "dark", "forced"]
_T = TypeVar("_T")
BUSY = "status of 503"  # the server has too many searches, and the page retries
PATIENCE = 30.0  # seconds, for busy machines
expect.set_options(timeout=PATIENCE * 1000)


class Explorer:
    """One open page. `outside` lists requests to other hosts, `errors` the errors of the console.

    expected: a pattern of errors that the test causes. document: its file name, if there is no server.
    """

    def __init__(self, page: Page, address: str, expected: str, document: str = "") -> None:
        self.page, self.address, self.expected, self.document = page, address, expected, document
        self.outside: list[str] = []
        self.errors: list[str] = []
        page.on("console", self._hear)
        page.on("pageerror", self._fail)
        page.on("request", self._see)

    def emulate(self, width: int, scheme: Scheme, height: int = 900) -> None:
        """Set the size of the window and all media features: the shared tab keeps those of the test before."""
        theme: Literal["light", "dark"] = "dark" if scheme == "dark" else "light"
        forced: Literal["active", "none"] = "active" if scheme == "forced" else "none"
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(color_scheme=theme, forced_colors=forced, reduced_motion="reduce")
        if self.page.url != "about:blank":
            expect(self.page.locator("html")).to_have_attribute("data-theme", theme)

    def leave(self) -> None:
        """Leave the page, without traces for the next test."""
        self.page.remove_listener("console", self._hear)
        self.page.remove_listener("pageerror", self._fail)
        self.page.remove_listener("request", self._see)
        self.page.unroute_all(behavior="ignoreErrors")
        self.page.evaluate("localStorage.clear()")
        self.page.goto("about:blank")

    def _fail(self, error: Error) -> None:
        self.errors.append(str(error))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _see(self, request: Request) -> None:
        if not request.url.removeprefix("blob:").startswith(self.address):
            self.outside.append(request.url)

    def unexpected(self) -> list[str]:
        return [error for error in self.errors if not re.search(self.expected, error)]

    def open(self, query: str = "") -> Self:
        """Open a game, or the gallery."""
        self.page.goto(f"{self.address}/{self.document}{query}")
        if query:
            expect(self.verdict).not_to_have_text("Loading")
        else:
            expect(self.page.locator("#gallery")).to_be_visible()
        return self

    @property
    def verdict(self) -> Locator:
        return self.page.locator("#verdict")

    @property
    def notice(self) -> Locator:
        return self.page.locator("#notice")

    def square(self, name: str) -> Locator:
        return self.page.locator("#board").get_by_role("button", name=re.compile(f"^{name}, "))

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def choice(self, name: str) -> Locator:
        return self.page.get_by_role("combobox", name=name, exact=True)

    def labels(self) -> list[str]:
        """Return the accessible name of each square, row by row."""
        read = "squares => squares.map(square => square.getAttribute('aria-label'))"
        return list(self.page.locator(".square").evaluate_all(read))

    def stones(self) -> str:
        """Return the stones on the board, row by row, without separators."""
        said = [label.split(", ")[1] for label in self.labels()]
        return "".join(what if what in ("X", "O") else "." for what in said)

    def has_stones(self, stones: str) -> None:
        """Wait until the board has these stones."""
        self.wait_for(self.stones, stones)

    def has_query(self, query: str) -> None:
        """Wait until the URL has this query."""
        self.wait_for(self.query, query)

    def shows(self, position: Position) -> None:
        """Wait until the page shows this position."""
        self.has_stones("".join(position.cells))

    def has_values(self, table: Truth, position: Position) -> None:
        """Wait until the page shows this position, and on every empty square the value according to the table."""
        self.shows(position)
        empty = [square for square, cell in enumerate(position.cells) if cell == "."]
        expected = [expected_label(table, position, square) for square in empty]
        self.wait_for(lambda: [self.labels()[square] for square in empty], expected)

    def fits(self, width: float, height: float = 99_999) -> None:
        """Wait until the page needs no more than this width and height, in pixels."""
        fits = f"document.documentElement.scrollWidth <= {width} && document.documentElement.scrollHeight <= {height}"
        self.wait_for(lambda: self.page.evaluate(fits), True)

    def wait_for(self, read: Callable[[], _T], expected: _T) -> None:
        """Wait until a reading of the page is as expected."""
        end = monotonic() + PATIENCE
        while read() != expected and monotonic() < end:
            self.page.wait_for_timeout(30)
        assert read() == expected

    def play(self, *names: str) -> None:
        for name in names:
            expect(self.square(name)).not_to_have_attribute("aria-disabled", "true")
            self.square(name).click()
            expect(self.square(name)).to_have_accessible_name(re.compile("last move"))

    def query(self) -> str:
        return "?" + self.page.url.partition("?")[2]


def in_moves(text: str) -> str:
    """Return text of the command line in the words of the page, which calls a ply a move."""
    return text.replace(" plies", " moves").replace(" ply", " move")


def expected_label(table: Truth, position: Position, square: int) -> str:
    """Return the accessible name that an empty square should have, according to the table."""
    rules, moves = position.rules, dict(table.moves(position))
    rest = next(move for move in moves if move % rules.stride == square % rules.stride) if rules.stride else square
    if square not in moves:
        return f"{square_name(rules, square)}, empty, drops to {square_name(rules, rest)}"
    value = moves[square]
    plies = f"\u2264 {value.within}" if value.within else f"in {value.distance}" if value.distance else ""
    result = "W" if value.wdl > 0 else "L"
    short = f"{result}{value.distance}" if rules.diagram.shape == "edges" else f"{result} {plies}"
    seen = [short] if value.wdl and plies else []
    if not (after := position.play(square)).is_over:
        replies = [reply.wdl for _, reply in table.moves(after)]
        mistakes = sum(wdl < max(replies) for wdl in replies)
        fail = "miss{} the win" if value.wdl < 0 else "lose{}"
        ending = "" if mistakes > 1 else "es" if value.wdl < 0 else "s"
        seen += [f"{mistakes} of {len(replies)} replies {fail.format(ending)}"] if mistakes else []
    return ", ".join([square_name(rules, square), *seen, in_moves(describe_value(value))])
