"""`mnk serve` under load: no request delays another for long, and its memory is bounded whatever is asked."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import monotonic, perf_counter, sleep
from typing import Final

import httpx
import pytest

from tests.web.test_api_server import served

LONGEST_DELAY: Final = 0.2  # seconds
MOST_MEGABYTES: Final = 400

CHEAP: Final = ("", "/mainline", "/replies", "/opponent")
# No order of moves leads there, which is found after six hundred thousand positions.
HARD: Final = "....XO../XXX.OO.O/OXXXOX.O/XOOXXX.O/XOXOOXOX/XXOXXXXX/OOOOOOOO"
LONG_GAMES: Final = (
    "progression,99,3/opponent", "15,15,5", "15,15,5/opponent?moves=h8+h9+i8+i9", "7,8,9,gravity",
    "7,8,9,gravity?position=......../......../.XO...../.XO...../.XO...../OXXO..../XOOXXXO.", "projective,16",
    "clique,20,4", "1x1x1x1x1x1x1x1x1x1x1x3x3,3", "2x2x2x2x2x2,2", "10,11,5,plies=7", "18,18,3/rules", "5,5,4/compare",
    "animal,el,9,9", "6,7,4,gravity/openings?depth=4", "6,7,4,gravity/puzzles?count=20&seed=1",
    "4,4,4,gravity/review?moves=1+2+3+4", "projective,17,misere", f"7,8,9,gravity/why?move=a1&position={HARD}",
    f"7,8,9,gravity?position={HARD}", f"7,8,9,gravity/played?moves=&position={HARD}",
)  # fmt: skip


def draw_path(chance: Random) -> str:
    """Draw a game without a table, and something to ask about it."""
    rows, columns = chance.randint(5, 19), chance.randint(5, 19)
    variant = chance.choice(["", ",torus", ",exact", ",misere", ",maker", f",x=a1+b{chance.randint(1, 5)}"])
    game = chance.choice(
        (
            chance.choice(LONG_GAMES), f"{rows},{columns},{chance.randint(3, 6)}{variant}",
            f"{chance.choice(('7,8', '6,9', '5,10', '3,15', '8,7'))},{chance.randint(3, 8)},gravity",
        )
    )  # fmt: skip
    return game if "/" in game or "?" in game else game + chance.choice(("", "/opponent", "/mainline", "/rules"))


def draw_cheap(chance: Random) -> str:
    """Draw a request for a game with a table."""
    return f"/v1/3,3,3{chance.choice(CHEAP)}?moves={chance.choice('abc')}{chance.choice('123')}"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not report the most memory that was used")
@pytest.mark.parametrize("seconds", [60.0])
def test_expensive_requests_neither_delay_others_nor_fill_the_memory(seconds: float, tmp_path: Path) -> None:
    """It needs a machine with an idle core: a busy one delays every request."""
    delays, ended, end = list[tuple[float, str]](), Event(), monotonic() + seconds

    def ask_cheaply(address: str) -> None:
        chance = Random(0)
        with httpx.Client(base_url=address, timeout=60) as client:
            while not ended.is_set():
                begun, url = perf_counter(), draw_cheap(chance)
                assert client.get(url).status_code == 200
                delays.append((perf_counter() - begun, url))
                sleep(0.01)

    def ask_expensively(address: str, seed: int) -> None:
        chance = Random(seed)
        with httpx.Client(base_url=address, timeout=None) as client:
            while monotonic() < end:
                answer = client.get(f"/v1/{draw_path(chance)}")
                assert answer.status_code < 500 or answer.json()["error"]["code"] == "busy", (answer.url, answer.text)

    with served(tmp_path) as (process, address, _):
        asking = Thread(target=ask_cheaply, args=(address,))
        asking.start()
        try:
            with ThreadPoolExecutor(6) as clients:
                assert [*clients.map(ask_expensively, [address] * 6, range(6))]
        finally:
            ended.set()
            asking.join()
        with Path(f"/proc/{process.pid}/status").open() as status:
            peak = next(int(line.split()[1]) >> 10 for line in status if line.startswith("VmHWM"))
    late = sum(delay > LONGEST_DELAY for delay, _ in delays)
    print(f"{len(delays)} cheap requests, {late} of them late, the longest {max(delays)}; {peak} MB at most")
    assert peak <= MOST_MEGABYTES
    assert max(delays)[0] <= LONGEST_DELAY
