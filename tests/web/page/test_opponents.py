"""Playing against engines, on either side."""

import pytest
from playwright.sync_api import expect

from solver import Position, parse_game
from tests.web.page.conftest import Open

pytestmark = pytest.mark.browser

TICTACTOE = parse_game("3,3,3")


def stones(page_stones: str) -> int:
    return 9 - page_stones.count(".")


@pytest.mark.slow
def test_every_opponent_answers_a_move(visit: Open) -> None:
    page = visit("?game=3,3,3")
    engines = [str(option.get_attribute("value")) for option in page.choice("O").locator("option").all()]
    assert engines == ["person", "perfect", "strong", "medium", "weak", "random"]
    for engine in engines[1:]:
        page.choice("O").select_option(engine)
        page.square("b2").click()
        expect(page.page.locator("#history .step")).to_have_count(3)
        expect(page.verdict).to_contain_text("X to move")
        assert stones(page.stones()) == 2
        page.button("Restart").click()
        page.shows(Position.parse(TICTACTOE, "start"))


@pytest.mark.slow
def test_the_perfect_opponent_punishes_a_mistake(visit: Open) -> None:
    page = visit("?game=3,3,3&x=perfect&moves=a1,b1")
    expect(page.verdict).to_contain_text("O to move loses")
    for ply in (4, 6):
        expect(page.page.locator("#history .step")).to_have_count(ply)
        page.page.locator("#moves tbody tr").first.click()
    expect(page.verdict).to_have_text("X has won")


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1440, 900), (390, 844)])
def test_players_are_chosen_beside_the_board(visit: Open, width: int, height: int) -> None:
    page = visit("?game=3,3,3")
    page.page.set_viewport_size({"width": width, "height": height})
    for part in (page.choice("X"), page.choice("O"), page.button("Play the table"), page.square("c3")):
        box = part.bounding_box()
        assert box
        assert box["y"] + box["height"] <= height


@pytest.mark.slow
def test_the_table_plays_with_one_click(visit: Open) -> None:
    page = visit("?game=3,3,3&moves=a1")
    page.button("Play the table").click()  # O is to move, so the table takes X
    expect(page.choice("X")).to_have_value("perfect")
    expect(page.choice("O")).to_have_value("person")
    expect(page.button("Play the table")).not_to_be_visible()
    page.square("b1").click()
    expect(page.page.locator("#history .step")).to_have_count(4)


@pytest.mark.slow
def test_undo_takes_back_the_reply_too(visit: Open) -> None:
    page = visit("?game=3,3,3&o=perfect")
    page.square("b2").click()
    expect(page.page.locator("#history .step")).to_have_count(3)
    page.button("Undo").click()
    page.shows(Position.parse(TICTACTOE, "start"))
    page.button("Redo").click()
    expect(page.verdict).to_contain_text("X to move")
    assert stones(page.stones()) == 2
    page.page.go_back()
    page.shows(Position.parse(TICTACTOE, "start"))


@pytest.mark.slow
def test_swapping_sides_gives_the_turn_to_the_other(visit: Open) -> None:
    page = visit("?game=3,3,3&o=perfect")
    page.button("Swap sides").click()
    expect(page.verdict).to_contain_text("O to move")
    assert stones(page.stones()) == 1
    expect(page.choice("X")).to_have_value("perfect")
    expect(page.choice("O")).to_have_value("person")


@pytest.mark.slow
def test_two_engines_play_to_the_end(visit: Open) -> None:
    page = visit("?game=3,3,3&x=perfect&o=perfect&moves=a1,b2,c3,b1,b3,a3")
    expect(page.verdict).to_have_text("A draw")
