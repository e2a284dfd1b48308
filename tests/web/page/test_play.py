"""Games on the explorer page, from the first move to the last, and the texts about them."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from solver import Position, Rules, parse_game
from solver.tablebase import TablebaseFolder
from tests.web.page.conftest import Open
from tests.web.page.explorer import expected_label

pytestmark = pytest.mark.browser

TICTACTOE = parse_game("3,3,3")
DROP = parse_game("3,4,3,gravity")
UNTIMED = parse_game("3,3,3,misere")  # its table has no distances


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("rules", "moves"),
    [(TICTACTOE, "a2 c3 a1 b2"), (DROP, "b3 b2"), (DROP, "a3 b3 b2 a2 c3"), (UNTIMED, "a1 b2 c1")],
)
def test_every_square_shows_its_value(visit: Open, tables: Path, rules: Rules, moves: str) -> None:
    page = visit(f"?game={rules}&moves={moves.replace(' ', ',')}")
    position = Position.parse(rules, f"moves:{moves}")
    page.shows(position)
    table = TablebaseFolder(tables).table(rules)
    for square, label in enumerate(page.labels()):
        if position.cells[square] == ".":
            assert label == expected_label(table, position, square)
    rows = page.page.locator("#moves tbody tr")
    assert [row.split()[0] for row in rows.all_inner_texts()] == [
        f"{'abcd'[square % rules.diagram.columns]}{square // rules.diagram.columns + 1}"
        for square, _ in table.moves(position)
    ]


def test_a_whole_game_is_played_and_its_end_announced(visit: Open) -> None:
    page = visit("?game=3,3,3")
    expect(page.verdict).to_have_text("X to move draws")
    page.play("a1", "b1")
    expect(page.verdict).to_have_text("X to move wins in 5 plies")
    expect(page.page.locator("#spoken")).to_have_text("O has played b1. X to move wins in 5 plies.")
    page.play("b2", "c3", "a3", "c1", "a2")
    expect(page.verdict).to_have_text("X has won")
    assert "in the line" in str(page.square("a3").get_attribute("aria-label"))
    expect(page.page.locator("#spoken")).to_have_text("X has played a2. X has won.")
    page.square("c2").click(force=True)  # the game is over
    page.has_stones("XOOXX.X.O")


def test_a_stone_drops_to_the_bottom_of_its_column(visit: Open) -> None:
    page = visit("?game=3,4,3,gravity")
    page.square("b1").hover()
    expect(page.page.locator(".ghost")).to_have_accessible_name(re.compile("^b3"))
    page.square("b1").click()
    expect(page.square("b3")).to_have_accessible_name("b3, X, last move")
    page.square("b3").click(force=True)  # taken
    page.play("b2", "b1")
    page.has_stones(".X...O...X..")
    page.has_query("?game=3,4,3,gravity&moves=b3,b2,b1")


@pytest.mark.slow
def test_a_link_may_name_columns_where_stones_drop(visit: Open) -> None:
    page = visit("?game=3,4,3,gravity&moves=b,b,c3")
    page.shows(Position.parse(DROP, "moves:b3 b2 c3"))
    expect(page.page.locator("#history .step").nth(2)).to_have_text("b2")


@pytest.mark.slow
def test_undo_redo_and_restart(visit: Open) -> None:
    page = visit("?game=3,3,3")
    expect(page.button("Undo")).to_have_attribute("aria-disabled", "true")
    page.play("a1", "b2", "c3")
    page.button("Undo").click()
    page.button("Undo").click()
    page.shows(Position.parse(TICTACTOE, "moves:a1"))
    page.button("Redo").click()
    page.shows(Position.parse(TICTACTOE, "moves:a1 b2"))
    page.page.go_back()
    page.shows(Position.parse(TICTACTOE, "moves:a1"))
    page.page.go_forward()
    page.shows(Position.parse(TICTACTOE, "moves:a1 b2"))
    page.play("c1")  # another move: what was taken back is gone
    expect(page.button("Redo")).to_have_attribute("aria-disabled", "true")
    page.button("Restart").click()
    page.shows(Position.parse(TICTACTOE, "start"))


@pytest.mark.slow
def test_a_link_shows_the_same_to_another_person(visit: Open) -> None:
    page = visit("?game=3,3,3")
    page.play("a1", "b2", "c3")
    page.button("Undo").click()
    page.choice("O").select_option("random")
    expect(page.page.get_by_text("replies hold, the others are mistakes")).to_be_visible()
    page.page.get_by_role("switch", name="Hints").uncheck()
    expect(page.verdict).to_have_text("X to move")
    expect(page.page.get_by_text("replies hold, the others are mistakes")).not_to_be_visible()
    other = visit(page.query())
    assert other.labels() == page.labels()
    expect(other.choice("O")).to_have_value("random")
    expect(other.verdict).to_have_text("X to move")
    expect(other.button("Redo")).not_to_have_attribute("aria-disabled", "true")


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("?game=3,3,3&position=XX./.X./...", "can't arise"),
        ("?game=3,3,3&position=nonsense", "can't be read"),
        ("?game=3,3,3&moves=a1,a1", "can't all be played"),
        ("?game=3,4,3,gravity&moves=a1", "floats above an empty square"),
        ("?game=9,9,nine", "can't be read"),
    ],
)
def test_an_invalid_link_is_explained(visit: Open, query: str, said: str) -> None:
    page = visit(query, expected="status of 400")
    expect(page.notice).to_contain_text(said)
    page.has_query(query)  # nothing is lost
    expect(page.page.locator(".square.last.empty")).to_have_count(0)
    expect(page.button("Try again")).to_have_count(0)  # it would be complained about again
    expect(page.choice("Game").locator("option", has_text="3,3,3,misere")).to_have_text(
        "Tic-tac-toe, to lose (3,3,3,misere)"
    )
    page.choice("Game").select_option("3,3,3")
    if "9,9" in query:
        expect(page.notice).to_be_empty()


@pytest.mark.slow
def test_the_game_is_drawn_with_its_mistakes(visit: Open) -> None:
    page = visit("?game=3,3,3&moves=a1,b1,b2,c3,c1,a2,a3")
    faults = page.page.locator(".step.fault")
    expect(faults).to_have_text(["b1?", "c1?", "a2?"])
    expect(page.page.get_by_role("img", name=re.compile("^Value by ply"))).to_have_accessible_name(
        "Value by ply: 0: a draw; 1: a draw; 2: X wins in 5 plies; 3: X wins in 4 plies; 4: X wins in 3 plies; "
        "5: a draw; 6: X wins in 1 ply; 7: X has won."
    )
    expect(page.page.locator("#chart .sign-X")).to_have_count(5)
    expect(page.page.locator("#chart .sign-draw")).to_have_count(3)
    heights = [
        float(re.split(r"[M l]", str(d))[2])
        for d in page.page.locator("#chart .sign-X").evaluate_all("signs => signs.map(sign => sign.getAttribute('d'))")
    ]
    assert heights == sorted(heights, reverse=True)  # the nearer the end, the further up
    page.page.locator("#history .step").nth(4).click()
    page.shows(Position.parse(TICTACTOE, "moves:a1 b1 b2 c3"))
    page.page.locator("#chart .target").nth(2).click()
    page.shows(Position.parse(TICTACTOE, "moves:a1 b1"))


@pytest.mark.slow
def test_a_move_under_the_pointer_shows_what_follows(visit: Open) -> None:
    page = visit("?game=3,3,3&moves=a1,b1,b2")
    what_if = page.page.locator("#what-if")
    page.square("c3").hover()
    expect(what_if).to_have_text("If O plays c3, O loses in 4 plies; the best replies are a2 and a3.")
    expect(page.page.locator(".reply")).to_have_count(2)
    expect(page.page.locator(".reply .stone-X")).to_have_count(2)  # the stone that would stand there
    expect(page.page.locator(".reply .verdict")).to_have_count(0)  # and not what O's own move there is worth
    expect(page.page.locator("#chart .goal")).to_have_count(1)
    page.page.locator("#moves tbody tr").nth(1).hover()
    expect(what_if).to_have_text("If O plays c1, O loses in 2 plies; the best reply is c3.")
    page.page.locator("h1").hover()
    expect(what_if).to_have_text("Point at a move to see what it leads to.")
    page.has_stones("XO..X....")
    page.open("?game=3,3,3&moves=a1,b1").square("b2").hover()
    expect(what_if).to_have_text("If X plays b2, X wins in 5 plies; every reply loses.")
    expect(page.page.locator(".reply")).to_have_count(0)
    page.open("?game=3,3,3&moves=a2,c3,a1,b2")  # tile, row and sentence count from the same position
    expect(page.page.locator("#moves tbody tr").filter(has_text="c2")).to_contain_text("4")
    expect(page.square("c2")).to_contain_text("L in 4")
    page.square("c2").hover()
    expect(what_if).to_have_text("If X plays c2, X loses in 4 plies; the best reply is a3.")


@pytest.mark.slow
@pytest.mark.parametrize("query", ["?game=3,3,3&moves=a2,c3,a1,b2", "?game=3,4,3,gravity&moves=b3,b2"])
def test_the_best_moves_have_the_strongest_frame(visit: Open, tables: Path, query: str) -> None:
    page = visit(query)
    game, moves = query.removeprefix("?game=").split("&moves=")
    position = Position.parse(parse_game(game), f"moves:{moves}")
    values = TablebaseFolder(tables).moves(position)
    best = [position.rules.diagram.names[square] for square, value in values if value.rank == values[0][1].rank]
    framed = page.page.locator(".square.best")
    expect(framed).to_have_count(len(best))
    for name in best:
        expect(page.square(name)).to_have_class(re.compile(r"\bbest\b"))
        expect(page.square(name)).to_have_css("box-shadow", re.compile(r" 3px inset$"))


@pytest.mark.slow
def test_replies_that_hold_are_counted_beside_equal_moves(visit: Open) -> None:
    page = visit("?game=3,3,3")
    expect(page.square("a1")).to_contain_text("1 of 8")
    expect(page.square("b2")).to_contain_text("4 of 8")
    rows = page.page.locator("#moves tbody tr")
    expect(rows.filter(has_text="a1").locator(".hold")).to_have_text("1 of 8")
    corner, middle = (
        float(page.square(name).evaluate("s => s.style.getPropertyValue('--strength')")) for name in ("a1", "b2")
    )
    assert corner > middle > 0  # the more replies are mistakes, the stronger the tint
    page.open("?game=3,3,3&hints=off")
    expect(page.page.locator(".hold").locator("visible=true")).to_have_count(0)


@pytest.mark.slow
def test_the_end_of_a_game_shows_its_line_its_mistakes_and_another_game(visit: Open) -> None:
    page = visit("?game=3,3,3&moves=a1,b1,b2,c3,c1,a2,a3")
    expect(page.page.locator(".strike")).to_have_count(1)
    ends = [float(str(page.page.locator(".strike").get_attribute(end))) for end in ("x1", "y1", "x2", "y2")]
    assert ends == [0.18, 2.82, 2.82, 0.18]  # from a3 to c1
    expect(page.page.locator("#what-if")).to_have_text("X erred with c1; O erred with b1 and a2.")
    expect(page.page.locator("main .chief:visible")).to_have_text(["Play again"])
    page.button("Play again").click()
    expect(page.page.locator("#board")).to_be_focused()
    page.shows(Position.parse(TICTACTOE, "start"))
    expect(page.button("Play again")).not_to_be_visible()
    expect(page.page.locator(".strike")).to_have_count(0)
    page.open("?game=3,3,3&moves=b2,a1,c1,a3,a2,c2,b1,b3,c3")
    expect(page.page.locator("#what-if")).to_have_text("Nobody gave anything away.")


@pytest.mark.slow
def test_the_moves_and_the_main_line_can_be_played(visit: Open) -> None:
    page = visit("?game=3,3,3&position=XO./.X./...")
    expect(page.page.locator("#mainline .line")).to_have_text("c3a2c1c2X wins")
    page.button("Play the main line to O c1").click()
    page.shows(Position.parse(TICTACTOE, "XOO/XX./..O"))
    page.page.locator("#moves tbody tr").first.click()
    expect(page.verdict).to_have_text("X has won")


def test_without_hints_nothing_gives_the_value_away(visit: Open) -> None:
    page = visit("?game=3,3,3&moves=a1,b1&hints=off")
    expect(page.verdict).to_have_text("X to move")
    page.square("b2").hover()
    assert not re.search(r"\b(win|draw|lose)s? in|\bdraws\b", page.page.locator("#explorer").inner_text())
    expect(page.page.locator("#moves, #mainline, #chart").locator("visible=true")).to_have_count(0)
    page.page.keyboard.press("h")
    expect(page.verdict).to_have_text("X to move wins in 5 plies")


@pytest.mark.slow
def test_a_missing_table_comes_with_the_command_that_builds_it(visit: Open) -> None:
    page = visit("?game=4,4,4", expected="status of 404")
    expect(page.notice).to_contain_text("mnk build 4,4,4")
    expect(page.button("Try again")).to_be_visible()
    page.choice("Game").select_option("3,4,3,gravity")
    expect(page.notice).to_be_empty()
    expect(page.page.locator(".square")).to_have_count(12)
