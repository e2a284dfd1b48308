"""The page of a site: without a server, offline, and from a disk."""

import os
import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from solver import Position, open_tablebase, parse_game
from solver.game.notation import square_name
from solver.search.truth import open_truth
from solver.web.site import writing
from tests.commands import TableFile
from tests.web.page.conftest import Open, Serve
from tests.web.page.explorer import Explorer
from tests.web.page.host import Host

pytestmark = pytest.mark.browser

SMALL = ("3,3,3", "3,3,3,misere", "4,4,4,gravity")
SEARCHED = ("4,4,4,gravity", 4)  # the plies of an opening table
LARGE = "hex,4"  # read in pieces, and for these tests too large for a disk
LOST = "ERR_CONNECTION_(REFUSED|RESET)|ERR_SOCKET_NOT_CONNECTED"  # the last: a connection that was kept open

# How many pieces of a table are kept, when the service worker is there.
KEPT = """async (table) => {
  await navigator.serviceWorker.ready;
  const kept = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
  return kept.flat().filter(({ url }) => url.includes(`tables/${table}/`) && url.includes(".bin?")).length;
}"""


# The caches of the site, when its service worker is there: that of the page, and one for each table.
CACHES = "(await navigator.serviceWorker.ready, await caches.keys())"


@pytest.fixture(scope="session")
def folder(table_file: TableFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("hosted") / "site"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(writing, "MOST_SMALL", 100_000)
        writing.write_site([table_file(game) for game in (*SMALL, LARGE)], target)
    return target


@pytest.fixture
def host(folder: Path, serve_folder: Serve) -> Host:
    return serve_folder(folder)


def shows_values(page: Explorer, table: Path, moves: str) -> None:
    """Compare the page's text on every empty square with the table."""
    with open_tablebase(table) as opened:
        page.has_values(opened, Position.parse(opened.rules, f"moves:{moves}"))


@pytest.mark.slow
@pytest.mark.parametrize("ranges", [True, False])
def test_values_with_and_without_ranges(
    ranges: bool, visit: Open, serve_folder: Serve, folder: Path, table_file: TableFile
) -> None:
    host = serve_folder(folder.parent, ranges=ranges)
    for game, moves in (("3,3,3", "a2 c3 a1 b2"), (LARGE, "b2 c3 a1")):
        page = visit(f"?game={game}&moves={moves.replace(' ', ',')}", at=f"{host.address}/{folder.name}")
        shows_values(page, table_file(game), moves)


def test_viewed_positions_and_small_tables_work_offline(visit: Open, host: Host, table_file: TableFile) -> None:
    page = visit(f"?game={LARGE}", at=host.address, expected=LOST)
    shows_values(page, table_file(LARGE), "")
    expect(page.page.locator("#moves tbody tr").last).to_contain_text("of 15")  # replies: nothing is asked for any more
    asked = sum(path.endswith(".bin") for path, _ in host.sent)
    page.page.wait_for_function(f"async (table) => await ({KEPT})(table) === {asked}", arg="hex-4")
    host.stop()
    page.page.reload()
    expect(page.verdict).to_have_text("X to move: wins in 9 moves")
    shows_values(page, table_file(LARGE), "")
    page.open("?game=4,4,4,gravity&moves=a4,b4")
    shows_values(page, table_file("4,4,4,gravity"), "a4 b4")
    page.open(f"?game={LARGE}&moves=a1,d4,b1,c4,c1,b4")
    expect(page.notice).to_contain_text("has not been fetched yet; connect to the network once")


@pytest.mark.slow
def test_a_newer_version_replaces_the_caches(
    visit: Open, serve_folder: Serve, table_file: TableFile, tmp_path: Path
) -> None:
    folder = tmp_path / "site"
    writing.write_site([table_file("3,3,3"), table_file("3,3,3,misere")], folder)
    for file in folder.rglob("*"):
        os.utime(file, (1e9, 1e9))  # else the host takes new files of the same second for unchanged ones
    host = serve_folder(folder)
    page = visit(at=host.address)
    page.page.wait_for_function(f"async () => {CACHES}.length === 3")
    before = page.page.evaluate(f"async () => {CACHES}")
    writing.write_site([table_file("3,3,3"), table_file("4,4,4,gravity")], folder, force=True)
    page.open()
    expect(page.page.locator("#tiles li")).to_have_text(["Tic-tac-toe", "Four in a row on 4 by 4, with gravity"])
    page.page.wait_for_function(
        f"async (old) => {{ const names = {CACHES};"
        "return names.length === 3 && names.filter((name) => old.includes(name)).length === 1; }",
        arg=before,
    )


@pytest.mark.slow
def test_a_small_table_is_opened_from_a_disk_and_a_large_one_explains_how(
    visit: Open, folder: Path, table_file: TableFile
) -> None:
    page = visit("?game=3,3,3&moves=a2,c3,a1,b2", at=folder.as_uri(), document="index.html")
    shows_values(page, table_file("3,3,3"), "a2 c3 a1 b2")
    page.play("c2")
    page.page.get_by_role("link", name="Solved games").click()
    expect(page.page.locator("#tiles li")).to_have_count(4)
    page.open("?game=3,3,3&live=x")
    expect(page.notice).to_contain_text("This site has no server for live games")
    page.play("a1")
    page.open(f"?game={LARGE}")
    expect(page.notice).to_contain_text("run python -m http.server in it, and open http://localhost:8000")


@pytest.mark.slow
def test_a_perfect_player_says_where_it_knows_no_best_move(visit: Open, table_file: TableFile, tmp_path: Path) -> None:
    game, plies = SEARCHED
    writing.write_site([table_file(game, "distance", plies)], tmp_path / "site")
    page = visit(f"?game={game}", at=(tmp_path / "site").as_uri(), document="index.html")
    nothing = "globalThis.openSearch = () => ({ solve: () => null });"
    page.page.route("**/page-search-*.js", lambda route: route.fulfill(body=nothing))
    page.open(f"?game={game}&moves=a4,b4,a3,b3,a2&o=perfect")
    expect(page.page.locator("#what-if")).to_have_text("The computer knew no best move and tried one.")
    expect(page.notice).to_be_empty()
    assert page.stones().count("O") == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "plies", "where"), [(*SEARCHED, "host"), (*SEARCHED, "disk"), ("6,7,4,gravity", 8, "host")]
)
def test_a_whole_game_beyond_an_opening_table_shows_values_on_every_column(
    game: str, plies: int, where: str, visit: Open, serve_folder: Serve, table_file: TableFile, tmp_path: Path
) -> None:
    table, folder, draw = table_file(game, "distance", plies), tmp_path / "site", random.Random(1)
    writing.write_site([table], folder)
    at, document = (serve_folder(folder).address, "") if where == "host" else (folder.as_uri(), "index.html")
    page = visit(f"?game={game}", at=at, document=document)
    with open_truth(parse_game(game), table, seconds=100) as truth:
        position = Position.start(truth.rules)
        while not position.is_over:
            page.has_values(truth, position)
            move = draw.choice(position.legal_moves)
            page.square(square_name(truth.rules, move % truth.rules.diagram.columns)).click()  # anywhere in the column
            position = position.play(move)
    page.shows(position)
    expect(page.verdict).to_have_text(re.compile("has won|A draw"))
