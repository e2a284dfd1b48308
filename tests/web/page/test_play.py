"""Games on the explorer page, from the first move to the last, and the texts about them."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from solver import Position, Rules, parse_game
from solver.game.notation import square_name
from solver.search.folder import Library
from tests.web.page.conftest import Open
from tests.web.page.explorer import BUSY
from tests.web.page.test_access import faults

pytestmark = pytest.mark.browser

TICTACTOE = parse_game("3,3,3")
DROP = parse_game("3,4,3,gravity")
LEAST = 30  # pixels: the width of a column at 400 %
UNTIMED = parse_game("3,3,3,misere")  # its table has no distances


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("rules", "moves"), [(TICTACTOE, "a2 c3 a1 b2"), (DROP, "b3 b2"), (DROP, "a3 b3 b2 a2 c3"), (UNTIMED, "a1 b2 c1")]
)
def test_every_square_shows_its_value(visit: Open, tables: Path, rules: Rules, moves: str) -> None:
    page = visit(f"?game={rules}&moves={moves.replace(' ', ',')}")
    table, position = Library(tables).truth(rules), Position.parse(rules, f"moves:{moves}")
    page.has_values(table, position)
    names = [square_name(rules, square) for square, *_ in table.moves_by_traps(position)]
    expect(page.page.locator("#moves tbody th")).to_have_text(names)


def test_a_whole_game_is_played_and_its_end_announced(visit: Open) -> None:
    page = visit("?game=3,3,3")
    expect(page.verdict).to_have_text("X to move: a draw")
    page.play("a1", "b1")
    expect(page.verdict).to_have_text("X to move: wins in 5 moves")
    expect(page.page.locator("#spoken")).to_have_text("O has played b1. X to move: wins in 5 moves.")
    page.play("b2", "c3", "a3", "c1", "a2")
    expect(page.verdict).to_have_text("X has won")
    expect(page.square("a3")).to_have_accessible_name("a3, X, in the line")
    expect(page.page.locator("#spoken")).to_have_text("X has played a2. X has won.")
    page.square("c2").click(force=True)  # the game is over
    page.has_stones("XOOXX.X.O")


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_connect_four_is_played_by_its_columns_with_the_values_of_a_search(visit: Open, width: int) -> None:
    page = visit("?game=6,7,4,gravity&moves=4445555422", width=width, height=800, expected=BUSY)
    expect(page.verdict).to_have_text("X to move: wins in 3 moves")
    expect(page.page.locator("#moves tbody tr").first).to_contain_text("wins")
    page.square("a1").hover()
    expect(page.page.locator(".ghost")).to_have_accessible_name(re.compile("^a6"))
    expect(page.page.locator(".aimed")).to_have_count(6)
    expect(page.page.locator(".square.target")).to_have_attribute("data-square", "35")
    page.square("a1").click()  # anywhere in the column
    expect(page.square("a6")).to_have_accessible_name("a6, X, last move")
    expect(page.verdict).to_have_text(re.compile("^O to move: (wins|a draw|loses)"))
    drops = "getComputedStyle(document.querySelector('.square:has(> .drops)')).animationName"
    assert page.page.evaluate(drops) == "none"  # with reduced motion
    page.page.emulate_media(reduced_motion="no-preference")
    assert page.page.evaluate(drops) == "drop"
    page.page.emulate_media(reduced_motion="reduce")
    page.square("d6").click()  # on a stone
    expect(page.page.get_by_role("button", name=", O, last move")).to_have_accessible_name("d2, O, last move")
    page.has_query("?game=6,7,4,gravity&moves=d6,d5,d4,e6,e5,e4,e3,d3,b6,b5,a6,d2")
    page.fits(width)


@pytest.mark.slow
def test_a_link_shows_the_same_to_another_person(visit: Open) -> None:
    page = visit("?game=3,3,3")
    page.play("a1", "b2", "c3")
    page.button("Undo").click()
    page.button("Play").click()
    page.choice("Opponent").select_option("random")
    expect(page.page.get_by_text("the stronger the tint")).not_to_be_visible()
    page.page.get_by_role("switch", name="Values").check()
    expect(page.page.get_by_text("the stronger the tint")).to_be_visible()
    expect(page.square("a2")).to_have_accessible_name(re.compile("^a2, .*(wins|draws|loses)"))
    page.has_query("?game=3,3,3&moves=a1,b2,c3&at=2&o=random&hints=on")
    other = visit(page.query())
    other.wait_for(other.labels, page.labels())
    expect(other.choice("Opponent")).to_have_value("random")
    expect(other.button("Redo")).not_to_have_attribute("aria-disabled", "true")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("?game=3,3,3&position=XX./.X./...", "can't arise"),
        ("?game=3,3,3&moves=a1,a1", "Move 2 of this link, a1, can't be played after a1"),
        ("?game=9,9,nine", "can't be read"),
        ("?game=3/3", "This game's name can't be read."),
    ],
)
def test_an_invalid_link_is_explained(visit: Open, query: str, said: str) -> None:
    page = visit(query, expected="status of 40[04]")
    expect(page.notice).to_contain_text(said)
    page.has_query(query)  # nothing is lost
    expect(page.page.locator(".square.last.empty")).to_have_count(0)
    expect(page.button("Try again")).to_have_count(0)  # otherwise it would be reported again
    expect(page.choice("Game").locator("option[value='3,3,3,misere']")).to_have_text("Tic-tac-toe, to lose")
    page.choice("Game").select_option("3,3,3")
    if "9,9" in query:
        expect(page.notice).to_be_empty()


@pytest.mark.slow
def test_numbers_and_other_names_are_read(visit: Open) -> None:
    page = visit("?game=3,3,3&moves=4,0", expected="status of 400")
    page.has_stones("O...X....")
    page.page.locator("#review-open").click()
    page.page.locator("#review-text").fill("1. 5 1 2. 9")
    page.page.locator("#review-form").get_by_role("button").first.click()
    expect(page.page.locator("#reading")).to_have_text("The numbers are read as squares counted from 1.")
    page.has_stones("O...X...X")
    page.page.keyboard.press("l")
    title = page.page.get_by_role("heading", level=1)  # that of the page is hidden
    expect(title).to_have_text("Tic-tac-toe")
    assert faults(page.page) == []
    page.open("?game=connect4&moves=4445555422")  # a common name
    expect(page.choice("Game").locator("option:checked")).to_have_text("Connect Four")
    page.emulate(844, "light", 390)  # a phone on its side
    page.page.mouse.wheel(0, 300)
    expect(page.square("d6")).to_be_in_viewport(ratio=1)
    page.emulate(320, "light", 225)  # a window at 400 %
    size = page.square("d6").bounding_box()
    assert size
    assert size["width"] > LEAST


@pytest.mark.slow
def test_without_hints_nothing_gives_the_value_away(visit: Open) -> None:
    page = visit("?game=3,3,3&moves=a1,b1&hints=off")
    expect(page.verdict).to_have_text("X to move")
    page.square("b2").hover()
    expect(page.page.locator("#explorer")).not_to_contain_text(re.compile(r"\b(win|draw|lose)s? in|\bdraws\b"))
    expect(page.page.locator("#moves, #mainline, #chart").locator("visible=true")).to_have_count(0)
    page.page.keyboard.press("h")
    expect(page.verdict).to_have_text("X to move: wins in 5 moves")
