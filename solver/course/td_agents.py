"""Offer the classes of the notebook on temporal-difference learning, over the rules of any game, in plain Python.

    env = Environment(3, 3)
    player1, player2 = Agent(X, env, 0.3, 0.1), Agent(O, env, 0.3, 0.1)
    for episode in range(10_000):
        play_game(player1, player2, env)
    player2 = Agent.of(learner, O, env)             # learned a thousand times faster by `solver.engines.learner`

A board is an array of 0, 1 (X) and -1 (O). What differs from the notebook: a board's hash has the digit 2, not
-1, for an O; random numbers come from the environment, which takes a seed; `play_game` returns the winner.
"""

from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from solver.engines.learner import Learner, winners
from solver.errors import EngineError
from solver.game.games import parse_game
from solver.game.lines import mask_of
from solver.game.position import Position
from solver.game.rules import Rules, require_rectangle
from solver.kernels.learning import LIVE

X: Final = 1
O: Final = -1  # noqa: E741 - the notebook calls it O
MAX_SQUARES: Final = 12
"""The largest board: all its 3**squares states are kept in a dictionary."""

Board = npt.NDArray[np.float64]
Square = tuple[int, int]


def compute_state_hash(board: Board) -> int:
    """Compute the base-3 hash of a board, its first square the least significant digit; 1 stands for X and 2 for O.

    The notebook's formula has the digits the other way round: 3**8 * B[0,0] + ... + B[2,2]. Its code does as we do,
    but adds -1 and not 2 for an O, so that its hashes run from -9841 to 9841. So `x../.../...` is 1 in its code, 6561
    by its formula and 1 here, and `o../.../...` is -1, -6561 and 2.

    >>> compute_state_hash(np.array([[1, -1, 0], [0, 1, 0], [0, 0, 0]]))
    88
    """
    digits = [int(cell) % 3 for cell in board.reshape(-1)]
    return sum(digit * 3**square for square, digit in enumerate(digits))


class Environment:
    """The board, and who has won in which state: `states[hash]` is X, O, 0 (a draw) or None (not over).

    width, height, in_a_row: the board, by default 3 in a row; or the rules of any game of up to 12 squares,
    which then count instead. seed: of what the agents draw. Raises EngineError for a larger board.
    """

    def __init__(
        self,
        width: int = 3,
        height: int = 3,
        in_a_row: int = 3,
        *,
        rules: Rules | None = None,
        seed: int | None = None,
    ) -> None:
        self.rules = rules or parse_game(f"{height},{width},{in_a_row}")
        if self.rules.squares > MAX_SQUARES:
            raise EngineError(
                f"An environment has up to {MAX_SQUARES} squares, and {self.rules} has {self.rules.squares}; "
                "solver.engines.learner.Learner takes 16."
            )
        outcome = {LIVE: None}
        self.states: dict[int, int | None] = {
            state: outcome.get(winner, winner) for state, winner in enumerate(winners(self.rules).tolist())
        }
        require_rectangle(self.rules, "An environment")
        self.random = np.random.default_rng(seed)
        self.board: Board
        self.new_game()

    def new_game(self) -> None:
        """Empty the board."""
        self.board = np.zeros((self.rules.diagram.rows, self.rules.diagram.columns))

    def game_over(self) -> bool:
        """Whether somebody has won, or the board is full."""
        return self.states[compute_state_hash(self.board)] is not None

    def empty_cells(self) -> list[Square]:
        """List the cells where a stone may go (row and column), row by row."""
        cells = self.board.reshape(-1)
        x, o = (mask_of(np.flatnonzero(cells == symbol).tolist()) for symbol in (X, O))
        return [divmod(square, self.rules.diagram.columns) for square in Position._of(self.rules, x, o).legal_moves]

    def draw_board(self) -> None:
        """Print the board."""
        edge = " " + "-" * (5 * self.rules.diagram.columns - 2)
        print(edge)
        for row in self.board:
            print("".join("  .  " if cell == 0 else "  X  " if cell == X else "  O  " for cell in row))
        print(edge)


class Player(Protocol):
    """A player in an environment."""

    symbol: int

    def play(self, env: Environment) -> None:
        """Place a stone on the board of the environment."""

    def update(self, env: Environment) -> None:
        """Learn from the game that has ended."""

    def update_state_history(self, state: int) -> None:
        """Remember the board after a move of either side."""


class Agent:
    """One side that learns: `value[hash]` is what each board is worth to it.

    symbol: X or O. alpha, epsilon: as in `Learner`. draw: the initial value of a draw, in the notebook 0.
    """

    def __init__(self, symbol: int, env: Environment, alpha: float, epsilon: float, draw: float = 0.0) -> None:
        initial = {symbol: 1.0, -symbol: 0.0, 0: draw, None: 0.5}
        self.symbol = symbol
        self.alpha = alpha
        self.epsilon = epsilon
        self.value: dict[int, float] = {state: initial[winner] for state, winner in env.states.items()}
        self.state_history: list[int] = []

    @staticmethod
    def of(learner: Learner, symbol: int, env: Environment) -> "Agent":
        """Make an agent that knows what a learner of the same game has learned for its side, and does not explore.

        Raises EngineError when they are of different games.
        """
        if not learner.rules.is_same_game(env.rules):
            raise EngineError(f"A learner of {learner.rules} can't play {env.rules}.")
        agent = Agent(symbol, env, learner.alpha, 0.0, learner.draw)
        agent.value = dict(enumerate(learner.values[0 if symbol == X else 1].tolist()))
        return agent

    def play(self, env: Environment) -> None:
        """Play a random move with probability epsilon, else the one to the board of highest value."""
        cells = env.empty_cells()
        if env.random.random() < self.epsilon:
            cell = cells[int(env.random.integers(len(cells)))]
        else:
            cell = max(cells, key=lambda cell: self._value_after(env, cell))
        env.board[cell] = self.symbol

    def _value_after(self, env: Environment, cell: Square) -> float:
        env.board[cell] = self.symbol
        value = self.value[compute_state_hash(env.board)]
        env.board[cell] = 0
        return value

    def update(self, env: Environment) -> None:
        """Move the value of each board of the game towards the next one's, the last first."""
        del env
        following = self.state_history.pop()
        for state in reversed(self.state_history):
            self.value[state] += self.alpha * (self.value[following] - self.value[state])
            following = state
        self.state_history = []

    def update_state_history(self, state: int) -> None:
        """Remember the board after a move of either side."""
        self.state_history.append(state)


class HumanPlayer:
    """A person who types the row and the column of each move, counted from 0."""

    def __init__(self, symbol: int) -> None:
        self.symbol = symbol

    def play(self, env: Environment) -> None:
        """Ask until the answer is a legal move."""
        env.draw_board()
        legal = {f"{i} {j}": (i, j) for i, j in env.empty_cells()}
        question = f"Enter coordinates 'i j' for your next move, such as {next(iter(legal))}: "
        while (move := " ".join(input(question).split())) not in legal:
            pass
        env.board[legal[move]] = self.symbol

    def update(self, env: Environment) -> None:
        """Do nothing: a person learns without help."""

    def update_state_history(self, state: int) -> None:
        """Do nothing: a person remembers without help."""


def play_game(player1: Player, player2: Player, env: Environment, draw: Any = False) -> int | None:
    """Play a game, which `player1` begins, and let both learn from it; returns the winner, or 0.

    draw: X or O to print the board before each move of that side; any other true value prints the end only.
    """
    env.new_game()
    current = player2
    while not env.game_over():
        current = player2 if current is player1 else player1
        if draw is not False and draw == current.symbol:
            env.draw_board()
        current.play(env)
        state = compute_state_hash(env.board)
        player1.update_state_history(state)
        player2.update_state_history(state)
    if draw:
        env.draw_board()
    player1.update(env)
    player2.update(env)
    return env.states[compute_state_hash(env.board)]
