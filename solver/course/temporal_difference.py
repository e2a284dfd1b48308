"""Temporal-difference learning: the boards, and the errors after 10,000 and a million episodes.

The classes of the notebook, in plain Python, over the rules of any small game:

    env = Environment(3, 3)
    player1, player2 = Agent(X, env, 0.3, 0.1), Agent(O, env, 0.3, 0.1)
    for episode in range(10_000):
        play_game(player1, player2, env)
    player2 = Agent.of(learner, O, env)             # `solver.engines.learner` learns a thousand times faster

A board is an array of 0, 1 (X) and -1 (O). Three things differ from the notebook: the hash of a board has the digit 2,
not -1, for an O; random numbers come from the environment, which takes a seed; `play_game` returns the winner.
"""

from collections.abc import Iterator
from time import perf_counter
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.course.experiments import Row
from solver.engines.learner import Learner, winners
from solver.errors import EngineError
from solver.game.games import parse_game
from solver.game.lines import mask_of
from solver.game.position import Position
from solver.game.rules import Rules, require_rectangle
from solver.kernels.learning import LIVE
from solver.search.small import InMemoryTable
from solver.tablebase import Prober
from solver.verification.positions import live_positions

X: Final = 1
O: Final = -1  # noqa: E741 - the notebook calls it O
MAX_SQUARES: Final = 12
"""The largest board: a dictionary holds all its 3**squares states."""

EPISODES: Final = 10_000  # with alpha 0.3 and epsilon 0.1, the defaults of the learner
MORE: Final = 1_000_000

Cells = npt.NDArray[np.float64]
Square = tuple[int, int]


# The experiment


def run() -> list[Row]:
    """Measure the figures of the notebook, and the wrong decisions of its learners."""
    rules = parse_game("3,3,3")
    return [*_hashes(rules), *_learned(rules), *_reply(rules)]


def _hashes(rules: Rules) -> Iterator[Row]:
    yield Row("boards, by hash", 3**9, winners(rules).size)
    first = Position.parse(rules, "X../.../...").hash
    yield Row("hash of X../.../... by its formula", 3**8, first, False, "its code gives 1, as ours")
    reply = Position.parse(rules, "XO./.../...").hash
    yield Row("hash of XO./.../... by its code", 1 - 3, reply, False, "it has digit -1 for O, ours has 2")


def _learned(rules: Rules) -> Iterator[Row]:
    table = InMemoryTable(rules)
    for draw, words in ((0.0, "a draw worth a loss, as there"), (0.5, "a draw worth half a win")):
        learner = Learner(rules, draw=draw)
        for episodes in (EPISODES, MORE):
            learner.train(episodes - learner.episodes)
            found = measure_learner(learner, table)
            after = f"after {episodes:,} episodes, {words}"
            yield Row(f"wrong decisions of {found.decisions:,} {after}", None, found.wrong)
            yield Row(f"mean distance of values from the truth {after}", None, round(found.error, 3))
    learner = Learner(rules)
    began = perf_counter()
    learner.train(MORE)
    yield Row(f"seconds for {MORE:,} episodes", None, round(perf_counter() - began, 3))


def _reply(rules: Rules) -> Iterator[Row]:
    learner = Learner(rules)
    learner.train(EPISODES)
    move, value = learner.best_move(Position.parse(rules, "X../.../..."))
    yield Row("reply to X../.../... after 10,000 episodes", 4, move, False)
    yield Row("value of that reply", 0.50, round(value, 2), False)


class LearnerErrors(NamedTuple):
    """How far a learner is from perfect play."""

    decisions: int
    """Positions with a legal move."""
    wrong: int
    """Decisions in which the move of the highest value gives away a win or a draw."""
    error: float
    """The mean absolute error of the values of both sides, over all decisions except the empty board."""


def measure_learner(learner: Learner, table: Prober) -> LearnerErrors:
    """Compare every decision and every value of a learner with a table of its game."""
    positions = live_positions(learner.rules)
    right = {1: 1.0, 0: learner.draw, -1: 0.0}
    wrong, errors = 0, []
    for position in positions:
        wdl = table.probe(position).wdl
        wrong += -table.probe(position.play(learner.best_move(position)[0])).wdl < wdl
        x_wdl = wdl if position.to_move == "X" else -wdl
        errors += [abs(learner.value(position, side) - right[sign * x_wdl]) for side, sign in (("X", 1), ("O", -1))]
    return LearnerErrors(len(positions), wrong, sum(errors[2:]) / len(errors[2:]))


# The classes of the notebook


def compute_state_hash(board: Cells) -> int:
    """Return the base-3 hash of a board: the first square is the least significant digit, X is 1 and O is 2.

    The formula in the notebook has the digits the other way round: 3**8 * B[0,0] + ... + B[2,2]. Its code has this
    order, but adds -1 instead of 2 for an O, so that its hashes run from -9841 to 9841. So `x../.../...` is 1 in its
    code, 6561 by its formula and 1 here, and `o../.../...` is -1, -6561 and 2.

    >>> compute_state_hash(np.array([[1, -1, 1], [0, 1, 0], [0, 0, 0]]))
    97
    """
    return sum(int(cell) % 3 * 3**square for square, cell in enumerate(board.reshape(-1)))


class Environment:
    """The board, and the winner of each state: `states[hash]` is X, O, 0 (a draw) or None (not over).

    width, height, in_a_row: the board, by default 3 in a row. rules: any game of up to 12 squares, instead of these.
    seed: of the agents' random choices. Raise EngineError for a larger board.
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
        self.board: Cells
        self.new_game()

    def new_game(self) -> None:
        """Clear the board."""
        self.board = np.zeros((self.rules.diagram.rows, self.rules.diagram.columns))

    def game_over(self) -> bool:
        """Return whether a side has won or the board is full."""
        return self.states[compute_state_hash(self.board)] is not None

    def empty_cells(self) -> list[Square]:
        """Return the cells where a stone may go, as row and column, row by row."""
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


class Agent:
    """One side that learns: `value[hash]` is the value of each board for it.

    symbol: X or O. alpha, epsilon: as in `Learner`. draw: the initial value of a draw; 0 in the notebook.
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
        """Return an agent with the values of a learner of the same game, which does not explore.

        Raise EngineError if the games differ.
        """
        if not learner.rules.is_same_game(env.rules):
            raise EngineError(f"A learner of {learner.rules} can't play {env.rules}.")
        agent = Agent(symbol, env, learner.alpha, 0.0, learner.draw)
        agent.value = dict(enumerate(learner.values[0 if symbol == X else 1].tolist()))
        return agent

    def play(self, env: Environment) -> None:
        """Play a random move with probability epsilon, otherwise the move to the board of the highest value."""
        cells = env.empty_cells()
        if env.random.random() < self.epsilon:
            cell = cells[int(env.random.integers(len(cells)))]
        else:
            step, before = self.symbol % 3, compute_state_hash(env.board)
            columns = env.rules.diagram.columns
            cell = max(cells, key=lambda cell: self.value[before + step * 3 ** (cell[0] * columns + cell[1])])
        env.board[cell] = self.symbol

    def update(self, env: Environment) -> None:
        """Move the value of each board of the game towards that of the next, the last first."""
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
        """Do nothing."""

    def update_state_history(self, state: int) -> None:
        """Do nothing."""


Player = Agent | HumanPlayer


def play_game(player1: Player, player2: Player, env: Environment, draw: Any = False) -> int | None:
    """Play a game that `player1` begins, let both players learn from it, and return the winner, or 0 for a draw.

    draw: X or O to print the board before each move of that side; any other true value prints only the end.
    """
    env.new_game()
    current: Player = player2
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
