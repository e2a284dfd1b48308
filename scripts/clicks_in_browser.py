"""Measure the page in Chromium: the time from a click on a square until the value of the new position is on the screen.

usage: .venv/bin/python scripts/clicks_in_browser.py [GAME [CLICKS [FOLDER]]]

By default there are 200 clicks on 3,3,3, of random games that start over when they end. The table is built in a new
folder, unless a folder of tables is given, as it should be for a large game such as 5,5,4.
"""

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import browser as browsers
from playwright.sync_api import sync_playwright
from serving import Server

from solver import build_table, parse_game

REQUIRED = {"3,3,3": 50, "5,5,4": 100}  # milliseconds of the 95th percentile, on two cores without other work
CLICKS = """async (count) => {
  const frame = () => new Promise(requestAnimationFrame);
  const said = () => document.getElementById("spoken").textContent;
  let seed = 1;
  const draw = (most) => (seed = (seed * 48271) % 2147483647) % most;
  const times = [];
  while (times.length < count) {
    const open = [...document.querySelectorAll(".square.empty.playable")];
    if (!open.length) {
      document.getElementById("restart").click();
      while (!document.querySelector(".square.empty.playable")) await frame();
      continue;
    }
    const square = open[draw(open.length)];
    const begun = performance.now();
    square.click();
    while (!said().includes(`played ${square.getAttribute("aria-label").split(",")[0]}.`)) await frame();
    times.push(performance.now() - begun);
  }
  return times;
}"""


def measure(game: str, clicks: int, folder: Path | None) -> None:
    """Print the median, the 95th percentile and the maximum in milliseconds."""
    with ExitStack() as stack:
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            build_table(parse_game(game), folder)
        server = stack.enter_context(Server(folder))
        playwright = stack.enter_context(sync_playwright())
        page = playwright.chromium.launch(executable_path=browsers.require(), args=list(browsers.OPTIONS)).new_page()
        page.goto(f"{server.address}/?game={game}")
        page.get_by_text("to move").first.wait_for()
        page.evaluate(CLICKS, 20)  # compiles the page's code
        times = sorted(page.evaluate(CLICKS, clicks))
    late = times[round(0.95 * len(times)) - 1]
    required = f", required: {REQUIRED[game]} ms" if game in REQUIRED else ""
    print(f"{game}: median {median(times):.0f} ms, 95th percentile {late:.0f} ms{required}, most {times[-1]:.0f} ms")


if __name__ == "__main__":
    game, clicks, *rest = [*sys.argv[1:], *("3,3,3", "200")[len(sys.argv) - 1 :]]
    measure(game, int(clicks), Path(rest[0]) if rest else None)
