"""Take a screenshot of the explorer page: `python scripts/page_picture.py FILE.png`.

It is the picture in the README, or for a file named preview.png the picture that other sites show beside a link.

Run it with scripts/screenshot, which sets up the environment.
"""

import sys
import tempfile
from pathlib import Path

import browser as browsers
from PIL import Image  # comes with Matplotlib
from playwright.sync_api import sync_playwright
from serving import Server

from solver import build_table, parse_game

SHOWN = "?game=3,3,3&moves=a2,c3,a1,b2"  # a game with mistakes, so that moves win, draw and lose
WIDTH, HEIGHT = 1280, 1150  # pixels
PREVIEW = "preview.png"
PREVIEW_WIDTH, PREVIEW_HEIGHT = 1200, 630  # pixels: the size that sites recommend
PREVIEW_COLOURS = 16  # so that it takes a quarter of the bytes


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
            if file.name == PREVIEW:
                page.set_viewport_size({"width": PREVIEW_WIDTH, "height": PREVIEW_HEIGHT})
                page.goto(f"{server.address}/{SHOWN}&lesson=1")
                page.locator("#lesson").evaluate("card => card.remove()")
                page.locator("#controls").evaluate("buttons => buttons.remove()")
                page.locator("#accuracy dd").first.wait_for()
            else:
                page.get_by_role("gridcell", name="c2").hover()
                page.get_by_text("the best reply is").wait_for()
            page.screenshot(path=file)
            browser.close()
    if file.name == PREVIEW:
        Image.open(file).convert("RGB").quantize(PREVIEW_COLOURS).save(file, optimize=True)


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
