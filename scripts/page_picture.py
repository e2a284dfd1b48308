"""Take the screenshot of the explorer page for the README: `python scripts/page_picture.py FILE.png`.

Run it with scripts/screenshot, which sets up the environment.
"""

import sys
import tempfile
from pathlib import Path

import browser as browsers
from playwright.sync_api import sync_playwright
from serving import Server

from solver import build_table, parse_game

SHOWN = "?game=3,3,3&moves=a2,c3,a1,b2"  # a game with mistakes, so that moves win, draw and lose
WIDTH, HEIGHT = 1280, 1150  # pixels


def draw(file: Path) -> None:
    """Serve a new table of 3,3,3 and write a screenshot of the page. Raise SetupError if there is no browser."""
    program = browsers.require()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        build_table(parse_game("3,3,3"), folder)
        with Server(Path(folder)) as server:
            browser = playwright.chromium.launch(executable_path=program, args=list(browsers.OPTIONS))
            page = browser.new_page(
                viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light", reduced_motion="reduce"
            )
            page.goto(f"{server.address}/{SHOWN}")
            page.get_by_role("gridcell", name="c2").hover()
            page.get_by_text("the best reply is").wait_for()
            page.screenshot(path=file)
            browser.close()


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
