"""The scripts that build, check and test, in an existing environment."""

import os
import shutil
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import browser
import click
import environment
import large_games
import pytest
from environment import Environment, SetupError

from solver.cli.build import command
from tests import conftest
from tests.conftest import ROOT

SCRIPTS = ROOT / "scripts"
MNK = f"""#!{sys.executable}
import sys
sys.path.insert(0, {str(ROOT)!r})
from solver.cli import main
main(prog_name="mnk")
"""


def script(name: str) -> ModuleType:
    """A script without suffix as a module, so that its functions can be called."""
    loader = SourceFileLoader(name.replace("-", "_"), str(SCRIPTS / name))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "name", ["bench", "build-table", "check", "docs", "package", "page", "release", "screenshot", "test"]
)
def test_an_old_python_is_refused(name: str) -> None:
    code = f"import runpy, sys; sys.version_info = (3, 10, 4); runpy.run_path({name!r}, run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code], cwd=SCRIPTS, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("error: Python 3.11 or newer is needed")


@pytest.mark.parametrize(
    ("problem", "code", "said"),
    [(SetupError("no room"), "error: no room", ""), (KeyboardInterrupt(), 130, "interrupted\n")],
)
def test_an_aborted_setup_prints_one_sentence(
    problem: BaseException, code: str | int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(arguments: list[str]) -> int:
        raise problem

    with pytest.raises(SystemExit) as exit_:
        environment.main(fail)
    assert exit_.value.code == code
    assert capsys.readouterr().err == said


def test_the_exit_code_of_a_command_is_returned() -> None:
    """After Ctrl-C the command tidies up and chooses the exit code, while the script waits for it."""
    interrupted = "os.kill(os.getppid(), signal.SIGINT)\ntime.sleep(0.5)\nsys.exit(130)"
    for code, status in ((interrupted, 130), ("os.kill(os.getpid(), signal.SIGKILL)", 137)):
        assert environment.run([sys.executable, "-c", f"import os, signal, sys, time\n{code}"]) == status


class TestBuildTable:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        """A project set up already, whose `mnk` is the one under test."""
        project = Environment(tmp_path)
        shutil.copy(ROOT / "pyproject.toml", project.root)
        (project.root / "scripts").mkdir()
        for name in ("build-table", "environment.py"):
            shutil.copy(SCRIPTS / name, project.root / "scripts")
        project.programs.mkdir(parents=True)
        (project.programs / "python").symlink_to(sys.executable)
        (project.programs / "mnk").write_text(MNK, encoding="utf-8")
        (project.programs / "mnk").chmod(0o755)
        project.stamp.write_text(project.fingerprint(), encoding="utf-8")
        return project.root

    @staticmethod
    def build(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "scripts/build-table", *arguments]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)

    def test_the_default_game_is_built_shown_and_queried(self, folder: Path) -> None:
        done = self.build(folder)
        assert (done.returncode, done.stderr) == (0, "")
        commands = [line for line in done.stdout.splitlines() if line.startswith("$ ")]
        assert commands == [
            "$ .venv/bin/mnk build 3,3,3", "$ .venv/bin/mnk show 3,3,3", "$ .venv/bin/mnk query 3,3,3 XO./.X./...",
        ]  # fmt: skip
        assert (folder / "data" / "mnk-3-3-3.sqlite").is_file()
        assert "5478" in done.stdout.replace(",", "").replace(" ", "")

    def test_help_is_printed_without_a_setup(self, folder: Path) -> None:
        done = self.build(folder, "--help")
        assert (done.returncode, done.stdout) == (0, f"{str(script('build-table').__doc__).strip()}\n")

    @pytest.mark.parametrize(
        ("arguments", "games", "data"),
        [
            (["tic-tac-toe", "clique,6,3", "--data", "x", "a.json"], ["tic-tac-toe", "clique,6,3", "a.json"], "x"),
            (["--workspace", "2024-01-02", "--force"], [], None),
            (["--plies=3", "3,3,3", "--time", "5"], ["3,3,3"], None),
        ],
    )  # fmt: skip
    def test_games_are_told_from_options(self, arguments: list[str], games: list[str], data: str | None) -> None:
        assert script("build-table").read(arguments) == (games, ["--data", data] if data else [])

    def test_options_alone_build_the_default_game(self, monkeypatch: pytest.MonkeyPatch) -> None:
        build_table, shown = script("build-table"), list[list[str]]()
        monkeypatch.setattr(Environment, "require", lambda _: Path())
        monkeypatch.setattr(build_table, "show", lambda _, command: shown.append(command))
        build_table.build(["--force"])
        assert shown == [["build", "3,3,3", "--force"], ["show", "3,3,3"], ["query", "3,3,3", "XO./.X./..."]]

    def test_all_options_with_a_value_are_known(self) -> None:
        options = [one for one in command.params if isinstance(one, click.Option) and not one.is_flag]
        assert {*script("build-table").VALUED} == {name for one in options for name in one.opts}

    @pytest.mark.slow
    def test_a_failed_build_ends_the_script_with_its_exit_code(self, folder: Path) -> None:
        done = self.build(folder, "9,9,5,misere")
        assert done.returncode == 2
        assert done.stdout == "$ .venv/bin/mnk build 9,9,5,misere\n"
        assert done.stderr


class TestTest:
    SHARED = ("-n", str((os.cpu_count() or 1) + 1), "--dist", "worksteal")

    @pytest.fixture
    def steps(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """The requirements, in turn; the environment and the browser exist at once."""
        required: list[str] = []
        monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
        monkeypatch.setattr(Environment, "require", lambda _self, *groups: Path(",".join(groups)))
        monkeypatch.setattr(environment, "run", lambda command, folder: (command, folder))
        monkeypatch.setattr(browser, "require", lambda: required.append("browser"))
        monkeypatch.setattr(browser, "require_sandbox", lambda: required.append("bubblewrap"))
        return required

    @pytest.mark.parametrize(
        ("given", "needed", "passed_on"),
        [
            ([], "dev", []), (["-k", "rules"], "dev", ["-k", "rules"]),
            (["--no-browser"], "dev", ["-m", "not slow and not peers and not browser"]),
            (["--long", "-x"], "dev,docs,peers,stores", ["-m", "", "-x"]),
            (["-x", "--no-browser", "--long"], "dev,docs,peers,stores", ["-m", "not browser", "-x"]),
        ],
    )  # fmt: skip
    def test_arguments_go_to_pytest(
        self, steps: list[str], given: list[str], needed: str, passed_on: list[str]
    ) -> None:
        command, folder = script("test").test(given)
        assert (command, folder) == ([Path(needed) / "pytest", *self.SHARED, *passed_on], ROOT)
        assert ("bubblewrap" in steps, "browser" in steps) == ("--long" in given, "--no-browser" not in given)
        assert "PYTHONDONTWRITEBYTECODE" not in os.environ

    def test_one_process_renews_stored_files(self, steps: list[str]) -> None:
        assert script("test").test(["--renew"])[0] == [Path("dev") / "pytest", "-m", "", "--renew"]


class TestCheck:
    @pytest.mark.parametrize(("failing", "code", "said"), [("", 0, "all checks passed"), ("mypy", 1, "failed: mypy")])
    def test_every_check_runs_and_failures_are_named(
        self, failing: str, code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for program in ("ruff", "mypy", "lint-imports", "codespell"):
            (tmp_path / program).write_text(f"#!/bin/sh\necho {program} in $PWD\nexit {int(program == failing)}\n")
            (tmp_path / program).chmod(0o755)
        assert script("check").check(tmp_path) == code
        *begun, last = capsys.readouterr().out.splitlines()
        assert begun[1::2] == [f"{line.split()[1]} in {ROOT}" for line in begun[::2]]
        assert begun[::2] == [
            "== ruff check .", "== ruff format --check .", "== mypy", "== lint-imports", "== codespell",
        ]  # fmt: skip
        assert last == said


@pytest.mark.parametrize(("checked", "tested", "code"), [(0, 0, 0), (1, 0, 1), (0, 5, 5)])
def test_continuous_integration_fails_with_either_and_shows_both(
    checked: int, tested: int, code: int, tmp_path: Path
) -> None:
    for name in (".ci", "scripts"):
        (tmp_path / name).mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    for name, end in (("check", checked), ("test", tested)):
        (tmp_path / "scripts" / name).write_text(f"#!/bin/sh\necho {name}; echo {name} >&2; exit {end}\n")
        (tmp_path / "scripts" / name).chmod(0o755)
    done = subprocess.run([tmp_path / ".ci" / "run"], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert (done.stdout, done.stderr) == ("test\ncheck\ncheck\n", "test\n")


class TestRelease:
    @pytest.fixture
    def made(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
        """The script in a project that can be released: a repository with one commit."""
        (tmp_path / "solver").mkdir()
        (tmp_path / "solver" / "__init__.py").write_text('__version__ = "1.2.0"\n')
        (tmp_path / "CITATION.cff").write_text("version: 1.2.0\ndate-released: 2026-01-31\n")
        (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## [1.2.0] - 2026-01-31\n\n## [1.1.0] - 2025-12-01\n")
        who = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org"]
        for arguments in (["init", "-q"], ["add", "-A"], [*who, "commit", "-q", "-m", "all"]):
            subprocess.run(["git", *arguments], cwd=tmp_path, check=True)
        release = script("release")
        monkeypatch.setattr(release, "ROOT", tmp_path)
        return release

    def test_the_packages_are_made_in_an_empty_folder_and_the_commands_that_publish_them_are_printed(
        self, made: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (made.ROOT / ".git" / "info" / "exclude").write_text("dist\n")
        (made.ROOT / "dist").mkdir()
        (made.ROOT / "dist" / "old.whl").touch()
        monkeypatch.setattr(made, "run", lambda *_: 0)
        assert made.release([]) == 0
        assert not (made.ROOT / "dist").exists()
        printed = capsys.readouterr().out.split("\n  ")
        assert printed[1:] == [
            "git tag -a v1.2.0 -m 1.2.0", "git push origin v1.2.0", "python -m twine upload dist/*\n"
        ]  # fmt: skip

    def test_a_failure_of_git_is_one_sentence(self, made: ModuleType) -> None:
        shutil.rmtree(made.ROOT / ".git")
        with pytest.raises(SetupError, match="git status failed: fatal: not a git repository"):
            made.release([])

    @pytest.mark.parametrize(
        ("file", "text", "said"),
        [
            ("CITATION.cff", "version: 1.1.0\n", "CITATION.cff names version 1.1.0"),
            ("CITATION.cff", "version: 1.2.0\n", "CITATION.cff has no date-released"),
            ("CITATION.cff", "version: 1.2.0\ndate-released: 2025-12-01\n", "or not 2026-01-31"),
            ("CHANGELOG.md", "## [1.1.0] - 2025-12-01\n", "CHANGELOG.md begins with version 1.1.0"),
            ("CHANGELOG.md", "## [1.2.0] - unreleased\n", "write the date of the release"),
            ("more", "", "Something is not committed"),
        ],
    )
    def test_an_unfit_release_is_explained(
        self, made: ModuleType, file: str, text: str, said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (made.ROOT / file).write_text(text)
        assert made.release([]) == 1
        assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "given", "module"),
    [
        ("large", ["3,3,3", "--data", "x"], ["large_games", "3,3,3", "--data", "x"]),
        ("bench", ["--out", "x"], ["benchmarks", "--out", "x"]), ("atlas", ["graph-3"], ["game_atlas", "graph-3"]),
    ],
)  # fmt: skip
def test_modules_run_in_the_current_folder(
    name: str, given: list[str], module: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "")
    monkeypatch.setattr(Environment, "require", lambda *_: Path())
    monkeypatch.setattr(environment, "run", lambda *arguments: arguments)
    assert vars(script(name))[name](given) == ([Path("python"), "-P", "-m", *module],)
    assert os.environ["PYTHONPATH"] == str(SCRIPTS)


@pytest.mark.parametrize("option", ["--keep", "--workspace", "--no-table"])
def test_a_large_game_is_kept_in_a_given_folder_only(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["large", "no game", option])
    with pytest.raises(SystemExit):
        large_games.main()
    assert "need a folder: add --data DIR" in capsys.readouterr().err


def test_without_an_installed_python_the_package_is_tested_with_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    package = script("package")
    monkeypatch.setattr(package, "_runs", lambda _: False)
    assert package._read([]).pythons == [sys.executable]


@pytest.mark.parametrize("arguments", [["--help-me"], ["a.png", "b.png"]])
def test_a_screenshot_refuses_other_arguments(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Environment, "require", lambda *_: Path())
    monkeypatch.setattr(environment, "run", lambda _: 0)
    with pytest.raises(SetupError, match=rf"{arguments[-1]}' is not an argument"):
        script("screenshot").screenshot(arguments)


def test_compiling_is_announced_once_beside_captured_output(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "from solver.kernels import jit\n\n\ndef test_it(capfd):\n    jit._report_compiling()\n"
        "    jit._report_compiling()\n    assert capfd.readouterr() == ('', '')\n"
    )
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("Compiling kernels that have changed")) == (0, 1), done.stdout


def test_the_start_of_the_tests_names_each_part_of_its_work(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    config: Any = SimpleNamespace(args=[], get_terminal_writer=lambda: SimpleNamespace(line=said.append))
    monkeypatch.setattr(conftest, "start_module", lambda *names: MagicMock(wait=lambda: said.append(names[-1])))
    conftest.pytest_xdist_setupnodes(config)
    assert [line.partition(":")[0] for line in said[1::2]] == ["first", "second", "-n0"]
    assert all(line.endswith(" ...") for line in said[::2])


def test_the_readme_names_the_scripts_that_set_up_everything() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "`scripts/build-table` builds a table" in readme
    assert "`scripts/test` runs the tests" in readme
    assert "scripts/test ||" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
