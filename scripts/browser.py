"""Find or install the programs that tests need: Chromium or Chrome for the page, bubblewrap for sandboxes.

This module uses only the standard library, like environment.py.
"""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from environment import SetupError, install, say

VARIABLE = "MNK_BROWSER"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
)
SANDBOX = "bwrap"
PACKAGES = ("chromium", "fonts-liberation")  # a browser without any font draws no text

# No window, no background network access, and no sandbox, which does not start as root; only our own page is opened.
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",  # which draws without a GPU too; a process of its own takes a fifth more of a processor
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find() -> Path | None:
    """Return the browser that MNK_BROWSER names, or else the first one found, or None.

    Raise SetupError if MNK_BROWSER does not name a program.
    """
    if named := os.environ.get(VARIABLE):
        program = shutil.which(named)
        if program is None:
            raise SetupError(
                f"{VARIABLE} is {named!r}, which is not a program; set it to the path of Chromium or Chrome"
            )
        return Path(program)
    found = next(filter(None, map(shutil.which, (*NAMES, *PLACES))), None)
    return Path(found) if found else None


def require() -> Path:
    """Return the path of the browser; if it is missing and the user is root on Debian, install it first.

    Raise SetupError if the browser is missing and cannot be installed.
    """
    browser = find()
    if browser is None and may_install():
        say(f"Installing {' and '.join(PACKAGES)} for the tests of the explorer page (once)")
        _install_packages(PACKAGES, "installing Chromium")
        browser = find()
    if browser is None:
        raise SetupError(
            "the tests of the explorer page need Chromium or Chrome, which was not found; install one "
            f"(on Debian: apt install chromium), set {VARIABLE} to its path, or run scripts/test --no-browser"
        )
    return browser


def require_sandbox() -> None:
    """Install bubblewrap if it is missing and the user is root on Debian.

    Raise SetupError if it is still missing.
    """
    if shutil.which(SANDBOX) is None and may_install():
        say("Installing bubblewrap for the tests of engines in a sandbox (once)")
        _install_packages(("bubblewrap",), "installing bubblewrap")
    if shutil.which(SANDBOX) is None:
        raise SetupError(
            "the long tests of engines in a sandbox need bubblewrap, which was not found; install it "
            "(on Debian: apt install bubblewrap)"
        )


def _install_packages(packages: Sequence[str], doing: str) -> None:
    install(["apt-get", "update", "--quiet"], "apt-get update")
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive"]
    install([*quiet, "apt-get", "install", "--yes", "--no-install-recommends", *packages], doing)


def may_install() -> bool:
    """Return True if apt-get exists and the user is root."""
    return shutil.which("apt-get") is not None and hasattr(os, "geteuid") and os.geteuid() == 0
