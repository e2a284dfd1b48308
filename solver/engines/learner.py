"""Learn the values of boards for X and for O by temporal differences, from games against each other."""

from numbers import Real
from typing import Final

from solver.errors import EngineError, PositionError, missing_package, require_numbers

try:
    import numpy as np
    import numpy.typing as npt
except ModuleNotFoundError as error:
    raise missing_package(error) from error

from solver.engines.kernel_boards import playout_board, random_state
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.strategies import parse_player
from solver.kernels.learning import learn

LIVE: Final = 2  # the winner of an unfinished board
MAX_SQUARES: Final = 16  # the largest board: its two tables take 344 MB

_CHUNK: Final = 100_000  # episodes of one kernel call; an interrupt waits for it


def winners(rules: Rules) -> npt.NDArray[np.int8]:
    """Return every board's winner, indexed by base-3 hash, as int8[3**squares]: 1 X, -1 O, 0 a draw, 2 unfinished.

    Boards that cannot arise in play are included. Raises EngineError for more than MAX_SQUARES squares.
    """
    if rules.squares > MAX_SQUARES:
        raise EngineError(
            f"A table of values for {rules} would have 3**{rules.squares} boards; "
            f"learning is possible on up to {MAX_SQUARES} squares."
        )
    stones, marks = np.zeros((), np.int8), np.array([0, 1, 1], np.int8)
    squares = range(rules.squares)[::-1]
    for _ in squares:  # an axis for each square, the first square last: empty, X, O
        stones = np.add.outer(stones, marks)
    unfinished = {None: 0, "X": 1, "O": -1}[rules.unfinished]
    result = np.where(stones < rules.plies, np.int8(LIVE), np.int8(unfinished))
    for mark, lines in ((2, rules.o_lines), (1, rules.x_lines)):  # if both sides have a line, X's counts
        others = slice(0, None, 2) if mark == 1 else slice(0, 2)
        for line in lines:
            owners = [mark if line.mask >> s & 1 else others if line.guard >> s & 1 else slice(None) for s in squares]
            result[tuple(owners)] = 1 if (mark == 1) != rules.misere else -1
    return result.reshape(-1)


class Learner:
    """A learner of the values of all boards for X and for O.

    alpha: how far a board's value moves towards the next board's value. epsilon: the share of random moves. draw: the
    value of a drawn board; 0 makes a draw as bad as a loss. `alpha`, `epsilon` and `draw` are from 0 to 1. seed: the
    seed of the random moves; equal seeds and equal numbers of episodes give equal values.

    `values` (float32[2, 3**squares]) is indexed by side (X, O) and base-3 hash. Initial values are 1 for a win, 0 for a
    loss, `draw` for a draw, and 1/2 for unfinished boards. `episodes` is the number of games so far.

    Raises EngineError for a board of more than 16 squares.
    """

    def __init__(
        self, rules: Rules, *, alpha: float = 0.3, epsilon: float = 0.1, draw: float = 0.0, seed: int = 0
    ) -> None:
        require_numbers(0, 1, Real, alpha=alpha, epsilon=epsilon, draw=draw)
        self.rules = rules
        self.alpha, self.epsilon, self.draw, self.seed = float(alpha), float(epsilon), float(draw), seed
        self.episodes = 0
        by_winner = np.empty((2, 4), np.float32)  # index -1, for a win of O, is the last of four
        by_winner[:, 0] = draw
        by_winner[:, LIVE] = 0.5
        by_winner[:, 1] = 1, 0
        by_winner[:, -1] = 0, 1
        self.values: npt.NDArray[np.float32] = by_winner[:, winners(rules)]
        self._board = playout_board(rules)
        self._steps = np.array([[digit * 3**s for s in range(rules.squares)] for digit in (1, 2)], np.int64)
        self._random = random_state(seed)

    def train(self, episodes: int) -> None:
        """Play `episodes` games and learn from them."""
        require_numbers(0, episodes=episodes)
        while episodes > 0:
            count = min(episodes, _CHUNK)
            learn(self._board, self._steps, self.values, self.alpha, self.epsilon, count, self._random)
            self.episodes += count
            episodes -= count

    def value(self, position: Position, player: str) -> float:
        """Return the value of a position for `X` or `O`, from 0 to 1. Raises PositionError if it is of another game."""
        self._require_game(position)
        return float(self.values["XO".index(parse_player(player)), position.hash])

    def moves(self, position: Position) -> list[tuple[int, float]]:
        """Return (square, value for the side to move) for each legal move, best first; ties are sorted by square."""
        self._require_game(position)
        row = self.values["XO".index(position.to_move)]
        steps = self._steps["XO".index(position.to_move)]
        start = position.hash
        moves = [(square, float(row[start + steps[square]])) for square in position.legal_moves]
        return sorted(moves, key=lambda move: -move[1])

    def best_move(self, position: Position) -> tuple[int, float]:
        """Return the move with the highest value, and that value. Raises PositionError if the game is over."""
        moves = self.moves(position)
        if not moves:
            raise PositionError(f"The game is over in {position.board}, so there is no best move.")
        return moves[0]

    def _require_game(self, position: Position) -> None:
        if not position.rules.is_same_game(self.rules):
            raise PositionError(f"This learner is for {self.rules}, but the position is one of {position.rules}.")
