"""The documentation shows the real answers of the API."""

import json
import re

from tests.conftest import ROOT
from tests.web.asgi import Client

PAGE = (ROOT / "docs" / "how-to" / "web.md").read_text(encoding="utf-8")


def test_the_answer_in_the_documentation_is_right(api: Client) -> None:
    (url,) = re.findall(r"curl 'http://127\.0\.0\.1:8000(\S+)'", PAGE)
    (shown,) = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert json.loads(shown) == api.json(url)
