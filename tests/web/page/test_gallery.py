"""The first screen: well-known games, and games that have a table."""

import pytest
from playwright.sync_api import expect

from solver.game.gallery import GALLERY
from tests.web.page.conftest import GAMES, Open
from tests.web.page.test_access import SCHEMES, faults

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_the_first_screen_lists_the_games_and_leads_to_those_with_a_table(visit: Open) -> None:
    page = visit()
    ready, missing = page.page.locator("#ready li"), page.page.locator("#missing li")
    named = {entry.name for entry in GALLERY}
    expect(ready).to_have_count(len(GAMES))
    expect(missing).to_have_count(len(named - {*GAMES}))
    expect(page.page.locator("#gallery li .small")).to_have_count(len(GAMES) + len(named - {*GAMES}))
    expect(ready.first).to_contain_text("A draw · 5,478 positions · ")
    expect(ready.filter(has_text="5,478 positions").first).to_contain_text("262\u00a0kB")
    lose = page.page.locator("#ready li", has_text="Tic-tac-toe, to lose")
    expect(lose.locator(".rule.loses")).to_have_count(2)
    torus = page.page.locator("#missing li", has_text="Tic-tac-toe on a torus")
    expect(torus.locator(".rule")).to_have_count(2)  # over the edge and back
    expect(page.page.locator("#gallery .floor")).to_have_count(3)  # one for each game with gravity
    fano = missing.filter(has_text="The Fano plane")
    expect(fano).to_contain_text("mnk build projective,2")
    expect(fano.get_by_role("link")).to_have_count(0)
    page.page.get_by_role("link", name="Tic-tac-toe", exact=True).click()
    expect(page.verdict).to_have_text("X to move draws")
    page.page.get_by_role("link", name="Tablebase explorer").click()
    expect(page.page.get_by_role("heading", name="Games", exact=True)).to_be_visible()
    page.page.get_by_role("link", name="Three in a row on 3 by 4, with gravity", exact=True).click()
    expect(page.page.locator(".square")).to_have_count(12)


def test_the_first_screen_shows_a_position_and_plays_the_table_with_one_click(visit: Open) -> None:
    page = visit()
    hero = page.page.locator("#hero")
    expect(hero).to_contain_text("After a1, one reply draws: b2. The 7 others are mistakes.")
    expect(hero.locator(".tile.loss")).to_have_count(7)
    page.page.get_by_role("link", name="Play the table", exact=True).click()
    page.play("a1")
    expect(page.page.locator("#history .step")).to_have_count(3)
    expect(page.square("b2")).to_have_accessible_name("b2, O, last move")
    page.open()
    page.page.get_by_role("link", name="Play the table at Three in a row on 3 by 4, with gravity").click()
    expect(page.choice("O")).to_have_value("perfect")


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
