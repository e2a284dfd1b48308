"""ai_tictactoe keeps the board in its object, and get_ai_move() waits and plays O only: so its minimax is asked."""

from ai_tictactoe import TicTacToeAI


def best_move(board, letter):
    """The position that its minimax finds; O maximizes there."""
    game = TicTacToeAI()
    game.board = board
    return game.minimax(board, 0, letter == "O")["position"]
