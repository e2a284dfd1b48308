"""Functions that all play alike, and well, and agree on nothing else.

Each goes wrong, in the moves it chooses or by an exception, when it is given another board than it expects.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from tests.verification.agents.thinking import best, worth


def turn(cells: Sequence[str]) -> str:
    return "X" if cells.count("X") == cells.count("O") else "O"


def known(cells: Sequence[Any], signs: dict[Any, str]) -> list[str]:
    """The board in the signs of `thinking`; raises KeyError for any other sign."""
    return [signs[cell] for cell in cells]


UPPER = {"X": "X", "O": "O", " ": " "}


def flat_list(board: list[str]) -> int:
    assert type(board) is list
    cells = known(board, UPPER)
    return best(cells, turn(cells))


def flat_string(board: str) -> int:
    cells = known([*(board + "")], {"X": "X", "O": "O", ".": " "})
    return best(cells, turn(cells)) + 1


def tuple_of_numbers(state: tuple[int, ...]) -> int:
    assert hash(state)
    cells = known(state, {1: "X", -1: "O", 0: " "})
    return best(cells, turn(cells))


def rows_none(board: list[list[str | None]]) -> tuple[int, int]:
    cells = known([cell for row in board for cell in row], {"X": "X", "O": "O", None: " "})
    return divmod(best(cells, turn(cells)), 3)


def rows_small_from_1(grid: list[list[str]]) -> list[int]:
    cells = known([cell for row in grid for cell in row], {"x": "X", "o": "O", "_": " "})
    row, column = divmod(best(cells, turn(cells)), 3)
    return [row + 1, column + 1]


def array_1_2(board: Any) -> Any:
    cells = known(board.reshape(9).tolist(), {1: "X", 2: "O", 0: " "})
    return np.int64(best(cells, turn(cells)))


def own_first(board: Any) -> Any:
    """Sees its own stones as 1, whoever began."""
    cells = known([int(cell) for cell in board.flatten()], {1: "X", -1: "O", 0: " "})
    return np.array(divmod(best(cells, "X"), 3))


def always_o(board: list[str]) -> int:
    """Has never been anything but O."""
    return best(known(board, UPPER), "O")


def with_player(board: list[str], player: str) -> str:
    cells = known(board, {"x": "X", "o": "O", " ": " "})
    return "abc"[best(cells, player.upper()) % 3] + str(best(cells, player.upper()) // 3 + 1)


def with_number_of_player(board: list[str], player: int) -> int:
    return best(known(board, {"X": "X", "O": "O", "": " "}), {1: "X", -1: "O"}[player])


def with_value(board: list[str], depth: int, maximizing: bool) -> tuple[int, int]:
    cells = known(board, UPPER)
    assert depth == cells.count(" ")
    me = "X" if maximizing else "O"
    return worth(cells, me) * (1 if maximizing else -1), best(cells, me)


def numbered_empties(board: list[str]) -> int:
    cells = [cell if cell in {"X", "O"} else {str(place): " "}[cell] for place, cell in enumerate(board, start=1)]
    return best(cells, turn(cells)) + 1


def list_from_1(board: list[str]) -> int:
    assert len(board) == 10
    cells = known(board[1:], UPPER)
    return best(cells, turn(cells)) + 1


def dict_from_1(board: dict[int, str]) -> int:
    cells = known([board[number] for number in range(1, 10)], UPPER)
    return best(cells, turn(cells)) + 1


def new_board(board: list[str]) -> list[str]:
    cells = known(board, UPPER)
    square = best(cells, turn(cells))
    return [*board[:square], turn(cells), *board[square + 1 :]]


def in_place(board: list[list[str]]) -> None:
    cells = known([cell for row in board for cell in row], UPPER)
    row, column = divmod(best(cells, turn(cells)), 3)
    board[row][column] = turn(cells)


def column_then_row(board: list[list[int]]) -> tuple[int, int]:
    cells = known([cell for row in board for cell in row], {1: "X", 2: "O", 0: " "})
    row, column = divmod(best(cells, turn(cells)), 3)
    return column, row


def state_depth_player(state: list[list[int]], depth: int, player: int) -> list[float]:
    """A well-known shape: row, column and score in one list, the score from the side of 1."""
    cells = known([cell for row in state for cell in row], {1: "X", -1: "O", 0: " "})
    assert depth == cells.count(" ")
    me = "X" if player == 1 else "O"
    return [*divmod(best(cells, me), 3), worth(cells, me) * player]


def aima(game: Any, state: Any) -> tuple[int, int]:
    @cache
    def value(now: Any) -> float:
        if game.terminal_test(now):
            return float(game.utility(now, me))
        values = [value(game.result(now, move)) for move in game.actions(now)]
        return max(values) if game.to_move(now) == me else min(values)

    me = game.to_move(state)
    move: tuple[int, int] = max(game.actions(state), key=lambda move: value(game.result(state, move)))
    return move


def kaggle(observation: Any, configuration: Any) -> int:
    assert configuration.rows == configuration["columns"] == 3
    cells = known(observation.board, {1: "X", 2: "O", 0: " "})
    return best(cells, {1: "X", 2: "O"}[observation["mark"]])


def pettingzoo(observation: Any, action_mask: Any) -> int:
    """Its squares are numbered by columns, its own stones are the first plane."""
    planes = observation["observation"]
    cells = ["X" if planes[s % 3][s // 3][0] else "O" if planes[s % 3][s // 3][1] else " " for s in range(9)]
    square = best(cells, "X")
    action = square % 3 * 3 + square // 3
    assert action_mask[action] == 1
    return action


class Chooser:
    """A class whose objects play."""

    def choose(self, board: list[str]) -> dict[str, int]:
        cells = known(board, UPPER)
        return {"move": best(cells, turn(cells))}


class OneSided:
    """A class whose objects play one side."""

    def __init__(self, symbol: str) -> None:
        self.symbol = symbol

    def get_move(self, board: list[str]) -> int:
        return best(known(board, UPPER), self.symbol)


class Told:
    """A player that is told its game first, and asked for its action in a state."""

    def set_game(self, game: Any) -> None:
        self.game = game

    def get_action(self, state: Any, turn: int = 1) -> tuple[int, int]:
        return aima(self.game, state)


PLAYERS: list[Callable[..., Any] | type] = [
    flat_list, flat_string, tuple_of_numbers, rows_none, rows_small_from_1, array_1_2, own_first, with_player,
    with_number_of_player, with_value, numbered_empties, list_from_1, dict_from_1, new_board, in_place,
    column_then_row, state_depth_player, aima, kaggle, pettingzoo, Chooser, OneSided, Told,
]  # fmt: skip
