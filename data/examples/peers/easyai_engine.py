"""easyAI plays its own tic-tac-toe: its board holds 0, 1 and 2, its players are 1 and 2, its squares 1 to 9.

Its options for `mnk verify`: --board flat --marks 1,2,0 --player 1,2 --moves 'index from 1'
"""

from easyAI import AI_Player, Negamax
from easyAI.games.TicTacToe import TicTacToe


def negamax(depth, board, player):
    """Return the move of Negamax(depth), called as easyAI's own games call their players."""
    game = TicTacToe([AI_Player(Negamax(depth))] * 2)
    game.board, game.current_player = board, player
    return game.get_move()


def negamax_2(board, player):
    """Search two plies deep."""
    return negamax(2, board, player)


def negamax_6(board, player):
    """Search six plies deep, as in easyAI's own example of tic-tac-toe."""
    return negamax(6, board, player)
