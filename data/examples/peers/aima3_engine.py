"""aima3's searches take (state, game); its players are told their game first.

Its options for `mnk verify`: --profile aima
"""

from aima3.games import AlphaBetaCutoffPlayer, MCTSPlayer, alphabeta_search, minimax_decision


def minimax(game, state):
    """Search the whole tree."""
    return minimax_decision(state, game)


def alphabeta(game, state):
    """Search the whole tree with alpha-beta pruning."""
    return alphabeta_search(state, game)


def cutoff(game, state):
    """Search four plies deep, the player's default."""
    return play(AlphaBetaCutoffPlayer(), game, state)


def mcts(game, state):
    """Run a hundred playouts without self-play, the player's defaults, so nothing is drawn."""
    return play(MCTSPlayer(), game, state)


def play(player, game, state):
    """Return a player's move."""
    player.set_game(game)
    return player.get_action(state)
