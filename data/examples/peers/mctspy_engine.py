"""mctspy's Monte Carlo tree search on its own tic-tac-toe; it answers with a node that holds the next board."""

from mctspy.games.examples.tictactoe import TicTacToeGameState
from mctspy.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode
from mctspy.tree.search import MonteCarloTreeSearch


def search(simulations, board, player):
    """The board after the move that so many simulations find; `board` is a square array of 1, -1 and 0."""
    root = TwoPlayersGameMonteCarloTreeSearchNode(TicTacToeGameState(board, player))
    return MonteCarloTreeSearch(root).best_action(simulations).state.board


def search_100(board, player):
    """A hundred simulations for a move."""
    return search(100, board, player)
