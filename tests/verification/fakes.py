"""An engine under test that is a Python function of a position, and some functions to grade."""

from collections.abc import Callable, Sequence
from functools import cache

from solver.errors import Unsettled
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.value import Value
from solver.search.sources import SmallSearch
from solver.search.truth import Evaluation, Truth
from solver.support.progress import Progress
from solver.verification.answer import EngineAnswer
from solver.verification.find_engine import EngineUnderTest
from solver.verification.verify import Report, verify

__all__ = ["THREE", "FakeEngine", "Partial", "first", "graded", "minimax", "perfect", "solved", "spoiled"]

THREE = parse_game("3,3,3")

Mind = Callable[[Position], "int | EngineAnswer"]


class FakeEngine(EngineUnderTest):
    """Answers in this process, by calling a function."""

    convention, isolation = "as positions", ""

    def __init__(self, mind: Mind) -> None:
        self.answers = {}
        self.name = getattr(mind, "__name__", "mind")
        self.asked: list[Position] = []
        self._mind = mind

    def count_changes(self, positions: Sequence[Position]) -> int:
        return 0

    def __exit__(self, *_: object) -> None:
        pass

    def request(self, positions: Sequence[Position], progress: Progress | None = None) -> list[EngineAnswer | None]:
        self.asked += positions
        said = [self._mind(position) for position in positions]
        if progress:
            progress(len(positions), len(positions))
        return [one if isinstance(one, EngineAnswer) else EngineAnswer(one) for one in said]


class Partial(Truth):
    """Values that lack those of some positions, given as boards."""

    def __init__(self, *unknown: str) -> None:
        super().__init__(THREE, [SmallSearch(THREE)])
        self.unknown = {Position.parse(THREE, board) for board in unknown}

    def probe(self, position: Position) -> Value:
        if position in self.unknown:
            raise Unsettled(f"{position.board} is unknown.")
        return solved().probe(position)

    def evaluate(self, position: Position) -> Evaluation:
        after = {square: position.play(square) for square, _ in solved().moves(position)}
        moves = [(square, None if child in self.unknown else self.probe(child).before_move())
                 for square, child in after.items()]  # fmt: skip
        moves.sort(key=lambda move: move[1] is None)
        return Evaluation(None if position in self.unknown else self.probe(position), moves, "search")


@cache
def solved(rules: Rules = THREE) -> Truth:
    """Return the solution of a small game."""
    return Truth(rules, [SmallSearch(rules)])


def perfect(position: Position) -> int:
    """Return the first of the best moves."""
    return solved(position.rules).best_move(position)


def first(position: Position) -> int:
    """Return the first empty square."""
    return position.legal_moves[0]


def minimax(position: Position) -> int:
    """Return textbook minimax's choice: the first move of the highest value, which treats all wins as equal."""
    return max(position.legal_moves, key=lambda move: -negamax(position.play(move)))


@cache
def negamax(position: Position) -> int:
    """Return 1, 0 or -1 for the side to move."""
    over = position.value_if_over
    return over.wdl if over else max(-negamax(position.play(move)) for move in position.legal_moves)


@cache
def graded(mind: Mind) -> Report:
    """Return the report of an engine on all positions of 3,3,3, made on first use."""
    return verify(FakeEngine(mind), THREE)


def spoiled(board: str, move: int) -> Mind:
    """Return an engine that is perfect except in one position, in this orientation only."""
    wrong = Position.parse(THREE, board)

    def mind(position: Position) -> int:
        return move if position == wrong else perfect(position)

    return mind
