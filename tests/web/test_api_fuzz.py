"""No request makes the server fail: every answer is right, an error of the client, or missing."""

import json
from typing import Any
from urllib.parse import quote

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.texts import any_text
from tests.web.asgi import Client, refusal

PARTS = ["", "/mainline", "/opponent", "/replies", "/review", "/played", "/puzzles", "/openings", "/compare"]
GAMES = ["3,3,3", "4,4,4,gravity", "2,4,2,exact,misere"]

# Text of people and attackers: similar to boards, moves, numbers, paths or nothing.
written = st.one_of(
    any_text(40),
    st.text(alphabet="XOxo._-/012 ,:\n()abc", max_size=40),
    st.builds("{}{}".format, st.sampled_from(["", "moves:", "hash:", "MOVES"]), st.text("abe019 ,", max_size=20)),
    st.integers().map(str),
    st.sampled_from(["../../etc/passwd", "%00", "١٢٣", "²", "1e5", "0x10", "start", "X" * 900, "9" * 900, "'; DROP"]),
)
games = st.builds(
    "{},{},{}{}".format,
    st.integers(0, 999),
    st.integers(0, 999),
    st.integers(0, 9),
    st.sampled_from(["", ",gravity", ",torus,misere", ",nonsense"]),
)
bounded = settings(suppress_health_check=[HealthCheck.too_slow])


def assert_sound(client: Client, url: str, **more: Any) -> None:
    """Assert that the response is an answer, or an error of the client, in the common form."""
    answer = client.ask(more.pop("method", "GET"), url, follow_redirects=True, **more)
    assert answer.status_code in {200, 400, 404, 405, 413}, answer.text
    if answer.status_code == 200:
        json.loads(answer.text)
    else:
        refusal(answer, answer.status_code, answer.json()["error"]["code"])


@bounded
@given(
    game=st.sampled_from(GAMES),
    part=st.sampled_from(PARTS),
    query=st.dictionaries(
        st.sampled_from(["position", "hash", "moves", "goal", "player", "engine"]) | any_text(5), written, max_size=2
    ),
)
def test_queries(api: Client, game: str, part: str, query: dict[str, str]) -> None:
    assert_sound(api, f"/v1/{game}{part}?" + "&".join(f"{quote(k)}={quote(v)}" for k, v in query.items()))


@bounded
@given(position=written)
def test_positions_of_the_universal_api(api: Client, position: str) -> None:
    assert_sound(api, f"/v1/uwapi/3,3,3/regular/positions/?p={quote(position)}")
    assert_sound(api, f"/v1/uwapi/3,3,3/regular/positions/?p=1_{quote(position)}")


@bounded
@given(game=written | games, variant=written)
def test_games(api: Client, game: str, variant: str) -> None:
    for path in (
        f"/v1/{quote(game, safe='')}",
        f"/v1/{quote(game)}/mainline",
        f"/v1/uwapi/{quote(game, safe='')}/{quote(variant, safe='')}/",
    ):
        assert_sound(api, path)


@bounded
@given(raw=st.binary(max_size=40))
def test_bytes_in_the_path_and_the_query(api: Client, raw: bytes) -> None:
    text = quote(raw)
    assert_sound(api, f"/v1/3,3,3?position={text}")
    assert_sound(api, f"/v1/3,3,3?{text}")
    assert_sound(api, f"/v1/a{text}")


anything: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | written, lambda inner: st.lists(inner, max_size=4)
)


@bounded
@given(
    body=st.binary(max_size=60)
    | st.dictionaries(st.sampled_from(["positions", "hashes", "else"]), anything, max_size=2).map(
        lambda value: json.dumps(value).encode()
    )
    | st.lists(written, max_size=5).map(lambda texts: json.dumps({"positions": texts}).encode())
    | st.lists(st.integers(), max_size=5).map(lambda numbers: json.dumps({"hashes": numbers}).encode())
)
def test_batches(api: Client, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    assert_sound(api, "/v1/3,3,3/batch", method="POST", content=body, headers=headers)
