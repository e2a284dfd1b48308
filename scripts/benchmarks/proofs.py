"""Proofs of games that are too large for a table, and continuous fours in Gomoku beside a peer.

The peer is the npm package @renju-note/quintet, compiled from Rust to WebAssembly. It is installed into a temporary
folder and needs npm and node; its figures are left out if that fails. It follows the rules of Renju, which bind only
Black, so the side that attacks is its White.
"""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import median
from time import process_time
from typing import Final, NamedTuple

from benchmarks.figure import Figure, number
from solver import Position, parse_game
from solver.check.strategy_check import check_strategy
from solver.game.lines import squares_of
from solver.game.rules import OTHER, Side
from solver.search.threats import Prover
from solver.solve.proof import ProofState, prove_game
from solver.store.strategy_file import StrategyReader

GOMOKU: Final = "15,15,5"
PEER: Final = "@renju-note/quintet"
OURS, THEIRS = "this project", f"{PEER} 0.3.2"


class Game(NamedTuple):
    """A game, and what others have published about its proof."""

    name: str
    winner: str = "X"  #: "X", or "O" if O holds.
    is_quick: bool = True
    published: str = ""


_QUBIC = "15 h by Allis and Schoo 1992; 2,929 strategic moves by Patashnik 1980"
GAMES: Final = (
    *(Game(name) for name in ("5,6,4", "6,6,4", "7,7,4", "10,10,4")),
    Game("19,19,4", is_quick=False),
    Game("5,5,5", "O"),
    *(Game(name, "O", is_quick=False) for name in ("6,6,5", "6,8,5", "8,8,6", "9,9,6")),
    Game("7,7,5", "O", is_quick=False, published="2.5 s by Hsu et al. 2020"),
    Game("19,19,9", "O", is_quick=False),
    Game("4x4x4,4", is_quick=False, published=_QUBIC),
)

_SECONDS = 900.0  # for each proof
_POSITIONS = 400
_STONES = (12, 40)
_SIDE = 15
_NEAR = 2  # rows and columns between a stone and the nearest one


def figures(folder: Path, quick: bool) -> Iterator[Figure]:
    """Yield all figures of this module; `folder` receives the strategies and the peer."""
    for name in ("5,6,4", "5,5,5"):  # compiles the kernels
        if path := prove_game(parse_game(name), folder):
            check_strategy(path, Prover)
    for game in GAMES:
        if game.is_quick or not quick:
            yield from proof_figures(game, folder)
    yield from beside_quintet(folder, gomoku_positions(20 if quick else _POSITIONS))


def proof_figures(game: Game, folder: Path) -> Iterator[Figure]:
    """Yield the processor seconds of a proof, with all searches, and of its check; none if the proof takes too long."""
    rules, state = parse_game(game.name), ProofState()

    def show(latest: ProofState) -> None:
        nonlocal state
        state = latest

    begun = process_time()
    path = prove_game(rules, folder, seconds=_SECONDS, progress=show)
    proved = process_time() - begun
    if path is None:
        return
    begun = process_time()
    report = check_strategy(path, Prover)
    checked = process_time() - begun
    with closing(StrategyReader(path, rules)) as reader:
        rows = len([*reader])
    nodes = state.hold.nodes if game.winner == "O" else state.win.nodes if state.win.rows else 0  # 0: by position
    size, claim = path.stat().st_size, f"X wins within {report.within} plies" if game.winner == "X" else report.claim
    detail: dict[str, str | float] = {"nodes": nodes, "rows": rows, "bytes": size, "published": game.published}
    what = f"{game.name}, {claim}, {nodes:,} nodes, {rows:,} rows, {number(size / 1000)} kB"
    yield Figure(f"{what}{game.published and f' (published: {game.published})'}", proved - checked, "s", detail=detail)
    yield Figure(f"{game.name}, check of {report.replies:,} replies", checked, "s", detail={"replies": report.replies})


def gomoku_positions(count: int) -> list[Position]:
    """Return positions of random games in which each move is near a stone; the same in every run."""
    draw, rules, found = random.Random(1), parse_game(GOMOKU), list[Position]()
    while len(found) < count:
        position = Position.start(rules).play(rules.squares // 2)
        stones = draw.randint(*_STONES)
        while position.ply < stones and not position.is_over:
            position = position.play(draw.choice(_near(position)))
        if not position.is_over:
            found.append(position)
    return found


def _near(position: Position) -> list[int]:
    """Return the empty squares near a stone."""
    stones = [divmod(square, _SIDE) for square in squares_of(position.x | position.o)]
    return [
        square
        for square in position.legal_moves
        if any(max(abs(square // _SIDE - row), abs(square % _SIDE - column)) <= _NEAR for row, column in stones)
    ]


class Answer(NamedTuple):
    """The answer of a program for a position: the moves of a win by continuous fours or None, and processor seconds."""

    moves: list[int] | None
    seconds: float


def wins_by_fours(position: Position, moves: list[int]) -> bool:
    """Return True if the moves of both sides force a win by plain rules; the last reply may be left out."""
    side: Side = position.to_move
    for at, move in enumerate(moves):
        if position.is_over:
            return False
        position = position.play(move)
        ours, theirs = completions(position, side), completions(position, OTHER[side])
        is_reply, is_last = position.to_move == side, at >= len(moves) - 3
        if not position.is_over and not is_reply and (theirs or not ours or (not is_last and ours != {moves[at + 1]})):
            return False
    if position.is_over:
        return position.outcome == side
    ours = completions(position, side)
    return bool(ours) if position.to_move == side else len(ours) > 1


def completions(position: Position, side: Side) -> set[int]:
    """Return the squares that complete a line of a side."""
    stones, taken = (position.x if side == "X" else position.o), position.x | position.o
    lacking = (line.mask & ~stones for line in (position.rules.x_lines if side == "X" else position.rules.o_lines))
    return {lack.bit_length() - 1 for lack in lacking if lack.bit_count() == 1 and not lack & taken}


def beside_quintet(folder: Path, positions: list[Position]) -> Iterator[Figure]:
    """Yield the wins by continuous fours that each program finds, and the times; nothing without the peer."""
    peer = install_quintet(folder)
    theirs = ask_quintet(peer, positions) if peer else None
    if theirs is None:
        return
    ours = answer_here(positions)
    rows = [row for row in zip(positions, ours, theirs, strict=True) if any(_holds(row[0], one) for one in row[1:])]
    pairs = [(one, other) for _, one, other in rows]
    what = f"{len(positions)} positions of {GOMOKU}, {len(pairs)} won by continuous fours"
    yield Figure(f"{what}: won by {OURS}", sum(_holds(position, one) for position, one, _ in rows), "")
    yield Figure(f"{what}: won by {THEIRS}", sum(_holds(position, other) for position, _, other in rows), "")
    claims = sum(other.moves is not None for other in theirs)
    yield Figure(f"{len(positions)} positions of {GOMOKU}: claimed by {THEIRS} with Renju's rules", claims, "")
    for name, answers in ((OURS, [one for one, _ in pairs]), (THEIRS, [other for _, other in pairs])):
        times = [1e6 * answer.seconds for answer in answers]
        yield Figure(f"{what}: median time of {name}", median(times), "\u00b5s")
        yield Figure(f"{what}: total time of {name}", sum(times) / 1000, "ms")
    ratio = median(one.seconds / max(other.seconds, 1e-6) for one, other in pairs)
    yield Figure(f"{what}: median ratio of the times, {OURS} to {THEIRS}", ratio, "", "at most 1")


def _holds(position: Position, answer: Answer) -> bool:
    return answer.moves is not None and wins_by_fours(position, answer.moves)


def answer_here(positions: list[Position]) -> list[Answer]:
    """Search for wins with a prover, in the second of two passes."""
    prover = Prover(positions[0].rules)
    for position in positions:
        prover.forced_win(position)
    answers = []
    for position in positions:
        begun = process_time()
        win = prover.forced_win(position)
        answers.append(Answer(win.moves if win else None, process_time() - begun))
    return answers


def install_quintet(folder: Path) -> Path | None:
    """Install the peer; return its compiled code, or None if it is unavailable."""
    command = ["npm", "install", "--silent", "--prefix", str(folder), f"{PEER}@0.3.2"]
    try:
        subprocess.run(command, capture_output=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return None
    return folder / "node_modules" / PEER / "quintet_bg.wasm"


def ask_quintet(code: Path, positions: list[Position]) -> list[Answer] | None:
    """Return the answers of the peer with the side to move as White; None if node is unavailable."""
    sides = ((p.x, p.o) if p.to_move == "O" else (p.o, p.x) for p in positions)
    asked = [[[*squares_of(black)], [*squares_of(white)], False] for black, white in sides]
    command = ["node", str(Path(__file__).with_name("quintet.mjs")), str(code)]
    try:
        done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True, timeout=300)
    except (OSError, subprocess.SubprocessError):
        return None
    return [Answer(moves, seconds) for moves, seconds in json.loads(done.stdout)]
