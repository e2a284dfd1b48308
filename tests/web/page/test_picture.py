"""The screenshot of the page: fonts change its pixels, so only its type and size are compared."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, Kept

SHOWN = ROOT / "data" / "pictures" / "page.png"
LARGEST = 200_000  # bytes


def size(picture: Path) -> tuple[int, int]:
    """Return the width and height of a PNG in pixels, from its first chunk."""
    data = picture.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert data[12:16] == b"IHDR"
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


@pytest.mark.browser
@pytest.mark.slow
def test_the_command_draws_it(tmp_path: Path, kept: Kept) -> None:
    drawn = SHOWN if kept.renewing else tmp_path / "page.png"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "scripts/page_picture.py", drawn], cwd=ROOT, env=environment, check=True)
    assert size(drawn) == size(SHOWN)
    assert SHOWN.stat().st_size / 2 < drawn.stat().st_size < LARGEST
