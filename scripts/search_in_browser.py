"""Measure the page's search of Connect Four in Chromium: the time until every move of a random position has its value.

usage: .venv/bin/python scripts/search_in_browser.py [POSITIONS [PLY ...]]

The search runs in a worker, as on a static site. By default there are 50 positions of each of the plies 8, 10, 12, 14,
16 and 20; moves that end the game need no search.
"""

import random
import sys
from statistics import median
from time import perf_counter

import browser as browsers
from playwright.sync_api import Page, sync_playwright

from solver import Position, parse_game
from solver.web.site.page import BUNDLE

PLIES = ("8", "10", "12", "14", "16", "20")
START = """script => {
  const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  globalThis.solve = (signs, ply) => new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => ("value" in data ? resolve(data.value) : reject(new Error(data.problem)));
    const cells = Uint8Array.from(signs, (sign) => ".XO".indexOf(sign));
    worker.postMessage({ board: { rows: 6, columns: 7, length: 4 }, position: { cells, ply }, seconds: Infinity });
  });
}"""


def play_random_moves(ply: int, draw: random.Random) -> Position:
    """Return an unfinished position of random play."""
    while True:
        position = Position.start(parse_game("6,7,4,gravity"))
        while position.ply < ply and not position.is_over:
            position = position.play(draw.choice(position.legal_moves))
        if not position.is_over:
            return position


def measure(count: int, plies: list[int]) -> None:
    """Print the median, the 95th percentile and the maximum of the seconds, for a move and for all moves."""
    script = (BUNDLE / "search.js").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=browsers.require(), args=list(browsers.OPTIONS)).new_page()
        page.evaluate(START, script)
        for ply in plies:
            draw, moves, positions = random.Random(ply), list[float](), list[float]()
            for _ in range(count):
                position = play_random_moves(ply, draw)
                children = filter(lambda child: not child.is_over, map(position.play, position.legal_moves))
                found = [time_search(page, child) for child in children]
                moves += found
                positions.append(sum(found))
            print(f"ply {ply}: {summary(moves)} for a move; {summary(positions)} for all moves")


def time_search(page: Page, position: Position) -> float:
    """Return the seconds until the page has the value of a position."""
    begin = perf_counter()
    page.evaluate("([signs, ply]) => solve(signs, ply)", [position.board.replace("/", ""), position.ply])
    return perf_counter() - begin


def summary(seconds: list[float]) -> str:
    """Return the median, the 95th percentile and the maximum."""
    late = sorted(seconds)[len(seconds) * 19 // 20]
    return f"median {median(seconds):.3f} s, 95 % {late:.3f} s, worst {max(seconds):.3f} s"


if __name__ == "__main__":
    count, *plies = sys.argv[1:] or ("50",)
    measure(int(count), [int(ply) for ply in plies or PLIES])
