"""Say of a convention that was found what it was told from, and what else is possible."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from solver.verification.conventions.board_formats import Marks, is_ordinary
from solver.verification.conventions.candidates import Fixed
from solver.verification.conventions.convention import Convention
from solver.verification.conventions.move_formats import BOARD_AFTER
from solver.verification.conventions.parameters import Signature
from solver.verification.conventions.profiles import PROFILES, suggest_profile
from solver.verification.conventions.replies import Tried
from solver.verification.conventions.source import Evidence

MOST_RIVALS: Final = 2
"""Other conventions that are graded too."""


class Alternative(NamedTuple):
    """Another way to understand an engine, which its form leaves open."""

    condition: str
    """What would have to be, in words: `its side is always O`."""
    sides: str = "XO"
    """The sides that it would play."""
    convention: Convention | None = None
    """How it would be asked; None for as it is."""
    anew: str = "XO"
    """The sides whose questions would be others."""


@dataclass(frozen=True)
class Detected:
    """The convention of an engine, and what is known of it."""

    convention: Convention
    told: tuple[str, ...] = ()
    """What was told from what, for a person."""
    others: tuple[str, ...] = ()
    """What else is possible, and is not graded."""
    alternatives: tuple[Alternative, ...] = ()
    """What else is possible, and is graded too."""
    is_certain: bool = True
    """True if the marks are settled, and nothing else is possible but that its side is built in."""
    notes: tuple[str, ...] = ()


def conclude(chosen: Tried, rivals: list[Tried], signature: Signature, evidence: Evidence, fixed: Fixed) -> Detected:
    """Say what the convention was told from, and what else is possible."""
    convention, arguments = chosen.convention, signature.arguments
    marks, has_marks = convention.layout.marks, convention.layout.format.has_marks
    turn = _tell_turn(chosen, signature, evidence)
    built_in = _find_built_in_side(chosen)
    readings = [Alternative(f"its side is always {side}", side) for side in built_in]
    readings += [] if turn or built_in else _list_sides(convention, evidence, fixed)
    if (relative := _find_own_marks(readings, evidence)) is not None:
        turn = f"its words give {evidence.own_sign} to its own stones, whoever began"
        readings = [relative._replace(condition=f"{marks}, whoever moves", convention=convention)]
        convention = relative.convention or convention
    others = [*chosen.others, *_drop_alike([chosen, *rivals])]
    named = sum(evidence.count_missing(marks.first, marks.second)) == 0
    is_known = bool(fixed.marks) or not has_marks or named or not rivals
    told = [
        _tell_forms(chosen, signature, fixed),
        *([_tell_marks(marks, evidence, fixed, is_named=named, is_only=not rivals)] if has_marks else []),
        f"side to move: {turn or _doubt_turn(evidence)}",
    ]
    graded = [Alternative(f"its convention is {one.describe(arguments)}", "XO", one) for one in others[:MOST_RIVALS]]
    return Detected(
        convention,
        told=tuple(told),
        others=tuple(one.describe(arguments) for one in others[MOST_RIVALS:]),
        alternatives=(*readings, *graded),
        is_certain=chosen.fits and is_known and not others and not any(one.convention for one in readings),
        notes=tuple(_list_notes(chosen, signature, evidence, fixed)),
    )


def _find_built_in_side(chosen: Tried) -> str:
    """Return the one side whose stones it places, if it answers by placing a stone and never places the other's."""
    if chosen.convention.reply.move is not BOARD_AFTER or chosen.fits:
        return ""
    legal = {
        position.to_move for (position, _), move in zip(chosen.results, chosen.moves, strict=True) if move is not None
    }
    return legal.pop() if len(legal) == 1 and chosen.legal > 1 else ""


def _tell_turn(chosen: Tried, signature: Signature, evidence: Evidence) -> str:
    """Return in words by what it knows whose turn it is; empty if by nothing that can be seen."""
    convention, layout = chosen.convention, chosen.convention.layout
    ways = {
        "it is told with each question": signature.kinds & {"player", "player object", "opponent", "maximizing"},
        "its object is made for a side": any(argument.kind == "player" for argument in signature.made_with),
        "it plays on a board of its own": signature.marks,
        "the board says it": not layout.format.has_marks or layout.marks.relative,
        "the stone that it places is the mover's": convention.reply.move is BOARD_AFTER and chosen.fits,
        "a function of its file tells it from the board": "player" in signature.helpers,
        "its source tells it from the board": evidence.has_turn,
    }
    return next((words for words, holds in ways.items() if holds), "")


def _doubt_turn(evidence: Evidence) -> str:
    named = f" (it calls its own side {evidence.roles['own'][0]})" if "own" in evidence.roles else ""
    return f"nothing in its form says that it heeds it{named}, so it is asked as it stands, X first"


def _list_sides(convention: Convention, evidence: Evidence, fixed: Fixed) -> Iterator[Alternative]:
    """Yield the readings of an engine that may have one side built in."""
    marks = convention.layout.marks
    own = evidence.roles["own"][1] if "own" in evidence.roles else marks.first
    sides = {marks.first: "X", marks.second: "O"}.get(own, "XO") if "own" in evidence.roles else "XO"
    for side in sides:
        yield Alternative(f"its side is always {side}", side)
    if not isinstance(marks.first, str) and not fixed.marks and own in (marks.first, marks.second):
        relative = replace(marks if own == marks.first else marks.swapped(), relative=True)
        layout = convention.layout._replace(marks=relative)
        anew = "O" if own == marks.first else "X"
        yield Alternative(f"{relative}", "XO", replace(convention, layout=layout), anew)


def _find_own_marks(readings: list[Alternative], evidence: Evidence) -> Alternative | None:
    """Return the reading by which a sign marks its own stones, if its words say so."""
    for one in readings:
        if one.convention and evidence.own_sign is not None and one.convention.layout.marks.first == evidence.own_sign:
            return one
    return None


def _drop_alike(tried: list[Tried]) -> list[Convention]:
    """Return the conventions after the first by which other moves are read than by those before."""
    kept: list[Tried] = []
    for one in tried:
        if not any(_read_alike(one, other) for other in kept):
            kept.append(one)
    return [one.convention for one in kept[1:]]


def _read_alike(one: Tried, other: Tried) -> bool:
    """Return whether the same moves are read by both, in the trials that neither has lost to the clock or a crash."""
    pairs = zip(one.moves, other.moves, one.is_lost, other.is_lost, strict=True)
    return all(mine == theirs for mine, theirs, *lost in pairs if not any(lost))


def _tell_marks(marks: Marks, evidence: Evidence, fixed: Fixed, *, is_named: bool, is_only: bool) -> str:
    if fixed.marks:
        return "marks: as they were settled"
    for one, other in (("X", "O"), ("own", "other")):
        if one in evidence.roles and {evidence.roles[one][1], evidence.roles[other][1]} == {marks.first, marks.second}:
            names = [evidence.roles[role][0] for role in (one, other, "empty") if role in evidence.roles]
            return f"marks: {', '.join(names)} are constants of its source"
    if is_named:
        return f"marks: {marks.first!r} and {marks.second!r} stand in its source"
    if not evidence.count_missing(marks.first, marks.second)[1]:
        return f"marks: {marks.first!r} and {marks.second!r} are what its words name"
    if is_only:
        return "marks: of those that its source allows the only ones with which its replies are legal"
    return "marks: the most usual with which its replies are legal; its source names none"


def _tell_forms(chosen: Tried, signature: Signature, fixed: Fixed) -> str:
    legal = f"{chosen.legal} of {len(chosen.results)} replies are legal"
    if fixed.board and fixed.move:
        return f"board and moves as they were settled: {legal}"
    source = ", and the one that its file begins with" if signature.start is not None else ""
    unique = (
        "one of several readings of them, the most usual" if chosen.others else "no other reading of them is as legal"
    )
    return f"board and moves: the first forms with which {legal}{source}; {unique}"


def _list_notes(chosen: Tried, signature: Signature, evidence: Evidence, fixed: Fixed) -> Iterator[str]:
    if not chosen.fits:
        doubt = "; half or fewer, so this reading may be wrong" if chosen.is_doubtful else ""
        legal = f"{chosen.legal} replies were legal{doubt}"
        yield f"of {len(chosen.results)} trials {chosen.given} had a reply, and {legal}"
    marks = chosen.convention.layout.marks
    has_marks = chosen.convention.layout.format.has_marks and not (fixed.marks or signature.marks)
    if has_marks and not is_ordinary(marks) and any(evidence.count_missing(marks.first, marks.second)):
        yield f"its marks are odd ({marks}), and its source does not name them: --marks settles them"
    names = evidence.names | {argument.parameter for argument in signature.arguments}
    profile = None if fixed.board else suggest_profile(names)
    if profile:
        yield f"it looks like {PROFILES[profile].source}: --profile {profile} settles its convention"
