"""Measured figures on pages come from data, and the same command prints the same everywhere."""

import re
from pathlib import Path

import pytest
from cited import figures

from tests.conftest import PACKAGE, ROOT
from tests.docs.pages import FENCE, PAGES, README, cells, console, name

NUMBER = r"(?<![\w.,])(?:\d[\d.,]*|half an?|one|two|three|four|five|six|eight|ten|twelve|twenty|thirty)"
UNIT = r"(?:ms|[µn]?s|seconds?|minutes?|hours?|[kMGT]B(?:/s)?|bytes|gigabytes?|%)(?!\w)"
QUANTITY = re.compile(rf"{NUMBER} {UNIT}|\d+(?:,\d{{3}}){{2,}}", re.IGNORECASE)
TEXTS = [*PAGES, ROOT / "CONTRIBUTING.md", *sorted(PACKAGE.rglob("README.md"))]
READING = {"ten minutes"}  # the time that the tutorial takes its reader
PAGE_FILE = {"4 MB", "16 MB", "90 MB"}  # the sizes of files that a site writes and its page accepts
NOT_MEASURED = {
    "README.md": {"89.6 GB", *READING},  # as published: data/facts/connect4_boards.json
    **dict.fromkeys(("docs/index.md", "docs/tutorial.md"), READING),
    "docs/how-to/class.md": {"60 seconds"},  # an option of the example
    "docs/how-to/connect-four.md": {"ten seconds", "4 GB", "95 %"},  # limits, and a quantile
    "docs/solved.md": {"3,009,081,623,421,558"},  # published
    "docs/how-to/web.md": {*PAGE_FILE, "95 %"},
    "docs/how-to/play.md": {"10 minutes", "2 s", "95 %"},  # clocks, and an interval
    "docs/explanation/compared.md": {
        "10 minutes",
        "3 minutes",
        "2 s",
        "30 kB",
        "162 kB",
        "222 kB",
    },  # clocks, sizes
    "docs/how-to/wrap.md": {"ten seconds"},  # the limit of a move
    "docs/reference/file-format.md": {"three bytes", "4 bytes", "512 kB", "128 MB"},  # the format
    "docs/reference/grading.md": {"4 GB"},  # limits
    "solver/solve/README.md": {"five seconds", "half a minute"},  # the intervals of the lock
    "solver/store/README.md": {"three bytes"},  # a worked page
    "solver/verification/README.md": {"4 GB", "10 MB", "10 s", "95 %", "40 %", "58 %"},  # limits, and exact shares
    "solver/web/site/README.md": {"4 MB", "16 MB", "256 kB", "0.05 s", "10 s"},  # limits
}
"""The quantities that are not measured: limits, sizes that a format prescribes, exact shares, published figures."""


def quantities(page: Path) -> set[str]:
    """The numbers with a unit, and those of a million and more, in the text of a page without its cells."""
    return set(QUANTITY.findall(" ".join(FENCE.sub("", page.read_text(encoding="utf-8")).split())))


@pytest.mark.parametrize("page", TEXTS, ids=name)
def test_measured_figures_are_not_typed_by_hand(page: Path) -> None:
    allowed = NOT_MEASURED.get(name(page), set()) | ({*figures(ROOT).values()} if page == README else set())
    assert quantities(page) - allowed == set()
    assert NOT_MEASURED.get(name(page), set()) <= quantities(page)


def test_the_readme_has_the_measured_figures() -> None:
    text = re.sub(r"\s+", " ", README.read_text(encoding="utf-8"))
    cited = figures(ROOT)
    for sentence in (
        "`pip install .` takes {installed}, and the first answer comes {first_answer} after",
        "takes about {first_build}.",
        "has {positions_554} positions.",
        "takes {time_554}, {memory_554} of memory and {file_554} of disk.",
        "values and distances | {build_444}, {size_444} |",
        "without distances | {openspiel_444} |",
        "3,3,3 | none | {minimax_444} (memoised",
    ):
        assert sentence.format(**cited) in text


def test_a_command_prints_the_same_on_every_page() -> None:
    """Only times could differ, because another test compares the rest with what the command prints."""
    shown: dict[str, set[str]] = {}
    for page in PAGES:
        for cell in cells(page):
            for command, output in console(cell.text) if cell.kind == "console" else ():
                for line in output.splitlines() if command.startswith("mnk build") else [output]:
                    shown.setdefault(line.partition(":")[0] if line != output else command, set()).add(line)
    assert {about: lines for about, lines in shown.items() if len(lines) > 1} == {}
