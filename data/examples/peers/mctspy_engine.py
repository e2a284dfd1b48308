"""mctspy's Monte Carlo tree search on its own tic-tac-toe, which returns a node with the next board.

Its options for `mnk verify`: --board array --marks 1,-1,0 --player 1,-1 --moves board
"""

from mctspy.games.examples.tictactoe import TicTacToeGameState
from mctspy.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode
from mctspy.tree.search import MonteCarloTreeSearch


def search(simulations, board, player):
    """Return the board after the move found by a number of simulations."""
    root = TwoPlayersGameMonteCarloTreeSearchNode(TicTacToeGameState(board, player))
    return MonteCarloTreeSearch(root).best_action(simulations).state.board


def search_100(board, player):
    """Run a hundred simulations for a move."""
    return search(100, board, player)
