"""Make the page of a site: a document, a style sheet, two scripts and the service worker; and that of a server.

The scripts and the style sheet are in `solver/web/bundle`, where `scripts/page` writes them.
"""

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import quote

from solver import __version__

PAGE: Final = Path(__file__).parent.parent / "page"
BUNDLE: Final = PAGE.with_name("bundle")
DOCUMENT: Final = "index.html"
PREVIEW: Final = "preview.png"  # shown by other sites beside a link
MARK: Final = 12  # hexadecimal digits of a hash in a file's name
_STYLE: Final = re.compile(r'^ *<link rel="stylesheet" href="static/(\S+)">\n', re.MULTILINE)
_SCRIPT: Final = re.compile(r'^ *<script type="module" .*</script>\n', re.MULTILINE)
_INDENT: Final = re.compile(r"^ +", re.MULTILINE)

_POLICY: Final = "default-src 'self'; img-src 'self' blob: data:; script-src 'self' 'wasm-unsafe-eval'"
_POLICY_META: Final = f'  <meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
_HEAD: Final = """\
  <link rel="stylesheet" href="static/{style}">
  <script src="static/{script}"{data} defer blocking="render"></script>
</head>
"""


def json_bytes(value: object) -> bytes:
    """Return a value as one line of JSON."""
    return (json.dumps(value, separators=(",", ":"), ensure_ascii=False) + "\n").encode()


def page_files(*, searches: bool) -> dict[str, bytes]:
    """Return the files of a site's page by name. Names of style sheets and scripts contain a hash of the contents.

    searches: whether a table of the site lacks late positions, which a script then searches.
    """
    search = (BUNDLE / "search.js").read_bytes()
    search_name = f"page-search-{file_mark(search)}.js"
    document, files = _complete("site.js", f' data-search="{search_name}"' if searches else "", _POLICY_META)
    manifest = (PAGE / "manifest.json").read_text(encoding="utf-8").replace("../", "./")
    return {
        DOCUMENT: _INDENT.sub("", document.replace("static/", "")).encode(),
        **files,
        **({search_name: search} if searches else {}),
        "manifest.json": manifest.encode(),
        **{name: (PAGE / name).read_bytes() for name in ("icon.svg", PREVIEW)},
        ".nojekyll": b"",  # otherwise GitHub Pages drops files that its generator ignores
    }


def served_files() -> dict[str, bytes]:
    """Return the document, the style sheet and the script of a server's page by name, in place of its many modules."""
    document, files = _complete("main.js")
    return {DOCUMENT: document.encode(), **files}


def _complete(script_file: str, data: str = "", meta: str = "") -> tuple[str, dict[str, bytes]]:
    """Return the document of the page, and its style sheet and script by name, which it expects in `static`."""
    document = (PAGE / DOCUMENT).read_text(encoding="utf-8")
    document = document.replace("static/icon.svg", _icon_address(), 1).replace("VERSION", __version__)
    styles, script = ((BUNDLE / name).read_bytes() for name in ("page.css", script_file))
    style_name, script_name = f"page-{file_mark(styles)}.css", f"page-{file_mark(script)}.js"
    head = meta + _HEAD.format(style=style_name, script=script_name, data=data)
    document = _SCRIPT.sub("", _STYLE.sub("", document)).replace("</head>\n", head)
    return document, {script_name: script, style_name: styles}


def _icon_address() -> str:
    """Return an address that contains the icon. Browsers would request another one after each change of the page's."""
    return "data:image/svg+xml," + quote((PAGE / "icon.svg").read_text(encoding="utf-8"), safe=" /:='")


def worker_script(page: Mapping[str, bytes], small: Sequence[str], marks: Sequence[str]) -> bytes:
    """Return the service worker.

    page: every file that the page needs before it reads a table. small: the parts of tables to store at the first
    visit. marks: for each table, the hash that prefixes the names of its parts.
    """
    names = [name for name in page if not name.startswith(".") and name != PREVIEW]
    facts = {
        "version": file_mark(b"".join(file_mark(page[name]).encode() for name in names)),
        "files": ["./" if name == DOCUMENT else name for name in names],
        "lasting": [name for name in names if name.startswith("page-")],
        "small": list(small),
        "marks": list(marks),
    }
    return b"const SITE = " + json_bytes(facts).rstrip() + b";\n" + (BUNDLE / "worker.js").read_bytes()


def file_mark(data: bytes) -> str:
    """Return a hash of a file's content."""
    return sha256(data).hexdigest()[:MARK]
