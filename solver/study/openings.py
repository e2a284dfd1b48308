"""List the openings of a game up to symmetry: the positions of the first plies, with values and good replies."""

from typing import Annotated, Final, NamedTuple

from solver.errors import PositionError, require_numbers
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.value import Value
from solver.search.truth import Truth
from solver.study.answers import ValueAnswer, value_answer
from solver.support.json_types import Answer, Described
from solver.tablebase import RankedMoves

MOST_OPENINGS: Final = 20_000


class Opening(NamedTuple):
    """A position in the opening. It stands for all symmetric positions, and for all orders of moves that lead to it."""

    position: Position
    """The position after the moves."""
    moves: tuple[int, ...]
    """The moves that lead to it."""
    value: Value
    """The value for the side to move."""
    ranked: RankedMoves
    """(square, value for the mover) of every reply, best first; empty if the game is over."""

    @property
    def holding(self) -> int:
        """The number of replies that keep the value."""
        return sum(value.wdl == self.value.wdl for _, value in self.ranked)

    @property
    def names(self) -> list[str]:
        """The names of the moves."""
        return [square_name(self.position.rules, square) for square in self.moves]


class OpeningAnswer(ValueAnswer):
    """An opening; its value is for the side to move after it."""

    moves: Annotated[list[str], Described("The moves that lead to it.", ["a1", "b2"])]
    position: Annotated[str, Described("The rows from the top.", "X../.O./...")]
    replies: Annotated[int, Described("Legal replies.", 7)]
    holding: Annotated[int, Described("Replies that keep the value.", 7)]


class OpeningPly(Answer):
    """The openings of one ply, up to symmetry; `won`, `drawn` and `lost` are for the side to move."""

    ply: int
    positions: int
    won: int
    drawn: int
    lost: int
    openings: list[OpeningAnswer]


class OpeningsAnswer(Answer):
    """The opening tree of a game up to symmetry."""

    game: Annotated[str, Described(example="3,3,3")]
    start: Annotated[str, Described("The first position.", ".../.../...")]
    kept: Annotated[bool, Described("Whether only moves that keep the result are followed.")]
    plies: list[OpeningPly]


def list_openings(
    truth: Truth,
    depth: int,
    start: Position | None = None,
    *,
    kept: bool = False,
    most: int = MOST_OPENINGS,
) -> list[list[Opening]]:
    """Return the openings of each ply from 1 to `depth`, sorted by the moves that lead to them, best moves first.

    start: the first position, by default the empty board. kept: follow only moves that keep the result. Raises
    PositionError if a ply has more than `most` positions.
    """
    require_numbers(1, depth=depth, most=most)
    root = start or Position.start(truth.rules)
    [ranked] = truth.moves_many([root])
    level, plies = [Opening(root, (), truth.probe(root), ranked)], []
    for _ in range(depth):
        after: dict[int, tuple[Position, tuple[int, ...], Value]] = {}
        for opening in level:
            for square, value in opening.ranked:
                if kept and value.wdl != opening.value.wdl:
                    continue
                child = opening.position.play(square)
                after.setdefault(child.canonical().hash, (child, (*opening.moves, square), value.after_move()))
                if len(after) > most:
                    problem = f"There are more than {most:,} positions at ply {child.ply}"
                    raise PositionError(f"{problem}; choose fewer plies.")
        replies = truth.moves_many(position for position, _, _ in after.values())
        level = [Opening(*found, ranked) for found, ranked in zip(after.values(), replies, strict=True)]
        if not level:
            break
        plies.append(level)
    return plies


def openings_answer(
    truth: Truth, depth: int, start: Position, *, kept: bool = False, most: int = MOST_OPENINGS
) -> OpeningsAnswer:
    """Return the openings, converted to the form of JSON responses. Raises the errors of `list_openings`."""
    plies: list[OpeningPly] = []
    for level in list_openings(truth, depth, start, kept=kept, most=most):
        values = [opening.value.wdl for opening in level]
        openings: list[OpeningAnswer] = [
            {
                **value_answer(opening.value),
                "moves": opening.names,
                "position": opening.position.board,
                "replies": len(opening.ranked),
                "holding": opening.holding,
            }
            for opening in level
        ]
        plies.append(
            {
                "ply": level[0].position.ply,
                "positions": len(level),
                "won": values.count(1),
                "drawn": values.count(0),
                "lost": values.count(-1),
                "openings": openings,
            }
        )
    return {"game": truth.rules.name, "start": start.board, "kept": kept, "plies": plies}
