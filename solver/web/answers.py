"""What the API says, as dicts for JSON: positions, main lines, statistics, batches.

Every value beside a position is for the side to move there; a move's `verdict` alone is for the one who moves.
"""

from solver.facts import Facts, position_facts, square_facts, table_facts, value_facts, winner_of
from solver.position import Position
from solver.tablebase import Tablebase
from solver.value import Value
from solver.web.tables import ServedTable

__all__ = ["POINT_OF_VIEW", "game_answer", "mainline_answer", "position_answer", "stats_answer"]

POINT_OF_VIEW = "side to move"


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
    moves = [
        {
            **square_facts(position.rules, square),
            **_reached_facts(position.play(square), Value(-value.wdl, _earlier(value.distance))),
            "verdict": value.category,
        }
        for square, value in table.moves(position)
    ]
    return {
        "game": position.rules.name,
        "ply": position.ply,
        "to_move": None if position.is_over else position.to_move,
        **_reached_facts(position, table.probe(position)),
        "point_of_view": POINT_OF_VIEW,
        "moves": moves,
    }


def mainline_answer(table: Tablebase, position: Position) -> Facts:
    """Best play by both sides from a position to the end of the game."""
    end, names = position, []
    for square in table.mainline(position):
        names.append(square_facts(position.rules, square)["name"])
        end = end.play(square)
    winner = winner_of(end)
    return {**position_facts(position), "moves": names, "result": "win" if winner else "draw", "winner": winner}


def _reached_facts(position: Position, value: Value) -> Facts:
    return {
        "position": position.board,
        "hash": position.hash,
        "terminal": position.is_over,
        "winner": winner_of(position),
        **value_facts(value),
    }


def _earlier(distance: int | None) -> int | None:
    return None if distance is None else distance - 1
