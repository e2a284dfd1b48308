"""Setting up a position by clicks, by keys, and as text."""

import pytest
from playwright.sync_api import expect

from tests.web.page.conftest import Open

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_a_position_is_set_up_by_clicking(visit: Open) -> None:
    page = visit("?game=3,3,3", expected="status of 400")  # two stones of X alone can't arise
    page.button("Set up").click()
    for name in ("a1", "b1", "b1", "b2"):
        before = page.stones()
        page.square(name).click()
        expect(page.page.locator("#setup-text")).not_to_have_value("/".join((before[:3], before[3:6], before[6:])))
    expect(page.verdict).to_have_text("O to move: loses in 4 moves")
    page.button("Play from here").click()
    page.has_stones("XO..X....")
    page.play("c3")
    page.has_query("?game=3,3,3&position=XO./.X./...&moves=c3")
    page.button("Restart").click()
    page.has_stones("XO..X....")


@pytest.mark.slow
def test_an_impossible_position_is_explained_and_kept(visit: Open) -> None:
    page = visit("?game=3,3,3&moves=a1,b1,b2", expected="status of 400")
    page.button("Set up").click()
    page.square("c1").click()  # a third stone for X
    problem = page.page.locator("#setup-problem")
    expect(problem).to_contain_text("can't arise")
    page.button("Play from here").click(force=True)
    expect(problem).to_contain_text("can't arise")
    page.has_stones("XOX.X....")
    page.page.reload()  # the address contains the position being set up
    expect(problem).to_contain_text("can't arise")
    page.button("Cancel").click()
    page.has_stones("XO..X....")
    expect(page.page.locator("#history .step")).to_have_count(4)


def test_text_that_cannot_be_read_leaves_the_board(visit: Open) -> None:
    page = visit("?game=3,3,3", expected="status of 400|status of 404")
    page.button("Set up").click()
    text, problem = page.page.locator("#setup-text"), page.page.locator("#setup-problem")
    text.fill("XO./.../...")
    page.has_stones("XO.......")
    for typed, said in (("zz", "can't be read"), ("http://localhost/?game=3%2C3%2", "can't be read")):
        text.fill(typed)
        expect(problem).to_contain_text(said)
        page.has_stones("XO.......")
    page.square("b2").click()
    page.has_stones("XO..X....")
