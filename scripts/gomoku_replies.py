"""Say how far the proof of Gomoku has come: for each first reply of O, the replies to the third move that are answered.

usage: .venv/bin/python scripts/gomoku_replies.py

It reads the unfinished strategy in data/gomoku and writes data/gomoku/replies.csv. A reply is answered if X has a
stored move after it, or wins by a short search. Symmetric positions are one.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from solver.game.games import parse_game
from solver.game.notation import square_name
from solver.game.position import Position
from solver.search.threats import Prover
from solver.store.paths import strategy_path
from solver.store.strategy_file import StrategyReader, canonical
from solver.support.files import whole_file

FOLDER = Path(__file__).resolve().parent.parent / "data" / "gomoku"
RULES = parse_game("15,15,5")


def replies(position: Position) -> dict[int, tuple[int, Position]]:
    """Return the legal moves, without symmetric ones, and the positions after them, by their base-3 hashes."""
    found: dict[int, tuple[int, Position]] = {}
    for move in position.legal_moves:
        after = position.play(move)
        found.setdefault(canonical(RULES, after.x, after.o)[0], (move, after))
    return found


def lines(stored: set[int], prover: Prover) -> Iterator[tuple[str, str, int, int]]:
    """Yield each first reply with its best third move, the replies that are answered, and all replies."""
    for reply, second in replies(Position.from_moves(RULES, ["h8"])).values():
        best = ("", 0, 1)
        for move, third in replies(second).values():
            after = replies(third)
            if stored & after.keys():
                answered = sum(key in stored or bool(prover.leaf_win(one)) for key, (_, one) in after.items())
                best = max(best, (square_name(RULES, move), answered, len(after)), key=lambda one: one[1] / one[2])
        yield square_name(RULES, reply), *best


if __name__ == "__main__":
    with closing(StrategyReader(strategy_path(FOLDER, RULES), RULES)) as reader:
        stored = {row.hash for row in reader}
    with whole_file(FOLDER / "replies.csv") as part, part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("reply", "third", "answered", "replies"))
        writer.writerows(lines(stored, Prover(RULES)))
