"""Sharing a position: its link, and the board in another page."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.web.page.conftest import Open
from tests.web.page.test_access import faults

pytestmark = pytest.mark.browser

LEAST_TEXTS = 20
LEAST_SIZE = 18  # pixels


def test_a_position_is_shared_as_text_picture_and_code(visit: Open) -> None:
    page = visit("?game=3,3,3&moves=a1,b1&x=perfect&at=1&hints=on")
    page.button("Share").click()
    dialog = page.page.get_by_role("dialog")
    link = dialog.get_by_label("Link", exact=True).input_value()
    assert link == f"{page.address}/?game=3,3,3&moves=a1,b1&at=1&x=perfect&hints=on"
    assert dialog.get_by_label("Position", exact=True).input_value() == "X../.../..."
    assert dialog.get_by_label("Command", exact=True).input_value() == "mnk query '3,3,3' 'X../.../...'"
    answer = page.page.request.get(dialog.get_by_label("JSON for programs", exact=True).input_value())
    assert answer.json()["category"] == "draw"
    code = dialog.get_by_label("Embed the board in another page", exact=True).input_value()
    assert "game=3,3,3&moves=a1,b1&at=1&x=perfect&embed=1" in code
    assert 'title="Tic-tac-toe"' in code
    assert "3,3,3, position X../.../..., table " in dialog.get_by_label("Citation", exact=True).input_value()
    assert faults(page.page) == []
    for kind, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with page.page.expect_download() as saved:
            dialog.get_by_role("button", name=f"Save as {kind}").click()
        picture = saved.value.path().read_bytes()
        assert picture.startswith(start)
        assert b"var(" not in picture
        assert len(picture) > 3000


@pytest.mark.slow
def test_an_embedded_board_is_played_and_leads_to_the_whole(visit: Open) -> None:
    page = visit("?game=3,3,3&embed=1", width=420, height=560)
    page.play("a1", "b1")
    expect(page.verdict).to_have_text("X to move: wins in 5 moves")
    for hidden in (page.choice("Game"), page.page.locator("#moves"), page.page.locator("footer")):
        expect(hidden).not_to_be_visible()
    page.fits(420, 560)
    whole = page.page.get_by_role("link", name="Open the whole page")
    expect(whole).to_have_attribute("href", "?game=3,3,3&moves=a1,b1")
    page.open(str(whole.get_attribute("href"))).has_stones("XO.......")
    expect(page.page.locator("#moves")).to_be_visible()


@pytest.mark.slow
def test_two_people_play_by_sending_links(visit: Open) -> None:
    first = visit("?game=3,3,3&hints=off")
    expect(first.button("Send this move")).not_to_be_visible()
    first.play("b2")
    expect(first.button("Send this move")).to_be_visible()
    sent = "?game=3,3,3&moves=b2&hints=off"
    first.has_query(sent)
    second = visit(sent)
    expect(second.button("Send this move")).not_to_be_visible()
    expect(second.verdict).to_have_text("O to move")
    expect(second.square("b2")).to_have_accessible_name("b2, X, last move")
    second.play("a1")
    second.has_query("?game=3,3,3&moves=b2,a1&hints=off")
    first.open(second.query())
    expect(first.verdict).to_have_text("X to move")
    first.has_stones("O...X....")


@pytest.mark.slow
def test_a_lesson_is_large_enough_for_a_projector(visit: Open) -> None:
    page = visit("?game=3,3,3&moves=a1,b2,c3,c1,a3,b3&at=3&lesson=1", width=1920, height=1080)
    expect(page.page.get_by_role("heading", name="Why c1 loses")).to_be_visible()
    expect(page.page.get_by_role("heading", level=1)).to_have_text("Tic-tac-toe")
    texts = page.page.locator("main :is(p, h2, h3, summary, dd, .step, .letters, .numbers, #chart text):visible")
    sizes = texts.evaluate_all("texts => texts.map((each) => parseFloat(getComputedStyle(each).fontSize))")
    assert len(sizes) > LEAST_TEXTS
    assert min(sizes) > LEAST_SIZE


@pytest.mark.slow
def test_a_lesson_has_chapters_with_marks_in_a_link_and_in_a_file(visit: Open, tmp_path: Path) -> None:
    page = visit("?game=3,3,3&moves=a1,b2&lesson=1")
    page.page.locator("#lesson summary").click()
    page.square("c1").click(button="right")
    board = page.page.locator("#board")
    expect(board.locator("circle.marked")).to_have_count(1)
    page.square("a1").hover()
    page.page.mouse.down(button="right")
    page.square("c3").hover()
    page.page.mouse.up(button="right")
    marks = page.page.get_by_label("Circles and arrows")
    expect(marks).to_have_value("c1 a1-c3")
    expect(board.locator("path.marked")).to_have_count(1)
    marks.fill("c1 a1-d9")
    marks.press("Enter")
    expect(page.page.locator("#lesson-problem")).to_contain_text("a1-d9 is not a square or an arrow of this board.")
    page.page.get_by_label("Comment").fill("Take the centre")
    page.button("Add this position").click()
    page.play("c3")
    expect(board.locator(".marked")).to_have_count(0)
    page.page.get_by_label("Comment").fill("The corner draws")
    page.button("Add this position").click()
    chapters = page.page.locator("#chapters button")
    expect(chapters).to_have_text(["Take the centre", "The corner draws"])
    page.square("b1").focus()
    page.page.keyboard.press("PageUp")  # as clickers do
    page.has_stones("X...O....")
    expect(board.locator(".marked")).to_have_count(2)
    assert faults(page.page) == []
    with page.page.expect_download() as saved:
        page.button("Save as a file").click()
    page.page.reload()  # the link has the lesson too
    expect(chapters).to_have_text(["Take the centre", "The corner draws"])
    expect(board.locator(".marked")).to_have_count(2)
    page.open("?game=3,3,3&lesson=1")
    page.page.locator("#lesson summary").click()
    other = tmp_path / "other.json"
    other.write_text("[1]")
    for file, said in ((other, "This file is not a lesson."), (saved.value.path(), "")):
        page.page.locator("#lesson-file").set_input_files(file)
        expect(page.page.locator("#lesson-problem")).to_contain_text(said)
    chapters.nth(1).click()
    page.has_stones("X...O...X")
    page.button("Remove the chapter").click()
    expect(chapters).to_have_text(["Take the centre"])
    page.fits(1280)
    page.button("End lesson").click()
    page.button("Share").click()
    assert "chapters" in page.page.get_by_label("Link", exact=True).locator("visible=true").input_value()
    assert "chapters" not in page.page.get_by_label("Embed the board in another page", exact=True).input_value()
