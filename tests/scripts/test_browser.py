"""The browser of the tests is found, installed if that is simple, or requested in one sentence."""

import stat
from collections.abc import Callable, Sequence
from pathlib import Path

import browser
import pytest
from environment import SetupError


@pytest.fixture
def add(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """`add("chromium")` puts a program of this name on the path, which is empty before."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(browser.VARIABLE, raising=False)
    monkeypatch.setattr(browser, "PLACES", ())

    def added(name: str) -> Path:
        program = tmp_path / name
        program.write_text("#!/bin/sh\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return program

    return added


@pytest.fixture
def steps(add: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """The commands of installations from here on; the one for Chromium installs it."""
    taken: list[Sequence[str]] = []

    def pretend(command: Sequence[str], doing: str) -> None:
        taken.append(command)
        if "chromium" in command:
            add("chromium")

    monkeypatch.setattr(browser, "install", pretend)
    return taken


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_an_installed_browser_is_used(add: Callable[[str], Path], steps: list[Sequence[str]], name: str) -> None:
    assert browser.find() is None
    program = add(name)
    assert browser.require() == program
    assert steps == []


def test_a_named_browser_comes_first(add: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    add("chromium")
    mine = add("my-browser")
    monkeypatch.setenv(browser.VARIABLE, str(mine))
    assert browser.find() == mine
    monkeypatch.setenv(browser.VARIABLE, str(mine) + "-not")
    with pytest.raises(SetupError, match="is not a program"):
        browser.find()
