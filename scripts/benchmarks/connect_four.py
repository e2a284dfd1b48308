"""Connect Four on 6 rows and 7 columns: the search of this project, a twin in C, BitBully, and Pascal Pons' solver.

The positions are Pons' six test sets with their scores (http://blog.gamesolver.org). The sets and Pons' solver are
public and are fetched, unless a folder has them; figures that need a missing one are left out. The twin and Pons'
solver need a C compiler, and BitBully is a package of the group `bench`.
"""

from __future__ import annotations

import random
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple
from urllib.error import URLError
from urllib.request import urlopen

import numpy as np

from benchmarks.figure import Figure
from solver import Position, Value, parse_game
from solver.kernels.search_board import make_board
from solver.kernels.search_table import make_bounds
from solver.kernels.search_tree import NODES, make_stack, settle_all
from solver.search.gravity import MEMORY, Search

GAME = "6,7,4,gravity"
SETS_URL = "https://raw.githubusercontent.com/jonathan-laurent/AlphaZero.jl/master/games/connect-four/benchmark"
PONS_URL = "https://github.com/PascalPons/connect4"
PONS_COMMIT = "d6ba50d8aaf2308c769d9bf2abd42d90f34baf41"

SETS = {"L3_R1": 1000, "L2_R1": 1000, "L2_R2": 1000, "L1_R1": 1000, "L1_R2": 100, "L1_R3": 6}
"""The number of positions that are measured in each set; hard positions take the other programs minutes."""

EMPTY = "empty"
OURS, TWIN = "this project", "the same search in C"
_PLIES, _SAMPLE = 12, 500  # plies and number of the positions whose moves are all solved


class Case(NamedTuple):
    """A position to solve."""

    columns: str
    score: int


class Facts(NamedTuple):
    """The scores that a program computed, and its processor seconds, without those of its start."""

    scores: list[int]
    seconds: float
    nodes: int


class Sources:
    """The folder of the public files and programs that are measured; missing ones are fetched or compiled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def cases(self, name: str) -> list[Case]:
        """Return the positions of a set, or none if it is unavailable."""
        if name == EMPTY:
            return [Case("", 1)]
        path = self.folder / f"Test_{name}"
        if not path.exists() and not _fetch(f"{SETS_URL}/{path.name}", path):
            return []
        rows = (line.split() for line in path.read_text(encoding="ascii").splitlines())
        return [Case(columns, int(score)) for columns, score in rows][: SETS[name]]

    def twin(self) -> Path | None:
        """Return the twin in C, or None if there is no compiler."""
        source, program = Path(__file__).with_suffix(".c"), self.folder / "twin"
        return _compile(["-O3", "-march=native", "-o", str(program), str(source)], program)

    def pons(self) -> Path | None:
        """Return Pons' solver, or None if it can't be fetched or compiled."""
        clone, program = self.folder / "connect4", self.folder / "pons"
        if not clone.exists() and not _runs(["git", "clone", "-q", PONS_URL, str(clone)]):
            return None
        if (clone / ".git").exists():
            _runs(["git", "-C", str(clone), "checkout", "-q", PONS_COMMIT])
        sources = [str(clone / name) for name in ("Solver.cpp", "main.cpp")]
        return _compile(["-std=c++11", "-O3", "-DNDEBUG", "-o", str(program), *sources, "-lstdc++"], program)


def _can_end(program: str, name: str) -> bool:
    """Return True if a program solves a set within minutes."""
    return name != EMPTY or program in (OURS, TWIN)


def programs(sources: Sources) -> dict[str, Callable[[Sequence[str]], Facts]]:
    """Return the available programs by name, as functions that solve positions given by columns."""
    twin, pons = sources.twin(), sources.pons()
    found: dict[str, Callable[[Sequence[str]], Facts]] = {OURS: solve_here}
    if twin:
        found[TWIN] = partial(solve_by_twin, twin)
    if find_spec("bitbully"):
        found[f"BitBully {version('bitbully')}"] = solve_by_bitbully
    if pons:
        found[f"Pons' solver ({PONS_COMMIT[:7]})"] = partial(solve_by_pons, pons)
    return found


def figures(folder: Path, quick: bool) -> Iterator[Figure]:
    """Yield all figures of this module; `folder` holds the sources, or receives them."""
    folder.mkdir(parents=True, exist_ok=True)
    sources = Sources(folder)
    found = programs(sources)
    names = ["L3_R1", "L2_R1"] if quick else [*SETS, EMPTY]
    for name in names:
        cases = sources.cases(name)
        if cases:
            yield from compared(name, cases, {key: work for key, work in found.items() if _can_end(key, name)})
    search = Search(parse_game(GAME))
    start = Position.start(search.rules)
    yield from latencies(search, "random positions", random_positions(start, 20 if quick else _SAMPLE))
    if not quick:
        yield from latencies(search, "positions of best lines", best_lines(Search(search.rules, memory=1 << 30), start))


def compared(name: str, cases: list[Case], found: dict[str, Callable[[Sequence[str]], Facts]]) -> Iterator[Figure]:
    """Yield the time of each program for a set, after checking its scores."""
    what = "the empty board" if name == EMPTY else f"{len(cases)} positions of {name}"
    ours = 0.0
    for program, work in found.items():
        facts = work([case.columns for case in cases])
        wrong = sum(score != case.score for score, case in zip(facts.scores, cases, strict=True))
        if wrong:
            raise SystemExit(f"{program} is wrong about {wrong} of {what}; the comparison makes no sense.")
        ours = ours or facts.seconds
        ratio = facts.seconds / ours if facts.seconds != ours else None
        detail: dict[str, str | float] = {"nodes": facts.nodes} if facts.nodes else {}
        yield Figure(f"{what} by {program}", facts.seconds, "s", "", ratio, "ours" if ratio else "", detail)


def latencies(search: Search, what: str, positions: list[Position]) -> Iterator[Figure]:
    """Yield the times to find the exact values of all moves of a position."""
    value_moves(search, positions[0])
    times = []
    for position in positions:
        begun = perf_counter()
        value_moves(search, position)
        times.append(1000 * (perf_counter() - begun))
    for name, value, bound in (
        ("median", float(np.median(times)), "20 ms" if "random" in what else ""),
        ("95 % within", float(np.percentile(times, 95)), "120 ms" if "random" in what else "200 ms"),
        ("worst", max(times), "500 ms" if "random" in what else ""),
    ):
        yield Figure(
            f"every move after {_PLIES} plies, {len(positions)} {what}: {name}", value, "ms", bound and f"under {bound}"
        )


def value_moves(search: Search, position: Position) -> dict[int, Value]:
    """Return the value of each legal move."""
    found = {move: search.solve(position.play(move)) for move in position.legal_moves}
    return {move: value.before_move() for move, value in found.items() if value}


def random_positions(start: Position, count: int) -> list[Position]:
    """Draw positions of 12 plies that are not over, the same in every run."""
    draw = random.Random(1)
    found: list[Position] = []
    while len(found) < count:
        position = start
        while position.ply < _PLIES and not position.is_over:
            position = position.play(draw.choice(position.legal_moves))
        if not position.is_over:
            found.append(position)
    return found


def best_lines(search: Search, start: Position) -> list[Position]:
    """Return the positions after 12 plies of best play, up to mirror images; this solves all positions before them."""
    level = [start]
    for _ in range(_PLIES):
        after: dict[int, Position] = {}
        for position in level:
            moves = value_moves(search, position)
            best = min(value.rank for value in moves.values())
            for move, value in moves.items():
                if value.rank == best:
                    child = position.play(move)
                    after.setdefault(child.canonical().hash, child)
        level = [*after.values()]
    return level


def solve_here(lines: Sequence[str]) -> Facts:
    """Solve positions with the kernel of this project."""
    board, table, stack = make_board(6, 7, 4), make_bounds(6, 7, MEMORY), make_stack(42)
    positions = np.array([_words(line) for line in lines], dtype=np.uint64)
    scores = np.zeros(len(lines), dtype=np.int64)
    settle_all(board, table, stack, positions[:0], scores[:0], -1, 1)  # compiles
    table.words.fill(0)  # takes memory from the system
    begun = process_time()
    settle_all(board, table, stack, positions, scores, -1, 1 << 62)
    return Facts(scores.tolist(), process_time() - begun, int(stack.progress[NODES]))


def solve_by_bitbully(lines: Sequence[str]) -> Facts:
    """Solve positions with BitBully, without its books."""
    from bitbully import BitBully, Board

    agent, boards = BitBully(opening_book=None), []
    for line in lines:
        board = Board()
        for column in line:
            board.play(int(column) - 1)
        boards.append(board)
    begun = process_time()
    scores = [agent.mtdf(board) for board in boards]
    return Facts(scores, process_time() - begun, agent.get_node_counter())


def solve_by_twin(program: Path, lines: Sequence[str]) -> Facts:
    """Solve positions with the twin in C."""
    done = _run([str(program), str(MEMORY >> 20)], lines)
    *scores, last = done.splitlines()
    nodes, seconds = last.split()
    return Facts([*map(int, scores)], float(seconds), int(nodes))


def solve_by_pons(program: Path, lines: Sequence[str]) -> Facts:
    """Solve positions with Pons' solver, which doesn't measure itself."""
    begun = _seconds_of_children()
    _run([str(program)], [])
    started = _seconds_of_children()
    words = _run([str(program)], lines).split()
    starting, all_in_all = started - begun, _seconds_of_children() - started
    return Facts([*map(int, words[1::2])], max(all_in_all - starting, 1e-3), 0)


def _run(command: list[str], lines: Sequence[str]) -> str:
    text = "".join(f"{line}\n" for line in lines)
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def _seconds_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _words(line: str) -> tuple[int, int]:
    """Return the stones of the side to move and of the other side, see `solver.kernels.search_board`."""
    own, other, heights = 0, 0, [0] * 7
    for column in map(int, line):
        own, other = other, own | 1 << 7 * (column - 1) + heights[column - 1]
        heights[column - 1] += 1
    return own, other


def _fetch(url: str, path: Path) -> bool:
    try:
        with urlopen(url, timeout=20) as response:
            path.write_bytes(response.read())
    except (OSError, URLError):
        return False
    return True


def _compile(arguments: list[str], program: Path) -> Path | None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    return program if compiler and _runs([compiler, *arguments]) else None


def _runs(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False, timeout=300).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
