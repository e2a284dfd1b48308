"""Make the page of a site: a document, a style sheet, two scripts and the service worker.

The page's modules are joined into a classic script without imports, which a browser can also run from a local file. The
modules of the search are joined into a second script, which the page loads on demand.
"""

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from rcssmin import cssmin
from rjsmin import jsmin

PAGE: Final = Path(__file__).parent.parent / "page"
DOCUMENT: Final = "index.html"
MARK: Final = 12  # hexadecimal digits of a hash in a file's name
_WORKER: Final = Path(__file__).parent / "worker.js"

_STYLE: Final = re.compile(r'^ *<link rel="stylesheet" href="static/(\S+)">\n', re.MULTILINE)
_SCRIPT: Final = re.compile(r'^ *<script type="module" .*</script>\n', re.MULTILINE)
_IMPORT: Final = re.compile(r'^import (?:\{([^}]*)\} from )?"(\./|\.\./)([\w./-]+)";$', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export ((?:async function|function|class|const|var) (\w+))", re.MULTILINE)
_EXPORTED: Final = re.compile(r"^export \{([^}]*)\};$", re.MULTILINE)
_INDENT: Final = re.compile(r"^ +", re.MULTILINE)
_LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_TEMPLATE: Final = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|(`(?:[^`\\]|\\.)*`)', re.DOTALL)
_MODULE: Final = "m[{number}]=(()=>{{{text}\nreturn{{{exports}}}}})();\n"


_POLICY: Final = "default-src 'self'; img-src 'self' blob:; script-src 'self' 'wasm-unsafe-eval'"
_HEAD: Final = """\
  <meta http-equiv="Content-Security-Policy" content="{policy}">
  <link rel="stylesheet" href="{style}">
  <script src="{script}" data-search="{search}" defer blocking="render"></script>
</head>
"""


def json_bytes(value: object) -> bytes:
    """Return a value as one line of JSON."""
    return (json.dumps(value, separators=(",", ":"), ensure_ascii=False) + "\n").encode()


def page_files() -> dict[str, bytes]:
    """Return the files of the page by name. Names of style sheets and scripts contain a hash of the contents."""
    document = (PAGE / DOCUMENT).read_text(encoding="utf-8")
    sheets = "".join((PAGE / name).read_text(encoding="utf-8") for name in _STYLE.findall(document))
    styles = cssmin(sheets).encode()
    script = join_modules(PAGE / "js", "site.js").encode()
    search = join_modules(PAGE / "js", "search/site.js").encode()
    style_name, script_name = f"page-{_mark(styles)}.css", f"page-{_mark(script)}.js"
    search_name = f"page-search-{_mark(search)}.js"
    head = _HEAD.format(policy=_POLICY, style=style_name, script=script_name, search=search_name)
    document = _SCRIPT.sub("", _STYLE.sub("", document)).replace("</head>\n", head).replace("static/", "")
    return {
        DOCUMENT: _INDENT.sub("", document).encode(),
        script_name: script,
        search_name: search,
        style_name: styles,
        "icon.svg": (PAGE / "icon.svg").read_bytes(),
        ".nojekyll": b"",  # otherwise GitHub Pages drops files that its generator ignores
    }


def worker_script(page: Mapping[str, bytes], small: Sequence[str], marks: Sequence[str]) -> bytes:
    """Return the service worker.

    page: every file that the page needs before it reads a table. small: the parts of tables to store at the first
    visit. marks: for each table, the hash that prefixes the names of its parts.
    """
    names = [name for name in page if not name.startswith(".")]
    facts = {
        "version": _mark(b"".join(_mark(page[name]).encode() for name in names)),
        "files": ["./" if name == DOCUMENT else name for name in names],
        "lasting": [name for name in names if name.startswith("page-")],
        "small": list(small),
        "marks": list(marks),
    }
    return b"const SITE = " + json_bytes(facts).rstrip() + b";\n\n" + _WORKER.read_bytes()


def _mark(data: bytes) -> str:
    return sha256(data).hexdigest()[:MARK]


def join_modules(folder: Path, entry: str) -> str:
    """Join a module and everything that it imports into a classic script, without comments or indentation.

    entry: the path of the module in the folder. Raises ValueError for an unsupported form of import or export, circular
    imports, and nested template literals.
    """
    found: dict[str, str] = {}
    _add_module(folder, entry, found, [])
    return '"use strict";\n(() => {\nconst m = [];\n' + "".join(found.values()) + "})();\n"


def _add_module(folder: Path, name: str, found: dict[str, str], importing: list[str]) -> None:
    if name in importing:
        raise ValueError(f"Modules import one another: {' '.join([*importing, name])}")
    text = (folder / name).read_text(encoding="utf-8")

    def resolve(match: re.Match[str]) -> str:
        path = (folder / name).parent.joinpath(match[2], match[3]).resolve()
        return path.relative_to(folder.resolve()).as_posix()

    def assign(match: re.Match[str]) -> str:
        """Rewrite an import statement of JavaScript as a destructuring assignment, in which `a as b` becomes `a: b`."""
        number = list(found).index(resolve(match))
        return (match[1] and f"const{{{match[1].replace(' as ', ':')}}}=m[{number}];") or ""

    for match in _IMPORT.finditer(text):
        if (imported := resolve(match)) not in found:
            _add_module(folder, imported, found, [*importing, name])
    exports = [match[2] for match in _EXPORT.finditer(text)]
    exports += [each.strip() for match in _EXPORTED.finditer(text) for each in match[1].split(",")]
    text = _EXPORTED.sub("", _EXPORT.sub(r"\1", _IMPORT.sub(assign, text)))
    if left := _LEFT.search(text):
        raise ValueError(f"{name} has an unsupported form of import or export: {left[0]}")
    for literal in filter(None, _TEMPLATE.findall(text)):
        if literal.count("{") != literal.count("}"):
            raise ValueError(f"{name} has a template literal inside another one, which rjsmin would change: {literal}")
    text = jsmin(text, keep_bang_comments=True).strip()
    found[name] = _MODULE.format(number=len(found), text=text, exports=",".join(exports))
