"""List the conventions that an engine may have, the likeliest first."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from solver.game.rules import Rules
from solver.verification.contract import AskOptions
from solver.verification.conventions.board_formats import (
    AIMA_STATE,
    BOARD_FORMATS,
    KAGGLE,
    PETTINGZOO,
    BoardFormat,
    Layout,
    Marks,
    find_board_format,
    parse_marks,
    sort_by_hints,
)
from solver.verification.conventions.convention import MAXIMIZING, OWN_MARK, PLAYERS, Argument, Convention, PlayerFormat
from solver.verification.conventions.move_formats import (
    BOARD_AFTER,
    MOVE_FORMATS,
    WRAPPINGS,
    MoveFormat,
    ReplyFormat,
    find_move_format,
)
from solver.verification.conventions.parameters import Signature


class Fixed(NamedTuple):
    """The formats that a user has settled; None for one that is to be found."""

    board: BoardFormat | None = None
    marks: Marks | None = None
    move: MoveFormat | None = None


def parse_options(options: AskOptions) -> Fixed:
    """Read the options that settle a convention; raises EngineError for a format that there is not."""
    return Fixed(
        None if options.board is None else find_board_format(options.board),
        None if options.marks is None else parse_marks(options.marks),
        None if options.moves is None else find_move_format(options.moves),
    )


def list_conventions(fixed: Fixed, signature: Signature) -> Iterator[list[Convention]]:
    """Yield conventions to try, in groups, the likeliest group and the likeliest of each first.

    They differ in how the engine is asked; how its replies are read is left open.
    """
    kinds = {argument.kind for argument in signature.arguments}
    marks = [fixed.marks] if fixed.marks else [*signature.marks] or sort_by_hints(signature.constants)
    board = fixed.board or signature.board
    boards = [board] if board else _boards(signature.arguments)
    marked = [board for board in boards if board.has_marks]
    own = [Convention(Layout(board)) for board in boards if not board.has_marks]
    if first := [Convention(Layout(board)) for board in boards[:2] if not board.has_marks]:
        yield first
    players: Iterable[PlayerFormat] = MAXIMIZING if "maximizing" in kinds and "player" not in kinds else (OWN_MARK,)
    yield [Convention(Layout(board, signs), player) for signs, player, board in product(marks, players, marked)] + own
    if "player" in kinds:
        absolute = [signs for signs in marks if not signs.relative]
        layouts = [Layout(board, signs) for signs, board in product(absolute, marked)]
        layouts = layouts or [convention.layout for convention in own]
        yield [Convention(layout, player) for player, layout in product(PLAYERS, layouts)]


def _boards(arguments: Sequence[Argument]) -> list[BoardFormat]:
    """Every board format, those first that the names of the parameters ask for."""
    kinds = {argument.kind for argument in arguments}
    if "game" in kinds:
        return [AIMA_STATE]
    name = next((argument.parameter for argument in arguments if argument.kind == "board"), "")
    first: tuple[BoardFormat, ...] = (KAGGLE, PETTINGZOO) if name in {"observation", "obs"} else ()
    if "mask" in kinds:
        first = (PETTINGZOO,)
    elif "config" in kinds:
        first = (KAGGLE,)
    return [*first, *[board for board in BOARD_FORMATS if board not in first]]


def list_reply_formats(move: MoveFormat | None, rules: Rules, board: BoardFormat) -> list[ReplyFormat]:
    """Return the formats to read replies by, the likeliest first.

    move: the format of moves, where it is settled.
    """
    moves: Sequence[Any] = [move]
    if move is None:
        possible = [move for move in MOVE_FORMATS if rules.gravity or not move.needs_gravity]
        moves = [*sorted(possible, key=lambda move: board not in move.usual_for), BOARD_AFTER]
    return [ReplyFormat(*pair) for pair in product(WRAPPINGS, moves)]
