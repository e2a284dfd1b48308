"""Answer what programs ask over HTTP: games, main lines, statistics, an opponent's move, batches.

Every answer is a dict of plain values, of a type declared here; the OpenAPI document is made of these types. Positions
and tables are answered by `solver.answers`, as on the command line.
"""

from typing import Annotated, Final, cast

from solver.answers import (
    POINT_OF_VIEW,
    Game,
    PointOfView,
    PositionName,
    Square,
    ValueAnswer,
    game_answer,
    position_name,
    square_answer,
    value_answer,
    winner_of,
)
from solver.engines.engine import make_engine
from solver.errors import EngineError, PositionError, quoted
from solver.game.position import Position
from solver.game.rules import Side
from solver.game.squares import square_name
from solver.game.value import Category
from solver.study.puzzles import Puzzles, daily_puzzle, draw_puzzles, puzzle_answer
from solver.support.schemas import Answer, Described
from solver.tablebase import Tablebase
from solver.web.errors import Failure, error_answer
from solver.web.requests import PuzzleQuery
from solver.web.tables import ServedTable

MOST_DRAWN: Final = 6_000
"""Positions that are looked at for the puzzles of one request."""

OPPONENTS: Final = ("perfect", "graded", "random")
"""The engines that answer at once, whatever their options."""


class DamagedGame(Failure):
    """A table that can't be read."""

    game: str


class Games(Answer):
    """The games that have a table, smallest first, and those whose table can't be read."""

    games: list[Game]
    damaged: list[DamagedGame]


class Ply(Answer):
    """The positions with so many stones; won, drawn and lost with best play, for the side to move."""

    ply: int
    positions: int
    canonical: int
    won: int
    drawn: int
    lost: int
    terminal: Annotated[int, Described("Those where the game is over.")]
    longest: Annotated[int | None, Described("The greatest distance among those won or lost.")]


class Stats(Game):
    """A game with the statistics of each ply."""

    plies: list[Ply]


class Mainline(PositionName):
    """Best play by both sides to the end; `result` is for the side to move at its beginning."""

    moves: Annotated[list[str], Described(example=["c3", "a2", "c1", "c2"])]
    result: Category
    winner: Side | None
    point_of_view: PointOfView


class OpponentMove(PositionName, Square):
    """One move of an opponent."""

    engine: Annotated[str, Described(example="graded:strength=0.5")]


class BatchValue(ValueAnswer):
    """The value of one position of a batch."""

    hash: int


class BatchAnswer(Answer):
    """The values of a batch, in its order."""

    game: str
    point_of_view: PointOfView
    answers: list[BatchValue | Failure]


def stats_answer(served: ServedTable) -> Stats:
    """Return a game with the statistics of each ply."""
    return {**game_answer(served.table, served.bytes), "plies": cast(list[Ply], served.table.plies())}


def mainline_answer(table: Tablebase, position: Position) -> Mainline:
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


def opponent_answer(table: Tablebase, position: Position, engine: str) -> OpponentMove:
    """Return one move of an opponent. Raises EngineError for another engine, PositionError when the game is over."""
    if engine.partition(":")[0].strip() not in OPPONENTS:
        raise EngineError(f"The opponent {quoted(engine)} is not offered here; choose one of {', '.join(OPPONENTS)}.")
    if position.is_over:
        raise PositionError(f"The game is over in {position.board}, so there is no move to make.")
    choice = make_engine(engine, position.rules, tables=table).choose(position)
    return {**position_name(position), "engine": engine, **square_answer(position.rules, choice.move)}


def puzzles_answer(table: Tablebase, query: PuzzleQuery) -> Puzzles:
    """Return puzzles by a seed, or the one of a day. Raises PositionError where there is none of the kind."""
    if query.day is not None:
        drawn = [daily_puzzle(table, query.day)]
    else:
        drawn = draw_puzzles(
            table, query.seed, query.count, level=query.level, theme=query.theme, goal=query.goal, most=MOST_DRAWN
        )
    return {"seed": str(query.day or query.seed), "puzzles": [puzzle_answer(table, puzzle) for puzzle in drawn]}


def batch_answers(table: Tablebase, given: list[str] | list[int]) -> list[BatchValue | Failure]:
    """Return for each position in turn its hash and value, or what is wrong with it. Raises DamagedTable."""
    return [_batch_answer(table, position) for position in given]


def _batch_answer(table: Tablebase, given: str | int) -> BatchValue | Failure:
    try:
        position = Position.parse(table.rules, given)
        return {"hash": position.hash, **value_answer(table.probe(position))}
    except PositionError as error:
        return error_answer(error)
