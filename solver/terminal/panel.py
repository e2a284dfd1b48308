"""Write the panel beside the board: whose turn it is, the moves best first, the main line, and what was played."""

from itertools import groupby

from rich.style import Style
from rich.text import Text

from solver.game.squares import square_name
from solver.terminal.board import STYLES
from solver.terminal.exploration import OPPONENTS, Exploration

__all__ = ["describe_players", "write_panel"]

_DIM = STYLES[""]


def write_panel(game: Exploration, *, hints: bool) -> Text:
    """Write the panel of a game; without hints it tells no values."""
    text = Text()
    _add_state(text, game, hints=hints)
    if hints and not game.position.is_over:
        _add_moves(text, game)
        _heading(text, "Main line")
        text.append(" ".join(_names(game, game.table.mainline(game.position))) + "\n")
    _add_played(text, game, hints=hints)
    return text


def describe_players(game: Exploration) -> str:
    """Say who plays whom."""
    if game.opponent == "people":
        return "Two people play."
    return f"You play {game.people} against {OPPONENTS[game.opponent]}."


def _add_state(text: Text, game: Exploration, *, hints: bool) -> None:
    position = game.position
    text.append(describe_players(game) + "\n\n", _DIM)
    if position.is_over:
        text.append(position.result, "bold")
    else:
        text.append(f"{position.to_move} to move", "bold")
        if hints:
            value = game.value()
            text.append(": ", "bold")
            text.append(str(value), STYLES[value.category] + Style(bold=True))
    text.append("\n")


def _add_moves(text: Text, game: Exploration) -> None:
    _heading(text, "Moves, best first")
    for value, group in groupby(game.moves(), key=lambda move: move[1]):
        text.append(f"{value.label:<4}", STYLES[value.category])
        text.append(" ".join(_names(game, [square for square, _ in group])) + "\n")


def _add_played(text: Text, game: Exploration, *, hints: bool) -> None:
    _heading(text, "Played")
    marks = game.mistakes() if hints else [""] * len(game.played)
    first = game.past[0].ply
    for ply, (name, mark) in enumerate(zip(_names(game, game.played), marks, strict=True), first):
        if ply % 2 == 0 or ply == first:
            text.append(f"{ply // 2 + 1}.", _DIM)
            text.append("... " if ply % 2 else " ", _DIM)
        text.append(name, STYLES["XO"[ply % 2]])
        text.append(mark + " ", STYLES["loss"])
    text.append("nothing yet\n" if not marks else "\n", _DIM)


def _heading(text: Text, name: str) -> None:
    text.append(f"\n{name}\n", "bold underline")


def _names(game: Exploration, squares: list[int]) -> list[str]:
    return [square_name(game.table.rules, square) for square in squares]
