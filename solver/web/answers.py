"""What the API says, as dicts for JSON: games, positions, main lines, statistics, an opponent's move.

Every value beside a position is for the side to move there; a move's `verdict` alone is for the one who moves.
"""

from solver.engine import make_engine
from solver.errors import EngineError, PositionError, quoted
from solver.facts import Facts, position_facts, square_facts, table_facts, value_facts, winner_of
from solver.lines import squares_of
from solver.position import Position
from solver.tablebase import Tablebase
from solver.value import Value
from solver.web.tables import ServedTable

__all__ = [
    "OPPONENTS",
    "POINT_OF_VIEW",
    "game_answer",
    "mainline_answer",
    "opponent_answer",
    "position_answer",
    "stats_answer",
]

POINT_OF_VIEW = "side to move"
OPPONENTS = ("perfect", "graded", "random")  # the engines that answer at once, whatever their options


def game_answer(served: ServedTable) -> Facts:
    """A game with the facts about its table."""
    rules = served.table.rules
    shape = {"rows": rules.m, "columns": rules.n, "k": rules.k, "variants": list(rules.variants)}
    return {**table_facts(served.table), **shape, "bytes": served.bytes}


def stats_answer(served: ServedTable) -> Facts:
    """A game with the statistics of each ply."""
    return {**game_answer(served), "plies": served.table.plies()}


def position_answer(table: Tablebase, position: Position) -> Facts:
    """A position, what it is worth, and every move in it, best first."""
    over = position.is_over
    return {
        "game": position.rules.name,
        **_reached(position, table.probe(position)),
        "ply": position.ply,
        "to_move": None if over else position.to_move,
        "line": sorted(squares_of(position.winning_line)) if position.winning_line else None,
        "point_of_view": POINT_OF_VIEW,
        "moves": [_move(position, square, value) for square, value in table.moves(position)],
    }


def mainline_answer(table: Tablebase, position: Position) -> Facts:
    """Best play by both sides from a position to the end of the game."""
    moves, end = [], position
    for square in table.mainline(position):
        moves.append(square_facts(position.rules, square)["name"])
        end = end.play(square)
    category = table.probe(position).category
    return {
        **position_facts(position),
        "moves": moves,
        "result": category,
        "winner": winner_of(end),
        "point_of_view": POINT_OF_VIEW,
    }


def opponent_answer(table: Tablebase, position: Position, engine: str) -> Facts:
    """One move of an opponent. Raises EngineError for another engine, PositionError when the game is over."""
    if engine.partition(":")[0].strip() not in OPPONENTS:
        raise EngineError(f"The opponent {quoted(engine)} is not offered here; choose one of {', '.join(OPPONENTS)}.")
    if position.is_over:
        raise PositionError(f"The game is over in {position.board}, so there is no move to make.")
    choice = make_engine(engine, position.rules, tables=table).choose(position)
    return {**position_facts(position), "engine": engine, **square_facts(position.rules, choice.move)}


def _move(position: Position, square: int, value: Value) -> Facts:
    """A move whose value, for the one who moves and counted from before the move, is given."""
    reached = Value(-value.wdl, None if value.distance is None else value.distance - 1)
    return {
        **square_facts(position.rules, square),
        **_reached(position.play(square), reached),
        "verdict": value.category,
    }


def _reached(position: Position, value: Value) -> Facts:
    return {
        "position": position.board,
        "hash": position.hash,
        "terminal": position.is_over,
        "winner": winner_of(position),
        **value_facts(value),
    }
