"""Make the page of a site: a document, one style sheet, one script, a manifest, and the service worker."""

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from solver.site.bundle import join_modules
from solver.site.files import json_bytes, mark_of

PAGE: Final = Path(str(files("solver"))) / "web" / "page"
DOCUMENT: Final = "index.html"
_WORKER: Final = Path(__file__).parent / "worker.js"

_STYLE: Final = re.compile(r'^ *<link rel="stylesheet" href="static/(\S+)">\n', re.MULTILINE)
_SCRIPT: Final = re.compile(r'^ *<script type="module" .*</script>\n', re.MULTILINE)
_NOT_NEEDED: Final = re.compile(r"^ +|^/\*.*?\*/\n+", re.MULTILINE | re.DOTALL)  # in a style sheet
_HEAD: Final = """\
  <meta http-equiv="Content-Security-Policy" content="default-src 'self'">
  <link rel="manifest" href="manifest.webmanifest">
  <link rel="stylesheet" href="{style}">
  <script src="{script}" defer blocking="render"></script>
</head>
"""
_MANIFEST: Final = {
    "name": "Tablebase explorer",
    "short_name": "Tablebase",
    "description": "Every position of a game of lines, and what each move in it is worth.",
    "start_url": "./",
    "display": "standalone",
    "background_color": "#f6f4ef",
    "theme_color": "#f6f4ef",
    "icons": [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"}],
}


def page_files() -> dict[str, bytes]:
    """Return the files of the page by their names, which hold a hash where a browser may keep a file for good."""
    document = (PAGE / DOCUMENT).read_text(encoding="utf-8")
    sheets = "".join((PAGE / name).read_text(encoding="utf-8") for name in _STYLE.findall(document))
    styles = _NOT_NEEDED.sub("", sheets).encode()
    script = join_modules(PAGE / "js", "site.js").encode()
    style_name, script_name = f"page-{mark_of(styles)}.css", f"page-{mark_of(script)}.js"
    head = _HEAD.format(style=style_name, script=script_name)
    document = _SCRIPT.sub("", _STYLE.sub("", document)).replace("</head>\n", head).replace("static/", "")
    return {
        DOCUMENT: document.encode(),
        script_name: script,
        style_name: styles,
        "icon.svg": (PAGE / "icon.svg").read_bytes(),
        "manifest.webmanifest": json_bytes(_MANIFEST),
        ".nojekyll": b"",  # GitHub Pages would leave out what its generator does not know
    }


def worker_script(page: Mapping[str, bytes], small: Sequence[str], marks: Sequence[str]) -> bytes:
    """Return the service worker.

    page: all files that the page needs before it reads a table. small: the parts of tables that are kept at once.
    marks: what the names of each table's parts begin with.
    """
    names = [name for name in page if not name.startswith(".")]
    facts = {
        "version": mark_of(b"".join(mark_of(page[name]).encode() for name in names)),
        "files": ["./" if name == DOCUMENT else name for name in names],
        "lasting": [name for name in names if name.startswith("page-")],
        "small": list(small),
        "marks": list(marks),
    }
    return b"const SITE = " + json_bytes(facts).rstrip() + b";\n\n" + _WORKER.read_bytes()
