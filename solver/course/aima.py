"""Games in the shape of Russell and Norvig's Artificial Intelligence (AIMA), and Monte Carlo tree search.

`TicTacToe(h, v, k)` has the methods of the notebook's class, over the rules of this package with all their variants;
`mnk verify --profile aima` gives agents the same methods. A player is a function `strategy(game, state)`:

    game = TicTacToe(4, 4, 4, gravity=True)
    play_game(game, {"X": engine_player("alphabeta:cutoff=4", game), "O": engine_player("mcts:playouts=200", game)})

The notebook keeps no results. Without a person, it plays one game, of alpha-beta against Monte Carlo tree search, whose
moves are random. These parts of the notebook are wrong:

* Its minimax prints the time before the search begins, and all its searches read the clock with `.microseconds`, which
  drops whole seconds.
* Its `play_game` asks the same player forever if a move is illegal. Here `result` still ignores an illegal
  move, but `play_game` raises an error.
* Its Monte Carlo tree search counts only wins, so that a draw is as bad as a loss, as with the option `draw=0` of the
  engine `mcts`. That engine also uses UCB1 with the constant 1.4, makes 1000 playouts and plays the most visited
  move, but counts a draw as half a win, tries moves in random order, and adds one node per playout, not all children.
"""

from collections.abc import Callable, Mapping
from typing import Any

from solver.course.experiments import Row
from solver.engines.engine import make_engine
from solver.errors import IllegalMove
from solver.game import aima_game
from solver.game.aima_game import GameState, Move, list_facts
from solver.game.games import parse_game
from solver.game.position import Position

Strategy = Callable[[Any, Any], Move]  # a player: a function of a game and a state that returns a move

# The experiment


def run() -> list[Row]:
    """Play the notebook's game, with the players as they are there."""
    game = TicTacToe()
    end = play_game(game, {"X": engine_player("alphabeta", game), "O": engine_player("mcts:draw=0", game)})
    note = "random moves; the notebook keeps no result"
    return [Row("alpha-beta against Monte Carlo tree search: utility", "", end.utility, exact=False, note=note)]


# Games


class TicTacToe(aima_game.TicTacToe):
    """A game on `h` rows and `v` columns with `k` in a row; X moves first and is Max. Moves are (row, column), from 1.

    variants: the variants of `Rules`, such as `misere=True`. A `GameState` can be made directly. Raises RulesError.

    >>> game = TicTacToe()
    >>> state = game.result(game.initial, (2, 2))
    >>> state.to_move, state.utility, state.board, len(state.moves)
    ('O', 0, {(2, 2): 'X'}, 8)
    """

    def __init__(self, h: int = 3, v: int = 3, k: int = 3, **variants: bool) -> None:
        self.rules = parse_game(",".join([f"{h},{v},{k}", *(name for name, given in variants.items() if given)]))
        super().__init__(list_facts(self.rules))

    def position(self, state: GameState) -> Position:
        """Return the position of a state, for engines. Raises ImpossiblePosition if it cannot arise in play."""
        x, o = (self._stones(state.board, player) for player in "XO")
        return Position(self.rules, x, o)


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
