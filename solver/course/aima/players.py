"""Search and play any `Game`, and let the engines of this package play `TicTacToe`."""

import random
from ast import literal_eval
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import inf
from time import perf_counter
from typing import Any

from solver.course.aima.games import Game, GameState, Move, Strategy, TicTacToe, make_move
from solver.engines.engine import Engine, Tables, make_engine, read_engine
from solver.errors import EngineError, PositionError
from solver.game.rules import Rules

# Searches, for any Game


def minimax_search(game: Game, state: Any) -> tuple[float, Any]:
    """Find the value of a state for the player to move, and the first best move, by plain minimax.

    For `TicTacToe` itself the walk is the compiled one, hundreds of times faster; it raises EngineError for a
    tree that is too large.
    """
    if type(game) is TicTacToe and not game.terminal_test(state):
        with suppress(PositionError):  # a state made by hand may be none that a game leads to
            return _walk_tree(game, state)
    return _search(game, state, prune=False)


def alphabeta_search(game: Game, state: Any) -> tuple[float, Any]:
    """Find the value and move of `minimax_search`, with alpha-beta pruning."""
    return _search(game, state, prune=True)


def minmax_decision(state: Any, game: Game) -> Any:
    """Find the move of `minimax_search`; prints the time it took."""
    return _time_search("minimax search", player(minimax_search), game, state)


def alpha_beta_search(state: Any, game: Game) -> Any:
    """Find the move of `alphabeta_search`; prints the time it took."""
    return _time_search("alpha-beta pruning", player(alphabeta_search), game, state)


def monte_carlo_tree_search(state: GameState, game: TicTacToe, N: int = 1000) -> Move:  # noqa: N803 - AIMA calls it N
    """Find the move of Monte Carlo tree search with N playouts; prints the time it took. Raises EngineError."""
    move: Move = _time_search("monte carlo tree search", engine_player(f"mcts:playouts={N}"), game, state)
    return move


def _walk_tree(game: TicTacToe, state: GameState) -> tuple[float, Move]:
    from solver.engines.game_tree.measuring import measure_moves

    values, _ = measure_moves(game.position(state))
    best = max(game.actions(state), key=lambda move: values[game.square(move)])
    return values[game.square(best)], best


def _search(game: Game, state: Any, *, prune: bool) -> tuple[float, Any]:
    player = game.to_move(state)

    def value(state: Any, alpha: float, beta: float) -> tuple[float, Any]:
        """Find the value for the player, and the first move that reaches it."""
        if game.terminal_test(state):
            return game.utility(state, player), None
        maximise = game.to_move(state) == player
        best, choice = (-inf if maximise else inf), None
        for move in game.actions(state):
            found, _ = value(game.result(state, move), alpha, beta)
            if found > best if maximise else found < best:
                best, choice = found, move
            if maximise:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if prune and alpha >= beta:
                break
        return best, choice

    return value(state, -inf, inf)


def _time_search(name: str, strategy: Strategy, game: Game, state: Any) -> Any:
    began = perf_counter()
    move = strategy(game, state)
    print(f"Elapsed time for {name} algorithm: {(perf_counter() - began) * 1e6:.0f} microseconds.")
    return move


# Players


def player(search: Callable[[Game, Any], tuple[float, Any]]) -> Strategy:
    """Make a player of a search that returns (value, move)."""
    return lambda game, state: search(game, state)[1]


def engine_player(text: str, tables: Tables = None) -> Strategy:
    """Make a player of `TicTacToe` of an engine of this package, such as `alphabeta:cutoff=4`.

    tables: where engines that need one find it. Raises EngineError: at once for a bad name or option, and
    when it is to play another `Game`.
    """
    read_engine(text)
    engines: dict[Rules, Engine] = {}

    def strategy(game: Game, state: GameState) -> Move:
        if not isinstance(game, TicTacToe):
            raise EngineError(f"The engine {text} plays TicTacToe and its subclasses, not {game!r}.")
        if game.rules not in engines:
            engines[game.rules] = make_engine(text, game.rules, tables=tables)
        return game.move(engines[game.rules].choose(game.position(state)).move)

    return strategy


def random_player(game: Game, state: Any) -> Any:
    """Choose any legal move, each as likely; None where there is none."""
    moves = list(game.actions(state))
    return random.choice(moves) if moves else None


def minimax_player(game: Game, state: Any) -> Any:
    """Choose the first best move, by plain minimax."""
    return minimax_search(game, state)[1]


def alphabeta_player(game: Game, state: Any) -> Any:
    """Choose the first best move, by alpha-beta search."""
    return alphabeta_search(game, state)[1]


def min_max_player(game: Game, state: Any) -> Any:
    """Choose as `minimax_player`; prints the time it took."""
    return minmax_decision(state, game)


def alpha_beta_player(game: Game, state: Any) -> Any:
    """Choose as `alphabeta_player`; prints the time it took."""
    return alpha_beta_search(state, game)


def mcts_player(game: TicTacToe, state: GameState) -> Move:
    """Choose the move of Monte Carlo tree search with 1000 playouts; prints the time it took."""
    return monte_carlo_tree_search(state, game)


def query_player(game: Game, state: Any) -> Any:
    """Ask the person at the terminal, as often as it takes, for a move written as Python writes it: `(1, 2)`."""
    print("current state:")
    game.display(state)
    moves = list(game.actions(state))
    print(f"available moves: {moves}\n")
    if not moves:
        print("no legal moves: passing turn to next player")
        return None
    while True:
        written = input("Your move? ")
        try:
            move = literal_eval(written)
        except (ValueError, SyntaxError):
            move = written
        if move in moves:
            return move
        print(f"{written} is not among the available moves.")


# Matches


def play_game(game: Game, strategies: Mapping[Any, Strategy], verbose: bool = False) -> Any:
    """Play a game between strategies by player, `{"X": ..., "O": ...}`, and return the final state.

    verbose: print every move and state, and the result. Raises IllegalMove.
    """
    state = game.initial
    while not game.terminal_test(state):
        mover = game.to_move(state)
        move = strategies[mover](game, state)
        state = make_move(game, state, move)
        if verbose:
            print("Player", mover, "move:", move)
            print("current state:")
            game.display(state)
    if verbose:
        utility = game.utility(state, "X")
        print("Player X win the game!" if utility > 0 else "Player O win the game!" if utility < 0 else "Draw Game!")
    return state
