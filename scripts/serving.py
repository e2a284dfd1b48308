"""Run `mnk serve` in its own process, for the tests of the explorer page, its screenshot and the benchmark."""

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).resolve().parent.parent


class Server:
    """A context manager that runs `mnk serve` for a folder of tables at `address`, `http://127.0.0.1:PORT`.

    port: 0 for any free port. environment: environment variables, by default those of this process. Raise SystemExit if
    the server does not start.
    """

    def __init__(self, folder: Path, port: int = 0, environment: Mapping[str, str] | None = None) -> None:
        self.command = [sys.executable, "-m", "solver", "serve", "--data", str(folder), "--port", str(port)]
        self.environment = environment
        self.address = ""

    def __enter__(self) -> "Server":
        self.process = subprocess.Popen(self.command, cwd=ROOT, env=self.environment, stdout=subprocess.PIPE, text=True)
        said = self.process.stdout.readline() if self.process.stdout else ""
        found = re.search(r"http://[\w.]+:\d+", said)
        if not found:
            self._stop()
            raise SystemExit(f"mnk serve did not start; it printed {said!r}")
        self.address = found[0]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    @property
    def port(self) -> int:
        """Return the port that the server listens on."""
        return int(self.address.rpartition(":")[2])

    def _stop(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=20)
