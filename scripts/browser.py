"""Programs that tests need: Chromium or Chrome for the page, bubblewrap for sandboxes; installed where that is simple.

Only the standard library is used here, as in environment.py.
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

# No window, nothing from outside, and no sandbox: that one does not start for root, and only our own page is opened.
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find() -> Path | None:
    """The program of the browser: the one that MNK_BROWSER names, or the first that is there; None without any.

    Raises SetupError if MNK_BROWSER names none.
    """
    if named := os.environ.get(VARIABLE):
        program = shutil.which(named)
        if program is None:
            raise SetupError(
                f"{VARIABLE} is {named!r}, and that is no program; set it to the path of Chromium or Chrome"
            )
        return Path(program)
    found = next(filter(None, map(shutil.which, (*NAMES, *PLACES))), None)
    return Path(found) if found else None


def require() -> Path:
    """The browser; where there is none and this is root on Debian, after installing Debian's.

    Raises SetupError.
    """
    browser = find()
    if browser is None and may_install():
        say(f"Installing {' and '.join(PACKAGES)} for the tests of the explorer page (once)")
        _install_packages(PACKAGES, "installing Chromium")
        browser = find()
    if browser is None:
        raise SetupError(
            "the tests of the explorer page need Chromium or Chrome, and none is found; install one "
            f"(on Debian: apt install chromium), set {VARIABLE} to its path, or run scripts/test --no-browser"
        )
    return browser


def require_sandbox() -> None:
    """Install bubblewrap where it is missing and this is root on Debian.

    Raises SetupError if it is missing after all.
    """
    if shutil.which(SANDBOX) is None and may_install():
        say("Installing bubblewrap for the tests of engines in a sandbox (once)")
        _install_packages(("bubblewrap",), "installing bubblewrap")
    if shutil.which(SANDBOX) is None:
        raise SetupError(
            "the long tests of engines in a sandbox need bubblewrap, and it is not found; install it "
            "(on Debian: apt install bubblewrap)"
        )


def _install_packages(packages: Sequence[str], doing: str) -> None:
    install(["apt-get", "update", "--quiet"], "apt-get update")
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive"]
    install([*quiet, "apt-get", "install", "--yes", "--no-install-recommends", *packages], doing)


def may_install() -> bool:
    """Whether apt-get is there and this is root."""
    return shutil.which("apt-get") is not None and hasattr(os, "geteuid") and os.geteuid() == 0
