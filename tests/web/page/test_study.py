"""The review of a game, puzzles, and the same position under other rules."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.web.page.conftest import Open
from tests.web.page.test_access import check

pytestmark = pytest.mark.browser

LOST = "?game=3,3,3&moves=a1,b2,c3,c1,a3,b3"
PUZZLE = "?game=3,3,3&position=X../O../.XO&train=hard&hints=off"  # b1 alone wins


@pytest.mark.slow
def test_a_game_is_reviewed_below_its_chart(visit: Open) -> None:
    page = visit(LOST)
    review = page.page.locator("#review")
    expect(review).to_contain_text(
        "Move 4, c1, was the mistake. O could still have drawn. With best play, X wins in 1 move."
    )
    expect(review.locator("dd")).to_have_text(["100 % 1 of 1", "50 % 1 of 2"])
    expect(page.page.locator("#chart .fault")).to_have_count(1)
    review.get_by_role("link", name="c1").click()  # shows the position before it
    page.button("Redo").click()
    page.has_query(f"{LOST}&at=4")
    page.page.locator("#history .step", has_text="c1").click()  # also shows it
    expect(page.page.locator("#what-if")).to_contain_text("O played c1, which loses: X answers a3")
    expect(page.square("c1")).to_have_accessible_name(
        "c1, L in 4, 4 of 5 replies miss the win, loses in 4 moves, the mistake"
    )
    expect(page.page.locator(".square.better")).to_have_count(4)
    keys = page.page.keyboard
    keys.press("ArrowRight")
    expect(page.square("c1")).to_have_accessible_name("c1, O, last move")
    keys.press("ArrowLeft")
    keys.press("ArrowLeft")
    keys.press("ArrowDown")
    expect(page.square("c1")).to_have_accessible_name(re.compile("the mistake"))
    page.page.get_by_role("link", name="b1", exact=True).click()
    page.has_query("?game=3,3,3&moves=a1,b2,c3,b1&main=a1,b2,c3,c1,a3,b3")
    page.page.go_back()
    page.button("Try again from here").click()
    page.has_query("?game=3,3,3&moves=a1,b2,c3&x=perfect")
    expect(review).not_to_be_visible()


@pytest.mark.slow
def test_a_what_if_is_a_variation_of_the_game(visit: Open) -> None:
    page = visit("?game=3,3,3&moves=a1", expected="status of 404|status of 503|status of 502")
    body = '{"error": {"status": %d, "code": "%s", "message": ""}}'
    codes = ((404, "unsettled"), (503, "busy"))
    refusals = [{"status": 502, "body": ""}, *({"status": code, "body": body % (code, name)} for code, name in codes)]
    page.page.route("**/mainline?**", lambda route: route.fulfill(**refusals.pop()) if refusals else route.continue_())
    page.open(f"{LOST}&at=3")
    expect(page.page.locator("#mainline .step")).not_to_have_count(0)  # requested again
    assert not refusals
    said = "O played c1, which loses: X answers a3 and then has two ways to win, at a2 and b3. b1, a2, c2 or b3 draw."
    expect(page.page.locator("#what-if")).to_contain_text(said)
    expect(page.page.locator(".square.threat")).to_have_count(2)
    expect(page.page.locator("#why .step").nth(1)).to_have_text("a3")
    page.square("b1").click()
    variation = page.page.locator("#history .variation")
    expect(variation.locator(".step")).to_have_text("b1")
    page.has_query("?game=3,3,3&moves=a1,b2,c3,b1&main=a1,b2,c3,c1,a3,b3")
    expect(page.page.locator("#lost")).to_contain_text("Move 4, c1, was the mistake.")
    page.page.reload()
    page.button("Back to the game").click()
    page.has_query(f"{LOST}&at=3")
    expect(variation).to_have_count(0)
    expect(page.page.locator("#board")).to_be_focused()
    page.page.evaluate("document.documentElement.dir = 'rtl'")  # as translators of browsers do
    left, right = (page.square(name).bounding_box() for name in ("a1", "c1"))
    assert left
    assert right
    assert left["x"] < right["x"]


@pytest.mark.slow
def test_a_game_is_pasted(visit: Open) -> None:
    page = visit("?game=3,3,3", expected="status of 400")
    page.button("Set up").click()
    link = "http://127.0.0.1:8000/?game=3,3,3&moves=a1,b2,c3,c1,a3&at=2"
    record = '{"game": "3,3,3", "start": ".../.../...", "moves": ["a1", "b2", "c3", "c1", "a3"], "outcome": null}'
    for pasted, stones in ((link, "X.O.O.X.X"), ("a1", "X........"), (record, "X.O.O.X.X")):
        page.page.get_by_label("Position, moves or hash").fill(pasted)
        page.has_stones(stones)
    page.button("Play from here").click()
    expect(page.page.locator("#lost")).to_contain_text(
        "Move 4, c1, was the mistake. O could still have drawn. With best play, X wins in 2 moves."
    )
    page.has_query("?game=3,3,3&moves=a1,b2,c3,c1,a3")


def test_a_puzzle_is_solved(visit: Open) -> None:
    page = visit(PUZZLE)
    expect(page.verdict).to_have_text("X to move: find the only move that wins")
    page.square("c1").click()
    expect(page.page.locator("#trainer-answer")).to_have_text("c1 does not win. Try again. (It no longer counts.)")
    expect(page.page.locator("#streak")).to_have_text("Streak 0, best 0")
    expect(page.square("c1")).to_have_accessible_name("c1, empty, wrong")
    page.button("Hint").click()
    expect(page.page.locator("#trainer-answer")).to_have_text("Hint: Look at row 1.")
    page.square("b1").click()
    expect(page.page.locator("#trainer-answer")).to_have_text("Only b1 wins.")
    expect(page.page.locator("main .chief:visible:not([aria-disabled])")).to_have_text(["Next puzzle"])
    expect(page.verdict).to_have_text("Right: b1 wins")
    page.page.reload()
    expect(page.page.locator("#streak")).to_have_text("Streak 0, best 0")
    counted = "(({ tried, solved }) => [tried, solved])(JSON.parse(localStorage.getItem('streak 3,3,3')))"
    page.wait_for(lambda: page.page.evaluate(counted), [1, 0])
    page.open(PUZZLE)
    page.square("b1").click()
    expect(page.page.locator("#streak")).to_have_text("Streak 1, best 1")
    page.button("Play it out").click()
    expect(page.verdict).to_have_text("X Your move")
    page.square("c1" if page.stones()[2] == "." else "b2").click()  # O can stop only one of the two threats
    expect(page.verdict).to_have_text("You win!")
    page.open(PUZZLE)
    page.square("b1").click()
    page.button("Next puzzle").click()
    page.button("Solution").click()
    expect(page.page.locator("#trainer-answer")).to_have_text(re.compile("^The solution: only .. (wins|draws)"))
    expect(page.page).to_have_url(re.compile("train=hard"))
    page.button("Explore").click()
    expect(page.page.locator("#trainer")).not_to_be_visible()
    expect(page.verdict).to_contain_text("to move")


def test_a_late_puzzle_changes_nothing(visit: Open) -> None:
    """While the next puzzle is awaited, the last one cannot be answered, and what the person does counts."""
    page, held = visit("?game=3,3,3"), list[Route]()
    page.page.route("**/puzzles?**", lambda route, _: held.append(route))
    page.button("Puzzles").click()
    page.wait_for(lambda: len(held), 1)
    page.button("Explore").click()
    page.play("b2")
    with page.page.expect_response("**/puzzles?**"):
        held.pop().continue_()
    page.page.wait_for_timeout(100)
    page.has_query("?game=3,3,3&moves=b2")
    page.open(PUZZLE)
    page.button("Skip").click()
    page.wait_for(lambda: len(held), 1)
    page.button("Solution").click()
    page.button("Hint").click()
    assert page.page.evaluate("localStorage.getItem('streak 3,3,3')") is None
    held.pop().continue_()
    expect(page.page).to_have_url(re.compile("position=.*train=hard"))  # the next puzzle
    expect(page.page.locator("#streak")).to_have_text("Streak 0, best 0")


@pytest.mark.slow
def test_streaks_count_puzzles_and_days(visit: Open) -> None:
    page = visit("?game=3,3,3")
    answered = [("2026-11-01", True), ("2026-11-02", True), ("2026-11-02", False), ("hard", True), ("2026-11-03", True)]
    answered += [("2026-11-05", True), ("2026-11-06", False), ("2027-01-01", True)]
    script = "async (given) => { const { countAnswer, loadStreak } = await import('/static/js/training.js'); "
    script += "return given.reduce((streak, [kind, right]) => countAnswer(streak, right, kind), loadStreak('none')); }"
    counted = {"running": 1, "best": 3, "solved": 6, "tried": 8, "days": 1, "lastDay": "2027-01-01"}
    assert page.page.evaluate(script, answered) == counted


@pytest.mark.slow
@pytest.mark.parametrize("query", [LOST, PUZZLE])
def test_axe_finds_nothing_in_reviews_and_puzzles(query: str, visit: Open) -> None:
    page = visit(query)
    if query == LOST:
        page.page.get_by_text("The same position under other rules").click()
        expect(page.page.locator("#compare li")).to_have_count(3)
        page.page.locator("#history .step", has_text="start").click()
        page.page.get_by_text("The next moves, up to symmetry").click()
        expect(page.page.locator("#openings li")).to_have_count(3)
    else:
        page.square("c1").click()
        expect(page.page.locator("#trainer-answer")).to_contain_text("Try again.")
    check(page, 320, "light")
    check(page, 1280, "dark")
