"""The answers of the API that no command prints: games, main lines, statistics, opponents' moves, batches, strategies.

Each is a dict of plain values, of a type declared here, from which the OpenAPI document is made. The answers about
positions and tables, which the command line shares, are in `solver.study.answers`.
"""

from typing import Annotated, Any, Final, cast

from solver.engines.engine import make_engine
from solver.errors import EngineError, PositionError, quoted
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import Side
from solver.game.strategies import AndOrSearch, StrategyTree, find_strategy
from solver.game.strategy_views import StrategyAnswer, strategy_answer
from solver.game.value import Category
from solver.study.answers import (
    POINT_OF_VIEW,
    GameAnswer,
    PointOfView,
    PositionName,
    SquareAnswer,
    ValueAnswer,
    game_answer,
    position_name,
    square_answer,
    value_answer,
    winner_of,
)
from solver.study.puzzles import Puzzles, daily_puzzle, draw_puzzles, puzzle_answer
from solver.support.schemas import Answer, Described
from solver.tablebase import Tablebase
from solver.web.errors import ErrorAnswer, TooLarge, error_answer
from solver.web.requests import PuzzleQuery
from solver.web.tables import ServedTable

MOST_DRAWN: Final = 6_000
"""The most positions that one request draws to find puzzles."""
MOST_MOVES: Final = 20_000
"""The most moves of a strategy, with shared parts counted as often as they occur."""
OPPONENTS: Final = ("perfect", "graded", "random")
"""The engines that answer at once, whatever their options."""


class DamagedGame(ErrorAnswer):
    """A table that can't be read."""

    game: str


class Games(Answer):
    """The games that have a table, smallest first, and those whose tables can't be read."""

    games: list[GameAnswer]
    damaged: list[DamagedGame]


class PlyStatistics(Answer):
    """The positions of one ply; won, drawn and lost are for the side to move under best play."""

    ply: Annotated[int, Described("Stones on the board.")]
    positions: int
    canonical: Annotated[int, Described("Positions up to symmetry.")]
    won: int
    drawn: int
    lost: int
    terminal: Annotated[int, Described("Positions in which the game is over.")]
    longest: Annotated[int | None, Described("The greatest distance of a won or lost position.")]


class Stats(GameAnswer):
    """A game with the statistics of each ply."""

    plies: list[PlyStatistics]


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
    """The values of a batch, in its order."""

    game: str
    point_of_view: PointOfView
    answers: list[BatchValue | ErrorAnswer]


def stats_answer(served: ServedTable) -> Stats:
    """Return a game with the statistics of each ply."""
    plies = cast(list[PlyStatistics], served.table.plies())
    return {**game_answer(served.table, served.bytes), "plies": plies}


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
    """Return a move of an opponent. Raises EngineError for another engine, PositionError if the game is over."""
    if engine.partition(":")[0].strip() not in OPPONENTS:
        raise EngineError(f"The opponent {quoted(engine)} is not offered here; choose one of {', '.join(OPPONENTS)}.")
    if position.is_over:
        raise PositionError(f"The game is over in {position.board}, so there is no move to make.")
    choice = make_engine(engine, position.rules, tables=table).choose(position)
    return {**position_name(position), "engine": engine, **square_answer(position.rules, choice.move)}


def puzzles_answer(table: Tablebase, query: PuzzleQuery) -> Puzzles:
    """Return the puzzles of a seed or of a day. Raises PositionError if there is none of the kind."""
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


def bounded_strategy_answer(table: Tablebase, position: Position, player: str | None, goal: str) -> StrategyAnswer:
    """Return the strategy of a player for a goal, `win` or `draw`. Raises TooLarge, after some thousand probes."""
    strategy = find_strategy(table.probe, position, player, goal == "draw", _BoundedSearch)
    return strategy_answer(position, player or position.to_move, goal == "draw", strategy)


class _BoundedSearch(AndOrSearch):
    """A search that stops as soon as it has found more than MOST_MOVES moves of a strategy.

    Given a table it never backtracks, so all the moves that it finds are part of the strategy.
    """

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._written = 0  # moves found so far; those of repeated parts count again
        self._lengths: dict[int, int] = {}  # the moves of each part of the strategy, by its `id`

    def or_search(self, own: int, other: int) -> StrategyTree:
        """Search a strategy of the player. Raises TooLarge."""
        before = self._written
        strategy = super().or_search(own, other)
        if isinstance(strategy, list):
            below = self._written - before  # 0 for a known part
            self._count(self._lengths.setdefault(id(strategy), below + 1) - below)
        return strategy

    def and_search(self, own: int, other: int) -> StrategyTree:
        """Search the answers to every reply. Raises TooLarge."""
        strategy = super().and_search(own, other)
        if isinstance(strategy, list):
            self._count(len(strategy))
        return strategy

    def _count(self, moves: int) -> None:
        self._written += moves
        if self._written > MOST_MOVES:
            raise TooLarge("The strategy from here is too long to send; ask for that of a later position.")
