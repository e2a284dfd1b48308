"""List the conventions that an engine may have: those first that its source speaks for, and of these the ordinary ones.

The player's name is the mark on the board. Where marks are letters it may be a number, where they are numbers a letter;
whatever else would be a contradiction is not listed.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import groupby, product
from typing import Any, Final, NamedTuple

from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.contract import AskOptions
from solver.verification.conventions.board_formats import (
    AIMA_STATE,
    ALL_MARKS,
    BOARD_FORMATS,
    KAGGLE,
    PETTINGZOO,
    RARE_FORMATS,
    BoardFormat,
    Layout,
    Marks,
    OwnNumber,
    find_board_format,
    parse_marks,
)
from solver.verification.conventions.convention import MAXIMIZING, OWN_MARK, PLAYERS, Convention, PlayerFormat
from solver.verification.conventions.move_formats import (
    BIT,
    BOARD_AFTER,
    MARKED,
    MOVE_FORMATS,
    WRAPPINGS,
    MoveFormat,
    ReplyFormat,
    Wrapping,
    find_move_format,
    flatten,
    to_plain,
)
from solver.verification.conventions.pairs import PAIR_KINDS, list_pairs
from solver.verification.conventions.parameters import Signature
from solver.verification.conventions.profiles import find_profile
from solver.verification.conventions.source import Evidence


class Fixed(NamedTuple):
    """The formats that a user has settled; None for one that is to be found."""

    board: BoardFormat | None = None
    marks: Marks | None = None
    move: MoveFormat | None = None
    wrapping: Wrapping | None = None


def parse_options(options: AskOptions) -> Fixed:
    """Read the options that settle a convention; raises EngineError for a format that there is not."""
    board, marks, moves, wrapping = options.board, options.marks, options.moves, None
    if options.profile is not None:
        profile = find_profile(options.profile)
        board, marks, moves = board or profile.board, marks or profile.marks, moves or profile.moves
        wrapping = MARKED if profile.wrapping else None
    return Fixed(
        None if board is None else find_board_format(board),
        None if marks is None else parse_marks(marks),
        None if moves is None else find_move_format(moves),
        wrapping,
    )


_JOINED: Final = {"flat string", "string with /", "rows of strings"}  # boards whose signs are single characters
_NUMBERS: Final = tuple(OwnNumber(start, is_text=False) for start in (0, 1))
_BESIDE_LETTERS: Final = tuple(dict.fromkeys(marks.empty for marks in ALL_MARKS if isinstance(marks.first, str)))
_ORDINARY: Final = BOARD_FORMATS[:8]  # lists, strings, tuples and arrays; of other boards it takes more to be meant


class Candidate(NamedTuple):
    """A way to ask an engine; how its replies are read is left open."""

    convention: Convention
    rank: tuple[int, ...] = ()
    """How much of it the source does not speak for; of candidates of one rank the first is the most ordinary."""


def list_candidates(fixed: Fixed, signature: Signature, evidence: Evidence, rules: Rules) -> Iterator[list[Candidate]]:
    """Yield the candidates in groups, those of the least rank first; those that the signature asks for before all."""
    boards = [fixed.board or signature.board] if fixed.board or signature.board else _list_boards(signature, rules)
    plain = [Candidate(Convention(Layout(board))) for board in boards if board and not board.has_marks]
    first = [one for one in plain if one.convention.layout.format in boards[:2]]
    if first:
        yield first
    start = Position.start(rules)

    def starts_otherwise(layout: Layout) -> bool:
        return signature.start is not None and to_plain(layout.write(start)) != signature.start

    marked = [board for board in boards if board and board.has_marks]
    ranked = [
        Candidate(Convention(Layout(board, marks), player), rank)
        for marks, missing in _rank_marks(fixed, signature, evidence)
        for board in marked
        if _can_hold(board, marks)
        for player in _list_players(signature, marks, evidence)
        for unusual in [_rank_player(player, marks, signature, evidence)]
        for rank in [(unusual, starts_otherwise(Layout(board, marks)), *missing, board not in _ORDINARY)]
    ]
    ranked.sort(key=lambda one: one.rank)
    for _, group in groupby(ranked, key=lambda one: one.rank[0]):
        yield [*group]
    yield [one for one in plain if one not in first]


def _can_hold(board: BoardFormat, marks: Marks) -> bool:
    """Return whether a board can be made of marks: text joins single characters, an array makes text of numbers."""
    signs = (marks.first, marks.second, marks.empty)
    if board.name in _JOINED:
        return all(len(str(sign)) == 1 for sign in signs)
    is_mixed = isinstance(marks.first, str) and (isinstance(marks.empty, int) or marks.empty in _NUMBERS)
    return not (is_mixed and "array" in board.name)


def _list_boards(signature: Signature, rules: Rules) -> list[BoardFormat | None]:
    """Every board format, those first that the names of the parameters ask for."""
    if "game" in signature.kinds:
        return [AIMA_STATE]
    if "first board" in signature.kinds:
        return [*list_pairs([argument.parameter for argument in signature.arguments if argument.kind in PAIR_KINDS])]
    name = next((argument.parameter for argument in signature.arguments if argument.kind == "board"), "")
    first: tuple[BoardFormat, ...] = (KAGGLE, PETTINGZOO) if name in {"observation", "obs"} else ()
    if "mask" in signature.kinds:
        first = (PETTINGZOO,)
    elif "config" in signature.kinds:
        first = (KAGGLE,)
    fallen = RARE_FORMATS[:2] if rules.gravity else ()  # rows may count from the bottom
    found = [*first, *[board for board in (*BOARD_FORMATS, *fallen) if board not in first]]
    return [board for board in found if _has_numpy() or not ("array" in board.name or board is PETTINGZOO)]


@cache
def _has_numpy() -> bool:
    """Return whether boards can be arrays: a page in a browser may have loaded Python alone."""
    return find_spec("numpy") is not None


def _rank_marks(fixed: Fixed, signature: Signature, evidence: Evidence) -> Iterator[tuple[Marks, tuple[int, ...]]]:
    """Yield the marks to try, each with how much of it the source does not say."""
    if fixed.marks:
        yield fixed.marks, ()
        return
    told = {role: sign for role, (_, sign) in evidence.roles.items()}
    for marks in signature.marks or dict.fromkeys([*_name_marks(told, signature.start), *ALL_MARKS]):
        sides = (marks.first, marks.second)
        mismatches = ("X" in told and sides != (told["X"], told["O"])) + (
            "empty" in told and marks.empty != told["empty"]
        )
        # Squares that hold their own number are rare, and no source names them all.
        is_own = isinstance(marks.empty, OwnNumber)
        missing = evidence.count_missing(*sides) if is_own else evidence.count_missing(*sides, marks.empty)
        yield marks, (mismatches, *(count + is_own for count in missing))


def _name_marks(told: Mapping[str, object], start: Any) -> Iterator[Marks]:
    """Yield the marks that the source's names and the empty board of its own make."""
    cells = {*flatten(start)} if start is not None else set()
    empties = [told["empty"]] if "empty" in told else [*cells] if len(cells) == 1 else []
    pairs = [(told[one], told[other]) for one, other in (("X", "O"), ("other", "own")) if one in told]
    usual = {frozenset((marks.first, marks.second)): (marks.first, marks.second) for marks in reversed(ALL_MARKS)}
    if "X" not in told:  # names of its own side and the other don't say who begins: what is usual does
        pairs = [usual.get(frozenset(pair), pair) for pair in pairs]
    for first, second in pairs or (usual.values() if empties else ()):
        for empty in empties or (_BESIDE_LETTERS if isinstance(first, str) else (0, None, " ")):
            if empty not in (first, second):
                yield Marks(first, second, empty)


def _list_players(signature: Signature, marks: Marks, evidence: Evidence) -> Sequence[PlayerFormat]:
    """Return the ways to name the player to move that don't contradict the marks."""
    if "player" in signature.kinds:
        has_letters = isinstance(marks.first, str)
        return [OWN_MARK, *[one for one in PLAYERS if isinstance(one.x, str) != has_letters]]
    if "maximizing" not in signature.kinds:
        return [OWN_MARK]
    told = evidence.maximizer or [sign for role, (_, sign) in evidence.roles.items() if role == "own"]
    if told and told[0] in (marks.first, marks.second):
        return [MAXIMIZING[told[0] == marks.second]]
    return MAXIMIZING


def _rank_player(player: PlayerFormat, marks: Marks, signature: Signature, evidence: Evidence) -> int:
    """Return how much the source speaks against a way to name the player, even for the mark on the board."""
    if "player" not in signature.kinds:
        return 0
    names = (marks.first, marks.second) if player == OWN_MARK else (player.x, player.o)
    missing = sum(repr(name) not in evidence.player_signs for name in names) if evidence.player_signs else 0
    return 2 * missing + (player != OWN_MARK)


def list_reply_formats(fixed: Fixed, rules: Rules, board: BoardFormat) -> list[ReplyFormat]:
    """Return the formats to read replies by, the most ordinary first."""
    moves: Sequence[Any] = [fixed.move]
    if fixed.move is None:
        possible = [move for move in MOVE_FORMATS if rules.gravity or not move.needs_gravity]
        possible = [move for move in possible if move is not BIT or "bitboard" in board.name]
        moves = [*sorted(possible, key=lambda move: board not in move.usual_for), BOARD_AFTER]
    return [ReplyFormat(*pair) for pair in product([fixed.wrapping] if fixed.wrapping else WRAPPINGS, moves)]
