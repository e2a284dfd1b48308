"""Render the OpenAPI document of the API as a page for people, with a link to try each address."""

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


def describe_api(document: dict[str, Any]) -> str:
    """Return an HTML page that lists every address of an OpenAPI document, with its parameters."""
    about = document["info"]
    addresses = "".join(
        _describe(path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    )
    return _PAGE.format(title=escape(about["title"]), description=escape(about["description"]), addresses=addresses)


def _describe(path: str, method: str, operation: dict[str, Any]) -> str:
    rows, query, address = "", [], path.lstrip("/")
    for parameter in operation.get("parameters", []):
        name, place = parameter["name"], f"in the {parameter['in']}{'' if parameter['required'] else ', optional'}"
        rows += f"<dt><code>{name}</code></dt><dd>{escape(parameter.get('description', ''))} ({place})</dd>\n"
        address = address.replace(f"{{{name}}}", parameter.get("example", ""))
        if parameter["in"] == "query" and parameter["required"]:
            query.append(f"{name}={parameter['schema']['examples'][0]}")
    address = escape(f"{address}?{'&'.join(query)}" if query else address)
    link = f'<p>Try it: <a href="{address}"><code>/{address}</code></a></p>\n' if method == "get" else ""
    about = escape(operation.get("description") or operation.get("summary", ""))
    head = f"<h3><code>{method.upper()} {escape(path)}</code></h3>\n<p>{about}</p>\n"
    return f"<section>\n{head}{f'<dl>{rows}</dl>' if rows else ''}{link}</section>\n"
