"""The first screen: games with a name of their own, and those that have a table."""

import pytest
from playwright.sync_api import expect

from solver.gallery import GALLERY
from tests.web.page.conftest import GAMES, Open
from tests.web.page.test_access import SCHEMES, faults

pytestmark = pytest.mark.browser


def test_the_first_screen_lists_the_games_and_leads_to_those_with_a_table(visit: Open) -> None:
    page = visit()
    cards = page.page.locator(".gallery li")
    named = {entry.name for entry in GALLERY}
    expect(cards).to_have_count(len(GALLERY) + sum(game not in named for game in GAMES))
    expect(page.page.locator(".gallery .small")).to_have_count(cards.count())
    closed = cards.filter(has_text="The Fano plane")
    expect(closed).to_contain_text("mnk build projective,2")
    expect(closed.get_by_role("link")).to_have_count(0)
    page.page.get_by_role("link", name="Tic-tac-toe", exact=True).click()
    expect(page.verdict).to_have_text("X to move draws")
    page.page.get_by_role("link", name="Tablebase explorer").click()
    expect(page.page.get_by_role("heading", name="Games", exact=True)).to_be_visible()
    page.page.get_by_role("link", name="3,4,3,gravity").click()
    expect(page.page.locator(".square")).to_have_count(12)


def test_a_game_may_be_spelt_as_people_call_it(visit: Open) -> None:
    page = visit("?game=tic-tac-toe&moves=b2")
    expect(page.verdict).to_have_text("O to move draws")
    assert page.query() == "?game=3,3,3&moves=b2"


@pytest.mark.slow
def test_axe_finds_nothing_on_the_first_screen(visit: Open) -> None:
    page = visit()
    for scheme in SCHEMES:
        page.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        expect(page.page.locator("html")).to_have_attribute("data-theme", scheme)
        assert faults(page.page) == [], scheme
    for width in (320, 1280):
        page.page.set_viewport_size({"width": width, "height": 900})
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width
