"""The game in the shape of Russell and Norvig's `games.py` (AIMA) that `mnk verify --profile aima` gives to agents.

It imports only the standard library: a sandbox hides the rules from an agent. `solver.course.aima` derives its class
from this one.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from solver.game.rules import Rules

Move = tuple[int, int]


class GameState(NamedTuple):
    """A state of `TicTacToe`."""

    to_move: str  # the player to move, `X` or `O`
    utility: int  # the utility for X
    board: dict[Move, str]  # the stones: `{(row, column): "X" or "O"}`
    moves: list[Move]  # the legal moves


def list_facts(rules: "Rules") -> dict[str, Any]:
    """Return what a game has to know of its rules, as JSON can hold it."""
    return {
        "name": rules.name,
        "rows": rules.diagram.rows,
        "columns": rules.diagram.columns,
        "k": rules.rectangle.k if rules.rectangle else rules.shortest_line,
        "gravity": rules.gravity,
        "misere": rules.misere,
        "lines": {"X": rules.x_lines, "O": rules.o_lines},
        "plies": rules.plies,
        "unfinished": rules.unfinished,
    }


class TicTacToe:
    """A game on `h` rows and `v` columns with `k` in a row; X moves first and is Max. Moves are (row, column), from 1.

    facts: those that `list_facts` returns.
    """

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self.h: int = facts["rows"]
        self.v: int = facts["columns"]
        self.k: int = facts["k"]
        self._facts = facts
        self.initial = GameState("X", 0, {}, self._list_free({}))

    def __repr__(self) -> str:
        return f"<TicTacToe {self._facts['name']}>"

    def to_move(self, state: GameState) -> str:
        """Return the player to move."""
        return state.to_move

    def actions(self, state: GameState) -> list[Move]:
        """Return the free squares; with gravity, the lowest free square of each column."""
        return state.moves

    def result(self, state: GameState, move: Move) -> GameState:
        """Return the state after a move, or the same state if the move is illegal."""
        if move not in state.moves or self.terminal_test(state):
            return state
        board = {**state.board, move: state.to_move}
        utility = self.compute_utility(board, move, state.to_move)
        return GameState("O" if state.to_move == "X" else "X", utility, board, self._list_free(board))

    def utility(self, state: GameState, player: str) -> int:
        """Return the value of a final state for a player: 1, 0 or -1."""
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state: GameState) -> bool:
        """Return whether the game is won or no ply is left."""
        return state.utility != 0 or len(state.moves) == 0

    def display(self, state: GameState) -> None:
        """Print the board, a line for each row."""
        for row in range(1, self.h + 1):
            print(*[state.board.get((row, column), ".") for column in range(1, self.v + 1)], "")

    def compute_utility(self, board: Mapping[Move, str], move: Move, player: str) -> int:
        """Return 1 if X has won after this move of `player`, -1 if O has, otherwise 0."""
        last, stones = 1 << self.square(move), self._stones(board, player)
        lines = self._facts["lines"][player]
        if any(last & mask and stones & mask == mask and not stones & guard for mask, guard in lines):
            return 1 if (player == "X") != self._facts["misere"] else -1
        is_full = len(board) == self._facts["plies"]
        return {"X": 1, "O": -1, None: 0}[self._facts["unfinished"] if is_full else None]

    def square(self, move: Move) -> int:
        """Return the number of a square, counted from 0, row by row."""
        return (move[0] - 1) * self.v + move[1] - 1

    def move(self, square: int) -> Move:
        """Return the row and the column of a square, both counted from 1."""
        return square // self.v + 1, square % self.v + 1

    def _stones(self, board: Mapping[Move, str], player: str) -> int:
        return sum(1 << self.square(move) for move, stone in board.items() if stone == player)

    def _list_free(self, board: Mapping[Move, str]) -> list[Move]:
        if len(board) == self._facts["plies"]:
            return []
        free = [at for at in map(self.move, range(self.h * self.v)) if at not in board]
        return [(x, y) for x, y in free if not self._facts["gravity"] or x == self.h or (x + 1, y) in board]
