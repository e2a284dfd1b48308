"""The answers of the API that no command prints: games, main lines, opponents' moves and batches.

Each answer is a dict of plain values. Its type is declared here, and the OpenAPI document is made from these types. The
answers about positions and tables, which the command line shares, are in `solver.study.answers`.
"""

from typing import Annotated, Final

from solver.engines.engine import make_engine
from solver.errors import EngineError, PositionError, quoted
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import Side
from solver.game.value import Category
from solver.search.truth import Truth
from solver.study.answers import (
    POINT_OF_VIEW,
    GameAnswer,
    PointOfView,
    PositionName,
    SquareAnswer,
    ValueAnswer,
    position_name,
    square_answer,
    value_answer,
    winner_of,
)
from solver.study.puzzles import Puzzles, daily_puzzle, draw_puzzles, puzzle_answer
from solver.support.json_types import Answer, Described
from solver.tablebase import Tablebase
from solver.web.requests import PuzzleQuery
from solver.web.responses import ErrorAnswer, error_answer

MOST_DRAWN: Final = 6_000  # the most positions that one request draws to find puzzles
OPPONENTS: Final = ("perfect", "graded", "random")  # the engines that answer at once, whatever their options


class DamagedGame(ErrorAnswer):
    """A table that can't be read."""

    game: str


class Games(Answer):
    """The games with a table (those of the gallery first), and unreadable tables."""

    games: list[GameAnswer]
    damaged: list[DamagedGame]


class Mainline(PositionName):
    """Best play by both sides until the end; `result` is for the side to move in the given position."""

    moves: Annotated[list[str], Described(example=["c3", "a2", "c1", "c2"])]
    result: Category
    winner: Side | None
    point_of_view: PointOfView


class OpponentMove(PositionName, SquareAnswer):
    """A move of an opponent."""

    engine: Annotated[str, Described(example="graded:strength=0.5")]


class BatchValue(ValueAnswer):
    """The value of one position of a batch."""

    hash: int


class BatchAnswer(Answer):
    """The values of a batch, in the order of its positions."""

    game: str
    point_of_view: PointOfView
    answers: list[BatchValue | ErrorAnswer]


def mainline_answer(table: Tablebase | Truth, position: Position) -> Mainline:
    """Return best play by both sides from a position to the end of the game."""
    moves, end = [], position
    for square in table.mainline(position):
        moves.append(square_name(position.rules, square))
        end = end.play(square)
    return {
        **position_name(position),
        "moves": moves,
        "result": table.probe(position).category,
        "winner": winner_of(end),
        "point_of_view": POINT_OF_VIEW,
    }


def opponent_answer(table: Tablebase | Truth, position: Position, engine: str) -> OpponentMove:
    """Return a move of an opponent. Raises EngineError for another engine, PositionError if the game is over."""
    if engine.partition(":")[0].strip() not in OPPONENTS:
        raise EngineError(f"The opponent {quoted(engine)} is unavailable here; choose one of {', '.join(OPPONENTS)}.")
    if position.is_over:
        raise PositionError(f"The game is over in {position.board}, so there is no move to make.")
    choice = make_engine(engine, position.rules, tables=table).choose(position)
    return {**position_name(position), "engine": engine, **square_answer(position.rules, choice.move)}


def puzzles_answer(table: Tablebase, query: PuzzleQuery) -> Puzzles:
    """Return the puzzles of a seed or of a day. Raises PositionError if no such puzzle is found."""
    if query.day is not None:
        drawn = [daily_puzzle(table, query.day)]
    else:
        drawn = draw_puzzles(
            table, query.seed, query.count, level=query.level, theme=query.theme, goal=query.goal, most=MOST_DRAWN
        )
    return {"seed": str(query.day or query.seed), "puzzles": [puzzle_answer(table, puzzle) for puzzle in drawn]}


def batch_answer(table: Tablebase, given: list[str] | list[int]) -> BatchAnswer:
    """Return the hash and value of each position, or the error in its place. Raises DamagedTable."""

    def answer(text: str | int) -> BatchValue | ErrorAnswer:
        try:
            position = Position.parse(table.rules, text)
            return {"hash": position.hash, **value_answer(table.probe(position))}
        except PositionError as error:
            return error_answer(error)

    return {"game": table.rules.name, "point_of_view": POINT_OF_VIEW, "answers": [answer(text) for text in given]}
