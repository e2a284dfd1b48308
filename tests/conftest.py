"""Fixtures and settings for all tests: tables built once per session, kept files, and command-line options."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from functools import cache, wraps
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import solver
from solver.kernels import jit
from solver.store.schema import Metric

SAMPLED = 32
"""By default, one in this many cases of a test marked `sampled` is run."""

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path(solver.__file__).parent
"""The package under test: the one beside the tests, or an installed one."""

# There is no deadline, because the first example may compile a kernel. The examples are the same in every run.
settings.register_profile("tests", deadline=None, derandomize=True, max_examples=20)
settings.register_profile("long", settings.get_profile("tests"), max_examples=60)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--renew", action="store_true", help="update the pictures and outputs kept in README.md, docs/ and data/"
    )


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("tests" if "not slow" in config.option.markexpr else "long")
    jit._report_compiling = _report_compiling_to(config)


def _report_compiling_to(config: pytest.Config) -> Any:
    """Return a function that says once on the terminal that kernels are compiled, while tests capture all output.

    Any test may be the first one that compiles. `pytest_xdist_setupnodes` speaks for the workers.
    """
    terminal = None if hasattr(config, "workerinput") else os.dup(2)

    @cache
    @wraps(jit._report_compiling)
    def report() -> None:
        if terminal is not None:
            os.write(terminal, b"\nCompiling kernels that have changed, which takes minutes at most ...\n")

    return report


@pytest.hookimpl(tryfirst=True)  # before tests marked `slow` are deselected
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Sample the cases of some tests. With --renew, run only the tests that compare output with kept files.

    Tests in a browser come first, so that one process runs them all and opens one browser.
    """
    _mark_cases_that_are_not_sampled(items)
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)
    if config.getoption("renew"):
        renewing = [item for item in items if "kept" in getattr(item, "fixturenames", ())]
        config.hook.pytest_deselected(items=[item for item in items if item not in renewing])
        items[:] = renewing


def _mark_cases_that_are_not_sampled(items: list[pytest.Item]) -> None:
    """Mark as `slow` all but every thirty-second case of each test marked `sampled`, not counting slow cases."""
    cases: Counter[str] = Counter()
    for item in items:
        if item.get_closest_marker("sampled") and not item.get_closest_marker("slow"):
            test = item.nodeid.partition("[")[0]
            if cases[test] % SAMPLED:
                item.add_marker("slow")
            cases[test] += 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Exclude the collected tests from garbage collection: about a hundred thousand objects that are never freed.

    After that, collect more rarely than by default: a tenth of the tests' time would go.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000)
        gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for file in config.stash.get(RENEWED, []):
        terminalreporter.write_line(f"renewed {file.relative_to(ROOT)}")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Compile kernels and tests before the workers start; otherwise each worker would compile them again.

    The third part of the kernels takes about as long as the other parts and the tests.
    """
    say = config.get_terminal_writer().line
    with start_module("tests.compile_kernels", "third"):
        for part in ("first", "second"):
            say(f"Compiling kernels that have changed: {part} part of three ...")
            start_module("tests.compile_kernels", part).wait()
        say("Collecting the tests ...")
        start_module("pytest", "--collect-only", "-n0", *config.args).wait()
        say("Compiling kernels that have changed: third part of three ...")


def start_module(name: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Start `python -m name ...` in the project's folder."""
    return subprocess.Popen([sys.executable, "-m", name, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL)


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the user's settings for `mnk` from the environment."""
    monkeypatch.delenv("MNK_DATA", raising=False)


@pytest.fixture(scope="session")
def table_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """`table_file("4,4,4", metric="wdl")`: the file of that table, built on first use. Do not change it.

    plies: those of an opening table.
    """
    folder = cache(lambda *kind: tmp_path_factory.mktemp("tables"))

    @cache
    def built(game: str, metric: Metric = "distance", plies: int | None = None) -> Path:
        return solver.build_table(solver.parse_game(game), folder(metric, plies), metric=metric, plies=plies)

    return built


@pytest.fixture(scope="session")
def tictactoe(table_file: Callable[..., Path]) -> Iterator[solver.Truth]:
    """The values of 3,3,3, from its table."""
    with solver.open_tablebase(table_file("3,3,3")) as table:
        yield table


RENEWED = pytest.StashKey[list[Path]]()


def identical(text: str) -> object:
    """Return a text unchanged."""
    return text


class Kept:
    """A comparison of texts with files of the project; with --renew, it updates the files instead."""

    def __init__(self, config: pytest.Config) -> None:
        self.renewing = bool(config.getoption("renew"))
        self.renewed = config.stash.setdefault(RENEWED, [])

    def whole(self, file: Path, now: str, comparable: Callable[[str], object] = identical) -> None:
        """Compare the text of a file with the current output; `comparable` removes parts that differ between runs."""
        self.part(file, file.read_text(encoding="utf-8"), now, comparable)

    def part(self, file: Path, before: str, now: str, comparable: Callable[[str], object] = identical) -> None:
        """Compare a part of a file, which must occur once, with the current output."""
        if not self.renewing:
            assert comparable(now) == comparable(before), file
        elif comparable(now) != comparable(before):
            text = file.read_text(encoding="utf-8")
            assert text.count(before) == 1
            file.write_text(text.replace(before, now), encoding="utf-8")
            self.renewed.append(file)


@pytest.fixture(scope="session")
def kept(pytestconfig: pytest.Config) -> Kept:
    """`kept.whole(file, text)`: assert that the file has this text; with --renew, write it to the file."""
    return Kept(pytestconfig)
