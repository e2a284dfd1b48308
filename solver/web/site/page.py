"""Make the page of a site: a document, a style sheet, two scripts and the service worker; and that of a server.

The page's modules are joined into a classic script with one scope, which a browser can also run from a local file. The
modules of the search are joined into a second script, which the page loads on demand.
"""

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import quote

from rcssmin import cssmin
from rjsmin import jsmin

from solver import __version__

PAGE: Final = Path(__file__).parent.parent / "page"
DOCUMENT: Final = "index.html"
PREVIEW: Final = "preview.png"  # shown by other sites beside a link
MARK: Final = 12  # hexadecimal digits of a hash in a file's name
_WORKER: Final = Path(__file__).parent / "worker.js"

_STYLE: Final = re.compile(r'^ *<link rel="stylesheet" href="static/(\S+)">\n', re.MULTILINE)
_SCRIPT: Final = re.compile(r'^ *<script type="module" .*</script>\n', re.MULTILINE)
_IMPORT: Final = re.compile(r'^import (?:\{\s*\w+(?:,\s*\w+)*,?\s*\} from )?"(\./|\.\./)([\w./-]+)";$', re.MULTILINE)
_DECLARED: Final = re.compile(r"^(?:export )?(?:async function|function|class|const|let|var) (\w+)", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async function|function|class|const|var) )", re.MULTILINE)
_EXPORTED: Final = re.compile(r"^export \{[\w,\s]*\};$", re.MULTILINE)
_INDENT: Final = re.compile(r"^ +", re.MULTILINE)
_LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_PATTERN: Final = re.compile(r"=> */(?![/*])[^/\n]*[ \"'`][^/\n]*/")  # rjsmin takes its spaces for those of code
_TEMPLATE: Final = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|(`(?:[^`\\]|\\.)*`)', re.DOTALL)


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


def page_files() -> dict[str, bytes]:
    """Return the files of a site's page by name. Names of style sheets and scripts contain a hash of the contents."""
    search = join_modules(PAGE / "js", "search/site.js").encode()
    search_name = f"page-search-{file_mark(search)}.js"
    document, files = _join_files("site.js", f' data-search="{search_name}"', _POLICY_META)
    manifest = (PAGE / "manifest.json").read_text(encoding="utf-8").replace("../", "./")
    return {
        DOCUMENT: _INDENT.sub("", document.replace("static/", "")).encode(),
        **files,
        search_name: search,
        "manifest.json": manifest.encode(),
        **{name: (PAGE / name).read_bytes() for name in ("icon.svg", PREVIEW)},
        ".nojekyll": b"",  # otherwise GitHub Pages drops files that its generator ignores
    }


def served_files() -> dict[str, bytes]:
    """Return the document, the style sheet and the script of a server's page by name, in place of its many modules."""
    document, files = _join_files("main.js")
    return {DOCUMENT: document.encode(), **files}


def _join_files(entry: str, data: str = "", meta: str = "") -> tuple[str, dict[str, bytes]]:
    """Return the document of the page, and its style sheet and script by name, which it expects in `static`."""
    document = (PAGE / DOCUMENT).read_text(encoding="utf-8")
    document = document.replace("static/icon.svg", _icon_address(), 1).replace("VERSION", __version__)
    styles = cssmin("".join((PAGE / name).read_text(encoding="utf-8") for name in _STYLE.findall(document))).encode()
    script = join_modules(PAGE / "js", entry).encode()
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
    return b"const SITE = " + json_bytes(facts).rstrip() + b";\n\n" + _WORKER.read_bytes()


def file_mark(data: bytes) -> str:
    """Return a hash of a file's content."""
    return sha256(data).hexdigest()[:MARK]


def join_modules(folder: Path, entry: str) -> str:
    """Join a module and everything that it imports into a classic script, without comments or indentation.

    The modules share one scope. entry: the path of the module in the folder. Raises ValueError for a name that two
    modules declare, an unsupported form of import or export, circular imports, and texts that rjsmin would change.
    """
    found: dict[str, str] = {}
    declared: dict[str, str] = {}
    _add_module(folder, entry, found, declared, [])
    return '"use strict";\n(() => {\n' + "".join(found.values()) + "})();\n"


def _add_module(folder: Path, name: str, found: dict[str, str], declared: dict[str, str], importing: list[str]) -> None:
    """Add the text of a module, after that of the modules that it imports. declared: the module of each name."""
    if name in importing:
        raise ValueError(f"Modules import one another: {' '.join([*importing, name])}")
    text = (folder / name).read_text(encoding="utf-8")
    for match in _IMPORT.finditer(text):
        imported = (folder / name).parent.joinpath(match[1], match[2]).resolve()
        path = imported.relative_to(folder.resolve()).as_posix()
        if path not in found:
            _add_module(folder, path, found, declared, [*importing, name])
    for each in _DECLARED.findall(text):
        if declared.setdefault(each, name) != name:
            raise ValueError(f"{name} and {declared[each]} both declare {each}; rename one of them.")
    text = _EXPORTED.sub("", _EXPORT.sub("", _IMPORT.sub("", text)))
    if left := _LEFT.search(text):
        raise ValueError(f"{name} has an unsupported form of import or export: {left[0]}")
    if pattern := _PATTERN.search(text):
        raise ValueError(f"{name} has a pattern that rjsmin would change; put it in parentheses: {pattern[0]}")
    for literal in filter(None, _TEMPLATE.findall(text)):
        if literal.count("{") != literal.count("}"):
            raise ValueError(f"{name} has a template literal inside another one, which rjsmin would change: {literal}")
    found[name] = jsmin(text, keep_bang_comments=True).strip() + "\n"
