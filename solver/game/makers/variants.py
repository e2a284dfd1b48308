"""Apply variants, the words after a game's name, to its rules."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from solver.drawing.diagram import HOLE, Diagram
from solver.errors import RulesError, quoted
from solver.game.lines import Line, mask_of
from solver.game.makers.maker import read_number
from solver.game.rules import Rules

OPTIONS: Final = {"o": "SQUARES", "plies": "N", "without": "SQUARES", "x": "SQUARES"}
"""The variants with a value, such as `x=a1+b2`, and the form of each value."""

COMMON: Final = frozenset({"maker", "misere"})  # the variants of every game; other variants belong to single families

_T = TypeVar("_T")

_MARKS: Final = {"o": "O", "without": HOLE, "x": "X"}


def vary(rules: Rules, given: frozenset[str], options: Mapping[str, str]) -> Rules:
    """Return rules with variants. given: words of COMMON. options: values by the keys of OPTIONS. Raises RulesError."""
    if "maker" in given:
        rules = replace(rules, o_lines=())  # before O has stones, which could complete them
    rules = _with_marks(rules, options)
    plies = rules.plies
    named = {
        key: sorted(options[key].split("+"), key=lambda name: (len(name), name)) for key in _MARKS if key in options
    }
    if "plies" in options:
        plies = read_number(options["plies"], "a number of plies", 1, rules.squares)
        if plies < rules.squares:
            named["plies"] = [str(plies)]
    if "misere" in given:
        rules = replace(rules, misere=True)
    if "maker" in given:
        rules = replace(rules, unfinished="X" if rules.misere else "O")
    if rules.stride and plies < rules.squares:
        raise RulesError("'gravity' and 'plies' can't be combined; leave one of them out.")
    plain = sorted({*rules.variants, *given})
    valued = [f"{key}={'+'.join(names)}" for key, names in sorted(named.items())]
    as_known = not (given - {"misere"}) and not valued
    return replace(
        rules,
        name=",".join([rules.name, *plain, *valued]),
        variants=(*plain, *valued),
        plies=plies,
        rectangle=rules.rectangle if as_known else None,
    )


def _with_marks(rules: Rules, options: Mapping[str, str]) -> Rules:
    marks: dict[int, str] = {}
    for key, mark in _MARKS.items():
        for name in options[key].split("+") if key in options else ():
            square = rules.diagram.numbers.get(name)
            if square is None:
                known = rules.diagram.names
                raise RulesError(
                    f"{quoted(name)} in {key}= is not a square of {rules.name}; "
                    f"write names such as {known[0]}+{known[-1]}."
                )
            if square in marks:
                raise RulesError(f"The square {name} of {rules.name} is named twice; once is enough.")
            marks[square] = mark
    return remove_squares(rules, marks) if marks else rules


def remove_squares(rules: Rules, marks: Mapping[int, str]) -> Rules:
    """Return rules without the squares in `marks`: HOLE for a missing square, or the side of an initial stone.

    A line loses the squares that its own side has taken. A line that can no longer be completed is removed. Raises
    RulesError if the game would already be over, if no square would be left, or if the game has gravity.
    """
    if rules.stride:
        raise RulesError("'gravity' can't be combined with squares that are taken or missing; leave one of them out.")
    if len(marks) == rules.squares:
        raise RulesError("No square of the board would be left; leave at least one.")
    left = [square for square in range(rules.squares) if square not in marks]
    x_lines, o_lines = (
        _lines_on(left, marks, lines, side) for side, lines in (("X", rules.x_lines), ("O", rules.o_lines))
    )
    for side, lines in (("X", x_lines), ("O", o_lines)):
        if any(not line.mask for line in lines):
            raise RulesError(f"{side} would have a line from the start, so the game would be over; leave a stone out.")
    return replace(
        rules,
        diagram=_diagram_on(left, marks, rules.diagram),
        x_lines=x_lines,
        o_lines=o_lines,
        plies=len(left),
        always_won=rules.always_won and HOLE not in marks.values(),
        flips=None,
        known_symmetries=(),
        rectangle=None,
    )


def _lines_on(left: Sequence[int], marks: Mapping[int, str], lines: Iterable[Line], side: str) -> tuple[Line, ...]:
    own = mask_of(square for square, mark in marks.items() if mark == side)
    lost = mask_of(square for square, mark in marks.items() if mark != side)
    found = dict.fromkeys(
        Line(_squeeze(line.mask, left), _squeeze(line.guard, left))
        for line in lines
        if not line.mask & lost and not line.guard & own
    )
    return tuple(found)


def _squeeze(mask: int, left: Sequence[int]) -> int:
    return mask_of(number for number, square in enumerate(left) if mask >> square & 1)


def _diagram_on(left: Sequence[int], marks: Mapping[int, str], diagram: Diagram) -> Diagram:
    numbers: dict[int, int | str] = {square: number for number, square in enumerate(left)} | dict(marks)
    drawn = replace(
        diagram,
        cells=tuple(numbers[cell] if isinstance(cell, int) else cell for cell in diagram.cells),
        names=tuple(diagram.names[square] for square in left),
    )

    def keep(given: Sequence[_T]) -> tuple[_T, ...]:
        """Return the items of `given` for the remaining squares, followed by the items for the initial stones."""
        items = dict(zip(diagram.drawn_places, given, strict=False))
        return tuple(items[place] for place in drawn.drawn_places if place in items)

    return replace(drawn, points=diagram.points if diagram.ends else keep(diagram.points), ends=keep(diagram.ends))
