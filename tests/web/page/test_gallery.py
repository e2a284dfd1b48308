"""The first screen: a game to play, other games as pictures, and the page of all games."""

import pytest
from playwright.sync_api import expect

from solver import __version__
from tests.web.page.conftest import Open

pytestmark = pytest.mark.browser


def test_the_first_screen_is_a_game_to_play_above_the_others(visit: Open) -> None:
    page = visit(width=390)
    expect(page.verdict).to_have_text("X Your move")
    page.fits(390, 2 * 844)
    page.page.get_by_role("link", name="Three in a row on 3 by 4, with gravity").click()
    page.has_query("?game=3,4,3,gravity&o=medium")
    page.page.go_back()
    page.square("b2").click()
    expect(page.page.locator("#history .step")).to_have_count(3)
    expect(page.choice("Opponent")).to_have_value("medium")
    page.open()
    page.page.get_by_role("link", name="About these games").click()
    expect(page.page.locator("#missing")).to_contain_text("mnk build hex,4")
    page.page.get_by_label("Find").fill("hex 4 nash")
    expect(page.page.locator(".rows > li:visible h3")).to_have_text(["Hex on 4 by 4"])
    page.page.get_by_label("Find").fill("gomoku")
    expect(page.page.locator(".rows > li:visible h3")).to_have_text(["Gomoku"])
    page.page.get_by_label("Find").fill("19,19,5")
    page.page.get_by_role("link", name="Open 19,19,5").click()
    expect(page.choice("Game").locator("option:checked")).to_have_text("Five in a row on 19 by 19")


@pytest.mark.slow
def test_about_names_the_version_and_the_api(visit: Open) -> None:
    page = visit("?game=3,3,3")
    page.button("About").click()
    dialog = page.page.get_by_role("dialog")
    expect(dialog).to_contain_text(f"mnk-tablebase {__version__} ")
    for path, fact in (("openapi.json", "openapi"), ("static/manifest.json", "start_url")):
        assert fact in page.page.request.get(f"{page.address}/{path}").json()


@pytest.mark.slow
def test_a_page_opens_with_few_requests(visit: Open) -> None:
    page = visit("?game=3,3,3")
    asked: list[str] = []
    page.page.on("request", lambda request: asked.append(request.url))
    page.open("?game=3,3,3&moves=a1,b2")
    expect(page.page.locator("#mainline .step")).not_to_have_count(0)
    expect(page.page.locator("#moves .bar")).not_to_have_count(0)
    assert len(asked) <= 8 + 2  # two more positions


@pytest.mark.slow
def test_a_game_is_counted_and_the_loser_begins_the_next(visit: Open) -> None:
    page = visit("?game=3,3,3&hints=off", height=720)
    page.play("a1", "b1", "a2", "b2", "a3")
    expect(page.verdict).to_have_text("X has won")
    for shown in ("#verdict", ".grid", "#controls", "#send", "#tally"):
        expect(page.page.locator(shown)).to_be_in_viewport(ratio=1)
    expect(page.page.locator("#tally")).to_have_text("Player 1 (X) 1 · Draws 0 · Player 2 (O) 0")
    page.button("Play again").click()
    expect(page.page.locator("#tally")).to_have_text("Player 1 (O) 1 · Draws 0 · Player 2 (X) 0")
    page.page.get_by_role("button", name="Clear the tally").click()
    expect(page.page.locator("#tally")).to_be_empty()


@pytest.mark.slow
def test_a_mistake_is_named_as_it_is_made_and_taken_back(visit: Open) -> None:
    page = visit("?game=3,3,3&x=perfect&moves=a1")
    expect(page.page.locator(".verdict")).to_have_count(0)  # no values while an engine plays
    page.square("b1").click()
    said = page.page.locator("#what-if")
    expect(said).to_contain_text("b1 was a mistake: it loses.")
    page.button("Show me").click()
    expect(page.square("b2")).to_have_accessible_name("b2, empty, better")
    expect(page.page.locator("#board")).to_be_focused()
    page.button("Try again from here").click()
    page.square("b2").click()
    expect(page.page.locator("#history .step")).to_have_count(4)
    expect(said).to_be_empty()
