"""Create the environment that the scripts share: `.venv` in the project's folder.

This module uses only the standard library, because nothing else is installed yet. A stamp, written last, identifies
the folder, the Python and the pyproject.toml of a finished environment. An environment without a matching stamp
(unfinished, for another Python, or made by hand) is removed and created again.
"""

import sys

# This must come first: a Python that is too old for the lines below must still print this message.
if sys.version_info < (3, 11):
    sys.exit(
        f"error: Python 3.11 or newer is needed and this is {sys.version.split()[0]}; "
        f"install one and run, for example, python3.12 {sys.argv[0]}"
    )

import hashlib
import importlib.util
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class SetupError(Exception):
    """An environment cannot be created; the message is one sentence with the reason and the remedy."""


class Environment:
    """A virtual environment in `root`/.venv with an editable installation of the project."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.folder = root / ".venv"
        self.programs = self.folder / ("Scripts" if os.name == "nt" else "bin")
        self.stamp = self.folder / "installed"

    def require(self, *groups: str) -> Path:
        """Install the project, its extra `all` and these dependency groups if necessary; return the folder of programs.

        Raise SetupError if that fails.
        """
        try:
            if not self.has(*groups):
                with self._lock():
                    if not self.has(*groups):  # another process may have created it in the meantime
                        self._make(*groups)
        except OSError as error:
            raise SetupError(f"the environment {self.folder} cannot be created: {error}") from error
        return self.programs

    def has(self, *groups: str) -> bool:
        """Return True if the environment is finished and has these dependency groups."""
        fingerprint, installed = self._stamped()
        usable = shutil.which("python", path=self.programs) is not None
        return usable and fingerprint == self.fingerprint() and {*groups} <= {*installed}

    def fingerprint(self) -> str:
        """Return a hexadecimal hash of the folder, the Python and pyproject.toml."""
        python = f"{self.root}\n{sys.implementation.cache_tag}\n".encode()
        return hashlib.sha256(python + (self.root / "pyproject.toml").read_bytes()).hexdigest()

    def _stamped(self) -> tuple[str, list[str]]:
        """Return the fingerprint and the groups of the finished environment; both are empty if it is missing."""
        try:
            fingerprint, *groups = self.stamp.read_text(encoding="utf-8").split()
        except (OSError, ValueError):
            return "", []
        return fingerprint, groups

    def _make(self, *groups: str) -> None:
        require_tools()
        say(f"Setting up {self.folder} (once; this takes a minute or two)")
        reusable = self.has()
        wanted = sorted({*groups, *(self._stamped()[1] if reusable else [])})
        self.stamp.unlink(missing_ok=True)
        if not reusable:
            # The pip that comes with a Python may be too old to know dependency groups.
            install([sys.executable, "-m", "venv", "--clear", "--upgrade-deps", self.folder], "making it")
        options = [part for group in wanted for part in ("--group", f"{self.root / 'pyproject.toml'}:{group}")]
        pip = str(self.programs / "pip")
        install(
            [
                pip,
                "--disable-pip-version-check",
                "install",
                "--no-compile",
                "--editable",
                f"{self.root}[all]",
                *options,
            ],
            "installing into it",
            shown=sys.stderr.isatty(),
        )
        # pip would compile on one core, and would also compile the tests of the packages, a quarter of the work. Like
        # pip, this ignores files that are not valid for this Python.
        leaving_out = ["-x", r"site-packages.*[/\\]tests?[/\\]"]
        run([self.programs / "python", "-m", "compileall", "-qq", "-j", "0", *leaving_out, self.folder])
        self.stamp.write_text(" ".join([self.fingerprint(), *wanted]), encoding="utf-8")

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """Make other set-ups wait until this one ends; the system releases the lock even if this process is killed.

        The installers inherit the lock, so an installer that outlives a killed script still holds it.
        """
        if sys.platform == "win32":  # which has no advisory locks
            yield
            return
        import fcntl

        with open(self.root / ".venv.lock", "w", encoding="utf-8") as file:
            os.set_inheritable(file.fileno(), True)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("Waiting for another set-up to finish")
                fcntl.flock(file, fcntl.LOCK_EX)
            yield


def require_tools() -> None:
    """Raise SetupError unless this Python can create an environment with pip."""
    if any(importlib.util.find_spec(module) is None for module in ("venv", "ensurepip")):
        raise SetupError(
            f"the Python at {sys.executable} has no venv or no pip, and both are needed; add them "
            "(on Debian and Ubuntu: apt install python3-venv) or use another Python"
        )


def install(command: Sequence[str | Path], doing: str, shown: bool = False) -> None:
    """Run a step of the set-up; print its output on standard error if `shown` or if it fails.

    Raise SetupError if it fails.
    """
    output = 2 if shown else subprocess.PIPE
    done = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, close_fds=False, check=False, text=True)
    if done.returncode != 0:
        if not shown:
            say(done.stdout)
        raise SetupError(
            f"the environment is not ready: {doing} failed (exit code {done.returncode}, reason above); "
            "check the network connection and the free disk space, then run this again"
        )


def run(command: Sequence[str | Path], folder: Path | None = None) -> int:
    """Run one of the project's commands and return its exit code.

    On Ctrl-C, wait for the command, which receives the signal too and cleans up.
    """
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        code = subprocess.call(command, cwd=folder)
    finally:
        signal.signal(signal.SIGINT, before)
    return code if code >= 0 else 128 - code


def run_module(module: str, arguments: Sequence[str], *groups: str) -> int:
    """Run a module of this folder in the project's environment with these dependency groups; return its exit code.

    It runs in the current folder, so that paths among its arguments are relative to that.
    """
    programs = Environment().require(*groups)
    os.environ["PYTHONPATH"] = str(ROOT / "scripts")
    return run([programs / "python", "-P", "-m", module, *arguments])


def say(text: str) -> None:
    """Print a message for the user on standard error."""
    print(text, file=sys.stderr, flush=True)


def require_known(arguments: Sequence[str], *known: str) -> None:
    """Raise SetupError if the script does not know one of its arguments."""
    for argument in arguments:
        if argument not in known:
            raise SetupError(f"{argument!r} is not an argument of this script; run it with --help to see its arguments")


def main(script: Callable[[list[str]], int]) -> None:
    """Run a script with the arguments of the command line and exit with its code.

    `--help` prints the docstring of the script. If the set-up fails, print one sentence and exit with code 1. After
    Ctrl-C, exit with code 130.
    """
    if {"-h", "--help"} & {*sys.argv[1:]}:
        print(str(sys.modules["__main__"].__doc__).strip())
        sys.exit(0)
    try:
        sys.exit(script(sys.argv[1:]))
    except SetupError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        say("interrupted")
        sys.exit(130)
