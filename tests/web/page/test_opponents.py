"""Playing against engines, on either side, and against time."""

import pytest
from playwright.sync_api import expect

from tests.web.page.conftest import Open

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_every_opponent_answers_a_move(visit: Open) -> None:
    page = visit("?game=3,3,3")
    page.button("Play").click()
    engines = [str(option.get_attribute("value")) for option in page.choice("Opponent").locator("option").all()]
    assert engines[:5] == ["random", "weak", "medium", "strong", "perfect"]
    assert engines[5:] == [f"{who}{clock}" for who in ("person", "friend") for clock in ("", " 1", " 3", " 10")]
    for engine in engines[:5]:
        page.choice("Opponent").select_option(engine)
        page.square("b2").click()
        expect(page.page.locator("#history .step")).to_have_count(3)
        expect(page.verdict).to_have_text("X Your move")
        page.wait_for(lambda: page.stones().count("."), 7)
        page.button("Restart").click()
        page.has_stones(".........")


@pytest.mark.slow
def test_undo_takes_back_the_reply_too(visit: Open) -> None:
    page = visit("?game=3,3,3&o=perfect")
    page.square("b2").click()
    expect(page.page.locator("#history .step")).to_have_count(3)
    page.button("Undo").click()
    page.has_stones(".........")
    page.button("Redo").click()
    expect(page.verdict).to_have_text("X Your move")
    page.wait_for(lambda: page.stones().count("."), 7)
    page.page.go_back()
    page.has_stones(".........")


def test_two_people_play_with_a_clock(visit: Open) -> None:
    visit()
    page = visit()  # another person's page, whose time can be changed
    page.page.clock.install()
    page.open("?game=3,3,3&hints=off").choice("Opponent").select_option("person 3")
    page.has_query("?game=3,3,3&clock=3&hints=off")
    page.play("b2")
    clock = page.page.get_by_role("timer")
    page.page.clock.fast_forward(60_000)
    expect(clock).to_contain_text("X 3:00 · ▸O 1:5")
    page.page.keyboard.press("ArrowLeft")
    page.has_stones(".........")
    page.page.clock.fast_forward(200_000)
    page.page.keyboard.press("ArrowRight")
    expect(clock).to_contain_text("▸O 1:5")
    page.page.clock.fast_forward(120_000)
    expect(page.verdict).to_have_text("X has won on time")
    expect(page.page.locator("#spoken")).to_contain_text("X has won on time.")
    page.button("Play again").click()
    expect(clock).to_have_text("X 3:00 · O 3:00")


def test_friends_play_live_on_two_devices(visit: Open) -> None:
    page = visit("?game=3,3,3&hints=off")
    page.choice("Opponent").select_option("friend 10")
    page.page.evaluate("void (navigator.share = async ({ url }) => { window.sent = url; })")
    page.button("Invite a friend").click()
    friend = visit("?" + page.page.evaluate("window.sent").partition("?")[2])
    expect(page.button("Invite a friend")).to_have_count(0)
    expect(friend.page.locator("#what-if")).to_have_text("Waiting for your friend.")
    for player, square in ((page, "a1"), (friend, "b1"), (page, "b2"), (friend, "c3"), (page, "a2"), (friend, "a3")):
        expect(player.verdict).to_contain_text("Your move")
        player.square(square).click()
    expect(friend.page.get_by_role("timer")).to_contain_text("▸X 9:5")
    friend.page.keyboard.press("ArrowLeft")
    friend.has_stones("XO.XX...O")
    friend.page.keyboard.press("h")
    friend.page.reload()
    friend.has_stones("XO.XX.O.O")
    page.square("c2").click()
    expect(page.verdict).to_have_text("You win!")
    expect(friend.verdict).to_have_text("You lose")
    page.page.reload()
    expect(page.page.locator("#tally")).to_have_text("You 1 · Draws 0 · Friend 0")
    friend.button("Play again").click()
    expect(friend.verdict).to_contain_text("Your move")  # the loser begins
    friend.square("b2").click()
    page.has_stones("....X....")
    expect(page.page.locator("#tally")).to_have_text("You 1 · Draws 0 · Friend 0")
