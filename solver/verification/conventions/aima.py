"""A game and its states in the shape of Russell & Norvig's "Artificial Intelligence: A Modern Approach".

Both generations of their Python code are served: `terminal_test` and `is_terminal`, states with `to_move`,
`utility`, `board` and `moves`. Moves are pairs (row, column) counted from 1, utilities are from X's side.

It is not the game of `solver.course.aima`, whose states are the notebook's: tuples with a dict and a list in them,
which may be made by hand and can't be hashed. An agent may keep states in a cache, and is handed every position there
is, so a state here is a position that fills in its board and moves only when they are looked at, and can be hashed.
"""

from functools import cached_property
from typing import Final

from solver.game.position import Position
from solver.game.rules import Rules

Move = tuple[int, int]

_UTILITY: Final = {"X": 1, "O": -1}


class AimaState:
    """A state: the side to move, the utility for X, the stones by row and column, the moves left."""

    def __init__(self, position: Position) -> None:
        self.position = position

    @property
    def to_move(self) -> str:
        """`X` or `O`."""
        return self.position.to_move

    @property
    def utility(self) -> int:
        """1 when X has won, -1 when O has, else 0."""
        return _UTILITY.get(self.position.outcome or "", 0)

    @cached_property
    def board(self) -> dict[Move, str]:
        """`X` or `O` for every taken square."""
        cells = enumerate(self.position.cells)
        return {_pair(self.position.rules, square): cell for square, cell in cells if cell != "."}

    @cached_property
    def moves(self) -> list[Move]:
        """List the moves that can be played."""
        return [_pair(self.position.rules, square) for square in self.position.legal_moves]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AimaState) and self.position == other.position

    def __hash__(self) -> int:
        return hash(self.position)

    def __repr__(self) -> str:
        return f"AimaState({self.position.board})"


class AimaGame:
    """The game: its moves, the states they lead to, the utility of a state."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.h, self.v, self.k = rules.diagram.rows, rules.diagram.columns, rules.shortest_line
        self.squares = rules.squares
        self.initial = AimaState(Position.start(rules))

    def actions(self, state: AimaState) -> list[Move]:
        """List the moves that can be played."""
        return [*state.moves]

    def result(self, state: AimaState, move: Move) -> AimaState:
        """Return the state after a move; a move that can't be played changes nothing, as in the book's code."""
        row, column = move
        square = self.rules.diagram.square_at(row - 1, column - 1)
        return AimaState(state.position.play(square)) if square is not None and move in state.moves else state

    def utility(self, state: AimaState, player: str) -> int:
        """Return 1, 0 or -1 for a player, `X` or `O`."""
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state: AimaState) -> bool:
        """Return True when the game is over."""
        return state.position.is_over

    is_terminal = terminal_test

    def to_move(self, state: AimaState) -> str:
        """`X` or `O`."""
        return state.to_move

    def display(self, state: AimaState) -> None:
        """Print the board."""
        print(state.position)


def _pair(rules: Rules, square: int) -> Move:
    row, column = rules.diagram.row_and_column(square)
    return row + 1, column + 1
