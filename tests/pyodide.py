"""Install Pyodide for tests. Its npm package has Python and the standard library, but no other packages."""

import re
import subprocess
from pathlib import Path

from tests.conftest import ROOT

[PYODIDE] = re.findall(r"npm/pyodide@([\d.]+)/", (ROOT / "docs/_static/cells-worker.js").read_text(encoding="utf-8"))
"""The version that the documentation uses."""


def install_pyodide(folder: Path) -> Path:
    """Install Pyodide in a folder; return the folder of packages."""
    command = ["npm", "install", "--silent", "--prefix", str(folder), f"pyodide@{PYODIDE}"]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return folder / "node_modules"
