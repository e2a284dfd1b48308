"""Pictures of positions, and previews of links."""

import re
from html import unescape

import pytest

from solver.game.games import parse_game
from solver.game.position import Position
from solver.pictures.position import draw_position
from solver.tablebase import open_tablebase
from tests.commands import TableFile
from tests.web.asgi import Client

PICTURE = "/v1/3,3,3/picture"


def test_a_picture_is_that_of_the_command(api: Client, table_file: TableFile) -> None:
    position = Position.parse(parse_game("3,3,3"), "XO./.X./...")
    shown, plain = (api.get(PICTURE, params={"moves": "a1 b1 b2", "hints": hints}) for hints in ("on", "off"))
    with open_tablebase(table_file("3,3,3")) as table:
        assert shown.text == draw_position(position, table)
    assert plain.text == draw_position(position, None)
    assert shown.headers["content-type"] == "image/svg+xml"
    again = api.get(PICTURE, params={"moves": "a1 b1 b2"}, headers={"If-None-Match": shown.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    drawn = api.get(PICTURE, params={"format": "png"})
    assert (drawn.headers["content-type"], drawn.content[:4]) == ("image/png", b"\x89PNG")
    assert "format" in api.refused(PICTURE, 400, "bad_request", format="gif")


def tags(page: str) -> dict[str, str]:
    return {name: unescape(content) for name, content in re.findall(r'<meta property="(.*?)" content="(.*?)">', page)}


def test_the_page_of_a_link_describes_its_position(api: Client) -> None:
    found = tags(api.get("/?game=3,3,3&moves=a1,b1,b2,c3&at=3").text)
    assert found["og:title"] == "3,3,3: O to move loses in 4 plies"
    assert found["og:description"] == "3 rows, 3 columns, 3 in a row."
    drawn = api.get(found["og:image"])
    assert drawn.headers["content-type"] == "image/png"
    assert "XO.%2F.X.%2F..." in found["og:image"]
    hidden = tags(api.get("/?game=3,3,3&moves=a1&hints=off").text)
    assert hidden["og:title"] == "3,3,3: O to move"
    assert hidden["og:image"].endswith("&hints=off")


@pytest.mark.parametrize(
    "query", ["", "?game=9,9,9", "?game=3,3,3&moves=a1,a1", '?game="><script>', "?game=3,3,3&at=-1&moves=z"]
)
def test_the_page_of_an_invalid_link_has_no_description(query: str, api: Client) -> None:
    page = api.get(f"/{query}")
    assert (page.status_code, tags(page.text)) == (200, {})
    assert 'id="explorer"' in page.text
