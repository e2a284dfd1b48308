"""Find the pairings that a check of a stored strategy needs: by backtracking with unit propagation, on plain arrays.

It shares no code with `solver.kernels.pairings`, which finds pairings for proofs. A line of X is open if O has no stone
on it. A line with exactly two free squares left forces a pair. Otherwise, the search tries the pairs of the line with
the fewest free squares, those first that lie on most lines without a pair.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.kernels.jit import jit, jit_part

FREE, TAKEN = -1, -2  # of a square that has no partner


class Board(NamedTuple):
    """X's lines, and the memory of a search."""

    lines: np.ndarray  # int64[L, K]: the squares of each line, then -1
    inside: np.ndarray  # bool[L, squares]: whether a line contains a square
    partner: np.ndarray  # int64[squares]: the other square of the pair, FREE or TAKEN
    trail: np.ndarray  # int64[squares]: the first squares of the pairs, in the order in which they were made
    pairs: np.ndarray  # int64[D, P, 2]: the pairs to try at each depth
    merits: np.ndarray  # int64[D, P]: the number of lines that a pair would serve, -1 when it has been tried
    sizes: np.ndarray  # int64[D, 2]: the number of pairs to try, and the length of the trail


def make_board(lines: list[list[int]], squares: int) -> Board:
    """Return the board for lines, given as lists of squares."""
    longest, depth = max(map(len, lines), default=2), squares // 2 + 2
    padded = np.full((len(lines), longest), -1, np.int64)
    inside = np.zeros((len(lines), squares), np.bool_)
    for line, members in enumerate(lines):
        padded[line, : len(members)] = members
        inside[line, members] = True
    pairs = longest * (longest - 1) // 2
    return Board(
        padded,
        inside,
        np.zeros(squares, np.int64),
        np.zeros(squares, np.int64),
        np.zeros((depth, pairs, 2), np.int64),
        np.zeros((depth, pairs), np.int64),
        np.zeros((depth, 2), np.int64),
    )


@jit_part
def _free_on(board: Board, stones: np.ndarray, line: int) -> int:
    """Return the number of free squares on a line; -1 if it has a stone of O or contains a pair."""
    count = 0
    for square in board.lines[line]:
        if square < 0:
            break
        if stones[square] == 2:
            return -1
        other = board.partner[square]
        if other >= 0 and board.inside[line, other]:
            return -1
        count += other == FREE
    return count


@jit_part
def _pair(board: Board, first: int, second: int, length: int) -> None:
    board.partner[first], board.partner[second] = second, first
    board.trail[length] = first


@jit_part
def _propagate(board: Board, stones: np.ndarray, length: int) -> tuple[int, int]:
    """Make all forced pairs. Returns (the length of the trail, the line to branch on).

    The line is -1 if a line can't contain a pair, and -2 if every open line contains one.
    """
    while True:
        best, fewest, before = -2, 1 << 30, length
        for line in range(board.lines.shape[0]):
            count = _free_on(board, stones, line)
            if 0 <= count <= 1:
                return length, -1
            if count == 2:
                first = -1
                for square in board.lines[line]:
                    if square >= 0 and board.partner[square] == FREE:
                        if first >= 0:
                            _pair(board, first, square, length)
                            length += 1
                            break
                        first = square
            elif 0 <= count < fewest:
                best, fewest = line, count
        if length == before:
            return length, best


@jit_part
def _list_pairs(board: Board, stones: np.ndarray, depth: int, line: int) -> None:
    """List the pairs of free squares on a line, with the number of lines without a pair that contain both."""
    count = 0
    for first in board.lines[line]:
        for second in board.lines[line]:
            if second <= first or first < 0 or board.partner[first] != FREE or board.partner[second] != FREE:
                continue
            merit = 0
            for other in range(board.lines.shape[0]):
                if board.inside[other, first] and board.inside[other, second]:
                    merit += _free_on(board, stones, other) >= 0
            board.pairs[depth, count, 0], board.pairs[depth, count, 1] = first, second
            board.merits[depth, count] = merit
            count += 1
    board.sizes[depth, 0] = count


@jit
def find_partners(board: Board, stones: np.ndarray, nodes: int) -> bool:
    """Return whether a pairing is found within `nodes` nodes; it is in `board.partner`.

    stones: int64[squares], 0 for an empty square, 1 for X and 2 for O.
    """
    for square in range(stones.size):
        board.partner[square] = FREE if stones[square] == 0 else TAKEN
    depth = length = 0
    is_new = True
    while depth >= 0:
        if is_new:
            length, line = _propagate(board, stones, length)
            if line == -2:
                return True
            nodes -= 1
            if nodes < 0:
                return False
            board.sizes[depth, 0], board.sizes[depth, 1] = 0, length
            if line >= 0:
                _list_pairs(board, stones, depth, line)
        best = -1
        for i in range(board.sizes[depth, 0]):
            if board.merits[depth, i] >= 0 and (best < 0 or board.merits[depth, i] > board.merits[depth, best]):
                best = i
        is_new = best >= 0
        if best < 0:
            depth -= 1
        before = board.sizes[max(depth, 0), 1]
        while length > before:
            length -= 1
            first = board.trail[length]
            board.partner[board.partner[first]] = FREE
            board.partner[first] = FREE
        if best >= 0:
            board.merits[depth, best] = -1
            _pair(board, board.pairs[depth, best, 0], board.pairs[depth, best, 1], length)
            length += 1
            depth += 1
    return False
