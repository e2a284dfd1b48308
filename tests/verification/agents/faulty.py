"""Engines that play the first empty square of a list of 'X', 'O' and blanks, except on three of the openings."""

import ctypes
import os
import random
import sys
import time

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
