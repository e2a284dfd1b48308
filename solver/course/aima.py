"""Games in the shape of Russell and Norvig's Artificial Intelligence (AIMA), and Monte Carlo tree search.

`TicTacToe(h, v, k)` has the methods of the notebook's class, over the rules of this package with all their variants;
`mnk verify --profile aima` gives agents a game with the same methods, which needs no package
(`solver.verification.host`). A player is a function `strategy(game, state)`:

    game = TicTacToe(4, 4, 4, gravity=True)
    play_game(game, {"X": engine_player("alphabeta:cutoff=4", game), "O": engine_player("mcts:playouts=200", game)})

The notebook prints no numbers; according to its code, both games of the experiment end in a draw. These parts of the
notebook are wrong:

* Its minimax prints the time before the search begins, and all its searches read the clock with `.microseconds`, which
  drops whole seconds. Here the time printed is that of the search.
* Its `play_game` asks the same player forever if a move is illegal. Here `result` still ignores an illegal
  move, but `play_game` raises an error.
* Its Monte Carlo tree search counts only wins, so that a draw is as bad as a loss, as with the option `draw=0` of the
  engine `mcts`. That engine also uses UCB1 with the constant 1.4, makes 1000 playouts and plays the most visited
  move, but counts a draw as half a win, tries moves in random order, and adds one node per playout, not all children.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from solver.course.experiments import Row
from solver.engines.engine import make_engine
from solver.errors import IllegalMove
from solver.game.games import parse_game
from solver.game.lines import completed, mask_of
from solver.game.position import Position

Move = tuple[int, int]
Strategy = Callable[[Any, Any], Move]  # a player: a function of a game and a state that returns a move

# The experiment


def run() -> list[Row]:
    """Play the notebook's two games, which have no random moves, and compare the results with the notebook's."""
    game, rows = TicTacToe(), []
    players = {"minimax": engine_player("minimax", game), "alpha-beta": engine_player("alphabeta", game)}
    for first, second in [("minimax", "alpha-beta"), ("alpha-beta", "minimax")]:
        end = play_game(game, {"X": players[first], "O": players[second]})
        rows.append(Row(f"{first} against {second}: utility", 0, end.utility))
    return rows


# Games


class GameState(NamedTuple):
    """A state of `TicTacToe`."""

    to_move: str  # the player to move, `X` or `O`
    utility: int  # the utility for X
    board: dict[Move, str]  # the stones: `{(row, column): "X" or "O"}`
    moves: list[Move]  # the legal moves


class TicTacToe:
    """A game on `h` rows and `v` columns with `k` in a row; X moves first and is Max. Moves are (row, column), from 1.

    variants: the variants of `Rules`, such as `misere=True`. A `GameState` can be made directly. Raises RulesError.

    >>> game = TicTacToe()
    >>> state = game.result(game.initial, (2, 2))
    >>> state.to_move, state.utility, state.board, len(state.moves)
    ('O', 0, {(2, 2): 'X'}, 8)
    """

    def __init__(self, h: int = 3, v: int = 3, k: int = 3, **variants: bool) -> None:
        self.rules = parse_game(",".join([f"{h},{v},{k}", *(name for name, given in variants.items() if given)]))
        self.h, self.v, self.k = h, v, k
        self.initial = GameState("X", 0, {}, self._list_free({}))

    def __repr__(self) -> str:
        return f"<TicTacToe {self.rules}>"

    def to_move(self, state: GameState) -> str:
        """Return the player to move."""
        return state.to_move

    def actions(self, state: GameState) -> list[Move]:
        """Return the free squares; with gravity, the lowest free square of each column."""
        return state.moves

    def result(self, state: GameState, move: Move) -> GameState:
        """Return the state after a move, or the same state if the move is illegal."""
        if move not in self.actions(state) or self.terminal_test(state):
            return state
        board = {**state.board, move: state.to_move}
        utility = self.compute_utility(board, move, state.to_move)
        return GameState("O" if state.to_move == "X" else "X", utility, board, self._list_free(board))

    def utility(self, state: GameState, player: str) -> int:
        """Return the value of a final state for a player: 1, 0 or -1."""
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state: GameState) -> bool:
        """Return whether the game is won or no square is free."""
        return state.utility != 0 or len(state.moves) == 0

    def display(self, state: GameState) -> None:
        """Print the board, a line for each row."""
        for row in range(1, self.h + 1):
            print(*[state.board.get((row, column), ".") for column in range(1, self.v + 1)], "")

    def compute_utility(self, board: Mapping[Move, str], move: Move, player: str) -> int:
        """Return 1 if this move of `player` wins for X, -1 if it wins for O, otherwise 0."""
        through = self.rules.x_lines_through[self.square(move)]
        if not completed(through, self._stones(board, player)):
            return 0
        return 1 if (player == "X") != self.rules.misere else -1

    def square(self, move: Move) -> int:
        """Return the number of a square, counted from 0, row by row."""
        return (move[0] - 1) * self.v + move[1] - 1

    def move(self, square: int) -> Move:
        """Return the row and the column of a square, both counted from 1."""
        return square // self.v + 1, square % self.v + 1

    def position(self, state: GameState) -> Position:
        """Return the position of a state, for engines. Raises ImpossiblePosition if it cannot arise in play."""
        x, o = (self._stones(state.board, player) for player in "XO")
        return Position(self.rules, x, o)

    def _stones(self, board: Mapping[Move, str], player: str) -> int:
        return mask_of(self.square(move) for move, stone in board.items() if stone == player)

    def _list_free(self, board: Mapping[Move, str]) -> list[Move]:
        supports = self.rules.supports
        return [
            self.move(square)
            for square in range(self.rules.squares)
            if self.move(square) not in board and (supports[square] < 0 or self.move(supports[square]) in board)
        ]


def play_game(game: TicTacToe, strategies: Mapping[str, Strategy]) -> GameState:
    """Play a game between the players `{"X": ..., "O": ...}` and return its final state. Raises IllegalMove."""
    state = game.initial
    while not game.terminal_test(state):
        move = strategies[state.to_move](game, state)
        if move not in game.actions(state):
            raise IllegalMove(f"The player {state.to_move} made the move {move}, which is not allowed in {game!r}.")
        state = game.result(state, move)
    return state


def engine_player(text: str, game: TicTacToe) -> Strategy:
    """Return a player of `game` that makes the moves of an engine, such as `alphabeta:cutoff=4`. Raises EngineError."""
    engine = make_engine(text, game.rules)
    return lambda game, state: game.move(engine.choose(game.position(state)).move)
