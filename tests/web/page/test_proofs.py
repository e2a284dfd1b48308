"""Games without a table: values from stored strategies and from threats, and boards of which nothing is known."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from serving import Server

from tests.web.page.conftest import Open
from tests.web.page.explorer import Explorer
from tests.web.page.test_access import check

pytestmark = pytest.mark.browser

WIDEST = 19
LEAST = 24  # pixels: the least size of a square for fingers, of WCAG 2.2
FIVE = ("a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1")


@pytest.fixture(scope="module")
def proofs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with the strategies of the package, such as 6,6,4 (X wins) and 7,7,5 (O holds)."""
    with Server(tmp_path_factory.mktemp("proofs")) as server:
        yield server.address


def questions(page: Explorer) -> list[str]:
    """Return a list to which the addresses of later requests for values are added."""
    asked: list[str] = []
    page.page.on("request", lambda request: asked.append(request.url) if "/v1/" in request.url else None)
    return asked


def test_a_strategy_is_shown_as_bounds_and_asked_once(visit: Open, proofs: str) -> None:
    page = visit(at=proofs)
    asked = questions(page)
    page.open("?game=6,6,4")
    expect(page.verdict).to_have_text("X to move: wins within 13 moves")
    expect(page.square("c3")).to_have_accessible_name("c3, W \u2264 13, wins within 13 moves")
    expect(page.square("c3")).to_have_class(re.compile("best"))
    expect(page.square("a1")).to_have_accessible_name("a1, empty")
    expect(page.page.locator("#moves tbody tr")).to_have_count(1)
    expect(page.page.locator("#moves tbody .number")).to_have_text("≤ 13")
    expect(page.page.locator("#mainline")).to_contain_text("X wins")
    check(page, 1280, "light")  # which takes longer than a search
    values = [url for url in asked if "/6,6,4?" in url]
    assert all("search=false" in url for url in values)
    assert len(values) <= 2  # of the start and of its board, which are the same position
    page.page.get_by_role("button", name=re.compile("Play this line")).last.click()
    expect(page.verdict).to_have_text("X has won")
    expect(page.page.locator("#lost")).to_contain_text("X has won.")
    expect(page.page.locator("#chart .count").first).to_have_text("13")


@pytest.mark.slow
def test_the_strongest_level_plays_the_strategy(visit: Open, proofs: str) -> None:
    page = visit("?game=6,6,4&x=perfect", at=proofs)
    expect(page.page.locator("#what-if")).to_have_text("Nobody beats X here. Try.")
    expect(page.square("c3")).to_have_accessible_name("c3, X, last move")
    page.square("a1").click()
    expect(page.page.locator("#history .step")).to_have_count(4)
    expect(page.page.locator("#what-if")).not_to_contain_text("Nobody beats")
    page.open("?game=7,7,5&o=perfect")
    expect(page.page.locator("#what-if")).to_have_text("Nobody beats O here. Try.")
    page.play("d4")
    page.wait_for(lambda: page.stones().count("O"), 1)
    expect(page.verdict).to_have_text("X Your move")


@pytest.mark.slow
def test_careless_levels_play_on_where_nothing_is_known(visit: Open, proofs: str) -> None:
    page = visit("?game=6,6,4&moves=a1,a2&x=weak", at=proofs)
    page.wait_for(lambda: page.stones().count("X"), 2)
    expect(page.notice).to_be_empty()


@pytest.mark.slow
def test_a_perfect_player_says_where_it_knows_no_best_move(visit: Open, proofs: str) -> None:
    page = visit("?game=15,16,5&o=perfect", at=proofs, expected="status of 404")
    page.play("a1")
    expect(page.verdict).to_have_text("X Your move")
    expect(page.page.locator("#what-if")).to_have_text("The computer knew no best move and tried one.")
    expect(page.notice).to_be_empty()
    assert page.stones().count("O") == 1


@pytest.mark.slow
def test_the_perfect_player_wins_at_gomoku_by_its_strategy(visit: Open, proofs: str) -> None:
    page = visit("?game=15,15,5&x=perfect", at=proofs)
    expect(page.square("h8")).to_have_accessible_name("h8, X, last move")
    page.play("i9")
    expect(page.square("g9")).to_have_accessible_name("g9, X, last move")
    expect(page.notice).to_be_empty()


@pytest.mark.slow
@pytest.mark.parametrize("hints", ["on", "off"])
def test_two_people_play_on_a_board_of_which_nothing_is_known(visit: Open, proofs: str, hints: str) -> None:
    page = visit(f"?game=19,19,5&moves={','.join(FIVE[:7])}&hints={hints}", at=proofs, expected="status of 400")
    if hints == "on":
        expect(page.verdict).to_have_text("O to move: nothing is known")
    page.play(*FIVE[7:])
    expect(page.verdict).to_have_text("X has won")
    expect(page.page.locator(".square.won")).to_have_count(5)
    page.open(f"?game=19,19,5&moves={','.join([*FIVE, 'e2'])}")
    expect(page.notice).to_contain_text("Move 10 of this link, e2, can't be played")
    page.wait_for(lambda: len(page.errors), 2)  # otherwise the next test in this tab may hear of them


@pytest.mark.slow
def test_friends_play_live_on_a_large_board(visit: Open, proofs: str) -> None:
    page = visit("?game=15,15,5&hints=off", at=proofs)
    page.choice("Opponent").select_option("friend")
    expect(page.button("Invite a friend")).to_be_visible()
    friend = visit(page.query(), at=proofs)
    for number, square in enumerate(FIVE):
        player = friend if number % 2 else page
        expect(player.verdict).to_contain_text("Your move")
        player.square(square).click()
    expect(page.verdict).to_have_text("You win!")
    expect(friend.verdict).to_have_text("You lose")


@pytest.mark.slow
def test_wins_by_threats_are_shown_with_their_line_and_review(visit: Open, proofs: str) -> None:
    page = visit("?game=15,16,5&moves=h8,a1,g8,a2,i8,a3", at=proofs)
    expect(page.verdict).to_have_text("X to move: wins in 3 moves")
    expect(page.square("f8")).to_have_class(re.compile("best"))
    line = page.page.locator("#mainline .step")
    expect(line).to_have_text(["f8", "e8", "j8"])
    expect(page.square("j8").locator(".ahead.by-X")).to_have_text("3")
    expect(page.square("e8")).to_have_accessible_name("e8, empty, move 2 of the main line")
    expect(page.page.locator("#lost")).to_contain_text("6 moves could not be judged.")
    page.square("o15").hover()
    expect(page.page.locator("#what-if")).to_have_text("If X plays o15, nothing is known.")
    page.play("f8")  # which is known to win, unlike the other moves
    expect(page.page.locator("#history .step")).to_have_count(8)
    expect(page.page.locator("#lost")).to_contain_text("6 moves could not be judged.")


@pytest.mark.slow
def test_axe_finds_nothing_in_a_win_by_threats(visit: Open, proofs: str) -> None:
    page = visit("?game=15,16,5&moves=h8,a1,g8,a2,i8,a3", at=proofs)
    expect(page.page.locator("#lost")).to_contain_text("6 moves could not be judged.")
    check(page, 1280, "dark")


@pytest.mark.slow
def test_a_pasted_game_of_a_large_board_is_opened(visit: Open, proofs: str) -> None:
    page = visit("?game=6,6,4", at=proofs)
    for pasted, stones in (("?game=15,15,5&moves=h8,a1,g8", 3), ("h8 i9 o15 a1", 4)):
        page.page.locator("#review-open").click()
        page.page.locator("#review-text").fill(pasted)
        page.page.locator("#review-form").get_by_role("button").first.click()
        expect(page.verdict).to_contain_text(": nothing is known")
        expect(page.page.locator("#history .step")).to_have_count(stones + 1)


@pytest.mark.slow
def test_squares_of_the_largest_board_are_large_enough_on_a_phone(visit: Open, proofs: str) -> None:
    page = visit("?game=19,19,5&hints=off", at=proofs, width=360, height=740)
    page.fits(360)
    size = page.square("a1").bounding_box()
    assert size
    assert min(size["width"], size["height"]) >= LEAST
    page.play("s19")  # after scrolling
    expect(page.page.locator(".letters span")).to_have_count(WIDEST)
    check(page, 360, "light")


@pytest.mark.slow
@pytest.mark.parametrize("view", ["&lesson=1", "&embed=1", "&train=daily", "&setup=" + "/".join(["." * 7] * 7), ""])
def test_every_view_opens(visit: Open, proofs: str, view: str) -> None:
    page = visit(f"?game=7,7,5{view}", at=proofs)
    expect(page.verdict).to_contain_text("X to move: ")
    expect(page.notice).to_be_empty()
    for card in ("#openings", "#compare", "#train"):
        expect(page.page.locator(card)).not_to_be_visible()
    page.fits(1280)


@pytest.mark.slow
def test_strategies_are_listed_with_their_claims(visit: Open, proofs: str) -> None:
    page = visit(at=proofs)
    page.page.goto(f"{proofs}/?games")
    expect(page.page.locator("#ready")).to_contain_text("Perfect play: X wins within 13 moves.A strategy, ")
    expect(page.page.locator("#ready")).to_contain_text("Perfect play: O holds.")
