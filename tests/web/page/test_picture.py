"""The screenshot of the page: fonts change its pixels, so only its type and size are compared."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, Kept

SHOWN = ROOT / "data" / "pictures" / "page.png"


@pytest.mark.browser
@pytest.mark.slow
def test_the_command_draws_it(tmp_path: Path, kept: Kept) -> None:
    drawn = SHOWN if kept.renewing else tmp_path / "page.png"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "scripts/page_picture.py", drawn], cwd=ROOT, env=environment, check=True)
    assert drawn.read_bytes()[:24] == SHOWN.read_bytes()[:24]  # a PNG of this width and height
    assert SHOWN.stat().st_size / 2 < drawn.stat().st_size < 200_000
