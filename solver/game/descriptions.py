"""Describe rules and values in English."""

import re
from collections.abc import Iterable, Iterator
from string import digits
from typing import Final

from solver.drawing.diagram import grid_name
from solver.game.rules import OTHER, Rules, Side
from solver.game.value import Value
from solver.support.english import join_names, plural

_VARIANTS: Final = {
    "exact": "a longer row does not count",
    "full": "lines are whole rows, whole columns, and diagonals as long as the shorter side",
    "torus": "lines wrap around the edges",
}
_VERBS: Final = {1: "wins", 0: "draws", -1: "loses"}


def describe_rules(rules: Rules) -> str:
    """Describe the rules of a game: `4 rows, 5 columns, 4 in a row; completing a line loses`."""
    board = describe_board(rules)
    losing = re.sub(r"\bwin(s?)$", r"lose\1", board) if rules.misere else board
    clauses = [losing]
    if rules.gravity:
        clauses.append("a stone drops to the lowest empty square of its column")
    if rules.plies < rules.squares:
        clauses.append(f"the game ends after {plural(rules.plies, 'move')}")
    if rules.misere and losing == board:
        clauses.append("completing a line loses")
    if rules.x_is_white:
        clauses.append("X is white, who moves first, and O is black")
    return "; ".join([*clauses, *_describe_end(rules)])


def describe_board(rules: Rules) -> str:
    """Describe the board and the lines of a game, including the variants that affect only these."""
    x, o = (plural(len(lines), "line") for lines in (rules.x_lines, rules.o_lines))
    squares = plural(rules.squares + len(rules.diagram.standing), "square")
    clauses = [rules.words or f"{squares}, {x if rules.is_even else f'{x} of X, {o} of O'}"]
    clauses += [_VARIANTS[variant] for variant in rules.variants if variant in _VARIANTS]
    values = dict(variant.split("=") for variant in rules.variants if "=" in variant)
    if "without" in values:
        clauses.append(f"the board has no {values['without'].replace('+', ', ')}")
    for side in ("X", "O"):
        named = values.get(side.lower(), "").replace("+", ", ")
        if stones := named or ("" if rules.words else _standing(rules, side)):
            clauses.append(f"{side} has a stone on {stones} from the start")
    return "; ".join(clauses)


def describe_layers(rules: Rules) -> str | None:
    """Describe how text shows a board of more than two dimensions; return None for other boards.

    >>> from solver.game.games import parse_game
    >>> describe_layers(parse_game("3x3x3,3"))
    "Layers are shown one below the other; a square's name begins with its layer, as in 1a1, 2a1 and 3a1."
    """
    first = re.fullmatch(r"(\d+)([a-z]+\d+)", rules.diagram.names[0])
    if not first:
        return None
    names = [name for name in rules.diagram.names if name.lstrip(digits) == first[2]]
    named = join_names(names, "and", limit=4)
    return f"Layers are shown one below the other; a square's name begins with its layer, as in {named}."


def _standing(rules: Rules, side: str) -> str:
    """Name the squares of a side's initial stones, or count these squares if they have no names."""
    diagram = rules.diagram
    places = [place for place, cell in enumerate(diagram.cells) if cell == side]
    if places and not diagram.has_coordinates:
        return plural(len(places), "further square")
    return ", ".join(grid_name(place, diagram.columns) for place in places)


def _describe_end(rules: Rules) -> Iterator[str]:
    """Yield clauses about the result if nobody completes a line, unless it is a draw and both sides have lines."""
    winner = rules.unfinished
    if not rules.has_lines:
        result = f"{winner} wins every game" if winner else "every game is a draw"
        yield f"no line fits on the board, so {result}"
        return
    if rules.x_lines and rules.o_lines:
        if winner:
            yield f"{winner} wins when nobody completes a line"
        return
    side: Side = "X" if rules.x_lines else "O"
    other = OTHER[side]
    if not winner:
        yield f"only {side} can complete a line, else it is a draw"
        return
    yield f"only {side}'s lines count, and {winner} wins when {'it' if winner == side else side} completes none"
    if rules.misere and winner == side:
        yield f"{side} is Avoider, {other} is Enforcer"
    elif not rules.misere and winner == other:
        yield f"{side} is Maker, {other} is Breaker"


def describe_value(value: Value, to_move: Side | None = None) -> str:
    """Describe a value as the result for the side to move or, given `to_move`, as the result of the game.

    >>> describe_value(Value(1, 3)), describe_value(Value(0, 9)), describe_value(Value(-1))
    ('wins in 3 plies', 'draws', 'loses')
    >>> describe_value(Value(-1, 4), "O"), describe_value(Value(-1, 0), "O"), describe_value(Value(0, 9), "X")
    ('X wins in 4 plies', 'X has won', 'a draw')
    """
    time = ""
    if value.within is not None:
        time = f" within {plural(value.within, 'ply', 'plies')}"
    elif value.wdl and value.distance is not None:
        time = f" in {plural(value.distance, 'ply', 'plies')}"
    if to_move is None:
        return _VERBS[value.wdl] + time
    if value.wdl == 0:
        return "a draw"
    winner = to_move if value.wdl > 0 else OTHER[to_move]
    return f"{winner} has won" if value.distance == 0 else f"{winner} {_VERBS[1]}{time}"


def describe_labels(labels: Iterable[str], more: str = "", *, draws: bool = True) -> str:
    """Return a sentence that explains labels of moves such as `W3`, `=` and `L` (`Value.label`) and ends with `more`.

    draws: whether the game can be drawn.

    >>> describe_labels(["W3", "="])
    'On an empty square: a move there wins (W), draws (=) or loses (L); W3 wins in 3 plies.'
    """
    shown = "".join(labels)
    end = "; W3 wins in 3 plies" if any(sign.isdecimal() for sign in shown) else ""
    end += ", W<4 within 3" if "<" in shown else ""
    values = "wins (W), draws (=) or loses (L)" if draws else "wins (W) or loses (L)"
    return f"On an empty square: a move there {values}{end}{more}."
