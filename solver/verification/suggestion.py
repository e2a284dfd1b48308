"""Suggest a convention for an engine that was named without one: known forms under which all its moves are legal.

Nothing is graded under a suggestion, because legal moves do not show that an engine recognizes its own stones. The
commonest forms come first.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from time import monotonic
from typing import Any, Final

from solver.errors import EngineError
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification import host
from solver.verification.answer import EngineAnswer, Failure
from solver.verification.convention import Convention, Mark, write_option
from solver.verification.positions import draw_late_positions

MARKS: Final[tuple[tuple[Mark, Mark, Mark], ...]] = (  # the marks of X, O and an empty square that are tried
    ("X", "O", " "), ("X", "O", None), ("X", "O", ""), (1, -1, 0), (1, 2, 0), ("X", "O", "-"), ("X", "O", "_"),
    ("X", "O", "."), ("X", "O", "0.."), ("X", "O", "1.."), ("X", "O", "'1'.."), ("X", "O", 0), ("X", "O", "0"),
)  # fmt: skip

DISCS: Final[tuple[tuple[Mark, Mark, Mark], ...]] = (("R", "Y", " "), ("R", "Y", "."), ("red", "yellow", None))

TRIALS: Final = 20
SECONDS: Final = 5.0
_FIRST: Final = 3  # trials that rule out most conventions
_MOST_SHOWN: Final = 6

Run = Callable[..., list[dict[str, Any] | None]]  # sends requests to an engine, such as `Sessions.run`


def suggest(
    run: Run,
    name: str,
    rules: Rules,
    stated: Convention,
    arguments: Sequence[int],
    second: str = "",
    side: str | None = None,
    write: Callable[[Convention], str] = Convention.write,
    keeps: Callable[[Position, EngineAnswer], bool] | None = None,
    *,
    in_python: bool = False,
) -> str:
    """Return a message with the commands that state the conventions under which all moves of an engine are legal.

    stated: the parts that are stated. arguments: the fewest and the most arguments that the function takes. second:
    the name of its second parameter. side: `X` or `O`, to try only positions where that side is to move. write:
    returns the command that states a convention. keeps: returns whether an answer keeps the value; then the conventions
    with most such answers come first. in_python: write other options as arguments of `verify`.
    Raises EngineError unless the function takes a board, or a board and a player.
    """
    forms, until = _list_forms(rules, stated, arguments), monotonic() + SECONDS
    trials, fitting = draw_late_positions(rules, TRIALS, seed=0, side=side), forms
    answers = {form: list[EngineAnswer]() for form in forms}
    for some in (trials[:_FIRST], trials[_FIRST:]):
        asked = dict.fromkeys(replace(form, moves=None) for form in fitting)
        replies = run([form.request(position) for form in asked for position in some], until=until)
        found = {form: replies[at * len(some) : (at + 1) * len(some)] for at, form in enumerate(asked)}
        for form in fitting:
            pairs = zip(found[replace(form, moves=None)], some, strict=True)
            answers[form] += [form.read_answer(reply, position) for reply, position in pairs]
        fitting = [form for form in fitting if not any(answer.failure for answer in answers[form])]
    alike = {
        (form.board == "rows", form.marks, form.player, *map(str, answers[form])): form for form in reversed(fitting)
    }
    fitting = [form for form in fitting if form in alike.values()]  # of forms with the same moves, the commonest

    def kept(found: Sequence[EngineAnswer]) -> int:
        return sum(keeps(*pair) for pair in zip(trials, found, strict=True)) if keeps else 0

    def ask(form: Convention) -> list[EngineAnswer]:
        replies = run([form.request(position) for position in trials], until=until + SECONDS)
        return [form.read_answer(*pair) for pair in zip(replies, trials, strict=True)]

    def moves(found: Sequence[EngineAnswer]) -> list[int | None]:
        return [one.legal_move for one in found]

    fitting.sort(key=lambda form: -kept(answers[form]))
    lines = [f"The convention of {name} is not stated; state the options board, marks, player and moves, or profile."]
    if not fitting:
        return "\n".join([*lines, "The nearest that was tried:", *_describe_nearest(answers, trials, write)])
    takes_player = arguments[0] == 2 and stated.player is None
    may_be_own = False  # whether it matters whose stones the marks are
    commands = "this command; run it if it is right" if len(fitting) == 1 else "these commands; choose one"
    if write is Convention.write:
        commands = "these options; add them if they are right" if len(fitting) == 1 else "one of these lines of options"
    lines.append(f"Its moves in {len(trials)} positions are legal with {commands}:")
    for form in fitting[:_MOST_SHOWN]:
        lines += [f"  {write(form)}", f"    {_describe(form, trials[0], answers[form][0])}"]
        lines += [f"    keeps the value in {kept(answers[form])} of {len(trials)} positions"] * (keeps is not None)
        if second and form.player in {"none", "own"}:
            lines.append(f"    the function also takes {second}, which this command does not give it")
        if isinstance(form.player, tuple) and not stated.player:
            lines.append("    the second argument is the mark of the opponent")
        if form.marks and form.board != "position":
            usual, exchanged = moves(answers[form]), moves(ask(exchange_marks(form)))
            is_blind = exchanged == usual
            may_be_own |= form.player == "own" or (form.player == "none" and not is_blind)
            if is_blind:
                lines.append("    its moves are the same if X and O are exchanged, so it may expect other marks")
            x, o, empty = (one.lower() if isinstance(one, str) else one for one in form.marks)
            small = replace(form, marks=(x, o, empty))
            seen = ask(small) if small != form else answers[form]
            if None not in moves(seen) and moves(seen) not in (usual, moves(ask(exchange_marks(small)))):
                worth = f"    keep the value in {kept(seen)} of {len(trials)} positions"
                lines += ["  They differ with small letters:", f"  {write(small)}", *[worth] * (keeps is not None)]
                may_be_own |= form.player == "none"
    if takes_player:
        others = " or ".join(write_option("player", values, in_python=in_python) for values in ("True,False", "0,1"))
        lines.append(f"The second argument may also have other values, such as {others}.")
    if may_be_own:
        lines.append("With the player none, the first mark is always X's; with own, it marks the engine's own stones.")
    return "\n".join(lines)


def _describe(form: Convention, position: Position, answer: EngineAnswer) -> str:
    return f"passed {show_arguments(form, position)}, it plays {square_name(position.rules, answer.move or 0)}"


def exchange_marks(form: Convention) -> Convention:
    """Return a convention with the marks of X and O exchanged."""
    assert form.marks
    x, o, empty = form.marks
    return replace(form, marks=(o, x, empty), player=(x, o) if form.player == "mark" else form.player)


def _list_forms(rules: Rules, stated: Convention, arguments: Sequence[int]) -> list[Convention]:
    """List the known conventions that agree with `stated`."""
    required, most = arguments
    if required > 2 or most < 1:
        raise EngineError(
            f"The function takes {required or 'no'} arguments; expected a board, or a board and a player. "
            "Write a wrapper: mnk verify --template wrapper.py."
        )
    grid = rules.diagram.is_grid
    boards = [stated.board] if stated.board else ["flat", *["rows"] * grid, "string", "flat from 1"]
    marks = [stated.marks] if stated.marks or stated.board == "position" else [*MARKS, *DISCS * rules.gravity]
    pairs = ["row,column", "column,row", "row,column from 1", "column,row from 1"]
    forms = ["index", *pairs * grid, *["column", "column from 1"] * rules.gravity, "index from 1", "board", "name"]
    moves = [stated.moves] if stated.moves else forms
    found = []
    for board, some in product(boards, marks):
        opponents = [(some[1], some[0])] if some else []
        form = Convention(board, some, order=stated.order)
        alone = ["none", "own"] if form.has_numbers else ["none"]
        usual = [*alone * (required < 2), *["mark", *opponents] * (most > 1)]
        players: list[Any] = [stated.player] if stated.player else usual
        found += [replace(form, player=player, moves=move) for player, move in product(players, moves)]
    if grid and stated.order == "rows":  # as in chess, where a1 is at the bottom, or as discs fall
        found += [replace(one, order="rows from the bottom") for one in found if one.moves == "name" or rules.gravity]
    return [one for one in found if all(isinstance(mark, str) for mark in one.marks or ()) or one.board != "string"]


def _describe_nearest(
    answers: dict[Convention, list[EngineAnswer]], trials: list[Position], write: Callable[[Convention], str]
) -> list[str]:
    best = max(answers, key=lambda form: sum(not answer.failure for answer in answers[form]))
    pairs = [*zip(trials, answers[best], strict=False)]
    failed = [(position, answer) for position, answer in pairs if answer.failure]
    lines = [
        f"  {write(best)}",
        f"    legal in {len(pairs) - len(failed)} of {len(pairs)} positions; "
        f"passed {show_arguments(best, failed[0][0])}, it {failed[0][1]}",
    ]
    for side, other in ("XO", "OX"):
        others = [position for position in trials if position.to_move == side]
        if [position for position, _ in failed] == others and failed[0][1].failure is not Failure.TIMEOUT:
            lines.append(
                f"It fails in exactly those where {side} moves; if it only plays {other}, state the side {other}."
            )
    return [
        *lines,
        "`mnk verify --help` lists the forms; for any other, write a wrapper: mnk verify --template wrapper.py",
    ]


def show_arguments(convention: Convention, position: Position) -> str:
    """Return the arguments that the engine's function gets in a position, as a string."""
    if convention.board in {"array", "flat array", "position"}:
        return f"{convention.board} {position.board}"
    request = convention.request(position)
    given = host.make_arguments(request["form"], request, {"columns": position.rules.diagram.columns})
    return ", ".join(map(repr, given))
