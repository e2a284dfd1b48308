"""The pages of the documentation, and the cells in them that a test runs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import PACKAGE, ROOT

README = ROOT / "README.md"
DOCS = ROOT / "docs"
PAGES = [README, *sorted(DOCS.rglob("*.md"))]
READMES = [*sorted(PACKAGE.rglob("README.md")), *sorted((ROOT / "data").rglob("README.md"))]

FENCE = re.compile(r"^(`{3,})(\S*) ?([^\n]*)\n((?::\w[^\n]*\n)*)(.*?)^\1$", re.MULTILINE | re.DOTALL)
CAPTION = re.compile(r"^:caption: (\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Cell:
    """A fenced block: its kind, its text, and the name of the file that a reader writes it to, empty for none."""

    kind: str
    text: str
    file: str


def name(page: Path) -> str:
    """Return the name of a page for the names of tests, such as docs/how-to/serve.md."""
    return page.relative_to(PACKAGE.parent if page.is_relative_to(PACKAGE) else ROOT).as_posix()


def located(file: Path) -> Path:
    """Return the file at a path of the checkout, even if the package is installed elsewhere."""
    file = file.resolve()
    inside = file.relative_to(PACKAGE.parent if file.is_relative_to(PACKAGE.parent) else ROOT)
    return (PACKAGE.parent if inside.parts[0] == PACKAGE.name else ROOT) / inside


def cells(page: Path) -> list[Cell]:
    """Every fenced block of a page, in order."""
    return [
        Cell(argument, text.lstrip("\n"), "".join(CAPTION.findall(options)))
        if kind == "{code-block}"
        else Cell(kind, text.lstrip("\n"), "")
        for _, kind, argument, options, text in FENCE.findall(page.read_text(encoding="utf-8"))
    ]


def console(text: str) -> Iterator[tuple[str, str]]:
    """(command, expected output) of each command of a console block."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def python(page: Path) -> list[str]:
    """The Python cells of a page, files among them."""
    return [cell.text for cell in cells(page) if cell.kind == "python"]
