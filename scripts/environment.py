"""The environment that the scripts share: `.venv` in the project's folder, made when it is first needed.

Only the standard library is used here, because nothing else is there yet. The environment is trusted when
its stamp, written last, names this folder, this Python and this pyproject.toml. Whatever has no such stamp
(a half-finished installation, one for another Python, one made by hand) is cleared and made anew.
"""

import sys

# Above everything else: a Python too old for the lines below must still get as far as this sentence.
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
    """The environment can't be made; the message is one sentence that says why and what to do."""


class Environment:
    """A virtual environment in `root`/.venv with the project installed in it, editable."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.folder = root / ".venv"
        self.programs = self.folder / ("Scripts" if os.name == "nt" else "bin")
        self.stamp = self.folder / "installed"

    def require(self, *groups: str) -> Path:
        """Install the project, its extra `all` and these dependency groups; return the folder of the programs.

        Does nothing when they are installed already. Raises SetupError.
        """
        try:
            if not self.has(*groups):
                with self._lock():
                    if not self.has(*groups):  # nobody made it while this waited
                        self._make(*groups)
        except OSError as error:
            raise SetupError(f"the environment {self.folder} can't be made: {error}") from error
        return self.programs

    def has(self, *groups: str) -> bool:
        """Return True if a finished installation with these groups is there."""
        fingerprint, installed = self._stamped()
        usable = shutil.which("python", path=self.programs) is not None
        return usable and fingerprint == self.fingerprint() and {*groups} <= {*installed}

    def fingerprint(self) -> str:
        """Hash what an installation depends on: the folder, the Python, pyproject.toml; hexadecimal."""
        python = f"{self.root}\n{sys.implementation.cache_tag}\n".encode()
        return hashlib.sha256(python + (self.root / "pyproject.toml").read_bytes()).hexdigest()

    def _stamped(self) -> tuple[str, list[str]]:
        """Read the fingerprint and the groups of the finished installation, empty if there is none."""
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
        # pip would compile with one processor, and the packages' own tests too, a fourth of the time. What is no Python
        # for this Python stays as it is, as with pip.
        leaving_out = ["-x", r"site-packages.*[/\\]tests?[/\\]"]
        run([self.programs / "python", "-m", "compileall", "-qq", "-j", "0", *leaving_out, self.folder])
        self.stamp.write_text(" ".join([self.fingerprint(), *wanted]), encoding="utf-8")

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """Hold off a second set-up until this one ends, however it ends: the system drops the lock with us.

        The installers inherit the lock, so that one which outlives a killed script still holds it.
        """
        if sys.platform == "win32":  # no advisory locks there
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
    """Raise SetupError unless this Python can make an environment with pip in it."""
    if any(importlib.util.find_spec(module) is None for module in ("venv", "ensurepip")):
        raise SetupError(
            f"the Python at {sys.executable} has no venv or no pip, and both are needed; add them "
            "(on Debian and Ubuntu: apt install python3-venv) or use another Python"
        )


def install(command: Sequence[str | Path], doing: str, shown: bool = False) -> None:
    """Run a step of the set-up, its output on standard error; unless `shown`, only when it fails.

    Raises SetupError if it fails.
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
    """Run one of the project's commands to its end and return its exit code.

    Ctrl-C reaches the command too, and is its to handle: this waits while it tidies up.
    """
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        code = subprocess.call(command, cwd=folder)
    finally:
        signal.signal(signal.SIGINT, before)
    return code if code >= 0 else 128 - code


def say(text: str) -> None:
    """Tell the person what is going on, apart from the results on standard output."""
    print(text, file=sys.stderr, flush=True)


def require_known(arguments: Sequence[str], *known: str) -> None:
    """Raise SetupError for an argument of a script that is none of those it knows."""
    for argument in arguments:
        if argument not in known:
            raise SetupError(f"{argument!r} is no argument of this script; --help says what it takes")


def main(script: Callable[[list[str]], int], *, has_help: bool = False) -> None:
    """Run a script with the arguments of the command line and exit with its code.

    `--help` prints its docstring, unless it `has_help` of its own. A failed set-up is one sentence and exit code 1;
    Ctrl-C during it is exit code 130.
    """
    if not has_help and {"-h", "--help"} & {*sys.argv[1:]}:
        print(str(sys.modules["__main__"].__doc__).strip())
        sys.exit(0)
    try:
        sys.exit(script(sys.argv[1:]))
    except SetupError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        say("interrupted")
        sys.exit(130)
