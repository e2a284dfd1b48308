"""Join the modules of the page into one script without imports, which a browser also runs from a disk."""

import re
from pathlib import Path
from typing import Final

_IMPORT: Final = re.compile(r'^import (?:\{([^}]*)\} from )?"(\./|\.\./)([\w./-]+)";$', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export ((?:async function|function|class|const|var) (\w+))", re.MULTILINE)
_EXPORTED: Final = re.compile(r"^export \{([^}]*)\};$", re.MULTILINE)
_COMMENT: Final = re.compile(r"^ *(?://.*|/\*\*[^/][\s\S]*?\*/)\n", re.MULTILINE)  # whole lines, but no licence: /*!
_INDENT: Final = re.compile(r"^ +", re.MULTILINE)  # no text of the page goes over several lines
_LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_MODULE: Final = 'modules["{name}"] = (() => {{\n{text}return {{ {exports} }};\n}})();\n'


def join_modules(folder: Path, entry: str) -> str:
    """Return a classic script that does what a module does, with all modules that it imports.

    Comments and indents are left out. entry: the name of the module, relative to the folder as those of all others.
    Raises ValueError for a form of import or export that is not known here, and for modules that import one another.
    """
    found: dict[str, str] = {}
    _add(folder, entry, found, [])
    return '"use strict";\n(() => {\nconst modules = {};\n' + "".join(found.values()) + "})();\n"


def _add(folder: Path, name: str, found: dict[str, str], importing: list[str]) -> None:
    """Add a module behind those that it imports."""
    if name in importing:
        raise ValueError(f"Modules import one another: {' '.join([*importing, name])}")
    text = _INDENT.sub("", _COMMENT.sub("", (folder / name).read_text(encoding="utf-8")))
    for match in _IMPORT.finditer(text):
        if (imported := _resolve(folder, name, match)) not in found:
            _add(folder, imported, found, [*importing, name])
    exports = [match[2] for match in _EXPORT.finditer(text)]
    exports += [each.strip() for match in _EXPORTED.finditer(text) for each in match[1].split(",")]
    text = _IMPORT.sub(lambda match: _write_import(match, _resolve(folder, name, match)), text)
    text = _EXPORTED.sub("", _EXPORT.sub(r"\1", text))
    if left := _LEFT.search(text):
        raise ValueError(f"{name} has an import or export of another form: {left[0]}")
    found[name] = _MODULE.format(name=name, text=text, exports=", ".join(exports))


def _resolve(folder: Path, name: str, match: re.Match[str]) -> str:
    """Return the name of a module that another one, `name`, imports."""
    return (folder / name).parent.joinpath(match[2], match[3]).resolve().relative_to(folder.resolve()).as_posix()


def _write_import(match: re.Match[str], imported: str) -> str:
    """Write an import as an assignment; `a as b` is `a: b` there."""
    if match[1] is None:
        return ""
    return f'const {{{match[1].replace(" as ", ": ")}}} = modules["{imported}"];'
