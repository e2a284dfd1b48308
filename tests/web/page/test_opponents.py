"""Playing against engines, on either side."""

import pytest
from playwright.sync_api import expect

from solver import Position, parse_game
from tests.web.page.conftest import Open

pytestmark = pytest.mark.browser

TICTACTOE = parse_game("3,3,3")


@pytest.mark.slow
def test_every_opponent_answers_a_move(visit: Open) -> None:
    page = visit("?game=3,3,3")
    page.button("Play").click()
    engines = [str(option.get_attribute("value")) for option in page.choice("Opponent").locator("option").all()]
    assert engines == ["random", "weak", "medium", "strong", "perfect", "person"]
    for engine in engines[:-1]:
        page.choice("Opponent").select_option(engine)
        page.square("b2").click()
        expect(page.page.locator("#history .step")).to_have_count(3)
        expect(page.verdict).to_have_text("X Your move")
        page.wait_for(lambda: page.stones().count("."), 7)
        page.button("Restart").click()
        page.shows(Position.parse(TICTACTOE, "start"))


@pytest.mark.slow
def test_undo_takes_back_the_reply_too(visit: Open) -> None:
    page = visit("?game=3,3,3&o=perfect")
    page.square("b2").click()
    expect(page.page.locator("#history .step")).to_have_count(3)
    page.button("Undo").click()
    page.shows(Position.parse(TICTACTOE, "start"))
    page.button("Redo").click()
    expect(page.verdict).to_have_text("X Your move")
    page.wait_for(lambda: page.stones().count("."), 7)
    page.page.go_back()
    page.shows(Position.parse(TICTACTOE, "start"))
