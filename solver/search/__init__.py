"""The values of positions, from all sources: tables, and searches without a table."""

from solver.game.rules import Rules

MOST_ROWS, MOST_COLUMNS, MOST_BITS = 19, 16, 64  # of a board; its bits are its squares with one row added


def is_searchable(rules: Rules) -> bool:
    """Return True if the compiled search supports a game: k in a row with gravity on a board that fits into 64 bits."""
    board = rules.rectangle
    return (
        board is not None
        and rules.variants == ("gravity",)
        and (board.m + 1) * board.n <= MOST_BITS
        and board.m <= MOST_ROWS
        and board.n <= MOST_COLUMNS
        and board.k >= 2
    )


def square_bits(rules: Rules) -> list[int]:
    """Return the bit of each square in a word of the search (see `solver.kernels.search_board`)."""
    rows, columns = rules.squares // rules.stride, rules.stride
    return [square % columns * (rows + 1) + rows - 1 - square // columns for square in range(rules.squares)]
