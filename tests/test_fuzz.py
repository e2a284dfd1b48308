"""Random requests and commands: each is answered, or refused with one sentence, in bounded memory."""

import json
import resource
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Final
from urllib.parse import quote

import pytest

from solver.web import api, served
from tests.commands import mnk
from tests.web.asgi import Client

WORDS: Final = (
    "start", "XO./.X./...", "X../.../...", "b2 a1", "moves:4,0,8", "hash:88", "hash:" + "9" * 900, "X" * 3000, "e",
    "-1", "0", "1e999", "nan", "١٢٣", "\u202e", "../../etc/passwd", "%00", "a,b", "XOXOXO", "....", "{}", "445",
)  # fmt: skip
MOST_MEGABYTES: Final = 300  # that a test adds: the compiler, and what the server keeps

GAMES: Final = (
    "3,3,3", "4,4,4", "6,7,4,gravity", "tic-tac-toe", "sim", "fano", "hex,6", "hex,19", "affine,3", "affine,9999",
    "clique,9,4", "clique,99,3", "graph,6,k4", "cycle,k33,4", "progression,99,3", "triangle,6,3", "hexagon,4,3",
    "animal,el,9,9", "19,19,5", "99,99,9", "3x3x3,3", "2x2x2x2x2,2", "1x1x1x1x1x1x3,3", "3x4w,3", "4,4,4,gravity,torus",
    "fano.0123456789ab", "projective,5", "projective,64", "5,5,4,x=a1+b2", "9,9,5,without=" + "+".join("abcdefgh"),
    "3,3,3,plies=4", "3,3,3,maker", "none.json", "none.pg",
)  # fmt: skip
VARIANTS: Final = ("gravity", "misere", "torus", "exact", "full", "maker", "plies=3", "x=a1", "o=b2", "nonsense", "=")
POSITION: Final = ("position", "hash", "moves")
KEYS: Final[dict[str, tuple[str, ...]]] = {  # the parameters of each path
    "": (*POSITION, "search"), "/mainline": POSITION, "/replies": POSITION, "/compare": POSITION,
    "/opponent": (*POSITION, "engine"), "/why": (*POSITION, "move"), "/openings": (*POSITION, "depth", "kept"),
    "/review": ("moves", "position"), "/played": ("moves", "position"), "/rules": (), "/nothing": (), "/": ("other",),
    "/puzzles": ("seed", "day", "count", "level", "theme", "goal", "plies"),
}  # fmt: skip
RIGHT: Final = {
    "search": ("true", "false"), "engine": ("perfect", "random", "graded:strength=0.5"), "depth": ("1", "2"),
    "kept": ("true", "false"), "seed": ("1", "2"), "day": ("2026-11-28",), "count": ("1", "3"), "hash": ("0", "1"),
    "level": ("easy", "hard"), "theme": ("fork",), "goal": ("win", "draw"), "position": ("start",), "move": ("c1",),
}  # fmt: skip
COMMANDS: Final = (
    ("query", "--seconds", "0.05"), ("query", "--json", "--seconds", "0.05"), ("show",), ("show", "--json"),
    ("show", "--rules"), ("forecast",), ("review",), ("draw",), ("tree",), ("games",), ("check", "--sample", "5"),
)  # fmt: skip


def draw_game(chance: Random) -> str:
    """Draw the name of a game, possible or not."""
    sizes = ",".join(
        str(chance.choice((0, 1, 2, 3, 4, 5, 7, 20, 999, 10**30))) for _ in range(chance.choice((2, 3, 3, 4)))
    )
    name = chance.choice((chance.choice(GAMES), chance.choice(GAMES), sizes, chance.choice(WORDS)))
    return ",".join([name, *chance.sample(VARIANTS, chance.choice((0, 0, 0, 0, 1, 2)))])


def draw_word(chance: Random) -> str:
    """Draw a position, a number, or neither."""
    return chance.choice((*WORDS, str(chance.randint(-(10**6), 10**20)), "".join(chance.choices("XO./abc123 ", k=9))))


def draw_value(key: str, chance: Random) -> str:
    """Draw the value of a parameter, which is often a right one."""
    if chance.random() < 0.3:
        return draw_word(chance)
    moves = chance.sample([f"{column}{row}" for column in "abcd" for row in "1234"], chance.randrange(9))
    return chance.choice(RIGHT.get(key, (" ".join(moves),)))


def request(client: Client, chance: Random) -> int:
    """Send a random request, and return its status. Asserts that the answer is JSON, and not an error of the server."""
    game = quote(chance.choice((chance.choice(GAMES), draw_game(chance))), safe=chance.choice(("", ",")))
    path = chance.choice([*KEYS])
    keys = chance.sample(KEYS[path], min(chance.choice((0, 1, 1, 2)), len(KEYS[path])))
    if chance.random() < 0.1:
        url = f"/v1/uwapi/{game}/regular/positions/?p={quote(draw_word(chance))}"
    else:
        query = "&".join(f"{key}={quote(draw_value(key, chance))}" for key in keys)
        url = f"/v1/{game}{path}?{query}"
    if chance.random() < 0.2:
        body = {chance.choice(("positions", "hashes", "else")): [draw_word(chance) for _ in range(chance.randrange(9))]}
        answer = client.ask(
            "POST", f"/v1/{game}/batch", content=json.dumps(body).encode()[: chance.choice((10**6, 10**6, 9))]
        )
    else:
        answer = client.ask("GET", url)
    assert answer.status_code < 500 or answer.json()["error"]["code"] == "busy", (url, answer.text)
    if answer.status_code != 307:
        assert "Traceback" not in answer.text
        assert answer.status_code != 200 or answer.json() is not None
    return answer.status_code


def call(folder: Path, chance: Random) -> int:
    """Run a random command, and return its exit code. Asserts that it ends in one sentence if it is refused."""
    command, *options = chance.choice(COMMANDS)
    words = (
        [] if command == "games" else [draw_game(chance), *(draw_word(chance) for _ in range(chance.choice((0, 1, 1))))]
    )
    data = [] if command in ("draw", "forecast") else ["--data", str(folder)]
    answer = mnk(command, *words, *options, *data)
    assert isinstance(answer.exception, SystemExit | None), (command, words, answer.exception)
    assert answer.exit_code == 0 or "Error: " in answer.stderr, (command, words, answer.stderr)
    assert len(answer.stderr) < 5000, (command, words)
    return answer.exit_code


CASES: Final = [(0, 25), *(pytest.param(n, 1000, marks=pytest.mark.slow) for n in range(25, 17_000, 1000))]


@pytest.mark.parametrize(("first", "count"), CASES)
def test_random_requests(first: int, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "SECONDS", 0.02)
    monkeypatch.setattr(api, "_LINE_SECONDS", 0.05)
    with Client(tmp_path) as client:
        run(partial(request, client), first, count)


@pytest.mark.parametrize(("first", "count"), [(0, 20), *CASES[1:5]])
def test_random_commands(first: int, count: int, tmp_path: Path) -> None:
    run(partial(call, tmp_path), first, count)


def run(action: Callable[[Random], int], first: int, count: int) -> None:
    """Run an action `count` times. Asserts that memory is bounded, and prints the figures (pytest -rP)."""
    tally, slowest, used = Counter[int](), (0.0, 0), list[int]()
    for seed in range(first, first + count):
        begun = perf_counter()
        try:
            tally[action(Random(seed))] += 1
        except Exception as error:
            error.add_note(f"seed {seed}")
            raise
        slowest = max(slowest, (perf_counter() - begun, seed))
        used.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)
    print(f"{count}: {dict(tally)}; slowest {slowest[0]:.2f} s (seed {slowest[1]}), {used[0]} to {used[-1]} MB")
    assert used[-1] - used[0] < MOST_MEGABYTES
