"""Count positions by walking: list all positions of a ply, sorted by base-3 hash, then all their distinct children.

This works for every game and needs memory for the largest ply.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt

from solver.count.records import Endings, GameCount, PlyCount, boards, ply_count
from solver.errors import RulesError
from solver.game.arrays import line_array, sort_distinct
from solver.game.base3 import HASHED_SQUARES
from solver.game.rules import Rules
from solver.kernels import counting as kernel

Hashes = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

MOST_POSITIONS = 200_000_000  # of the largest game that is walked; it takes a minute or two and a few GB


_DIGITS = np.arange(kernel.CHUNK_VALUES)[:, None] // 3 ** np.arange(kernel.CHUNK) % 3  # of the values of a chunk
_GROUP = 4096  # symmetries whose tables are held at a time


@dataclass(frozen=True)
class WalkedPly:
    """The positions of one ply."""

    ply: int
    hashes: Hashes  # int64[P], ascending
    lined: Flags  # bool[P]: a side has a line
    moves: Hashes  # int64[P]: the legal squares as bitmasks


def walk(rules: Rules) -> Iterator[Hashes]:
    """Yield the positions of plies 0, 1, 2, ... that can arise in play, as sorted arrays of base-3 hashes (int64).

    There is an array for every ply up to a full board; it is empty if no game reaches that ply. Raises RulesError if
    there are too many positions.
    """
    return (level.hashes for level in _levels(rules))


def count_positions(rules: Rules) -> list[PlyCount]:
    """Return the counts of positions of every ply. Raises RulesError if there are too many positions."""
    counts = []
    for level in _levels(rules):
        canonical = mark_canonical(rules, level.hashes)
        everything = np.ones_like(canonical)
        counts.append(ply_count(rules, level.ply, _tally(level, everything), _tally(level, canonical)))
    return counts


def mark_canonical(rules: Rules, hashes: Hashes) -> Flags:
    """Return, for each hash, whether it is the smallest among its images under `rules.board_symmetries`."""
    canonical, least = np.ones(len(hashes), np.bool_), np.empty(len(hashes), np.bool_)
    for images in _image_tables(rules):
        kernel.mark_canonical(hashes, images, least)
        canonical &= least
    return canonical


def smallest_images(rules: Rules, hashes: Hashes) -> Hashes:
    """Return, for each hash, the smallest of its images under `rules.board_symmetries`: int64[P]."""
    smallest = hashes.copy()
    for images in _image_tables(rules):
        kernel.find_smallest(hashes, images, smallest)
    return smallest


def _image_tables(rules: Rules) -> Iterator[Hashes]:
    """Yield the digit tables of all symmetries, at most _GROUP at a time."""
    for first in range(0, rules.board_symmetries.order, _GROUP):
        yield _digit_tables(3 ** np.array(rules.board_symmetries.elements[first : first + _GROUP], np.int64))


def count_games(rules: Rules) -> list[GameCount]:
    """Return, for every length up to a full board, the number of games and of nodes of the game tree (perft).

    Raises RulesError if there are too many positions.
    """
    counts: list[GameCount] = []
    before: WalkedPly | None = None
    orders = np.ones(1, np.int64)  # at most 13! * 12! < 2**63 lead to one position of 25 squares
    for level in _levels(rules):
        if before is not None:
            reached = np.zeros(len(level.hashes), np.int64)
            steps = _steps(rules, before.ply)
            kernel.pass_orders(before.hashes, before.moves, orders, steps, level.hashes, reached)
            orders = reached
        games = _tally(level, orders)
        counts.append(GameCount(level.ply, games.total, *games.results(rules, level.ply)))
        before = level
    return counts


def _levels(rules: Rules) -> Iterator[WalkedPly]:
    """Yield the positions of plies 0, 1, ... up to a full board. Raises RulesError if there may be too many."""
    most = boards(rules)
    if rules.squares > HASHED_SQUARES:
        raise RulesError(
            f"{rules} has {rules.squares} squares, and positions of up to {HASHED_SQUARES} can be visited one by one; "
            "choose a smaller board."
        )
    if most > MOST_POSITIONS:
        raise RulesError(
            f"{rules} has up to {most // 10**6} million positions, "
            f"and {MOST_POSITIONS // 10**6} million can be visited one by one; choose a smaller board."
        )
    return sweep(rules)


def can_visit(rules: Rules) -> bool:
    """Return True if all positions of a game can be visited one by one."""
    return rules.squares <= HASHED_SQUARES and boards(rules) <= MOST_POSITIONS


def sweep(rules: Rules, first: int = 0, *, canonical: bool = False) -> Iterator[WalkedPly]:
    """Yield each ply's positions up to a full board, however many there are. A ply's moves must fit in memory.

    first: start with this ply, whose positions are listed without a walk (see `count_placements`). canonical: yield
    only the position with the smallest hash of each symmetry class.
    """
    hashes = _list_ply(rules, first) if first else np.zeros(1, np.int64)
    if first and canonical:
        hashes = hashes[mark_canonical(rules, hashes)]
    for ply in range(first, rules.plies + 1):
        allowed = (1 << rules.squares) - 1 if ply < rules.plies else 0
        level = WalkedPly(ply, hashes, *_judge(rules, hashes, ply, allowed))
        yield level
        children = np.empty(int(np.bitwise_count(level.moves).sum()), np.int64)
        kernel.list_children(level.hashes, level.moves, _steps(rules, ply), children)
        hashes = sort_distinct(smallest_images(rules, children) if canonical else children)


def count_placements(rules: Rules, ply: int) -> int | None:
    """Return the ways to place the stones of a ply, from which `sweep` can start with it; None if order matters."""
    if rules.has_supports or any(line.guard for line in rules.x_lines + rules.o_lines):
        return None
    return comb(rules.squares, ply) * comb(ply, ply // 2)


def _list_ply(rules: Rules, ply: int) -> Hashes:
    """Return the positions of a ply in ascending order, in a game in which the order of moves does not matter."""
    most = ply - ply // 2, ply // 2
    placed = {(0, 0): np.zeros(1, np.int64)}  # by the stones of X and O on the squares so far
    for square in range(rules.squares):
        left = rules.squares - 1 - square
        placed = {
            (x, o): np.concatenate(  # ascending, because a later square weighs more than all earlier ones
                [
                    placed[before] + digit * 3**square
                    for digit, before in enumerate(((x, o), (x - 1, o), (x, o - 1)))
                    if before in placed
                ]
            )
            for x in range(most[0] + 1)
            for o in range(most[1] + 1)
            if ply - left <= x + o <= square + 1
        }
    hashes = placed[most]
    hashes = hashes[~_judge(rules, hashes, ply - 1, 0)[0]]  # the other side had no line
    lined = np.flatnonzero(_judge(rules, hashes, ply, 0)[0])
    possible = np.ones(len(hashes), np.bool_)
    possible[lined] = False
    for square, step in enumerate(_steps(rules, ply - 1).tolist()):
        moved = lined[hashes[lined] // 3**square % 3 == step // 3**square]
        possible[moved] |= ~_judge(rules, hashes[moved] - step, ply, 0)[0]  # the last stone completed every line
    return hashes[possible]


def _judge(rules: Rules, hashes: Hashes, ply: int, allowed: int) -> tuple[Flags, Hashes]:
    """Return whether the side that moves to a ply has a line (bool[P]), and the legal moves (int64[P], bitmasks)."""
    squares = np.left_shift(1, np.arange(rules.squares))[None]
    x_stones, o_stones = (_digit_tables(squares, np.equal(_DIGITS, mark))[0] for mark in (1, 2))
    own, other, lines = (x_stones, o_stones, rules.x_lines) if ply % 2 else (o_stones, x_stones, rules.o_lines)
    lined, moves = np.empty(len(hashes), np.bool_), np.empty(len(hashes), np.int64)
    kernel.judge(hashes, own, other, line_array(lines), rules.ground, rules.stride, allowed, lined, moves)
    return lined, moves


def _steps(rules: Rules, ply: int) -> Hashes:
    """Return, for each square, the number that a move there at this ply adds to the hash: int64[squares]."""
    return np.array([(1 + ply % 2) * 3**s for s in range(rules.squares)], np.int64)


def _digit_tables(weights: Hashes, digits: Hashes | Flags = _DIGITS) -> Hashes:
    """Return digit tables (int64[G, chunks, 243]; see the kernel): sums over squares s of digit[s] * weights[g, s].

    `digits` contains the digits of each value of a chunk: int64[243, CHUNK].
    """
    chunks = [weights[:, start : start + kernel.CHUNK] for start in range(0, weights.shape[1], kernel.CHUNK)]
    return np.stack([chunk @ digits[:, : chunk.shape[1]].T for chunk in chunks], axis=1)


def _tally(level: WalkedPly, weights: Hashes | Flags) -> Endings:
    over = level.moves == 0
    return Endings(
        live=_exact_sum(weights[~over]),
        lined=_exact_sum(weights[level.lined]),
        full=_exact_sum(weights[over & ~level.lined]),
    )


def _exact_sum(weights: Hashes | Flags) -> int:
    """Return the exact sum of 63-bit numbers, even if it needs more than 63 bits."""
    return (int((weights >> 32).sum()) << 32) + int((weights & 0xFFFFFFFF).sum())
