"""Offer games and players in the shape of the code of Russell and Norvig's Artificial Intelligence (AIMA).

Notebook code written for `Game`, `GameState`, `TicTacToe(h, v, k)` and players `strategy(game, state)` runs
unchanged over the rules of this package, with all their variants, and against its engines:

    game = TicTacToe(4, 4, 4, gravity=True)
    play_game(game, {"X": alpha_beta_player, "O": engine_player("mcts:playouts=2000,seed=7")})

Where the notebook that this comes from is wrong:

* Its minimax prints the time that passes before the search begins, and all its searches read the clock with
  `.microseconds`, which drops the whole seconds. Here it is the real time of the search.
* Its `player(search)` calls `search(game, state)` and takes the second of two results, but its searches are
  called with (state, game) and return the move alone. `minimax_search` and `alphabeta_search` fit `player`.
* Its `play_game` asks the same player for ever when a move is illegal, and `Game.play_game` lets the other
  player move twice. Here an illegal move still changes nothing in `result`, but ends the game with an error.
* Its Monte Carlo tree search sees no difference between a draw and a loss
  (see `solver.course.experiments.monte_carlo`).

Agents that `mnk verify` asks get other states, those of `solver.verification.conventions.aima`, which says why.
"""

from solver.course.aima.games import Game, GameState, Strategy, TicTacToe
from solver.course.aima.players import (
    alpha_beta_player,
    alpha_beta_search,
    alphabeta_player,
    alphabeta_search,
    engine_player,
    mcts_player,
    min_max_player,
    minimax_player,
    minimax_search,
    minmax_decision,
    monte_carlo_tree_search,
    play_game,
    player,
    query_player,
    random_player,
)

__all__ = [
    "Game",
    "GameState",
    "Strategy",
    "TicTacToe",
    "alpha_beta_player",
    "alpha_beta_search",
    "alphabeta_player",
    "alphabeta_search",
    "engine_player",
    "mcts_player",
    "min_max_player",
    "minimax_player",
    "minimax_search",
    "minmax_decision",
    "monte_carlo_tree_search",
    "play_game",
    "player",
    "query_player",
    "random_player",
]
