"""A cheat: it gets its moves from this package, so it gets no points."""

from solver import Position, make_engine, parse_game

RULES = parse_game("3,3,3")
ENGINE = make_engine("alphabeta", RULES)


def best_move(board):
    """Return the move of an engine of this package."""
    signs = "".join(board).replace(" ", ".")
    return ENGINE.choose(Position.parse(RULES, f"{signs[:3]}/{signs[3:6]}/{signs[6:]}")).move
