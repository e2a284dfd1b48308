"""Playing against engines, on either side, and against time."""

import re

import pytest
from playwright.sync_api import Dialog, Route, expect

from tests.web.page.conftest import Open
from tests.web.page.explorer import Scheme
from tests.web.page.test_access import CUT_OFF, faults

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_every_opponent_answers_a_move(visit: Open) -> None:
    page = visit("?game=3,3,3")
    page.button("Play").click()
    engines = [str(option.get_attribute("value")) for option in page.choice("Opponent").locator("option").all()]
    assert engines[:5] == ["random", "weak", "medium", "strong", "perfect"]
    assert engines[5:] == [f"{who}{clock}" for who in ("person", "friend") for clock in ("", " 1", " 3", " 3,2", " 10")]
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


@pytest.mark.slow
def test_two_people_play_with_a_clock(visit: Open) -> None:
    page = visit(fresh=True)  # whose time can be changed
    page.page.clock.install()
    page.open("?game=3,3,3&hints=off").choice("Opponent").select_option("person 3,2")
    page.has_query("?game=3,3,3&clock=3,2&hints=off")
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
    expect(page.page.locator("#spoken")).to_contain_text("X has won on time. O ran out of time.")
    page.has_query("?game=3,3,3&moves=b2&clock=3,2&late=O&hints=off")
    page.page.reload()
    expect(page.verdict).to_have_text("X has won on time")
    page.button("Play again").click()
    expect(clock).to_have_text("X 3:00 · O 3:00")
    page.play("b2", "a1")
    expect(clock).to_contain_text("▸X 3:00 · O 3:0")  # 2 s more


def test_friends_play_live_on_two_devices(visit: Open) -> None:
    page = visit("?game=3,3,3&hints=off")
    page.choice("Opponent").select_option("friend 10")
    page.button("Invite a friend").click()
    expect(page.page.locator("#invitation-note")).to_contain_text("works only on this computer")
    link = page.page.get_by_label("Link").locator("visible=true").input_value()
    page.page.evaluate("delete Navigator.prototype.clipboard")  # as on pages without encryption
    page.page.locator("#copy-invitation").click()
    expect(page.page.locator("#copy-invitation")).to_have_text("Copied")
    page.page.keyboard.press("Escape")
    friend = visit("?" + link.partition("?")[2])
    expect(page.button("Invite a friend")).to_have_count(0)
    said = friend.page.locator("#what-if")
    expect(said).to_have_text("You play O. Waiting for your friend.")
    page.play("b2")
    for key in "ws":  # there are no buttons for these
        page.page.keyboard.press(key)
    page.button("Take back").click()
    friend.button("Allow").click()
    page.has_stones(".........")
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
    friend.page.keyboard.press("ArrowLeft")
    expect(friend.verdict).to_have_text("X to move")  # the game is over
    page.page.reload()
    expect(page.page.locator("#tally")).to_have_text("You 1 · Draws 0 · Friend 0")
    page.button("Play again").click()
    expect(said).to_contain_text("Your friend wants to play again.")
    friend.page.locator(".deeds").get_by_role("button", name="Play again").click()
    expect(friend.verdict).to_contain_text("Your move")  # the loser begins
    friend.square("b2").click()
    page.has_stones("....X....")
    expect(page.page.locator("#tally")).to_have_text("You 1 · Draws 0 · Friend 0")
    friend.page.once("dialog", lambda dialog: dialog.dismiss())
    friend.button("Puzzles").click()
    expect(friend.verdict).to_have_text("O to move")
    watching = visit("?" + link.partition("?")[2])
    expect(watching.page.locator("#what-if")).to_have_text("You are watching.")
    expect(watching.square("a1")).to_have_attribute("aria-disabled", "true")
    friend.page.once("dialog", lambda dialog: dialog.accept())
    friend.button("Resign").click()
    expect(page.verdict).to_have_text("You win: your friend has resigned")
    expect(watching.verdict).to_have_text("O has won: X has resigned")


@pytest.mark.slow
def test_an_invitation_waits_for_the_server_and_who_watches_sees_the_clock(visit: Open) -> None:
    page = visit("?game=3,3,3&hints=off", expected="ERR_FAILED")
    page.choice("Opponent").select_option("friend 3")
    asked: list[str] = []

    def refuse(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    page.page.on("dialog", refuse)
    page.button("Resign").dispatch_event("click")  # nobody has come
    assert asked == []
    page.page.route("**/v1/invitation?**", lambda route: route.abort())
    page.button("Invite a friend").click()
    expect(page.notice).to_contain_text("does not respond")
    page.page.unroute_all()
    expect(page.page.get_by_role("dialog")).to_be_visible()
    copy = page.page.locator("#copy-invitation")
    for _ in range(2):
        copy.click()
        expect(copy).to_have_text("Copied")
    expect(copy).to_have_text("Copy link")
    link = "?" + page.page.get_by_label("Link").locator("visible=true").input_value().partition("?")[2]
    friend, watching = visit(link), visit(link)
    expect(watching.page.get_by_role("timer")).to_have_text("X 3:00 · O 3:00")  # before the first move
    page.page.keyboard.press("Escape")
    page.play("b2")  # which has to come before the resignation
    expect(friend.square("b2")).to_have_accessible_name(re.compile("last move"))
    friend.page.once("dialog", lambda dialog: dialog.accept())
    friend.button("Resign").click()
    expect(page.button("Play again")).to_be_visible()
    expect(watching.verdict).to_have_text("X has won: O has resigned")
    expect(watching.button("Play again")).not_to_be_visible()


SIZES: tuple[tuple[int, Scheme], ...] = ((320, "light"), (1280, "dark"))


@pytest.mark.slow
def test_axe_finds_nothing_in_invitations_and_live_games(visit: Open) -> None:
    page = visit("?game=3,3,3&hints=off")
    page.choice("Opponent").select_option("friend 10")
    page.button("Invite a friend").click()
    expect(page.page.get_by_role("dialog")).to_be_visible()
    assert page.page.evaluate(CUT_OFF) == []
    assert faults(page.page) == []
    page.page.keyboard.press("Escape")
    friend = visit(page.query())
    page.play("b2")
    friend.button("Offer a draw").click()
    expect(page.page.locator("#what-if")).to_contain_text("draw")
    for player in (page, friend):
        for width, scheme in SIZES:
            player.emulate(width, scheme)
            assert faults(player.page) == []
            player.fits(width)


@pytest.mark.slow
def test_a_move_that_was_not_sent_is_sent_later(visit: Open) -> None:
    page = visit("?game=3,3,3&hints=off", expected="ERR_INTERNET_DISCONNECTED|ERR_FAILED|status of 404")
    page.choice("Opponent").select_option("friend")
    expect(page.button("Invite a friend")).to_be_visible()
    friend = visit(page.query())
    expect(page.verdict).to_have_text("X Your move")
    attempts: list[Route] = []

    def refuse(route: Route) -> None:
        attempts.append(route)
        route.abort()

    page.page.route("**/v1/live/**", refuse)
    page.play("b2")
    expect(page.notice).to_contain_text("Your move will be sent")
    count = "window.changes = 0; new MutationObserver(() => { window.changes += 1; })"
    page.page.evaluate(f"{count}.observe(document.querySelector('#notice'), {{ childList: true }})")
    before = len(attempts)
    page.wait_for(lambda: len(attempts) > before + 1, True)
    assert page.page.evaluate("window.changes") == 0
    expect(page.page.locator("#spoken")).not_to_contain_text("Connected")
    page.page.reload()
    page.page.unroute_all()
    page.has_stones("....X....")
    friend.has_stones("....X....")


@pytest.mark.slow
def test_a_server_that_forgot_a_game_never_had_the_last_move(visit: Open) -> None:
    page = visit("?game=3,3,3&hints=off", expected="ERR_FAILED|status of 404")
    page.choice("Opponent").select_option("friend")
    expect(page.button("Invite a friend")).to_be_visible()
    friend = visit(page.query(), expected="status of 404")
    expect(page.verdict).to_have_text("X Your move")
    page.page.route("**/v1/live/**", lambda route: route.abort())
    page.play("b2")
    expect(page.notice).to_contain_text("Your move will be sent")
    ended = '{"error": {"status": 404, "code": "no_live_game", "message": "This live game has ended."}}'
    for player in (page, friend):
        player.page.route("**/v1/live/**", lambda route: route.fulfill(status=404, body=ended))
    expect(page.notice).to_contain_text("This live game has ended. Your last move was not sent.")
    expect(friend.notice).to_contain_text("This live game has ended.")
    expect(friend.notice).not_to_contain_text("not sent")
    page.has_query("?game=3,3,3&moves=b2&hints=off")
