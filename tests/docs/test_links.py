"""Links in the documentation lead to existing files and headings."""

import json
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import jsonschema
import pytest
from parts import with_links_to_pages

import solver
from solver import RulesError, parse_game
from solver.game.games import MAKERS
from solver.game.json_file import from_json, to_json
from solver.game.makers.animals import ANIMALS
from solver.game.makers.variants import COMMON, OPTIONS
from solver.search.forced import Forced
from tests.conftest import ROOT
from tests.docs.pages import DOCS, FENCE, PAGES, READMES, cells, located, name

TEXTS = [*PAGES, ROOT / "CONTRIBUTING.md", *READMES]
LINK = re.compile(r"\]\(([^)\s]+)\)")


def without_cells(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page, as GitHub and MyST make them."""
    headings = re.findall(r"^#+ (.+)$", without_cells(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", TEXTS, ids=name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(without_cells(page)):
        target, _, anchor = link.partition("#")
        if "://" in target:
            continue
        file = page if not target else located(page.parent / target)
        assert file.exists(), link
        assert not anchor or anchor in anchors(file), link


def test_links_to_included_files_lead_to_pages_on_the_site() -> None:
    kernel = DOCS / "explanation" / "kernel.md"
    shown = with_links_to_pages(kernel, kernel.read_text(encoding="utf-8"))
    assert "[Experiments](../contributing.md#ideas-that-were-kept)" in shown
    for page in PAGES[1:]:
        links = LINK.findall(FENCE.sub("", with_links_to_pages(page, page.read_text(encoding="utf-8"))))
        markdown = {link.partition("#")[0] for link in links if link.partition("#")[0].endswith(".md")}
        assert {(page.parent / link).resolve() for link in markdown} <= {*PAGES[1:]}


@pytest.mark.parametrize("page", TEXTS, ids=name)
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    named = set(re.findall(r"`((?:solver|scripts|tests|data|docs)/[\w./-]*[\w/])`", without_cells(page)))
    built = re.compile(r"data/mnk-")
    assert [file for file in sorted(named) if not located(ROOT / file).exists() and not built.match(file)] == []


def test_every_page_is_in_one_table_of_contents() -> None:
    """Each page is named in a table of contents, once."""
    pages = sorted(DOCS.rglob("*.md"))
    entries = [
        (page.parent / f"{entry}.md").resolve()
        for page in pages
        for cell in cells(page)
        if cell.kind == "{toctree}"
        for entry in cell.text.split()
    ]
    assert sorted(entries) == [page for page in pages if page != DOCS / "index.md"]


def test_every_family_and_every_variant_has_a_picture() -> None:
    shown = re.findall(
        r"^```\{game\} (\S+)$", (DOCS / "reference" / "games.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    words = [parse_game(game).name.split(",") for game in shown]
    assert [maker.form for maker in MAKERS if not any(maker.reads(name) for name in words)] == []
    variants = {*COMMON, *OPTIONS}.union(*(maker.variants for maker in MAKERS))
    assert variants <= {word.partition("=")[0] for name in words for word in name}


def test_the_page_of_games_shows_the_rows_of_every_animal() -> None:
    section = (ROOT / "docs/reference/games.md").read_text("utf-8").partition("## Harary's animals")[2]
    words = section.partition("```text")[2].partition("```")[0].split()
    assert dict(zip(words[::2], words[1::2], strict=True)) == {
        name: rows.replace(" ", "/") for name, rows in ANIMALS.items()
    }


def test_the_reference_lists_every_public_name_and_pages_and_examples_import_no_other() -> None:
    page = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    named = re.findall(r"^\.\. auto\w+:: (solver\.[\w.]+)$", page, re.MULTILINE)
    assert len(set(named)) == len(named)
    assert {name for name in named if name.count(".") == 1} == {f"solver.{name}" for name in solver.__all__[1:]}
    files = [*PAGES, *(file for file in (ROOT / "data" / "examples").rglob("*") if file.suffix in {".ipynb", ".py"})]
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    assert not re.search(r"^ *import solver\.", text, re.MULTILINE)
    text = text.replace("\\n", "\n")  # in notebooks
    imports = re.findall(r"from (solver[\w.]*) import (?:\(([^)]*)\)|([\w, ]+))", text)
    used = {f"{module}.{name}" for module, *names in imports for name in re.findall(r"\w+", " ".join(names))}
    assert used <= {*named}


def test_the_reference_describes_the_types_of_all_fields() -> None:
    """The parts of a review are on the HTTP API page, and the search of `Forced` is internal."""
    text = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    shown = [pkgutil.resolve_name(found) for found in re.findall(r"^\.\. autoclass:: (\S+)$", text, re.MULTILINE)]
    hints = [hint for each in shown if each not in {solver.Review, Forced} for hint in get_type_hints(each).values()]
    named = {part for hint in hints for part in parts_of(hint) if part.__module__.startswith("solver.")}
    assert len(named) > 15
    assert named <= {*shown}


def parts_of(hint: Any) -> Iterator[type]:
    """Yield the classes in a type hint."""
    if isinstance(hint, type):
        yield hint
    for argument in get_args(hint):
        for part in argument if isinstance(argument, list) else [argument]:
            yield from parts_of(part)


def test_game_files_follow_the_schema() -> None:
    schema = json.loads((DOCS / "reference" / "game.schema.json").read_text(encoding="utf-8"))
    games = [to_json(parse_game(game)) for game in ("3,3,3,exact", "hex,3", "cycle,petersen,5", "3x3x3,3,gravity")]
    games += [to_json(parse_game("affine,3,maker,x=a1")), {"squares": 4, "x_lines": [[1, 2]], "unfinished": "O"}]
    mistakes: list[dict[str, object]] = [{"rowz": 3}, {"misere": 1}, {"o_lines": [[1, 1]]}, {"squares": []}]
    schema_of_files = jsonschema.validators.validator_for(schema)(schema)
    for game in games:
        schema_of_files.validate(game)
        assert from_json(game).squares
        for wrong in mistakes:
            with pytest.raises(jsonschema.ValidationError):
                schema_of_files.validate(game | wrong)
            with pytest.raises(RulesError):
                from_json(game | wrong)
