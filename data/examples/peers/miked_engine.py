"""tic-tac-toe-miked: its own program plays `A` against `X` on the squares 1 to 9, numbered as on a keypad.

Its options for `mnk verify`: --board 'flat from 1' --marks A,X,space --player own --moves 'index from 1'
--order 'rows from the bottom'
"""

from tic_tac_toe_miked.classes import AI


def best_move(cells):
    """Return the first of the heaviest squares at the level `hard`, as its own program does."""
    player = AI(cells)
    player.hard = True
    player.check()
    return max(player.g_cells, key=lambda cell: cell.weight).index
