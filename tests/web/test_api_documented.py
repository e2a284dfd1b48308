"""The documentation shows the real answers of the API."""

import json
import re

import pytest

from tests.conftest import ROOT
from tests.web.asgi import Client

PAGE = (ROOT / "docs" / "how-to" / "serve.md").read_text(encoding="utf-8")
TABLE = re.findall(r"^\| `(GET|POST) (\S+)` \|(.*)\|$", PAGE, re.MULTILINE)


def test_the_answer_in_the_documentation_is_right(api: Client) -> None:
    (url,) = re.findall(r"curl 'http://127\.0\.0\.1:8000(\S+)'", PAGE)
    (shown,) = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert json.loads(shown) == api.json(url)


@pytest.mark.parametrize(("method", "url", "said"), TABLE)
def test_every_address_in_the_table_answers(method: str, url: str, said: str, api: Client) -> None:
    if method == "GET":
        answer = api.get(url)  # a picture is not JSON
        assert (answer.status_code, bool(answer.content)) == (200, True)
    else:
        bodies = re.findall(r"`(\{.*?\})`", said)
        answers = [api.ask(method, url, content=body).json()["answers"] for body in bodies]
        assert len(answers) == 2
        assert answers[0] == answers[1]


def test_the_table_lists_all_addresses(api: Client) -> None:
    described = set(api.json("/openapi.json")["paths"])
    shown = {url.partition("?")[0].replace("3,3,3", "{game}") for _, url, _ in TABLE}
    ours = {path for path in described if not path.startswith("/v1/uwapi/{")}
    assert ours == (shown | {"/v1/{game}"}) - {"/openapi.json"}
