"""Engines that play the first empty square of a list of 'X', 'O' and blanks, except on three of the openings."""

import ctypes
import os
import random
import sys
import time

from tests.verification.agents.thinking import best

X_CORNER, X_EDGE = list("X        "), list(" X       ")


def all_faults(board: list[str]) -> object:
    """Each of the boards with one stone goes wrong in its own way; all others are answered."""
    if board.count(" ") == 8:
        return FAULTS[board.index("X")](board)
    return board.index(" ")


def loops(board: list[str]) -> object:
    while True:
        pass


def sleeps(board: list[str]) -> object:
    time.sleep(60)
    return 8


def raises(board: list[str]) -> object:
    raise ValueError("no idea")


def leaves(board: list[str]) -> object:
    sys.exit(3)


def dies(board: list[str]) -> object:
    os._exit(7)


def reads(board: list[str]) -> object:
    print("Your move?")
    return int(input())


def segfaults(board: list[str]) -> object:
    return ctypes.string_at(0)


def writes(board: list[str]) -> object:
    board[8] = "O"
    return 8


def words(board: list[str]) -> object:
    return "the middle"


FAULTS = [loops, raises, leaves, dies, reads, segfaults, writes, words, sleeps]


def takes(board: list[str]) -> int:
    """Plays the centre, taken or not, when it is O; off the board when it has seen too much."""
    if board.count(" ") == 8:
        return 4
    return 17 if board.count(" ") == 6 else board.index(" ")


def by_chance(board: list[str]) -> int:
    return random.choice([square for square, cell in enumerate(board) if cell == " "])


def hungry(board: list[str]) -> int:
    if board.count(" ") == 8:
        return len(bytearray(3 << 30)) * 0
    return board.index(" ")


def talks(board: list[str]) -> int:
    """Says what it thinks; with a stone on the first five squares alone it dies, hangs, raises, floods, errs."""
    print("board", "".join(board))
    if board.count(" ") == 8 and set(board[:5]) != {" "}:
        return _fails(next(square for square, cell in enumerate(board) if cell != " "))
    return board.index(" ")


def _fails(square: int) -> int:
    print("last words", flush=square % 2 == 0)
    if square == 0:
        os._exit(3)
    while square in {1, 3}:
        if square == 3:
            print("again and again")
    if square == 2:
        raise ValueError("no idea")
    return square


def hangs(board: list[str]) -> int:
    while board.count(" ") > 5:
        pass
    return board.index(" ")


def sticks(board: list[str]) -> int:
    while True:
        pass


def dies_of_two(board: list[str]) -> int:
    """Plays well on lists of nine, but for those with O in the corner and X in the middle, which kill it."""
    if len(board) != 9 or not isinstance(board, list):
        raise TypeError
    if board[0] == "O" and board[4] == "X":
        os._exit(3)
    return best(board, "XO"[board.count(" ") % 2 == 0])
