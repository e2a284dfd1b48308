"""Positions, moves and tables as JSON objects, for the command line and the HTTP API.

Every object is a dict of a type declared here. The value of a position is for the side to move; only the `verdict` of a
move is for the side that makes it.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NotRequired, cast

from solver.game.descriptions import describe_rules
from solver.game.diagrams import DiagramAnswer, diagram_answer
from solver.game.gallery import GALLERY, Family, GalleryGame, families
from solver.game.games import parse_game
from solver.game.lines import squares_of
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import Rules, Side
from solver.game.value import BoundedValue, Category, Value
from solver.store.paths import build_command, default_folder, find_table
from solver.store.strategy_file import Claim
from solver.support.json_types import Answer, Described
from solver.tablebase import SourceName

if TYPE_CHECKING:
    from solver.search.strategies import StoredStrategy
    from solver.search.truth import Truth
    from solver.tablebase import Tablebase

PointOfView = Literal["side to move"]
POINT_OF_VIEW: Final[PointOfView] = "side to move"
Distance = Annotated[
    int | None,
    Described("Plies to the end under best play; for a draw those left on the board. Null if it is unknown.", 4),
]


Within = Annotated[int, Described("Instead of a distance: the plies within which the winner wins at the latest.", 35)]


class ValueAnswer(Answer):
    """A value for the side to move."""

    wdl: Annotated[Literal[1, 0, -1], Described("1, 0 or -1: win, draw or loss for the side to move.", -1)]
    category: Annotated[Category, Described(example="loss")]
    distance: Distance
    within: NotRequired[Within]


class FoundValue(Answer):
    """A value for the side to move; null if a search did not find it in time."""

    wdl: Annotated[Literal[1, 0, -1] | None, Described("1, 0 or -1: win, draw or loss for the side to move.", -1)]
    category: Annotated[Category | None, Described("Null: unsettled.", "loss")]
    distance: Distance
    within: NotRequired[Within]


class SquareAnswer(Answer):
    """A square by its number and its name."""

    square: Annotated[int, Described("The square's number, row by row from 0.", 8)]
    name: Annotated[str, Described("The square's name: column letter, row number from the top.", "c3")]


class BoardName(Answer):
    """The stones of a position."""

    position: Annotated[str, Described("The rows from the top.", "XO./.X./...")]
    hash: Annotated[int, Described("The base-3 hash: the sum of digit * 3**square.", 88)]


class PositionName(BoardName):
    """The game and the stones of a position."""

    game: Annotated[str, Described(example="3,3,3")]


class PositionValue(BoardName, FoundValue):
    """A position and its value."""

    terminal: Annotated[bool, Described("Whether the game is over.")]
    winner: Annotated[Side | None, Described("The winner; null for a draw and before the end.")]


class Move(PositionValue, SquareAnswer):
    """A move: its square, its value for the side that makes it, and the next position with that position's value."""

    verdict: Annotated[Category | None, Described("The value of the move for its side; null: unsettled.")]


class MoveReplies(Move):
    """A move, the number of replies to it, and the number of those that keep the value for the opponent."""

    replies: Annotated[int, Described("The opponent's legal replies; 0 if the move ends the game.", 8)]
    holding: Annotated[int, Described("The replies that keep the value for the opponent; all others are mistakes.", 1)]


class RepliesAnswer(PositionName):
    """The moves of a position, best first; of equal moves, the one that is hardest to answer comes first."""

    point_of_view: PointOfView
    moves: list[MoveReplies]


class PositionAnswer(PositionValue, PositionName):
    """A position, its value for the side to move, and every move in it, best first."""

    ply: Annotated[int, Described("Stones on the board.", 3)]
    to_move: Annotated[Side | None, Described("Null if the game is over.", "O")]
    line: Annotated[list[int] | None, Described("The squares of the completed lines that ended the game.")]
    point_of_view: PointOfView
    source: Annotated[SourceName, Described("`rules`: the game is over; `search`: some move was searched.", "table")]
    holder: NotRequired[
        Annotated[
            Side, Described("The side that does not lose, by a stored strategy; only if the value is unknown.", "O")
        ]
    ]
    holding_move: NotRequired[
        Annotated[SquareAnswer | None, Described("The holder's move; null if it is not his turn.")]
    ]
    moves: list[Move]


class RulesAnswer(Answer):
    """A game and its board."""

    game: Annotated[str, Described(example="4,4,4,gravity")]
    description: str
    rows: int
    columns: int
    k: Annotated[int, Described("The number of squares of the shortest line.")]
    variants: Annotated[list[str], Described(example=["gravity"])]
    draws: Annotated[bool, Described("Whether a game can end without a winner.")]
    diagram: DiagramAnswer


class TableAnswer(ValueAnswer):
    """A game and the facts in its table; the value is that of the empty board."""

    game: Annotated[str, Described(example="4,4,4,gravity")]
    description: str
    metric: Annotated[Literal["distance", "wdl"], Described("Whether the table has distances.")]
    positions: Annotated[int, Described("Positions that can arise in play.")]
    canonical: Annotated[int, Described("The same up to the symmetries of the board.")]
    digest: Annotated[str, Described("The digest of all values.")]
    builder: Annotated[str, Described("The version of mnk-tablebase that built the table.")]


class GameAnswer(TableAnswer, RulesAnswer):
    """A game with its table and its board; the value is that of the empty board."""

    bytes: Annotated[int, Described("The size of the table's file.")]
    opening_plies: Annotated[int | None, Described("The last ply of an opening table; null: the table is whole.")]


class StrategyAnswer(RulesAnswer):
    """A game with a stored strategy, and its board."""

    side: Annotated[Side, Described("The side that has the strategy.")]
    claim: Annotated[Claim, Described("`wins`, or `holds`: the other side does not win.")]
    within: Annotated[
        int | None,
        Described("The plies within which the side wins; null if it holds, or if the proof is unfinished.", 13),
    ]
    bytes: Annotated[int, Described("The size of the strategy's file.")]


def value_answer(value: Value) -> ValueAnswer:
    """Convert a value to the form of JSON responses."""
    answer: ValueAnswer = {
        "wdl": cast("Literal[1, 0, -1]", value.wdl),
        "category": value.category,
        "distance": value.distance,
    }
    return answer if value.within is None else {**answer, "within": value.within}


def found_value(value: Value | None) -> FoundValue:
    """Convert a value, None if it is unsettled, to the form of JSON responses."""
    unsettled: FoundValue = {"wdl": None, "category": None, "distance": None}
    return {**unsettled, **value_answer(value)} if value else unsettled


def answered_value(answer: FoundValue) -> Value:
    """Convert the value in a JSON response back; a draw if it is unsettled."""
    if "within" in answer:
        return BoundedValue(answer["wdl"] or 0, answer["within"])
    return Value(answer["wdl"] or 0, answer["distance"])


def square_answer(rules: Rules, square: int) -> SquareAnswer:
    """Return the number and the name of a square."""
    return {"square": square, "name": square_name(rules, square)}


def position_name(position: Position) -> PositionName:
    """Return the game, the board and the base-3 hash of a position."""
    return {"game": position.rules.name, "position": position.board, "hash": position.hash}


def position_answer(truth: "Truth", position: Position) -> PositionAnswer:
    """Return a position, its value, and its moves, best first. Raises the errors of `Truth.probe`."""
    over, (value, moves, source) = position.is_over, truth.evaluate(position)
    facts = {
        "game": position.rules.name,
        **_position_value(position, value),
        "ply": position.ply,
        "to_move": None if over else position.to_move,
        "line": sorted(squares_of(position.winning_line)) if position.winning_line else None,
        "point_of_view": POINT_OF_VIEW,
        "source": source,
        "moves": [_move(position, square, value) for square, value in moves],
    }
    answer = cast(PositionAnswer, facts)  # it lacks only keys that are not required
    if value is None and (holder := truth.holder(position)):
        move = truth.holding_move(position)
        answer["holder"] = holder
        answer["holding_move"] = None if move is None else square_answer(position.rules, move)
    return answer


def replies_answer(truth: "Truth", position: Position) -> RepliesAnswer:
    """Return the moves of a position, best first, with their replies. Raises the errors of `Truth.probe`."""
    moves: list[MoveReplies] = []
    for square, value, replies in truth.moves_by_traps(position):
        moves.append({**_move(position, square, value), "replies": replies.total, "holding": replies.holding})
    return {**position_name(position), "point_of_view": POINT_OF_VIEW, "moves": moves}


def winner_of(position: Position) -> Side | None:
    """Return the winner, `X` or `O`; None for a draw and before the end."""
    outcome = position.outcome
    return None if outcome == "draw" else outcome


def table_answer(table: "Tablebase") -> TableAnswer:
    """Return the facts about a game from the `meta` of its table, which `TableReader` has checked."""
    meta = {key: str(value) for key, value in table.meta.items()}
    distance = int(meta["root_distance"]) if table.metric == "distance" else None
    return {
        "game": table.rules.name,
        "description": describe_rules(table.rules),
        "metric": table.metric,
        "positions": int(meta["positions"]),
        "canonical": int(meta["canonical"]),
        **value_answer(Value(int(meta["root_wdl"]), distance)),
        "digest": meta["digest"],
        "builder": meta["builder"],
    }


def game_answer(table: "Tablebase", size: int) -> GameAnswer:
    """Return the facts in a game's table, the size of the table's file in bytes (`size`), and the game's board."""
    plies = table.opening_plies
    return {**table_answer(table), "bytes": size, "opening_plies": plies, **rules_answer(table.rules)}


def strategy_answer(stored: "StoredStrategy") -> StrategyAnswer:
    """Return the claim of a game's strategy, the size of its file, and the game's board."""
    side, claim, within, *_ = stored.header
    size = stored.path.stat().st_size
    return {**rules_answer(stored.rules), "side": side, "claim": claim, "within": within, "bytes": size}


def rules_answer(rules: Rules) -> RulesAnswer:
    """Return a game and its board."""
    return {
        "game": rules.name,
        "description": describe_rules(rules),
        "rows": rules.diagram.rows,
        "columns": rules.diagram.columns,
        "k": rules.shortest_line,
        "variants": list(rules.variants),
        "draws": rules.can_draw,
        "diagram": diagram_answer(rules),
    }


def _move(position: Position, square: int, value: Value | None) -> Move:
    """Return a move for JSON. value: for the side that makes the move; its distance is counted from `position`."""
    return {
        **square_answer(position.rules, square),
        **_position_value(position.play(square), value.after_move() if value else None),
        "verdict": value.category if value else None,
    }


def _position_value(position: Position, value: Value | None) -> PositionValue:
    return {
        "position": position.board,
        "hash": position.hash,
        "terminal": position.is_over,
        "winner": winner_of(position),
        **found_value(value),
    }


class Pictured(GalleryGame):
    """A game of the gallery with its board, and the command that builds its table."""

    build: Annotated[str, Described(example="mnk build 3,3,3")]
    diagram: DiagramAnswer


class Gallery(Answer):
    """Named games, with or without a table, and the families of games."""

    games: list[Pictured]
    families: list[Family]


def gallery_answer(folder: Path) -> Gallery:
    """Return the gallery; a game has a table if `folder` or this package contains it."""
    games = [pictured_game(game, table=find_table(folder, parse_game(game["game"])) is not None) for game in GALLERY]
    return {"games": games, "families": families()}


def pictured_game(game: GalleryGame, *, table: bool) -> Pictured:
    """Return a game of the gallery with its board. table: whether its table exists."""
    rules = parse_game(game["game"])
    return {**game, "table": table, "build": build_command(rules, default_folder()), "diagram": diagram_answer(rules)}
