"""Accessibility: keyboard, screen reader, colours, widths."""

from typing import Any, get_args

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from solver import Position, parse_game
from tests.web.page.conftest import Open
from tests.web.page.explorer import BUSY, Explorer, Scheme

pytestmark = pytest.mark.browser

VIEWS = {
    "the first screen": "",
    "a game": "?game=3,3,3&moves=a1,b1,b2",
    "a mistake": "?game=3,3,3&moves=a1,b2,c3,c1,a3,b3&at=3",
}
MORE_VIEWS = {
    "an earlier position": "?game=3,3,3&moves=a1,b1,b2&at=2",
    "a game that is over": "?game=3,4,3,gravity&moves=a3,a2,b3,b2,c3",
    "a set-up": "?game=3,3,3&setup=XX./.../...",
    "a game against the computer": "?game=3,4,3,gravity&moves=b3,b2&x=random",
}
LINES = {  # moves before a puzzle, of which the last may be a mistake; and a whole game
    "3,3,3": ("a1,b2,c3,c1", "a1,b1,a2,b2,a3"),
    "5,5,3,gravity": ("a5,a4,e5", "a5,b5,a4,b4,a3"),
    "6,7,4,gravity": ("d6,d5,d4,e6,e5,e4,e3,d3,b6,b5", "d6,d5,d4,e6,e5,e4,e3,d3,b6,b5,a6,c6,a5,c5,a4,c4,a3"),
}
PHONE_VIEWS = {
    "play": ("hints=off&moves={line}", ("Undo", "Restart", "Values")),
    "over": ("hints=off&moves={whole}", ("Undo", "Play again", "Values")),
    "review": ("moves={line}&at={before}", ("Undo", "Redo", "Restart", "Values")),
    "puzzle": ("train=easy&hints=off&position={board}", ("Hint", "Solution", "Skip")),
}
SMALL = """() => [...document.querySelectorAll("body *")].filter((node) => {
  const least = node.matches("button, select, summary, label.switch") ? (node.matches(".square") ? 41 : 44) : 0;
  const size = node.firstChild?.data?.trim() ? parseFloat(getComputedStyle(node).fontSize) : 11;
  const low = node.getBoundingClientRect().height < least;
  return (low || size < 11) && node.checkVisibility({ visibilityProperty: true });
}).map((node) => node.outerHTML)"""
"""Finds targets under 44 px and text under 11 px. In Connect Four, whose squares are smaller, columns are pressed."""


LEAST_CONTRAST = 3  # WCAG 2.2, 1.4.11
CONTRASTS = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const paint = (colour, alpha = 1) => {
    Object.assign(canvas, { globalAlpha: alpha, fillStyle: colour });
    canvas.fillRect(0, 0, 1, 1);
  };
  const lineage = (node) => (node ? [...lineage(node.parentElement), node] : []);
  const luminance = () => [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
    .map((part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  /** The contrast of a colour of a node with what is behind it. */
  const contrast = (node, colour, behind) => {
    for (const each of lineage(behind)) paint(getComputedStyle(each).backgroundColor);
    const ground = luminance();
    paint(colour, lineage(node).reduce((alpha, each) => alpha * getComputedStyle(each).opacity, 1));
    const [low, high] = [ground, luminance()].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const found = [];
  const measure = (node, what, colour, behind) => {
    const name = `${what} of ${node.localName} #${node.id} .${node.getAttribute("class")}`;
    found.push([name, contrast(node, colour, behind)]);
  };
  const forced = matchMedia("(forced-colors: active)").matches; // then squares have no tint
  const exempt = "button[aria-disabled=true]:not(.square), .ghost, .reply > .stone, .floating";
  const visible = (selector) => [...document.querySelectorAll(selector)].filter((node) =>
    node.checkVisibility({ visibilityProperty: true }) && !node.closest(exempt));
  const signs = "svg:is(.stone, .sign, .mark), button > svg, .strike, .border";
  for (const node of visible(`${signs}, #chart :is(.curve, .middle, .stone)`)) {
    const { fill, stroke } = getComputedStyle(node);
    measure(node, "sign", stroke === "none" ? fill : stroke, node.closest(".grid, figure, button, div, body"));
  }
  for (const node of visible("button, select, textarea, input")) {
    const { borderTopColor: colour, borderTopWidth: size, boxShadow: shadow } = getComputedStyle(node);
    const [, ring] = /^drop-shadow\\((.*?\\)) \\S+ \\S+ 0px/.exec(getComputedStyle(node.parentElement).filter) ?? [];
    const border = ring ?? (size === "0px" ? "rgba(0, 0, 0, 0)" : colour); // a hexagon has only a ring
    const behind = node.matches(".square") ? node : node.parentElement;
    if (behind !== node && /^rgba.* 0\\)$/.test(border)) continue; // only text
    if (forced || !node.matches(".win, .draw, .loss, .won")) measure(node, "border", border, behind);
    const frame = /^[a-z]+\\([^)]*\\)/.exec(shadow);
    if (frame) measure(node, "frame", frame[0], node);
  }
  return found;
}"""
"""Measures signs, borders of controls and frames of marked squares. Tinted squares are also marked by a sign."""


def faults(page: Page) -> list[Any]:
    """Return the findings of axe with their elements, including undecided contrasts.

    It cannot decide for text of an SVG, so the chart, which has the colours of other text, is left out. Without a list
    of all that is right, axe takes half the time.
    """
    rules = {"label-content-name-mismatch": {"enabled": True}}
    answer = Axe().run(page, options={"resultTypes": ["violations", "incomplete"], "rules": rules}).response
    undecided = [each for each in answer["incomplete"] if each["id"] == "color-contrast"]
    nodes = [(each["id"], node) for each in (*answer["violations"], *undecided) for node in each["nodes"]]
    return [(name, node["target"], node["failureSummary"]) for name, node in nodes if "<text" not in node["html"]]


def check(page: Explorer, width: int, scheme: Scheme) -> None:
    """Assert that axe finds nothing at this width and in these colours, signs and borders are clear, and all fits."""
    page.emulate(width, scheme)
    page.page.wait_for_load_state("networkidle")
    page.page.mouse.wheel(0, 9999)  # to where the sentence about a mistake covers no card
    assert faults(page.page) == []
    assert len(measured := page.page.evaluate(CONTRASTS)) > 15
    assert [(what, found) for what, found in measured if found < LEAST_CONTRAST] == []
    page.fits(width)


@pytest.mark.sampled
@pytest.mark.parametrize("scheme", get_args(Scheme))
@pytest.mark.parametrize("width", [320, 390, 768, 820, 1440, 2560])
@pytest.mark.parametrize("view", [*VIEWS, *(pytest.param(view, marks=pytest.mark.slow) for view in MORE_VIEWS)])
def test_the_page_is_accessible(visit: Open, view: str, width: int, scheme: Scheme) -> None:
    query = {**VIEWS, **MORE_VIEWS}[view]
    check(visit(query, width=width, scheme=scheme, expected="status of 400"), width, scheme)


@pytest.mark.slow
def test_axe_finds_nothing_in_the_list_of_keys_the_notice_and_about(visit: Open) -> None:
    page = visit("?game=4,5,4", expected="status of 404")
    expect(page.notice).to_contain_text("mnk build 4,5,4")
    expect(page.button("Try again")).to_be_visible()
    assert faults(page.page) == []
    page.choice("Game").select_option("3,4,3,gravity")
    expect(page.notice).to_be_empty()
    expect(page.page.locator(".square")).to_have_count(12)
    page.page.keyboard.press("?")
    expect(page.page.get_by_role("dialog")).to_contain_text("move on the board")
    assert faults(page.page) == []
    page.page.keyboard.press("Escape")
    expect(page.page.get_by_role("dialog")).not_to_be_visible()
    page.button("About").click()
    expect(page.page.get_by_role("dialog")).to_be_visible()
    options = {"resultTypes": ["violations"]}  # whether the contrast is enough cannot be decided in this dialog
    assert Axe().run(page.page, options=options).response["violations"] == []


CUT_OFF = """() => [...document.querySelectorAll("button:not(.square), input, select, textarea")].filter((node) => {
  node.focus({ focusVisible: true, preventScroll: true });
  if (document.activeElement !== node) return false;
  const { outlineWidth: width, outlineOffset: offset } = getComputedStyle(node);
  const { left, right } = node.getBoundingClientRect();
  const reach = parseFloat(width) + parseFloat(offset);
  const clips = (each) => each && (getComputedStyle(each).overflowX === "visible" ? clips(each.parentElement) : each);
  const within = clips(node.parentElement)?.getBoundingClientRect();
  return within && (left - reach < within.left || right + reach > within.right);
}).map(({ id, className, textContent }) => [id, className, textContent])"""
"""Finds controls whose focus ring is cut off at the left or right by a part of the page that scrolls."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "view", ["&moves=a1,b2,c3,c1", "&train=easy&position=X../O../.XO&hints=off", "&setup=.../.../..."]
)
def test_the_focus_is_visible(visit: Open, view: str) -> None:
    page = visit(f"?game=3,3,3{view}", width=390)
    expect(page.page.locator("#moves tbody tr, #trainer-kind, #setup-text").locator("visible=true")).not_to_have_count(
        0
    )
    assert page.page.evaluate(CUT_OFF) == []


@pytest.mark.sampled
@pytest.mark.parametrize("view", PHONE_VIEWS)
@pytest.mark.parametrize("game", LINES)
def test_a_small_phone_shows_the_board_and_its_buttons_at_once(visit: Open, game: str, view: str) -> None:
    (line, whole), (query, names) = LINES[game], PHONE_VIEWS[view]
    board = Position.parse(parse_game(game), f"moves:{line}").board
    query = query.format(line=line, whole=whole, before=line.count(","), board=board)
    page = visit(f"?game={game}&{query}", width=390, height=664, expected=BUSY)
    said = [page.page.locator(".deeds")] if view in ("over", "review") and "6,7" not in game else []
    named = [page.page.locator("main").get_by_text(name, exact=True) for name in names]
    for shown in (page.page.locator(".grid"), *named, *said):
        expect(shown).to_be_in_viewport(ratio=1)
    page.page.mouse.wheel(0, 300 * (view == "review"))
    for pinned in (page.page.locator(".grid"), *said):
        expect(pinned).to_be_in_viewport(ratio=1)
    page.fits(390)
    page.wait_for(lambda: page.page.evaluate(SMALL), [])


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
    expect(page.verdict).to_have_text("O to move: a draw")
    keys.press("ArrowRight")
    expect(page.page.locator("#what-if")).to_contain_text("If O plays b1, O loses in 6 moves")
    keys.press("Space")
    expect(page.verdict).to_have_text("X to move: wins in 5 moves")
    keys.press("ArrowDown")
    keys.press("ArrowLeft")
    keys.press("ArrowLeft")  # the edge of the board
    expect(page.square("a2")).to_be_focused()
    keys.press("End")
    expect(page.square("c2")).to_be_focused()
    keys.press("u")
    page.has_stones("X........")
    keys.press("y")
    page.has_stones("XO.......")
    keys.press("r")
    page.has_stones(".........")
    expect(page.square("c2")).to_be_focused()
