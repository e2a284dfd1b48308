"""Find the convention of an engine that states none, or only a part, by trying the documented defaults.

Boards are lists of rows or flat lists, with one of five sets of marks. Moves are the number of a square from 0, row
and column in either order or, with gravity, a column. Each convention is tried on twenty late positions. Only the
legality of the replies counts; their quality and the engine's source code do not.
"""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product
from time import monotonic
from typing import Any, Final

from solver.errors import EngineError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification import host
from solver.verification.answer import EngineAnswer
from solver.verification.convention import Convention, Mark
from solver.verification.positions import draw_late_positions

MARKS: Final[tuple[tuple[Mark, Mark, Mark], ...]] = (  # the default marks of X, O and an empty square
    ("X", "O", " "), ("X", "O", None), ("X", "O", ""), (1, -1, 0), (1, 2, 0),
)  # fmt: skip

_OTHERS: Final[tuple[tuple[Mark, Mark], ...]] = (("x", "o"), (0, 1), (1, 2), (1, -1), ("B", "W"), (True, False))

TRIALS: Final = 20
SECONDS: Final = 3.0
_FIRST: Final = 3  # trials that rule out most conventions
_MOST_SHOWN: Final = 4  # commands or results that a refusal lists


Run = Callable[..., list[dict[str, Any] | None]]  # sends requests to an engine, such as `Sessions.run`


def make_request(position: Position, convention: Convention, seed: int) -> dict[str, Any]:
    """Return the request that asks an engine's process for a move in a position."""
    return {
        "cells": "".join(position.cells),
        "board": position.board,
        "player": position.to_move,
        "moves": [*position.legal_moves],
        "seed": hash((seed, position.x, position.o)) & 0xFFFFFFFF,
        "form": vars(convention),
    }


def list_defaults(stated: Convention, rules: Rules, arguments: Sequence[int]) -> list[Convention]:
    """List the default conventions that agree with `stated`.

    arguments: the fewest and the most arguments that the function takes. Raises EngineError unless the function takes a
    board, or a board and a player.
    """
    required, most = arguments
    if required > 2 or most < 1:
        raise EngineError(
            f"The function takes {required or 'no'} arguments; expected a board, or a board and a player. "
            "Write a wrapper: mnk verify --template wrapper.py."
        )
    if required == 2 and stated.player == "none":
        raise EngineError("The function takes a board and a player; state how the player is named, with --player mark.")
    grid = rules.diagram.is_grid
    boards = [stated.board] if stated.board else ["rows", "flat"] if grid else ["flat"]
    marks = [stated.marks] if stated.marks or stated.board == "position" else [*MARKS]
    players = ["mark"] if required == 2 else ["none"] if most == 1 else ["none", "mark"]
    named = [stated.player] if stated.player else players
    moves = ["index", *["row,column", "column,row"] * grid, *["column"] * rules.gravity]
    return [Convention(*found) for found in product(boards, marks, named, [stated.moves] if stated.moves else moves)]


def find_convention(
    run: Run, name: str, rules: Rules, stated: Convention, arguments: Sequence[int], side: str | None = None
) -> tuple[Convention, bool]:
    """Return the only default convention under which every reply is legal, and whether it was tried.

    If the stated parts leave only one convention, it is not tried. side: `X` or `O`, to try only positions where that
    side is to move. Raises EngineError unless exactly one convention fits; the message shows the arguments, the
    results, and the commands to choose from.
    """
    defaults, until = list_defaults(stated, rules, arguments), monotonic() + SECONDS
    if len(defaults) == 1:
        return defaults[0], False
    trials, candidates = draw_late_positions(rules, TRIALS, seed=0, side=side), defaults
    replies = {replace(one, moves=None): list[dict[str, Any] | None]() for one in defaults}

    def read(one: Convention) -> list[EngineAnswer]:
        return [one.read_answer(*pair) for pair in zip(replies[replace(one, moves=None)], trials, strict=False)]

    for some in (trials[:_FIRST], trials[_FIRST:]):
        forms = dict.fromkeys(replace(one, moves=None) for one in candidates)
        found = iter(run([make_request(position, form, 0) for form in forms for position in some], until=until))
        for form in forms:
            replies[form] += islice(found, len(some))
        candidates = [one for one in candidates if all(answer.failure is None for answer in read(one))]
    if not candidates:
        raise EngineError(_describe_none(name, rules, {one: read(one) for one in defaults}, trials))
    if len(candidates) == 1:
        if stated.marks is None and (other := _find_other_marks(run, candidates[0], trials)):
            problem = f"With the only default that fits, {name} does not distinguish X from O"
            shown = dict.fromkeys([replace(candidates[0], marks=other), candidates[0]], "")
            raise EngineError(_list_choices(rules, name, problem, shown))
        return candidates[0], True
    returned = {one: (replies[replace(one, moves=None)][0] or {}).get("move") for one in candidates[:_MOST_SHOWN]}
    shown = {one: f"passed {show_arguments(one, trials[0])}, it returned {move}" for one, move in returned.items()}
    problem = f"All moves of {name} are legal under {len(candidates)} default conventions"
    raise EngineError(_list_choices(rules, name, problem, shown))


def _find_other_marks(run: Run, found: Convention, trials: list[Position]) -> tuple[Mark, Mark, Mark] | None:
    """Return other marks that the engine seems to expect; None if it seems to know `found.marks`.

    If no move changes when X and O are exchanged, the engine either does not know the marks or ignores colours (for
    example, it plays the first empty square). It expects other marks if these change a move and leave all moves legal.
    """
    x, o, empty = found.marks or ("X", "O", " ")
    until = monotonic() + SECONDS

    def ask(marks: tuple[Mark, Mark, Mark], player: tuple[Mark, Mark] | str | None) -> list[int | None]:
        form = replace(found, marks=marks, player=player)
        replies = run([make_request(position, form, 0) for position in trials], until=until)
        return [found.read_answer(*pair).legal_move for pair in zip(replies, trials, strict=True)]

    usual = ask((x, o, empty), found.player)
    if usual != ask((o, x, empty), (x, o) if found.player == "mark" else found.player):
        return None
    for first, second in _OTHERS:
        moves = ask((first, second, empty), found.player) if empty not in {first, second} else usual
        if None not in moves and moves != usual:
            return first, second, empty
    return None


def _list_choices(rules: Rules, name: str, problem: str, shown: Mapping[Convention, str]) -> str:
    lines = [f"{problem}, so nothing was graded; state one:"]
    for one, said in shown.items():
        lines += [f"  mnk verify {rules.name} {name} {one.options()}", *[f"    {said}"] * bool(said)]
    return "\n".join(lines)


def _describe_none(name: str, rules: Rules, asked: dict[Convention, list[EngineAnswer]], trials: list[Position]) -> str:
    best = max(asked, key=lambda one: sum(answer.failure is None for answer in asked[one]))
    pairs = [*zip(trials, asked[best], strict=False)]
    failed = [(position, answer) for position, answer in pairs if answer.failure]
    lines = [
        f"No default convention fits {name}, so nothing was graded. The nearest, {best.options()},",
        f"  is legal in {len(pairs) - len(failed)} of {len(pairs)} positions asked; "
        f"passed {show_arguments(best, failed[0][0])},",
        f"  the result was {failed[0][1].failure}: {failed[0][1].detail}",
    ]
    if len(failed) == len(pairs):  # then the others are as near
        others = {f"{answers[0].failure}: {answers[0].detail}" for one, answers in asked.items() if one is not best}
        others.discard(f"{failed[0][1].failure}: {failed[0][1].detail}")
        lines += [f"  with others, it was {result}" for result in sorted(others)[:_MOST_SHOWN]]
    for side, other in ("XO", "OX"):
        if [position for position, _ in failed] == [position for position in trials if position.to_move == side]:
            lines.append(
                f"Of the positions asked, it fails in exactly those where {side} moves; if it only plays {other}, "
                f"add --side {other}."
            )
    file = shlex.split(name)[0].partition(":")[0]
    program = f"{rules.name} {shlex.quote(file)} " if file.endswith((".py", ".ipynb")) else ""
    lines += ["State its convention with --board, --marks, --player and --moves (mnk verify --help lists the forms),"]
    return "\n".join([*lines, f"  or write a wrapper: mnk verify {program}--template wrapper.py"])


def show_arguments(convention: Convention, position: Position) -> str:
    """Return the arguments that the engine's function gets in a position, as a string."""
    if convention.board in {"array", "flat array", "position", "kaggle", "aima", "pettingzoo"}:
        return f"{convention.board} {position.board}"
    request = make_request(position, convention, 0)
    given = host.make_arguments(request["form"], request, {"columns": position.rules.diagram.columns})
    return ", ".join(map(repr, given))
