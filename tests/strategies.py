"""Hypothesis strategies for games of every variant, and for positions reached by random play."""

from hypothesis import strategies as st

from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.rules import Rules

# At least one game for every variant, and for every combination that affects the legal moves.
GAMES = [
    "3,3,3", "3,3,3,misere", "3,3,3,torus", "1,7,3", "2,5,2,exact", "3,4,2,exact,torus", "3,5,3,full", "4,4,4",
    "4,4,4,gravity,misere", "4,5,4,gravity,torus", "3,4,3,exact,gravity", "5,5,4", "5,5,6", "6,7,4,gravity", "3,30,3",
]  # fmt: skip


def games() -> st.SearchStrategy[Rules]:
    """Draw a game from the list."""
    return st.sampled_from(GAMES).map(parse_game)


@st.composite
def moves(draw: st.DrawFn, rules: Rules) -> list[int]:
    """Draw legal moves from the empty board, at most up to the end of the game."""
    position, played = Position.start(rules), []
    for _ in range(draw(st.integers(0, rules.squares))):
        if position.is_over:
            break
        played.append(draw(st.sampled_from(position.legal_moves)))
        position = position.play(played[-1])
    return played


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw a position that can arise in play, from any game in the list."""
    rules = draw(games())
    return Position.from_moves(rules, draw(moves(rules)))
