"""The real `mnk serve`, as a process of its own."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Self

from tests.conftest import ROOT


class Server:
    """`mnk serve` over a folder of tables, running inside `with`."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.command = [sys.executable, "-m", "solver", "serve", "--data", str(folder), "--port", str(port)]
        self.address = ""

    def __enter__(self) -> Self:
        self.process = subprocess.Popen(self.command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://[\w.]+:\d+", said)
        assert found, f"no address in {said!r}"
        self.address = found[0]
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.communicate(timeout=20)

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])
