"""Name the conventions of well-known sources, each of which settles everything at once."""

from typing import Final, NamedTuple

from solver.errors import EngineError, quoted


class Profile(NamedTuple):
    """The convention of one source, in the words of the options."""

    source: str
    board: str
    moves: str | None
    """None where they are told by what is legal: squares, or columns with gravity."""
    marks: str | None
    """None where the board says it."""
    names: frozenset[str]
    """The functions and classes that a file of this kind defines, or the parameters of its player."""
    least: int
    """How many of them a file has at least that looks like it."""
    wrapping: str = ""
    """The name of the form in which moves come."""
    side: str | None = None
    """The only side that its player plays."""


PROFILES: Final = {
    "cs50": Profile(
        "CS50's Introduction to Artificial Intelligence, project Tic-Tac-Toe",
        "rows of lists",
        "row,column",
        "X,O,None",
        frozenset({"initial_state", "player", "actions", "result", "winner", "terminal", "utility", "minimax"}),
        6,
    ),
    "geeksforgeeks": Profile(
        "GeeksforGeeks, Finding optimal move in Tic-Tac-Toe using Minimax",
        "rows of lists",
        "row,column",
        "x,o,_",
        frozenset({"isMovesLeft", "evaluate", "minimax", "findBestMove"}),
        3,
        side="X",
    ),
    "kaggle": Profile(
        "Kaggle's simulations, TicTacToe and ConnectX",
        "Kaggle observation",
        None,
        None,
        frozenset({"config", "configuration"}),
        1,
    ),
    "aima": Profile(
        "Russell & Norvig, Artificial Intelligence: A Modern Approach",
        "AIMA state",
        "row,column from 1",
        None,
        frozenset({"state", "game"}),
        2,
    ),
    "sutton-barto": Profile(
        "the tic-tac-toe of Sutton & Barto, Reinforcement Learning, in Python",
        "array",
        "row,column",
        "1,-1,0",
        frozenset({"State", "Judger", "Player", "HumanPlayer"}),
        3,
        wrapping="(row, column, mark)",
    ),
}
"""The profiles by name."""


def find_profile(name: str) -> Profile:
    """Return the profile of a name; raises EngineError for an unknown one."""
    if name not in PROFILES:
        raise EngineError(f"--profile {quoted(name)} is unknown; choose one of {', '.join(PROFILES)}.")
    return PROFILES[name]


def suggest_profile(names: frozenset[str]) -> str | None:
    """Return the first profile that these names of functions, classes and parameters look like, or None."""
    return next((key for key, one in PROFILES.items() if len(one.names & names) >= one.least), None)
