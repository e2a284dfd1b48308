"""The first screen: well-known games, and games that have a table."""

import pytest
from playwright.sync_api import expect

from tests.web.page.conftest import Open

pytestmark = pytest.mark.browser


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
