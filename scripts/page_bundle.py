"""Bundle the page: `python scripts/page_bundle.py` writes the files in solver/web/bundle.

Run it with scripts/page, which sets up the environment.

The modules of the page are joined into classic scripts with one scope each, which a browser can also run from a local
file: one for a server, one for a site without a server, and one for the search, which a site loads on demand. Then
local names are shortened. Bundlers such as esbuild are no Python packages, and need another installer. The first line
of each file has a hash of its sources, so that a test finds an old file.
"""

import re
from hashlib import sha256
from pathlib import Path
from typing import Final

from solver.web.site.page import BUNDLE, DOCUMENT, PAGE

ENTRIES: Final = {"main.js": "main.js", "site.js": "site.js", "search.js": "search/site.js"}
WORKER: Final = BUNDLE.parent / "site" / "worker.js"

_STYLE: Final = re.compile(r'^ *<link rel="stylesheet" href="static/(\S+)">$', re.MULTILINE)
_IMPORT: Final = re.compile(r'^import (?:\{\s*\w+(?:,\s*\w+)*,?\s*\} from )?"(\./|\.\./)([\w./-]+)";$', re.MULTILINE)
_DECLARED: Final = re.compile(r"^(?:export )?(?:async function|function|class|const|let|var) (\w+)", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async function|function|class|const|var) )", re.MULTILINE)
_EXPORTED: Final = re.compile(r"^export \{[\w,\s]*\};$", re.MULTILINE)
_LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_TYPES: Final = {".js": "application/javascript", ".css": "text/css"}


def read_sources() -> dict[str, str]:
    """Return the text of each file of the bundle before it is minified."""
    styles = _STYLE.findall((PAGE / DOCUMENT).read_text(encoding="utf-8"))
    return {
        **{name: join_modules(PAGE / "js", entry) for name, entry in ENTRIES.items()},
        "page.css": "".join((PAGE / name).read_text(encoding="utf-8") for name in styles),
        WORKER.name: WORKER.read_text(encoding="utf-8"),
    }


def first_line(text: str) -> str:
    """Return the first line of the file that is made from this text."""
    return f"/*! made by scripts/page from {sha256(text.encode()).hexdigest()[:16]} */\n"


def join_modules(folder: Path, entry: str) -> str:
    """Join a module and everything that it imports into a classic script.

    The modules share one scope. entry: the path of the module in the folder. Raises ValueError for a name that two
    modules declare, an unsupported form of import or export, and circular imports.
    """
    found: dict[str, str] = {}
    _add_module(folder, entry, found, {}, [])
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
    found[name] = text.strip() + "\n"


def write_bundle() -> None:
    """Write all files."""
    import minify  # only here, because the tests do without it

    BUNDLE.mkdir(exist_ok=True)
    for name, text in read_sources().items():
        small = minify.string(_TYPES[Path(name).suffix], text)
        (BUNDLE / name).write_text(f"{first_line(text)}{small}\n", encoding="utf-8")


if __name__ == "__main__":
    write_bundle()
