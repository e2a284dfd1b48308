"""The environment of the scripts is made once and trusted only when complete. The installers are fakes here."""

import sys
from collections.abc import Sequence
from pathlib import Path

import environment
import pytest
from environment import Environment, SetupError


@pytest.fixture
def project(tmp_path: Path) -> Environment:
    """The environment of a project that has nothing but a pyproject.toml."""
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'empty'\n", encoding="utf-8")
    return Environment(tmp_path)


@pytest.fixture
def steps(project: Environment, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The steps of set-ups from here on, as words; each is a fast fake of the real step."""
    taken: list[str] = []

    def pretend(command: Sequence[str | Path], doing: str, shown: bool = False) -> None:
        if "venv" in command:
            taken.append("make")
            project.programs.mkdir(parents=True, exist_ok=True)
            (project.programs / "python").unlink(missing_ok=True)
            (project.programs / "python").symlink_to(sys.executable)
        else:
            assert f"{project.root}[all]" in command
            groups = [str(part).rpartition(":")[2] for part in command[command.index(f"{project.root}[all]") + 1 :]]
            taken.append(" ".join(["install", *groups[1::2]]))

    monkeypatch.setattr(environment, "install", pretend)
    monkeypatch.setattr(environment, "run", lambda command: 0)
    return taken


@pytest.mark.parametrize(
    ("required", "taken"),
    [
        ([[], []], ["install"]), ([[], ["dev"], [], ["dev"]], ["install", "install dev"]),
        ([["dev", "peers"], ["peers"]], ["install dev peers"]),
        ([["dev"], ["bench"], ["dev"], ["bench"]], ["install dev", "install bench dev"]),
    ],
)  # fmt: skip
def test_an_environment_is_made_once_and_keeps_its_groups(
    required: list[list[str]], taken: list[str], project: Environment, steps: list[str]
) -> None:
    assert not project.has()
    for groups in required:
        assert project.require(*groups) == project.programs
    assert steps == ["make", *taken]


@pytest.mark.parametrize("change", ["dependencies", "python", "missing python"])
def test_a_change_makes_it_again(
    change: str, project: Environment, steps: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    project.require("dev")
    if change == "dependencies":
        (project.root / "pyproject.toml").write_text("[project]\nname = 'changed'\n", encoding="utf-8")
    elif change == "python":
        monkeypatch.setattr(sys.implementation, "cache_tag", "cpython-399")
    else:
        (project.programs / "python").unlink()
        (project.programs / "python").symlink_to(project.root / "uninstalled")
    assert not project.has()
    project.require("dev")
    assert steps == ["make", "install dev"] * 2


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SetupError])
def test_a_partial_installation_is_not_trusted(
    project: Environment, steps: list[str], monkeypatch: pytest.MonkeyPatch, stop: type[BaseException]
) -> None:
    pretend = environment.install

    def stop_at_pip(command: Sequence[str | Path], doing: str, shown: bool = False) -> None:
        if "venv" not in command:
            raise stop
        pretend(command, doing, shown)

    project.require()
    with monkeypatch.context() as context:
        context.setattr(environment, "install", stop_at_pip)
        with pytest.raises(stop):
            project.require("dev")
    assert not project.has()
    project.require("dev")
    assert project.has("dev")
    assert steps[-2:] == ["make", "install dev"]
