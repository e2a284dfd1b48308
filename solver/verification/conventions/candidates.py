"""Tell what a function is called with by its parameters, and list the conventions it may have, the likeliest first."""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final, NamedTuple

from solver.errors import EngineError
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

_NAMES: Final = {
    "board": "board state grid position pos cells squares table field matrix node b s gameboard currentboard obs "
    "observation gamestate boardstate currentstate",
    "player": "player mark symbol turn piece side me color colour letter who currentplayer tomove active p token sign "
    "computer ai mymark mysymbol playermark playersymbol playerturn role own",
    "opponent": "opponent opp other enemy them human opponentmark",
    "maximizing": "maximizing maximizingplayer ismaximizing ismaximizingplayer ismax maximize maximise maxplayer "
    "maximisingplayer ismaximising",
    "game": "game env environment problem",
    "config": "config configuration conf",
    "depth": "depth maxdepth depthleft remaining",
    "alpha": "alpha",
    "beta": "beta",
    "legal": "moves actions legalmoves legalactions availablemoves available legal possiblemoves validmoves "
    "emptysquares emptycells",
    "mask": "mask actionmask legalmask",
    "m": "m rows height nrows",
    "n": "n cols columns width ncols",
    "k": "k inarow inrow connect towin",
    "rules": "rules",
}
_KINDS: Final = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_EVEN_IF_OPTIONAL: Final = ("player", "mask", "config")
_GUESSES: Final = ("board", "player")  # the kinds of parameters of unknown names, in this order


def read_parameters(function: Callable[..., Any]) -> tuple[Argument, ...]:
    """Return the arguments to call a function with; raises EngineError when it asks for one that we can't give."""
    try:
        parameters = [*inspect.signature(function).parameters.values()]
    except (TypeError, ValueError):  # compiled functions may not tell
        return (Argument("board"),)
    known = {_kind_of(p) for p in parameters}
    guesses = [guess for guess in _GUESSES if guess not in known]
    arguments: list[Argument] = []
    for p in parameters:
        kind = _kind_of(p)
        if p.kind is p.VAR_KEYWORD:
            continue
        if p.kind is p.VAR_POSITIONAL:
            kind = None if arguments else "board"
        elif kind is None and p.default is p.empty:
            if not guesses:
                raise EngineError(
                    f"The function {getattr(function, '__name__', function)} asks for {p.name!r}, which we can't give; "
                    "wrap it in a function of a board, or of a board and a player."
                )
            kind = guesses.pop(0)
        if kind and (p.default is p.empty or kind in _EVEN_IF_OPTIONAL or (kind == "board" and not arguments)):
            by_name = p.kind is p.KEYWORD_ONLY or p.default is not p.empty
            arguments.append(Argument(kind, p.name, by_name))
    return tuple(arguments)


def _kind_of(parameter: inspect.Parameter) -> str | None:
    return _KINDS.get(re.sub(r"[^a-z]", "", parameter.name.lower()))


@dataclass(frozen=True)
class Signature:
    """Facts about an engine that is loaded and has not been asked yet."""

    arguments: tuple[Argument, ...]
    """The arguments it is called with."""
    constants: frozenset[str] = frozenset()
    """The constants in its source, as `repr` writes them."""
    board: BoardFormat | None = None
    """The board that its class asks for, if it is known."""
    helpers: tuple[str, ...] = ()
    """The kinds of its helper functions (`solver.verification.helpers`)."""


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
    marks = [fixed.marks] if fixed.marks else sort_by_hints(signature.constants)
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
