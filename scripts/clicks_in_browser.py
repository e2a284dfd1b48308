"""Measure the page in Chromium: the time from a click on a square until the new position's value is painted.

usage: .venv/bin/python scripts/clicks_in_browser.py [GAME [CLICKS [FOLDER]]]

The verdict is the value of the new position, in the headline; the values are those of all moves there, on the board.
A time ends after the frame that paints them. By default there are 200 clicks on 3,3,3, of random games that start over
when they end, with a pause of 0.2 s after each, in which the page fetches what is not urgent. The table is built in a
new folder, unless a folder of tables is given, as it should be for a large game such as 5,5,4.
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

REQUIRED = {"3,3,3": 50, "5,5,4": 100}  # milliseconds of the verdict's 95th percentile, on two cores without other work
PAUSE = 200  # milliseconds
CLICKS = """async ([count, pause]) => {
  const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));
  // A message sent in an animation frame arrives after the page is painted.
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  }));
  const headline = document.getElementById("verdict");
  // With gravity, a whole column can be clicked, and the square where a stone comes to rest has the value.
  const playable = () => [...document.querySelectorAll(".square.empty.playable")]
    .filter(({ ariaLabel }) => !/drops to/.test(ariaLabel));
  let seed = 1;
  const draw = (most) => (seed = (seed * 48271) % 2147483647) % most;
  const times = [];
  while (times.length < count) {
    const open = playable();
    if (!open.length) {
      document.getElementById("restart").click();
      while (!playable().length) await painted();
      await sleep(pause);
      continue;
    }
    const square = open[draw(open.length)];
    const before = headline.textContent;
    const hasVerdict = () => headline.textContent !== before
      && /wins|loses|has won|a draw/i.test(headline.textContent);
    const hasValues = () => square.ariaLabel.endsWith("last move")
      && playable().every(({ ariaLabel }) => /wins|draws|loses/.test(ariaLabel));
    const begun = performance.now();
    let verdict = null;
    square.click();
    do {
      await painted();
      if (hasVerdict()) verdict ??= performance.now() - begun;
    } while (verdict === null || !hasValues());
    times.push([verdict, performance.now() - begun]);
    await sleep(pause);
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
        page.evaluate(CLICKS, [20, PAUSE])  # compiles the page's code
        measured = page.evaluate(CLICKS, [clicks, PAUSE])
    for what, times in zip(("verdict", "values"), map(sorted, zip(*measured, strict=True)), strict=True):
        late = times[round(0.95 * len(times)) - 1]
        required = f", required: {REQUIRED[game]} ms" if game in REQUIRED and what == "verdict" else ""
        print(
            f"{game}, {what}: median {median(times):.0f} ms, 95th percentile {late:.0f} ms{required}, "
            f"most {times[-1]:.0f} ms"
        )


if __name__ == "__main__":
    game, clicks, *rest = [*sys.argv[1:], *("3,3,3", "200")[len(sys.argv) - 1 :]]
    measure(game, int(clicks), Path(rest[0]) if rest else None)
