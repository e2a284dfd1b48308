"""Write the description of the API (OpenAPI) as a page for people, with a link to try each address."""

from collections.abc import Iterator
from html import escape
from typing import Any, Final

_PAGE: Final = """\
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>{title} API</title>
  <link rel="icon" href="static/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="static/css/tokens.css">
  <link rel="stylesheet" href="static/css/layout.css">
  <link rel="stylesheet" href="static/css/docs.css">
  <script type="module" src="static/js/theme.js" blocking="render"></script>
</head>
<body>
  <header class="top docs-top"><h1><a href="./">{title}</a></h1></header>
  <main class="docs">
    <h2>The API</h2>
    <p>{description}</p>
    <p>For programs: <a href="openapi.json">openapi.json</a>.</p>
{addresses}
  </main>
</body>
</html>
"""


def describe_api(description: dict[str, Any]) -> str:
    """Return a page that lists every address of an OpenAPI document, with its parameters."""
    addresses = "\n".join(
        line
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
        for line in _describe(path, method, operation)
    )
    about = description["info"]
    return _PAGE.format(title=escape(about["title"]), description=escape(about["description"]), addresses=addresses)


def _describe(path: str, method: str, operation: dict[str, Any]) -> Iterator[str]:
    parameters = operation.get("parameters", [])
    yield "    <section>"
    yield f"      <h3><code>{method.upper()} {escape(path)}</code></h3>"
    yield f"      <p>{escape(operation.get('description') or operation.get('summary', ''))}</p>"
    if parameters:
        yield "      <dl>"
        for parameter in parameters:
            needed = "" if parameter["required"] else ", optional"
            yield f"        <dt><code>{escape(parameter['name'])}</code></dt>"
            yield f"        <dd>{escape(parameter.get('description', ''))} (in the {parameter['in']}{needed})</dd>"
        yield "      </dl>"
    if method == "get":
        example = path
        for parameter in parameters:
            if parameter["in"] == "path":
                example = example.replace(f"{{{parameter['name']}}}", str(parameter.get("example", "")))
        query = [each for each in parameters if each["in"] == "query" and each["required"]]
        tail = "&".join(f"{each['name']}={each['schema']['examples'][0]}" for each in query)
        address = escape(example.lstrip("/") + (f"?{tail}" if tail else ""))
        yield f'      <p>Try it: <a href="{address}"><code>/{address}</code></a></p>'
    yield "    </section>"
