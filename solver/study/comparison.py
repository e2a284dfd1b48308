"""Compare a position under other rules: normal, misere, on a torus, with gravity."""

from collections.abc import Callable
from typing import Annotated, Final, Literal

from solver.errors import PositionError, RulesError, Unsettled
from solver.game.descriptions import describe_rules
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.rules import Rules
from solver.search.truth import Truth
from solver.study.answers import PositionAnswer, position_answer
from solver.support.json_types import Answer, Described

VARIANTS: Final = ("misere", "torus", "gravity")  # the variants that are compared with the normal game


class UnderRules(Answer):
    """A position under one set of rules, with the answer, or the reason why there is none."""

    game: Annotated[str, Described(example="3,3,3,misere")]
    description: str
    status: Annotated[
        Literal["answered", "no table", "impossible", "too large"],
        Described("`impossible`: the position can't arise in this game. `too large`: unsettled, and no table fits."),
    ]
    answer: PositionAnswer | None
    problem: Annotated[str | None, Described("Why it is impossible or too large; otherwise null.")]
    build: Annotated[str | None, Described("The command that builds a missing table.", "mnk build 3,3,3,misere")]


class Comparison(Answer):
    """A position under its own rules, which come first, and under other rules."""

    position: Annotated[str, Described("The rows from the top.", "XO./.X./...")]
    rules: list[UnderRules]


def list_relatives(rules: Rules) -> list[Rules]:
    """Return the given rules, the normal rules, and the normal rules with misere, torus or gravity; each only once.

    >>> [str(other) for other in list_relatives(parse_game("3,3,3,torus"))]
    ['3,3,3,torus', '3,3,3', '3,3,3,misere', '3,3,3,gravity']
    """
    plain = ",".join(part for part in rules.name.split(",") if part not in VARIANTS)
    found = {rules.name: rules}
    for name in (plain, *(f"{plain},{variant}" for variant in VARIANTS)):
        try:
            other = parse_game(name)
        except RulesError:  # the family lacks the variant, or the game is from a file
            continue
        if other.diagram.names == rules.diagram.names:
            found.setdefault(other.name, other)
    return list(found.values())


def compare(position: Position, find_truth: Callable[[Rules], Truth]) -> Comparison:
    """Evaluate a position under its own rules and under others.

    find_truth: returns the values of a game. Raises DamagedTable.
    """
    compared: list[UnderRules] = []
    for rules in list_relatives(position.rules):
        found: UnderRules = {
            "game": rules.name,
            "description": describe_rules(rules),
            "status": "answered",
            "answer": None,
            "problem": None,
            "build": None,
        }
        try:
            there, truth = Position.parse(rules, position.board), find_truth(rules)
            answer = position_answer(truth, there)
            if answer["category"] is None:
                raise truth.unsettled(there)
            found["answer"] = answer
        except PositionError as error:
            found["status"], found["problem"] = "impossible", str(error)
        except Unsettled as error:
            found["status"], found["build"] = "no table" if error.build else "too large", error.build
            found["problem"] = None if error.build else str(error)
        compared.append(found)
    return {"position": position.board, "rules": compared}
