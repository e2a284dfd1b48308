"""Make the folders for what engines write, and remove those that judges who were killed have left."""

import shutil
import sys
import tempfile
from contextlib import suppress
from functools import cache
from os import getpid
from pathlib import Path
from time import time
from typing import Final

from solver.support.processes import is_running

_PREFIX: Final = "mnk-engine-"
_OLD: Final = 86_400.0  # seconds; a younger folder may be that of a process in another container


def make_folder() -> str:
    """Make a folder for temporary files, which whoever asks removes; the first time, old ones are removed."""
    _remove_left()
    return tempfile.mkdtemp(prefix=f"{_PREFIX}{getpid()}-")


@cache
def _remove_left() -> None:
    """Remove the folders of processes that are gone, where Linux tells it."""
    if sys.platform != "linux":
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        number = folder.name.removeprefix(_PREFIX).partition("-")[0]
        with suppress(OSError):
            if number.isdecimal() and not is_running(int(number)) and folder.stat().st_mtime < time() - _OLD:
                shutil.rmtree(folder, ignore_errors=True)
