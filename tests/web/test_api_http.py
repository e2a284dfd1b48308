"""HTTP: tags and caches, methods, CORS, errors, the OpenAPI document, the page."""

import logging
import re
import shutil
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic import TypeAdapter

from solver.game.games import parse_game
from solver.solve.build import build_table
from solver.store.layout import layout_of
from solver.web import api as api_module
from solver.web.api import Games
from tests.commands import SHIPPED_GAMES, TableFile
from tests.page_geometry import page_keys
from tests.web.asgi import Client, refusal

TAGGED = ["/v1/games", "/v1/3,3,3", "/v1/3,3,3/mainline", "/v1/3,3,3/openings?depth=1"]


@pytest.fixture(scope="module")
def api(table_file: TableFile, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client of a folder with only the table of 3,3,3."""
    with Client(Path(shutil.copy(table_file("3,3,3"), tmp_path_factory.mktemp("served"))).parent) as client:
        yield client


@pytest.fixture
def open_api(table_file: TableFile) -> Iterator[Client]:
    """A client of an application that pages of another site may use."""
    with Client(table_file("3,3,3").parent, ["elsewhere.example"]) as client:
        yield client


@pytest.fixture
def changing(table_file: TableFile, tmp_path: Path) -> Iterator[Client]:
    """A client of a folder that tests may change, with the table of 3,3,3."""
    shutil.copy(table_file("3,3,3"), tmp_path)
    with Client(tmp_path) as client:
        yield client


def test_long_answers_are_compressed(api: Client) -> None:
    for url, expected in (("/v1/gallery", "gzip"), ("/static/js/explorer.js", "gzip"), ("/v1/2,2,2", None)):
        assert api.get(url).headers.get("content-encoding") == expected


@pytest.mark.parametrize("part", ["review?moves=a1+b2", "mainline?moves=a1+b2+a2+b3"])
def test_an_answer_that_a_search_may_complete_is_never_kept(part: str, api: Client) -> None:
    """Its tag would be the same when more is known."""
    assert "etag" in api.get(f"/v1/3,3,3/{part}").headers
    assert "etag" not in api.get(f"/v1/3,3,3,misere/{part}").headers  # there is no table


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ("/puzzles?day=2026-11-22&level=hard", "give a day without other parameters"),
        ("?position=XOX/XOO/.X.&position=start", "The parameter 'position' is given twice; give it once."),
    ],
)
def test_no_parameter_is_ignored(query: str, part: str, api: Client) -> None:
    assert part in refusal(api.get(f"/v1/3,3,3{query}"), 400, "bad_request")["message"]


def test_a_missing_file_of_the_page_names_the_right_addresses(api: Client) -> None:
    assert refusal(api.get("/static/nothing"), 404, "not_found")["message"].endswith(" /v1/games lists the games.")
    assert 'href="/static/css/' in api.get("/static/nothing", headers={"Accept": "text/html"}).text


def test_a_position_whose_moves_are_open_is_not_called_open(api: Client) -> None:
    """A stored strategy settles 6,6,4, and not the other moves."""
    refused = api.refused("/v1/6,6,4/replies", 404, "unsettled")
    assert refused.startswith("At least one move from the empty board of 6,6,4 was not settled")


@pytest.mark.parametrize("url", TAGGED)
def test_an_unchanged_answer_is_not_sent_again(url: str, api: Client) -> None:
    first = api.get(url)
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "public, no-cache"
    for kept in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = api.get(url, headers={"If-None-Match": kept})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert api.get(url, headers={"If-None-Match": '"other"'}).content == first.content
    game, *_ = api.json("/v1/games")["games"]
    assert api.get("/v1/3,3,3").headers["etag"].startswith(f'"{game["digest"]}-')


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("?position=hello", "notation_error"), ("/why?move=zz", "notation_error"),
        ("/why?moves=a1&move=a1", "illegal_move"), ("/review?moves=zz", "notation_error"),
        ("/review?moves=a1+a1", "illegal_move"), ("/puzzles?seed=1&theme=none", "bad_request"),
    ],
)  # fmt: skip
def test_no_tag_hides_an_error(url: str, code: str, api: Client) -> None:
    refusal(api.get(f"/v1/3,3,3{url}", headers={"If-None-Match": "*"}), 400, code)


@pytest.mark.parametrize("url", [*TAGGED, "/openapi.json", "/v1/4,4,4", "/nothing"])
def test_head_is_get_without_the_body(url: str, api: Client) -> None:
    get, head = api.get(url), api.ask("HEAD", url)
    assert head.content == b""
    assert (head.status_code, dict(head.headers)) == (get.status_code, dict(get.headers))


def test_built_rebuilt_and_removed_tables_are_noticed(changing: Client, tmp_path: Path) -> None:
    message = changing.refused("/v1/2,5,2", 404, "unsettled")
    assert "`mnk build 2,5,2`" in message
    build_table("2,5,2", tmp_path)
    assert changing.json("/v1/2,5,2")["category"] == "win"
    assert [game["game"] for game in changing.json("/v1/games")["games"]] == [
        "3,3,3",
        "6,7,4,gravity",
        "4,4,4",
        "2,5,2",
    ]
    before, games = changing.get("/v1/3,3,3"), changing.get("/v1/games").headers["etag"]
    build_table("3,3,3", tmp_path, metric="wdl", force=True)
    after = changing.get("/v1/3,3,3", headers={"If-None-Match": before.headers["etag"]})
    assert (before.json()["distance"], after.json()["distance"]) == (9, None)
    assert changing.get("/v1/games").headers["etag"] != games
    (tmp_path / "mnk-2-5-2.sqlite").unlink()
    assert refusal(changing.get("/v1/2,5,2"), 404, "unsettled")["build"] == "mnk build 2,5,2"


def test_invalid_files_are_errors_with_a_logged_cause(
    changing: Client, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    names = {"mnk-2-2-2.sqlite": "2,2,2", "mnk-fano.0123456789ab.sqlite": "fano.0123456789ab"}
    for name, game in names.items():
        (tmp_path / name).write_bytes(b"not a table at all" * 100)
        assert str(tmp_path) not in changing.refused(f"/v1/{game}", 503, "unsupported_table")
        assert str(tmp_path / name) in caplog.text
    for url in ("/v1/4,4,4", "/v1/nine.0123456789ab", "/v1/gallery", "/v1/games", "/nothing"):
        assert str(tmp_path) not in changing.get(url).text
    answer = changing.json("/v1/games")
    TypeAdapter(Games).validate_python(answer, strict=True)
    assert [game["game"] for game in answer["damaged"]] == list(names.values())
    assert sorted(game["game"] for game in answer["games"]) == SHIPPED_GAMES


def test_a_damaged_page_is_an_error_with_a_logged_cause(
    table_file: TableFile, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    content = bytearray(table_file("4,4,4,gravity").read_bytes())
    at = len(content) // 2
    content[at : at + len(content) // 4] = bytes(len(content) // 4)
    (tmp_path / "mnk-4-4-4-gravity.sqlite").write_bytes(content)
    asked = []
    for key in page_keys(layout_of(parse_game("4,4,4,gravity"), "distance")):
        stones = iter("XO" * 8)
        asked.append("".join(next(stones) if key >> square & 1 else "." for square in range(16)))
    with Client(tmp_path) as api:
        answers = (api.get("/v1/4,4,4,gravity", params={"position": board}) for board in asked)
        damaged = next(answer for answer in answers if answer.status_code not in {200, 400})
    refusal(damaged, 503, "damaged_table")
    assert "mnk-4-4-4-gravity.sqlite" in caplog.text


def test_unexpected_errors_are_logged_but_not_revealed(
    open_api: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> dict[str, Any]:
        raise RuntimeError("the secret cause")

    monkeypatch.setattr(api_module, "position_answer", broken)
    with caplog.at_level(logging.ERROR):
        answer = open_api.get("/v1/3,3,3?moves=a3", headers={"Origin": "http://elsewhere.example"})
    refusal(answer, 500, "internal_error")
    assert "secret" not in answer.text
    assert "the secret cause" in caplog.text
    assert answer.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("url", ["/v1", "/v1/3,3,3/nothing", "/v2/games", "/v1/3,3,3/../games/x"])
def test_unknown_addresses(url: str, api: Client) -> None:
    assert "/v1/games" in refusal(api.get(url), 404, "not_found")["message"]
    assert api.get(url, headers={"Accept": "text/html"}).text.startswith("{") == url.startswith("/v1")


@pytest.mark.parametrize(
    "url", ["/v1/games", "/v1/3,3,3", "/", "/static/icon.svg", "/openapi.json", "/v1/3,3,3/batch", "/v1/live"]
)
def test_other_methods_are_refused(url: str, api: Client) -> None:
    is_post = url.endswith(("/batch", "/live"))
    answer = api.ask("GET" if is_post else "POST", url)
    refusal(answer, 405, "method_not_allowed")
    assert answer.headers["allow"] == ("POST" if is_post else "GET, HEAD")
    assert is_post or api.ask("HEAD", url).status_code == 200


def test_sites_may_send_requests(open_api: Client) -> None:
    answer = open_api.get("/v1/3,3,3", headers={"Origin": "http://elsewhere.example"})
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-expose-headers"] == "ETag, Retry-After"
    for method, status in (("POST", 200), ("DELETE", 400)):
        asked = {"Origin": "http://elsewhere.example", "Access-Control-Request-Method": method}
        assert open_api.ask("OPTIONS", "/v1/3,3,3/batch", headers=asked).status_code == status


@pytest.mark.parametrize("path", ["/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd", "/static/%00"])
def test_nothing_but_the_page_is_served(path: str, api: Client) -> None:
    assert api.get(path).status_code == 404


def test_options_names_the_methods_of_an_address(api: Client) -> None:
    for url, allowed in (("/v1/live", "POST"), ("/v1/3,3,3/batch", "POST"), ("/v1/games", "GET, HEAD")):
        answer = api.ask("OPTIONS", url)
        assert (answer.status_code, answer.headers["allow"], answer.content) == (204, allowed, b"")
    refusal(api.ask("OPTIONS", "/nothing"), 404, "not_found")


@pytest.mark.parametrize("asked", ["bytes=9-1", "bytes=99999999-", "lines=1", "bytes=0-1,3-2", "bytes=0-9"])
def test_ranges_are_ignored(asked: str, api: Client) -> None:
    for url in ("/", "/static/icon.svg", "/v1/3,3,3", "/static/js/explorer.js"):
        answer = api.get(url, headers={"Range": asked})
        assert (answer.status_code, answer.content) == (200, api.get(url).content)
        assert answer.headers.get("accept-ranges", "none") == "none"


def test_redirects_and_missing_pages_repeat_nothing_of_the_request(api: Client) -> None:
    for path in ("/v1/uwapi/3,3,3", "/v1/uwapi"):
        answer = api.get(f"{path}?a=1", headers={"Host": "192.0.2.7"})
        assert (answer.status_code, answer.headers["location"]) == (307, f"{path}/?a=1")
    missing = api.get("/nothing", headers={"Accept": "text/html"})
    assert (missing.status_code, missing.headers["content-security-policy"]) == (
        404,
        "default-src 'self'; img-src 'self' blob: data:",
    )
    assert missing.headers["x-content-type-options"] == "nosniff"


def test_the_page(api: Client) -> None:
    page = api.get("/")
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["cache-control"] == "no-cache"
    assert page.headers["content-security-policy"] == "default-src 'self'; img-src 'self' blob: data:"
    assert api.get("/static/index.html").content == page.content
    assert api.get("/", headers={"If-None-Match": page.headers["etag"]}).status_code == 304
    named = re.findall(r'(?:href|src)="(static/[^"#?]+)"', page.text)
    assert [name.partition(".")[2] for name in named] == ["json", "css", "js"]
    script = api.get(f"/{named[-1]}")
    assert script.headers["content-type"].startswith("text/javascript")
    assert script.headers["cache-control"] == "max-age=31536000, immutable"
    (preview,) = re.findall(r'"og:image" content="http://[^/"]+(/[^"]+)"', page.text)  # which must be a whole address
    assert api.get(preview).content.startswith(b"\x89PNG")


def test_the_openapi_document(api: Client) -> None:
    description = api.json("/openapi.json")
    assert {"/v1/games", "/v1/{game}", "/v1/{game}/batch", "/v1/uwapi/"} <= set(description["paths"])
    operations = [(path, operation) for path, methods in description["paths"].items() for operation in methods.values()]
    assert len({operation["operationId"] for _, operation in operations}) == len(operations)
    for path, operation in operations:
        assert set(operation["responses"]) == {"200", "default"}
        assert operation["summary"]
        names = [parameter["name"] for parameter in operation.get("parameters", []) if parameter["in"] == "path"]
        assert [f"{{{name}}}" for name in names] == [part for part in path.split("/") if part.startswith("{")]
    properties = description["components"]["schemas"]["PositionAnswer"]["properties"]
    assert set(properties) == {*api.json("/v1/3,3,3"), "within", "holder", "holding_move"}


def test_every_example_of_an_answer_is_one(api: Client) -> None:
    description = api.json("/openapi.json")
    schemas = description["components"]["schemas"]
    fields = [(name, *field) for name, schema in schemas.items() for field in schema.get("properties", {}).items()]
    examples = {(name, key): field["examples"][0] for name, key, field in fields if "examples" in field}
    for name, key, field in fields:
        if (name, key) in examples:
            jsonschema.validate(examples[name, key], {**field, "components": description["components"]})
    why = api.json("/v1/3,3,3/why?moves=a1,b2,c3&move=c1")
    real = {
        "Error": api.get("/v1/uwapi/3,4,4/regular/").json()["error"],
        "Mainline": api.json("/v1/3,3,3/mainline?position=XO./.X./..."),
        "Why": {key: why[key] for key in ("verdict", "sentence", "line", "threats")},
        "Code": api.json("/v1/invitation?link=http://x/?game=3,3,3")["code"],
    }
    path = re.compile(r"(M\d+ \d+h1v1h-1z)+")
    assert path.fullmatch(real["Code"]["path"])
    assert path.fullmatch(examples.pop(("Code", "path")))
    del examples["Code", "size"]  # that of a longer link
    assert {place for place, one in examples.items() if real.get(place[0], {}).get(place[1], one) != one} == set()


def test_every_example_of_the_openapi_document_is_answered(api: Client) -> None:
    for path, methods in api.json("/openapi.json")["paths"].items():
        for method, operation in methods.items():
            given: dict[str, list[str]] = {}
            for one in operation.get("parameters", []):
                given[one["name"]] = one["schema"].get("examples", [one["example"]] if "example" in one else [])
            address = re.sub(r"{(\w+)}", lambda found, given=given: given[found[1]][0], path)  # type: ignore[misc]
            if method == "post":
                (body,) = operation["requestBody"]["content"].values()
                for example in body["schema"]["examples"]:
                    status = api.ask("POST", address, json=example).status_code
                    assert status == (404 if "{live}" in path else 200), address  # no such game has begun
                continue
            queries = [one for one in operation.get("parameters", []) if one["in"] == "query"]
            needed = {one["name"]: given[one["name"]][0] for one in queries if one.get("required")}
            for asked in [
                {},
                *({name: example} for name in map(itemgetter("name"), queries) for example in given[name]),
            ]:
                assert api.get(address, params=needed | asked).status_code == 200, (address, needed | asked)
