"""ai_tictactoe keeps the board in its object, and get_ai_move() waits and plays O only, so this calls its minimax.

Its options for `mnk verify`: --board rows --marks X,O,space --player mark --moves row,column
"""

from ai_tictactoe import TicTacToeAI


def best_move(board, letter):
    """Return the move that its minimax finds; O maximizes there."""
    game = TicTacToeAI()
    game.board = board
    return game.minimax(board, 0, letter == "O")["position"]
