"""The documentation builds without a warning, and its cells run in a browser."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import browser
import pytest
from click import Context
from playwright.sync_api import Locator, Page, Route, expect, sync_playwright

import solver
from solver.cli import main
from tests.docs.pages import DOCS, PAGES, README, cells, name
from tests.export.pictures.test_course_notebook import cells_of, course, solution_of, solved
from tests.pyodide import install_pyodide
from tests.web.page.host import Host

pytestmark = pytest.mark.slow  # scripts/test --long has Sphinx

HOST = "https://cdn.jsdelivr.net/npm/pyodide"
PATIENCE = 120_000  # ms


_CODE = {"pre": "pre", 'code class="docutils literal notranslate"': "code"}  # the tags of blocks and of spans


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-b", "dirhtml", "-W", "--keep-going", "-q", str(DOCS), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    facts = {"reference/grading": "negamax_6", "reference/game-files": "x_is_white", "solved": "3,340,492,143,849"}
    for page, fact in facts.items():  # generated tables
        assert fact in (folder / page / "index.html").read_text(encoding="utf-8")
    return folder


@pytest.mark.parametrize("page", PAGES[1:], ids=name)
def test_the_code_of_a_page_is_pasted_unchanged(page: Path, site: Path) -> None:
    """What a browser copies from the page is what the tests run, and `mnk` accepts the commands that no test runs."""
    built = site / page.relative_to(DOCS).with_suffix("").as_posix().removesuffix("index") / "index.html"
    blocks, spans = (re.findall(f"<{tag}>(.*?)</{end}>", built.read_text(), re.DOTALL) for tag, end in _CODE.items())
    shown, inline = ([unescape(re.sub("<[^>]+>", "", code)).strip() for code in found] for found in (blocks, spans))
    tested = [*cells(page), *(cells(README) if page == DOCS / "index.md" else ())]
    written = [cell.text.strip() for cell in tested if not cell.kind.startswith("{") and cell.kind != "course"]
    assert {block for block in shown if block.startswith("$ ")} <= {*written} <= {*shown}
    assert not re.search("[\u2018-\u201d]", "".join(shown))
    lines = re.findall("^mnk (.+)", "\n".join(shown), re.MULTILINE)
    lines += [span.removeprefix("mnk ") for span in inline if re.match(r"mnk .*\b\d+,\d+,\d+", span)]
    for line in lines:
        subject, command, words = main.resolve_command(Context(main), shlex.split(line, comments=True))
        assert command
        command.make_context(subject, words)


def test_the_reference_describes_every_public_field(site: Path) -> None:
    """The keys of a review are on the HTTP API page."""
    shown, http = ((site / "reference" / page / "index.html").read_text("utf-8") for page in ("python", "http"))
    public = [getattr(solver, name) for name in solver.__all__[1:]]
    classes = [each for each in public if isinstance(each, type) and not issubclass(each, BaseException)]
    fields = [(each, field) for each in classes for field in vars(each).get("__annotations__", {}) if field[0] != "_"]
    missing = [field for each, field in fields if f'id="solver.{each.__name__}.{field}"' not in shown]
    assert missing == [*solver.Review.__annotations__]
    assert all(f">{field}<" in http for field in missing)
    bare = r'<dt class="sig[^>]* id="([^"]+)">(?:(?!</dt>).)*</dt>\s*<dd>\s*(?:</dd>|<p>Alias for field)'
    assert re.findall(bare, shown, re.DOTALL) == []


@pytest.fixture
def page(site: Path, tmp_path: Path) -> Iterator[Page]:
    """The page that runs Python, with Pyodide from npm instead of from its host."""
    packages = install_pyodide(tmp_path)
    program = browser.find()
    assert program, "no Chromium or Chrome is found; scripts/test installs it or explains how"

    def fulfil(route: Route) -> None:
        route.fulfill(path=packages / "pyodide" / route.request.url.rpartition("/")[2])

    with Host(site) as server, sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=list(browser.OPTIONS))
        context = opened.new_context()
        context.route(f"{HOST}@*/**", fulfil)
        found = context.new_page()
        errors: list[object] = []
        found.on("pageerror", lambda error: errors.append(error))  # noqa: PLW0108 - a method takes no attributes
        found.goto(f"{server.address}/how-to/web/")
        yield found
        opened.close()
    assert not errors


@pytest.mark.browser
def test_a_function_is_graded_in_the_browser(page: Page) -> None:
    form = "board='flat', marks='X,O,space', moves='index'"
    shown = run(page, "grade", f"from solver import verify\nverify(lambda board: board.index(' '), '3,3,3', {form})")
    expect(shown).to_contain_text("58.65%")
    expect(shown).to_contain_text("in this process, as no other can be started")
    run(page, "grade", "print(1)\n1 / 0")
    expect(page.locator("#grade")).to_contain_text("ZeroDivisionError in line 2: division by zero")
    page.get_by_label("Program", exact=True).fill("while True: pass")
    page.get_by_role("button", name="Run: Program").click()
    page.get_by_role("button", name="Stop: Program").click()
    expect(page.locator("#grade .bar output")).to_contain_text("Stopped")


@pytest.mark.browser
def test_the_exercises_of_the_course_are_solved_in_the_browser(page: Page) -> None:
    page.goto(page.url.replace("/how-to/web/", "/course/"))
    cells = cells_of(course())
    for number in range(1, 7):
        name = f"exercise-{number}-code"
        expect(run(page, name, "")).to_be_empty()
        expect(run(page, name, cells[name])).to_contain_text("False")
        expect(page.locator(f"#{name} .solved")).to_have_count(0)
        run(page, name, solved(cells[name], solution_of(cells, number)))
        expect(page.locator(f"#{name} .solved")).to_have_count(1)
    page.reload()
    expect(page.locator(".progress output")).to_have_text("Exercises solved: 6 of 6")
    expect(page.locator("#exercise-4-code pre").first).to_contain_text("__getitem__")
    expect(page.locator("#td-code button.run")).to_have_count(0)
    page.get_by_role("button", name="Start over").click()
    expect(page.locator(".progress output")).to_have_text("Exercises solved: 0 of 6")
    expect(page.locator("#exercise-4-code pre").first).to_contain_text("Edit me")
    expect(run(page, "probe", cells["probe"])).to_have_text("Value(wdl=-1, distance=4)")
    expect(page.locator("#position .output svg")).to_be_visible()


def run(page: Page, name: str, code: str) -> Locator:
    """Put code in a cell and run it by its keys; return its final output."""
    cell = page.locator(f"#{name}")
    cell.locator(".highlight pre").fill(code)
    cell.locator(".highlight pre").press("Control+Enter")
    expect(cell.locator("button.run")).to_have_text("Run", timeout=PATIENCE)
    return cell.locator(".output")
