"""Review a game: the value after every move, the mistakes, the accuracy of both sides, and where the result was lost.

A mistake gives the result away: a win for a draw or a loss, a draw for a loss. A slow move keeps the result, but wins
later or loses sooner than need be. A *decision* is a move where some choice would have given the result away; the
accuracy of a side is the percentage of its decisions that kept the result. The idea is that of
lichess (https://lichess.org/page/accuracy), which takes the drop in winning chances that an engine estimates. Here
values are exact, so that a move keeps the result or not; and moves where nothing can go wrong, which everybody plays
right, don't count. It is the second score of `mnk verify`, over the positions of one game.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Final, Literal, TypeAlias

from solver.answers import Square, ValueAnswer, square_answer, value_answer
from solver.game.descriptions import describe_value
from solver.game.notation import square_name
from solver.game.position import Outcome, Position
from solver.game.rules import Rules, Side
from solver.game.value import Category, Value
from solver.study.played import read_played_game
from solver.support.english import join_names, plural
from solver.support.schemas import Answer, Described
from solver.tablebase import RankedMoves, Tablebase

Kind = Literal["best", "slow", "mistake"]

_Test: TypeAlias = Callable[[Value], bool]

_KEPT: Final = {1: "wins", 0: "draws"}
_SIDES: Final[tuple[Side, Side]] = ("X", "O")


class ReviewedPosition(ValueAnswer):
    """A position of the game, with its value for the side to move."""

    position: Annotated[str, Described("The rows from the top.", "XO./.X./...")]
    ply: Annotated[int, Described("Stones on the board.", 3)]
    to_move: Annotated[Side | None, Described("Null when the game is over.", "O")]


class ReviewedMove(Square):
    """A move that was played; its values are for the one who moves."""

    number: Annotated[int, Described("Which move of the game it is, from 1.", 4)]
    side: Side
    value: Annotated[Category, Described("What best play was worth.", "draw")]
    verdict: Annotated[Category, Described("What the move was worth.", "loss")]
    kind: Annotated[Kind, Described("`mistake`: gives the result away; `slow`: wins later or loses sooner.", "mistake")]
    decision: Annotated[bool, Described("Whether some move would have given the result away.")]
    legal: Annotated[int, Described("Legal moves.", 6)]
    held: Annotated[list[str], Described("The moves that keep the result, best first.", ["b2"])]
    sentence: Annotated[str | None, Described("What it gave away and what held; null for a best move.")]


class SideReview(Answer):
    """How one side played."""

    moves: int
    decisions: Annotated[int, Described("Moves at which the result could be given away.")]
    kept: Annotated[int, Described("Decisions that kept the result.")]
    mistakes: Annotated[int, Described("Decisions that gave it away.")]
    slow: Annotated[int, Described("Moves that kept the result, but won later or lost sooner than need be.")]
    accuracy: Annotated[float | None, Described("Percent of the decisions that kept the result; null for none.", 50.0)]


class Sides(Answer):
    """How both sides played."""

    X: SideReview
    O: SideReview  # noqa: E741 - the side's own name, as everywhere in JSON


class Review(Answer):
    """The review of a game."""

    game: Annotated[str, Described(example="3,3,3")]
    players: Annotated[list[str] | None, Described("The names of X and O, where they are known.")]
    reading: Annotated[
        str | None, Described("How the moves were read, where they may be meant otherwise; null where they are plain.")
    ]
    positions: Annotated[list[ReviewedPosition], Described("From the start to the end: one more than there are moves.")]
    moves: list[ReviewedMove]
    outcome: Annotated[Outcome | None, Described("`X`, `O` or `draw`; null where the game is not over.")]
    lost_at: Annotated[int | None, Described("The number of the move that gave the result away for good.", 4)]
    sides: Sides
    summary: Annotated[str, Described("Where the result was lost, in a sentence.")]
    link: Annotated[str, Described("The query of the explorer page with the whole game.", "?game=3,3,3&moves=a1,b2")]


def review_game(table: Tablebase, game: object, start: object = None) -> Review:
    """Review a game, in any form that `solver.study.played` reads, from `start` on or from where it says itself.

    >>> from solver import open_tablebase
    >>> review = review_game(open_tablebase("data/mnk-3-3-3.sqlite"), "a1 b1 c3")  # doctest: +SKIP
    >>> review["moves"][1]["sentence"]  # doctest: +SKIP
    'b1 gives a draw away: X wins in 5 plies; only b2 draws.'

    Raises NotationError, ImpossiblePosition, IllegalMove, MissingTable (another game) and DamagedTable.
    """
    score = read_played_game(table.rules, game, start)
    positions = score.positions
    reviewed = [_review_position(position, table.probe(position)) for position in positions]
    choices = table.moves_many(positions[:-1])
    moves = [
        _review_move(number, positions[number - 1], square, ranked)
        for number, (square, ranked) in enumerate(zip(score.moves, choices, strict=True), 1)
    ]
    lost = next((move for move in reversed(moves) if move["kind"] == "mistake"), None)
    return {
        "game": table.rules.name,
        "players": list(score.players) if score.players else None,
        "reading": score.reading,
        "positions": reviewed,
        "moves": moves,
        "outcome": positions[-1].outcome,
        "lost_at": lost["number"] if lost else None,
        "sides": {"X": _review_side(moves, "X"), "O": _review_side(moves, "O")},
        "summary": _summarise(reviewed[-1], positions[-1].outcome, lost, len(moves)),
        "link": score.link,
    }


def judge(position: Position, ranked: RankedMoves, square: int) -> tuple[Kind, str | None]:
    """Judge a move among all moves of a position; returns its kind, and a sentence about one that is not a best one.

    Plies are counted from after the move.
    """
    best, played = ranked[0][1], dict(ranked)[square]
    if played.rank == best.rank:
        return "best", None
    name = square_name(position.rules, square)
    then = describe_value(played.after_move(), _SIDES[position.ply % 2 == 0])
    if played.wdl == best.wdl:
        better = join_names(_names(position.rules, ranked, lambda value: value.rank == best.rank), "or")
        left = (best.distance or 1) - 1
        when = f"in {plural(left, 'ply', 'plies')}" if left else "at once"
        if best.wdl > 0:
            return "slow", f"{name} is slow: {then}; {better} wins {when}."
        return "slow", f"{name} loses sooner than need be: {then}, after {better} {when}."
    held = _names(position.rules, ranked, lambda value: value.wdl == best.wdl)
    only = "only " if len(held) == 1 else ""
    return "mistake", f"{name} gives a {best.category} away: {then}; {only}{join_names(held, 'or')} {_KEPT[best.wdl]}."


def describe_result(position: ReviewedPosition, outcome: Outcome | None) -> str:
    """Say what a position comes to, with the names of the sides: `X wins in 5 plies`, `a draw`, `X has won`.

    outcome: how the game ended, None where it goes on.
    """
    if outcome is not None:
        return "a draw" if outcome == "draw" else f"{outcome} has won"
    return describe_value(Value(position["wdl"], position["distance"]), _SIDES[position["ply"] % 2])


def add_sides(reviews: Iterable[SideReview]) -> SideReview:
    """Add up how several games were played; the accuracy is that of all decisions together."""
    total: SideReview = {"moves": 0, "decisions": 0, "kept": 0, "mistakes": 0, "slow": 0, "accuracy": None}
    for side in reviews:
        total["moves"] += side["moves"]
        total["decisions"] += side["decisions"]
        total["kept"] += side["kept"]
        total["mistakes"] += side["mistakes"]
        total["slow"] += side["slow"]
    total["accuracy"] = _percent(total["kept"], total["decisions"])
    return total


def _review_position(position: Position, value: Value) -> ReviewedPosition:
    return {
        **value_answer(value),
        "position": position.board,
        "ply": position.ply,
        "to_move": None if position.is_over else position.to_move,
    }


def _review_move(number: int, position: Position, square: int, ranked: RankedMoves) -> ReviewedMove:
    rules, best, played = position.rules, ranked[0][1], dict(ranked)[square]
    kind, sentence = judge(position, ranked, square)
    return {
        **square_answer(rules, square),
        "number": number,
        "side": position.to_move,
        "value": best.category,
        "verdict": played.category,
        "kind": kind,
        "decision": ranked[-1][1].wdl != best.wdl,
        "legal": len(ranked),
        "held": _names(rules, ranked, lambda value: value.wdl == best.wdl),
        "sentence": sentence,
    }


def _review_side(moves: Sequence[ReviewedMove], side: Side) -> SideReview:
    own = [move for move in moves if move["side"] == side]
    decisions = sum(move["decision"] for move in own)
    kinds = [move["kind"] for move in own]
    kept = decisions - kinds.count("mistake")
    return {
        "moves": len(own),
        "decisions": decisions,
        "kept": kept,
        "mistakes": kinds.count("mistake"),
        "slow": kinds.count("slow"),
        "accuracy": _percent(kept, decisions),
    }


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None


def _summarise(last: ReviewedPosition, outcome: Outcome | None, lost: ReviewedMove | None, played: int) -> str:
    """Say where the result was lost; the last mistake is what decided it, as values are exact."""
    end = describe_result(last, outcome) + ("" if outcome else " with best play")
    if not lost:
        return f"Nobody {'gave' if outcome else 'has given'} anything away{'' if outcome else ' so far'}: {end}."
    when = "" if outcome or lost["number"] == played else f"after move {played}, "
    return f"{lost['side']} gave the {lost['value']} away with move {lost['number']}, {lost['name']}: {when}{end}."


def _names(rules: Rules, ranked: RankedMoves, chosen: _Test) -> list[str]:
    return [square_name(rules, square) for square, value in ranked if chosen(value)]
