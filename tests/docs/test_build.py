"""The documentation builds without a warning."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import DOCS


@pytest.mark.slow  # scripts/test --long has Sphinx
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-b", "dirhtml", "-W", "--keep-going", "-q", str(DOCS), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "negamax_6" in (tmp_path / "explanation" / "engines" / "index.html").read_text(encoding="utf-8")
    assert "3,340,492,143,849" in (tmp_path / "solved" / "index.html").read_text(encoding="utf-8")
