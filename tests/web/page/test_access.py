"""Accessibility: keyboard, screen reader, colours, widths."""

import itertools
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from solver import Position, parse_game
from tests.web.page.conftest import Open, Scheme

pytestmark = pytest.mark.browser

TICTACTOE = parse_game("3,3,3")
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
VIEWS = {
    "a game": "?game=3,3,3&moves=a1,b1,b2&at=2",
    "a game that is over": "?game=3,4,3,gravity&moves=a3,a2,b3,b2,c3",
    "a set-up": "?game=3,3,3&setup=XX./.../...",
}


def faults(page: Page) -> list[Any]:
    """Return the findings of axe with their elements, including undecided contrasts.

    It cannot decide for text of an SVG, so the chart, which has the colours of other text, is left out.
    """
    answer = Axe().run(page, options={}).response
    undecided = [each for each in answer["incomplete"] if each["id"] == "color-contrast"]
    nodes = [(each["id"], node) for each in (*answer["violations"], *undecided) for node in each["nodes"]]
    return [(name, node["target"], node["failureSummary"]) for name, node in nodes if "<text" not in node["html"]]


@pytest.mark.sampled
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing(visit: Open, view: str, width: int, scheme: Scheme) -> None:
    page = visit(VIEWS[view], width=width, scheme=scheme, expected="status of 400")
    expect(page.page.locator("html")).to_have_attribute("data-theme", scheme)
    assert faults(page.page) == []


# The contrast (WCAG 2.2) of the text of each tile to the tile, and of the tile to the board below it.
CONTRASTS = """() => {
  const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (colour) => {
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = colour;
    brush.fillRect(0, 0, 1, 1);
    const parts = [...brush.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255);
    const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  const board = light(getComputedStyle(document.querySelector(".grid")).backgroundColor);
  return [...document.querySelectorAll(".square:has(.hold)")].map((square) => {
    const tile = light(getComputedStyle(square).backgroundColor);
    return [contrast(light(getComputedStyle(square.querySelector(".hold")).color), tile), contrast(tile, board)];
  });
}"""


@pytest.mark.parametrize("scheme", SCHEMES)
def test_tiles_have_enough_contrast(visit: Open, scheme: Scheme) -> None:
    page = visit("?game=3,3,3", scheme=scheme)
    expect(page.page.locator(".square .hold")).to_have_count(9)
    for text, tile in page.page.evaluate(CONTRASTS):
        assert text >= 4.5
        assert tile >= 1.12


@pytest.mark.slow
def test_axe_finds_nothing_in_the_list_of_keys_and_the_notice(visit: Open) -> None:
    page = visit("?game=4,4,4", expected="status of 404")
    expect(page.notice).to_contain_text("mnk build 4,4,4")
    expect(page.button("Try again")).to_be_visible()
    assert faults(page.page) == []
    page.open("?game=3,3,3")
    page.page.keyboard.press("?")
    expect(page.page.get_by_role("dialog")).to_contain_text("move on the board")
    assert faults(page.page) == []
    page.page.keyboard.press("Escape")
    expect(page.page.get_by_role("dialog")).not_to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("query", ["?game=3,4,3,gravity&moves=b3,b2&x=random", "?game=3,3,3&setup=XX./.../..."])
def test_nothing_is_wider_than_the_screen(visit: Open, query: str) -> None:
    page = visit(query, expected="status of 400")
    for width in (320, 360, 768, 1280, 2560):
        page.page.set_viewport_size({"width": width, "height": 900})
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_game_is_played_with_the_keyboard_alone(visit: Open) -> None:
    page = visit("?game=3,3,3")
    keys = page.page.keyboard
    keys.press("Tab")
    keys.press("Enter")  # the link to the board
    keys.press("Tab")
    expect(page.square("a1")).to_be_focused()
    expect(page.page.locator('.square[tabindex="0"]')).to_have_count(1)
    keys.press("Enter")
    expect(page.square("a1")).to_be_focused()
    expect(page.verdict).to_have_text("O to move draws")
    keys.press("ArrowRight")
    expect(page.page.locator("#what-if")).to_contain_text("If O plays b1, O loses in 6 plies")
    keys.press("Space")
    expect(page.verdict).to_have_text("X to move wins in 5 plies")
    keys.press("ArrowDown")
    keys.press("ArrowLeft")
    keys.press("ArrowLeft")  # the edge of the board
    expect(page.square("a2")).to_be_focused()
    keys.press("End")
    expect(page.square("c2")).to_be_focused()
    keys.press("u")
    page.shows(Position.parse(TICTACTOE, "moves:a1"))
    keys.press("y")
    page.shows(Position.parse(TICTACTOE, "moves:a1 b1"))
    keys.press("r")
    page.shows(Position.parse(TICTACTOE, "start"))
    expect(page.square("c2")).to_be_focused()


@pytest.mark.slow
def test_letters_can_be_switched_off_and_are_remembered(visit: Open) -> None:
    page = visit("?game=3,3,3&moves=a1")
    page.button("Keys").click()
    page.page.get_by_role("switch", name="Single-letter keys").uncheck()
    page.button("Close").click()
    page.page.reload()
    expect(page.verdict).to_have_text("O to move draws")
    page.page.keyboard.press("u")
    page.page.keyboard.press("h")
    expect(page.verdict).to_have_text("O to move draws")
    page.shows(Position.parse(TICTACTOE, "moves:a1"))


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "other"), [("light", "Dark"), ("dark", "Light")])
def test_the_theme_follows_the_system_until_it_is_chosen(visit: Open, scheme: str, other: str) -> None:
    page = visit("?game=3,3,3", scheme=scheme)
    root = page.page.locator("html")
    expect(root).to_have_attribute("data-theme", scheme)
    page.button(other).click()
    expect(root).to_have_attribute("data-theme", other.lower())
    page.page.reload()
    expect(root).to_have_attribute("data-theme", other.lower())


TOUCH = """(square, held) => {
  const at = (type) => square.dispatchEvent(new PointerEvent(type, { pointerType: "touch", bubbles: true }));
  ["pointerenter", "pointerdown"].forEach(at);
  setTimeout(() => {
    ["pointerup", "pointerleave"].forEach(at);
    square.dispatchEvent(new PointerEvent("click", { pointerType: "touch", bubbles: true, detail: 1 }));
  }, held);
}"""


@pytest.mark.slow
def test_holding_a_finger_looks_and_tapping_plays(visit: Open) -> None:
    page = visit("?game=3,3,3&moves=a1")
    page.square("b1").evaluate(f"square => ({TOUCH})(square, 450)")
    expect(page.page.locator("#what-if")).to_have_text(
        "If O plays b1, O loses in 6 plies; the best replies are a2, b2 and a3."
    )
    page.page.wait_for_timeout(500)  # the finger is lifted
    expect(page.page.locator("#what-if")).to_contain_text("If O plays b1")
    page.has_stones("X........")
    page.square("b2").evaluate(f"square => ({TOUCH})(square, 0)")
    expect(page.square("b2")).to_have_accessible_name("b2, O, last move")


@pytest.mark.slow
@pytest.mark.parametrize("query", ["?game=3,3,3&moves=a1,b1", ""])
def test_the_layout_is_stable_while_the_page_opens(visit: Open, query: str) -> None:
    page = visit(query)
    for width in (390, 1280):
        page.page.set_viewport_size({"width": width, "height": 900})
        page.page.reload()
        expect(page.page.locator("#moves .bar, #hero .tile").first).to_be_visible()
        page.page.evaluate(
            "() => { window.shifts = 0; new PerformanceObserver((list) => list.getEntries().forEach((entry) => "
            "{ window.shifts += entry.value; })).observe({ type: 'layout-shift', buffered: true }); }"
        )
        page.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
        assert page.page.evaluate("window.shifts") < 0.05


@pytest.mark.slow
def test_the_chart_of_a_long_game_fits_a_phone(visit: Open) -> None:
    moves = "a1,b2,c3,b1,b3,a3,c1,c2,a2"
    page = visit(f"?game=3,3,3&moves={moves}", width=320)
    chart = page.page.locator("#chart")
    boxes = [chart.locator(".target").nth(ply).bounding_box() for ply in range(10)]
    for left, right in itertools.pairwise(boxes):
        assert left
        assert right
        assert left["x"] + left["width"] <= right["x"] + 0.5
    ticks = [box for box in (tick.bounding_box() for tick in chart.locator(".tick").all()) if box]
    for left, right in itertools.pairwise(ticks):
        assert left["x"] + left["width"] <= right["x"]


@pytest.mark.slow
def test_motion_follows_the_preference(visit: Open) -> None:
    animated = "stone => getComputedStyle(stone).animationName"
    for motion, name in (("reduce", "none"), ("no-preference", "settle")):
        page = visit("?game=3,3,3&moves=a1", motion=motion)
        assert page.page.locator(".square .stone").evaluate(animated) == name
