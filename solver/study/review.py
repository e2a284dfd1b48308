"""Review games: the value after every move, the mistakes, the accuracy of both sides, and where the result was lost.

A mistake gives the result away: it turns a win into a draw or a loss, or a draw into a loss. A slow move keeps the
result, but wins later or loses sooner than necessary. A *decision* is a move made where some legal move would have
given the result away; the accuracy of a side is the percentage of its decisions that kept the result. The idea is that
of lichess (https://lichess.org/page/accuracy), which uses the drop in winning chances that an engine estimates. Here
values are exact, so a move keeps the result or does not, and moves that cannot be mistakes do not count.

On a large board, most values are unknown. There a move is judged if it is played in a win by continuous fours or
threats, which it may miss, or in a defence, where it may allow such a win (`solver.search.forced`). A move that leaves
a stored strategy is not judged, because it can win too.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Final, Literal

from solver.game.descriptions import describe_value
from solver.game.notation import square_name
from solver.game.position import Outcome, Position
from solver.game.rules import Rules, Side
from solver.game.value import Category, Value
from solver.search.forced import Forced, add_threats, find_forced_early
from solver.search.truth import Truth
from solver.study.answers import FoundValue, SquareAnswer, answered_value, found_value, square_answer
from solver.study.played import read_played_game
from solver.support.english import join_names, plural
from solver.support.json_types import Answer, Described
from solver.tablebase import RankedMoves

Kind = Literal["best", "slow", "mistake"]
MoveKind = Literal[Kind, "missed", "allowed", "unsettled"]
FAULTS: Final = ("mistake", "missed", "allowed")
"""The kinds of moves that count as mistakes of a side."""

RatedMoves = list[tuple[int, Value | None]]  # (square, value for the mover), best first

_KEPT: Final = {1: "wins", 0: "draws"}
_MISSED: Final = {"win": "won", "draw": "drawn"}
_SIDES: Final[tuple[Side, Side]] = ("X", "O")


class ReviewedPosition(FoundValue):
    """A position of the game and its value."""

    position: Annotated[str, Described("The rows from the top.", "XO./.X./...")]
    ply: Annotated[int, Described("Stones on the board.", 3)]
    to_move: Annotated[Side | None, Described("Null when the game is over.", "O")]


class ReviewedMove(SquareAnswer):
    """A move of the game; its values are for the side that moves."""

    number: Annotated[int, Described("The number of the move in the game, from 1.", 4)]
    side: Side
    value: Annotated[Category | None, Described("The value before the move; null: unsettled.", "draw")]
    verdict: Annotated[Category | None, Described("The value of the move; null: unsettled.", "loss")]
    kind: Annotated[
        MoveKind,
        Described(
            "`mistake`: gives the result away; `slow`: wins later or loses sooner; `missed`: gives up a win that a "
            "short search finds, and is not known to win; `allowed`: allows a win by fours or threats, although after "
            "another move no such win is found; "
            "`unsettled`: not judged, because a legal move has no known value and no move is known to win, or because "
            "the move leaves a stored strategy.",
            "mistake",
        ),
    ]
    decision: Annotated[bool, Described("Whether some move is known to have given the result away.")]
    legal: Annotated[int, Described("Legal moves.", 6)]
    held: Annotated[list[str], Described("The moves that keep the result, best first; none if unsettled.", ["b2"])]
    sentence: Annotated[str | None, Described("The effect of the move and the better moves; null for a best move.")]


class SideReview(Answer):
    """The accuracy of one side."""

    moves: int
    decisions: Annotated[int, Described("Moves at which the result could be given away.")]
    kept: Annotated[int, Described("Decisions that kept the result.")]
    mistakes: Annotated[int, Described("Decisions that gave it away.")]
    slow: Annotated[int, Described("Moves that kept the result, but won later or lost sooner than necessary.")]
    accuracy: Annotated[float | None, Described("Percent of the decisions that kept the result; null for none.", 50.0)]


class Sides(Answer):
    """The accuracy of both sides."""

    X: SideReview
    O: SideReview  # noqa: E741 - the side's own name, as everywhere in JSON


class Review(Answer):
    """The review of a game."""

    game: Annotated[str, Described(example="3,3,3")]
    positions: Annotated[list[ReviewedPosition], Described("From the start to the end: one more than there are moves.")]
    moves: list[ReviewedMove]
    outcome: Annotated[Outcome | None, Described("`X`, `O` or `draw`; null if the game is not over.")]
    lost_at: Annotated[int | None, Described("The number of the move that gave the result away for good.", 4)]
    sides: Sides
    summary: Annotated[str, Described("A sentence on where the result was lost.")]
    reading: Annotated[str | None, Described("How numbers in the game are read, if there are several ways.")]
    link: Annotated[str, Described("The query of the explorer page with the whole game.", "?game=3,3,3&moves=a1,b2")]


def review_game(truth: Truth, game: object, start: object = None) -> Review:
    """Review a played game, given in any of its forms; `start` replaces its first position.

    A move is judged if the values of all legal moves are found, each in the time limit of the truth, or if its value
    and a winning move are found. Raises NotationError, ImpossiblePosition, IllegalMove, DamagedTable, and Unsettled if
    no position of the game has a value.
    """
    played = read_played_game(truth.rules, game, start)
    positions = played.positions
    values, choices, forced = _find_values(truth, positions)
    if all(value is None for value in values) and not any(found and found.is_defence for found in forced):
        raise truth.unsettled(positions[-1])
    reviewed = [_review_position(*found) for found in zip(positions, values, strict=True)]
    moves = [
        _review_forced_move(truth, number, found, square, values[number - 1], values[number], after)
        if (found := forced[number - 1])
        else _review_move(number, positions[number - 1], square, ranked, values[number - 1])
        for number, (square, ranked, after) in enumerate(zip(played.moves, choices, forced[1:], strict=False), 1)
    ]
    lost = next((move for move in reversed(moves) if move["kind"] in FAULTS), None)
    return {
        "game": truth.rules.name,
        "positions": reviewed,
        "moves": moves,
        "outcome": positions[-1].outcome,
        "lost_at": lost["number"] if lost else None,
        "sides": {"X": _review_side(moves, "X"), "O": _review_side(moves, "O")},
        "summary": _summarise(reviewed[-1], positions[-1].outcome, lost, moves),
        "reading": played.reading,
        "link": played.link,
    }


def judge(position: Position, ranked: RankedMoves, square: int, *, is_whole: bool = True) -> tuple[Kind, str | None]:
    """Compare a move with others; return its kind, and a sentence about it unless it is a best move.

    ranked: moves with their values, best first. is_whole: whether they are all moves of the position. The sentence
    counts plies from the position after the move.
    """
    rules, best, played = position.rules, ranked[0][1], dict(ranked)[square]
    is_open = played.wdl == best.wdl and None in (played.distance, best.distance)  # which is quicker is unknown
    if played.rank == best.rank or is_open:
        return "best", None
    name = square_name(rules, square)
    then = describe_value(played.after_move(), _SIDES[position.ply % 2 == 0])
    if played.wdl == best.wdl:
        better = join_names(_list_names(rules, ranked, lambda value: value.rank == best.rank), "or")
        left = (best.distance or 1) - 1
        when = f"in {plural(left, 'ply', 'plies')}" if left else "at once"
        if best.wdl > 0:
            return "slow", f"{name} is slow: {then}; {better} wins {when}."
        return "slow", f"{name} loses sooner than necessary: {then}, after {better} {when}."
    held = _list_names(rules, ranked, lambda value: value.wdl == best.wdl)
    only = "only " if len(held) == 1 and is_whole else ""
    return (
        "mistake",
        f"{name} throws the {best.category} away: {then}; {only}{join_names(held, 'or')} {_KEPT[best.wdl]}.",
    )


def describe_result(position: ReviewedPosition, outcome: Outcome | None) -> str:
    """Return the result of a position: `X wins in 5 plies`, `a draw`, `X has won`, `unsettled`.

    outcome: the outcome of the game, None if it is not over.
    """
    if outcome is not None:
        return "a draw" if outcome == "draw" else f"{outcome} has won"
    if position["wdl"] is None:
        return "unsettled"
    return describe_value(answered_value(position), _SIDES[position["ply"] % 2])


def _find_values(
    truth: Truth, positions: Sequence[Position]
) -> tuple[list[Value | None], list[RatedMoves], list[Forced | None]]:
    """Return the value of each position, its legal moves with their values, best first, and what threats prove.

    On a large board, moves have no values before the end of the game. In other games, nothing is proved by threats.
    """
    if truth.is_whole:
        values: list[Value | None] = [truth.probe(position) for position in positions]
        return values, [[*moves] for moves in truth.moves_many(positions)], [None] * len(positions)
    forced = [find_forced_early(truth, position) for position in positions]
    found = [None if one else truth.evaluate(position) for position, one in zip(positions, forced, strict=True)]
    known = [truth.known(position) if one else None for position, one in zip(positions, forced, strict=True)]
    if truth.threats:  # where a stored strategy settles nothing
        pairs = zip(forced, known, strict=True)
        forced = [add_threats(truth.threats, one) if one and not value else one for one, value in pairs]
    values = [
        evaluation.value if evaluation else one or (proved and proved.value)
        for evaluation, one, proved in zip(found, known, forced, strict=True)
    ]
    return values, [evaluation.moves if evaluation else [] for evaluation in found], forced


def _review_position(position: Position, value: Value | None) -> ReviewedPosition:
    return {
        **found_value(value),
        "position": position.board,
        "ply": position.ply,
        "to_move": None if position.is_over else position.to_move,
    }


def _review_move(number: int, position: Position, square: int, moves: RatedMoves, value: Value | None) -> ReviewedMove:
    rules, played = position.rules, dict(moves)[square]
    ranked = [(other, known) for other, known in moves if known is not None]
    kind: MoveKind = "unsettled"
    sentence, held, decision = None, list[str](), False
    is_whole = len(ranked) == len(moves)
    if played and (is_whole or ranked[0][1].wdl > 0):  # a move that is proved to win is best, whatever others are
        value = ranked[0][1]
        kind, sentence = judge(position, ranked, square, is_whole=is_whole)
        held = _list_names(rules, ranked, lambda known: known.wdl == ranked[0][1].wdl)
        decision = ranked[-1][1].wdl != value.wdl
    return {
        **square_answer(rules, square),
        "number": number,
        "side": position.to_move,
        "value": value.category if value else None,
        "verdict": played.category if played else None,
        "kind": kind,
        "decision": decision,
        "legal": len(moves),
        "held": held,
        "sentence": sentence,
    }


def _review_forced_move(
    truth: Truth,
    number: int,
    forced: Forced,
    square: int,
    value: Value | None,
    after: Value | None,
    then: Forced | None,
) -> ReviewedMove:
    """Review a move by what is proved before and after it."""
    rules, played = forced.position.rules, after.before_move() if after else None
    name, kind = square_name(rules, square), "unsettled"  # type: str, MoveKind
    sentence, names = None, [square_name(rules, other) for other in forced.held]
    wins, is_won = bool(value and value.wdl > 0), bool(played and played.wdl > 0)
    is_defence = forced.is_defence and not (value and value.wdl < 0)  # nothing can be given away in a lost position
    held = names if forced.win or (is_defence and not wins) else []
    is_decision = wins or is_defence
    if is_decision or value:
        kind = "best"
    if value and wins and not is_won and not (forced.win and square in forced.held):
        within = f"within {plural(value.distance or value.within or 0, 'ply', 'plies')}"
        if truth.strategy_file and truth.strategy_file.stores_win(forced.position):
            kind, is_decision, held = "unsettled", False, []
            sentence = f"{name} leaves the stored strategy, which wins {within}."
        else:
            kind, sentence = "missed", f"{name} misses a win {within}{_describe_win(forced)}."
    elif is_defence and played and played.wdl < 0 and square not in forced.held:
        kind, plies = "allowed", (played.distance or played.within or 1) - 1
        others, is_by_fours = join_names(names, "or"), then and then.win and then.win.is_by_fours
        sentence = f"{name} allows a win within {plural(plies, 'ply', 'plies')}{_describe_win(then)}; "
        sentence += f"{others} prevents it." if is_by_fours else f"after {others}, none is found."
    return {
        **square_answer(rules, square),
        "number": number,
        "side": forced.position.to_move,
        "value": value.category if value else None,
        "verdict": played.category if played else None,
        "kind": kind,
        "decision": is_decision,
        "legal": len(forced.position.legal_moves),
        "held": held,
        "sentence": sentence,
    }


def _describe_win(forced: Forced | None) -> str:
    """Return the end of a sentence that names the moves of a win by fours, or the first move of one by threats."""
    if forced is None or forced.win is None:
        return ""
    position, win = forced.position, forced.win
    line = f"{position.to_move} {' '.join(square_name(position.rules, square) for square in win.moves)}"
    return f": {line}" if win.is_by_fours else f" by threats: {line}"


def _review_side(moves: Sequence[ReviewedMove], side: Side) -> SideReview:
    own = [move for move in moves if move["side"] == side]
    kinds = [move["kind"] for move in own]
    decisions, mistakes = sum(move["decision"] for move in own), sum(kind in FAULTS for kind in kinds)
    kept = decisions - mistakes
    return {
        "moves": len(own),
        "decisions": decisions,
        "kept": kept,
        "mistakes": mistakes,
        "slow": kinds.count("slow"),
        "accuracy": round(100 * kept / decisions, 1) if decisions else None,
    }


def _summarise(
    last: ReviewedPosition, outcome: Outcome | None, lost: ReviewedMove | None, moves: Sequence[ReviewedMove]
) -> str:
    """Return a sentence that names the last mistake, which decided the result, or says that there was none."""
    end = _describe_end(describe_result(last, outcome), outcome, last["wdl"])
    unsettled = sum(move["kind"] == "unsettled" for move in moves)
    note = f" {plural(unsettled, 'move')} could not be judged." if unsettled else ""
    if not lost:
        return f"No {'known ' if unsettled else ''}mistakes{'' if outcome else ' so far'}. {end}{note}"
    mistakes = sum(move["kind"] in FAULTS for move in moves)
    which = "last mistake" if mistakes > 1 else "mistake"
    missed = f"could still have {_MISSED[lost['value'] or 'draw']}"
    if lost["kind"] == "allowed":
        missed = "could have prevented a win by fours or threats, as far as is known"
    return f"Move {lost['number']}, {lost['name']}, was the {which}. {lost['side']} {missed}. {end}{note}"


def _describe_end(result: str, outcome: Outcome | None, wdl: int | None) -> str:
    """Return a sentence about the result of a game, which may not be over."""
    if outcome is not None:
        return f"{result[0].upper()}{result[1:]}."
    if wdl is None:
        return "The position is unsettled."
    return f"With best play, {'this is a draw' if wdl == 0 else result}."


def _list_names(rules: Rules, ranked: RankedMoves, chosen: Callable[[Value], bool]) -> list[str]:
    return [square_name(rules, square) for square, value in ranked if chosen(value)]
