"""What the API says, as dicts for JSON: games, main lines, statistics, an opponent's move.

Positions are answered by `solver.answers`, as on the command line.
"""

from solver.answers import POINT_OF_VIEW, position_name, square_answer, table_answer, winner_of
from solver.engines.contract import make_engine
from solver.errors import EngineError, PositionError, quoted
from solver.game.position import Position
from solver.support.schemas import JsonObject
from solver.tablebase import Tablebase
from solver.web.tables import ServedTable

__all__ = [
    "OPPONENTS",
    "game_answer",
    "mainline_answer",
    "opponent_answer",
    "stats_answer",
]

OPPONENTS = ("perfect", "graded", "random")  # the engines that answer at once, whatever their options


def game_answer(served: ServedTable) -> JsonObject:
    """A game with the facts about its table."""
    rules = served.table.rules
    shape = {"rows": rules.m, "columns": rules.n, "k": rules.k, "variants": list(rules.variants)}
    return {**table_answer(served.table), **shape, "bytes": served.bytes}


def stats_answer(served: ServedTable) -> JsonObject:
    """A game with the statistics of each ply."""
    return {**game_answer(served), "plies": served.table.plies()}


def mainline_answer(table: Tablebase, position: Position) -> JsonObject:
    """Best play by both sides from a position to the end of the game."""
    moves, end = [], position
    for square in table.mainline(position):
        moves.append(square_answer(position.rules, square)["name"])
        end = end.play(square)
    category = table.probe(position).category
    return {
        **position_name(position),
        "moves": moves,
        "result": category,
        "winner": winner_of(end),
        "point_of_view": POINT_OF_VIEW,
    }


def opponent_answer(table: Tablebase, position: Position, engine: str) -> JsonObject:
    """One move of an opponent. Raises EngineError for another engine, PositionError when the game is over."""
    if engine.partition(":")[0].strip() not in OPPONENTS:
        raise EngineError(f"The opponent {quoted(engine)} is not offered here; choose one of {', '.join(OPPONENTS)}.")
    if position.is_over:
        raise PositionError(f"The game is over in {position.board}, so there is no move to make.")
    choice = make_engine(engine, position.rules, tables=table).choose(position)
    return {**position_name(position), "engine": engine, **square_answer(position.rules, choice.move)}
