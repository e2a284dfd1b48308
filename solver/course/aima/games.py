"""Define games and states: `Game` to subclass, and `TicTacToe` with the rules of this package."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from solver.course.adapters import turn
from solver.errors import IllegalMove
from solver.game.games import parse_game
from solver.game.lines import completed, mask_of
from solver.game.position import Position, own_and_other

Move = tuple[int, int]
Strategy = Callable[[Any, Any], Any]
"""A player: from a game and a state to a move."""


class GameState(NamedTuple):
    """A state of `TicTacToe`."""

    to_move: str
    """The player to move, `X` or `O`."""
    utility: int
    """The utility for X."""
    board: dict[Move, str]
    """The stones: `{(row, column): "X" or "O"}`."""
    moves: list[Move]
    """The moves that are allowed."""


class Game:
    """A game to subclass: give it `initial`, and define `actions`, `result` and `utility`.

    As in AIMA's own class, one that is missing raises NotImplementedError when it is called, not when the game is made:
    a notebook defines and tries them one after the other.
    """

    initial: Any

    def actions(self, state: Any) -> Iterable[Any]:
        """List the moves that are allowed in a state."""
        raise NotImplementedError

    def result(self, state: Any, move: Any) -> Any:
        """Return the state after a move."""
        raise NotImplementedError

    def utility(self, state: Any, player: Any) -> float:
        """Return the worth of a final state to a player."""
        raise NotImplementedError

    def terminal_test(self, state: Any) -> bool:
        """Whether a state is final: by default, whether there is no move."""
        return not list(self.actions(state))

    def to_move(self, state: Any) -> Any:
        """Return the player whose move it is."""
        return state.to_move

    def display(self, state: Any) -> None:
        """Print a state."""
        print(state)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def play_game(self, *players: Strategy) -> float:
        """Let players move in turn, show the final state, and return its utility for the one who make_move first.

        Raises IllegalMove.
        """
        state = self.initial
        while True:
            for mover in players:
                state = make_move(self, state, mover(self, state))
                if self.terminal_test(state):
                    self.display(state)
                    return self.utility(state, self.to_move(self.initial))


class TicTacToe(Game):
    """h rows and v columns, k in a row; X (the first player) is Max. Moves are (row, column), from 1.

    variants: those of the rules, such as `misere=True`. A state may be made by hand. Raises RulesError.

    >>> game = TicTacToe()
    >>> state = game.result(game.initial, (2, 2))
    >>> state.to_move, state.utility, state.board, len(state.moves)
    ('O', 0, {(2, 2): 'X'}, 8)
    """

    initial: GameState

    def __init__(self, h: int = 3, v: int = 3, k: int = 3, **variants: bool) -> None:
        self.rules = parse_game(",".join([f"{h},{v},{k}", *(name for name, given in variants.items() if given)]))
        self.h, self.v, self.k = h, v, k
        self.initial = GameState("X", 0, {}, self._list_free({}))

    def actions(self, state: GameState) -> list[Move]:
        """List the free squares; under gravity the lowest of each column."""
        return state.moves

    def result(self, state: GameState, move: Move) -> GameState:
        """Return the state after a move; a move that is illegal has no effect."""
        if move not in self.actions(state) or self.terminal_test(state):
            return state
        board = {**state.board, move: state.to_move}
        utility = self.compute_utility(board, move, state.to_move)
        return GameState("O" if state.to_move == "X" else "X", utility, board, self._list_left(state, move, board))

    def utility(self, state: GameState, player: str) -> int:
        """Return the value of a final state to a player: 1, 0 or -1."""
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state: GameState) -> bool:
        """Whether the game is won or no square is free."""
        return state.utility != 0 or len(state.moves) == 0

    def display(self, state: GameState) -> None:
        """Print the board, a line for each row."""
        for row in range(1, self.h + 1):
            print(*[state.board.get((row, column), ".") for column in range(1, self.v + 1)], "")

    def compute_utility(self, board: Mapping[Move, str], move: Move, player: str) -> int:
        """Return 1 if X has won by this move of the player, -1 if O has, else 0."""
        through = self.rules.x_lines_through[self.square(move)]
        if not completed(through, self._stones(board, player)):
            return 0
        return 1 if (player == "X") != self.rules.misere else -1

    def k_in_row(self, board: Mapping[Move, str], move: Move, player: str, delta_x_y: Move) -> bool:
        """Whether a player has k in a row through a square in one direction, by plain rules (no variant)."""
        run = sum(_count_run(board, move, player, (sign * delta_x_y[0], sign * delta_x_y[1])) for sign in (1, -1))
        return run - 1 >= self.k

    def square(self, move: Move) -> int:
        """Return the number of a square, from 0, row by row."""
        return (move[0] - 1) * self.v + move[1] - 1

    def move(self, square: int) -> Move:
        """Return the (row, column) of a square by number."""
        return square // self.v + 1, square % self.v + 1

    def position(self, state: GameState) -> Position:
        """Return the position of a state, for engines; X in it is the side that began.

        Raises ImpossiblePosition when no game leads to the state.
        """
        x, o = (self._stones(state.board, player) for player in "XO")
        return turn(self.rules, *own_and_other(x, o, state.to_move))

    def state(self, position: Position) -> GameState:
        """Return the state of a position."""
        board = {self.move(s): cell for s, cell in enumerate(position.cells) if cell != "."}
        utility = {"X": 1, "O": -1}.get(position.outcome or "", 0)
        return GameState(position.to_move, utility, board, self._list_free(board))

    def _stones(self, board: Mapping[Move, str], player: str) -> int:
        return mask_of(self.square(move) for move, stone in board.items() if stone == player)

    def _list_free(self, board: Mapping[Move, str]) -> list[Move]:
        below = self.rules.supports
        moves = [self.move(square) for square in range(self.rules.squares)]
        return [
            move
            for move in moves
            if move not in board and (below[self.square(move)] < 0 or self.move(below[self.square(move)]) in board)
        ]

    def _list_left(self, state: GameState, move: Move, board: Mapping[Move, str]) -> list[Move]:
        if self.rules.gravity:
            return self._list_free(board)
        return [other for other in state.moves if other != move]


def make_move(game: Game, state: Any, move: Any) -> Any:
    """Make a move; returns the state after it. Raises IllegalMove where `result` would leave the state as it is."""
    moves = list(game.actions(state))
    if move not in moves and (moves or move is not None):
        raise IllegalMove(f"The player {game.to_move(state)} made the move {move}, which is not allowed in {game!r}.")
    return game.result(state, move)


def _count_run(board: Mapping[Move, str], move: Move, player: str, step: Move) -> int:
    """Count the stones of a player that stand in a row, from a square on."""
    run, (row, column) = 0, move
    while board.get((row, column)) == player:
        run, row, column = run + 1, row + step[0], column + step[1]
    return run
