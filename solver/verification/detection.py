"""Working out an engine's convention by trying: the one under which it errs least is taken.

Every convention that could be meant is tried on positions whose truth is known. What counts is how likely the replies
are, if that were the convention: good ones are to be expected, bad ones of a weak engine, exceptions and time-outs of
a faulty one, illegal ones least; and conventions that are seldom met are less likely from the start. What can't be
told is said to the person who asked.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Any, Final, NamedTuple

from solver.errors import EngineError
from solver.game.rules import Rules
from solver.verification.contract import Answer, AskOptions, Failure
from solver.verification.conventions import Convention, candidates, readings
from solver.verification.entry import Facts
from solver.verification.python_engine import Raw, interpreted
from solver.verification.replies import unwrapped
from solver.verification.trials import Trial, trials

__all__ = ["Settled", "best_reading", "settle"]

FIRST: Final = 3  # trials by which most conventions are ruled out
MOST_LEFT: Final = 48  # conventions that are tried on all positions
FEW: Final = 4  # conventions that are tried first
BATCH: Final = 64  # and then at a time
CHANCES: Final = (0.8, 0.1, 0.005, 0.1)  # of a good reply, a bad one, an illegal one, none

Try = Callable[[Sequence[tuple[Convention, Trial]]], Sequence[Any]]
"""Asks; gives a Raw for each, or something else where no reply was had."""


class Score(NamedTuple):
    """How many positions were asked, and in how many a reply was given, a legal one, a good one."""

    good: int = 0
    legal: int = 0
    given: int = 0
    asked: int = 0

    @property
    def is_convincing(self) -> bool:
        """Whether every reply is good, and nearly every question has one: no other way is worth trying."""
        return self.good == self.given and 3 * self.asked <= 4 * self.given

    def weighed(self, place: int) -> float:
        """The logarithm of how likely it is, by a rough guess, that an engine which answers so is understood.

        place: how many ways to understand it are likelier from the start.
        """
        counts = self.good, self.legal - self.good, self.given - self.legal, self.asked - self.given
        return sum(count * log(chance) for count, chance in zip(counts, CHANCES, strict=True)) - log(1 + place)


@dataclass(frozen=True)
class Settled:
    """The convention that was settled, its score, what a person should know of the choice, and the moves so read.

    place: which it was in the order of trying.
    """

    convention: Convention
    score: Score
    notes: tuple[str, ...] = ()
    moves: tuple[int | None, ...] = ()
    place: int = 0


class _Begun(NamedTuple):
    """A convention that was tried on the first trials."""

    place: int
    score: Score
    convention: Convention
    replies: list[tuple[Trial, Any]]


def settle(ask: Try, facts: Facts, rules: Rules, options: AskOptions) -> Settled:
    """Find the convention of an engine; raises EngineError when it never gave a legal move under any."""
    tests = trials(rules)
    full = Score(*[len(tests)] * 4)
    given = replace(options, board=options.board or facts.board)
    best: list[Settled] = []
    complaint = ""
    tried = 0
    for group in candidates(given, facts.roles, facts.hints):
        found, error = _try_group(ask, group, tried, tests, rules, given)
        tried += len(group)
        complaint = complaint or error
        best = sorted([*best, *found], key=lambda settled: settled.score.weighed(settled.place), reverse=True)
        if best and best[0].score.is_convincing:
            break
    if not best:
        raise EngineError(
            f"No way was found to ask the engine for a move{f' ({complaint})' if complaint else ''}; "
            "say how it is called with --board, --marks and --moves."
        )
    chosen = best[0]
    notes = (*chosen.notes, *_doubts(best, full))
    return replace(chosen, notes=notes)


def best_reading(
    convention: Convention, replies: Sequence[tuple[Trial, Any]], rules: Rules, options: AskOptions
) -> Settled:
    """The way to read these replies that makes most sense of them."""
    best: tuple[float, Score, Convention, list[Answer]] | None = None
    doubts: list[str] = []
    said = [raw.reply if raw.reply is not None else raw.placed for _, raw in replies if isinstance(raw, Raw)]
    said = [reply for reply in said if reply is not None]
    for place, reading in enumerate(readings(options, rules, convention.board) if said else ()):
        if unwrapped(reading, said[0]) is None:
            continue
        way = replace(convention, reading=reading)
        answers = [_answer(way, trial, raw) for trial, raw in replies]
        score = _score(answers, replies)
        weight = score.weighed(place)
        if best is None or weight > best[0]:
            best, doubts = (weight, score, way, answers), []
        elif score == best[1] and score.legal and [a.move for a in answers] != [a.move for a in best[3]]:
            doubts.append(str(reading))
    if best is None:
        return Settled(convention, Score())
    _, score, way, answers = best
    notes = (f"moves could also be read as {doubts[0]}; --moves tells",) if doubts else ()
    return Settled(replace(way, worth=_worth(answers, replies)), score, notes, tuple(a.move for a in answers))


def _try_group(
    ask: Try, group: list[Convention], tried: int, tests: list[Trial], rules: Rules, options: AskOptions
) -> tuple[list[Settled], str]:
    """The conventions of a group that gave legal moves, with their scores; and the first error that was met.

    tried: how many conventions were tried before.
    """
    waiting: list[_Begun] = []
    found: list[Settled] = []
    complaint = ""
    for batch in _batches(group):
        conventions = [convention for _, convention in batch]
        for (place, convention), replies in zip(batch, _ask_all(ask, conventions, tests[:FIRST]), strict=True):
            score = best_reading(convention, replies, rules, options).score
            complaint = complaint or next((raw.error for _, raw in replies if isinstance(raw, Raw) and raw.error), "")
            if score.legal:
                waiting.append(_Begun(tried + place, score, convention, replies))
        # The likeliest conventions come first: once one of them is convincing, no other can be better.
        promising = [one for one in waiting if one.score.good == one.score.given > 1][: MOST_LEFT - len(found)]
        waiting = [one for one in waiting if one not in promising]
        found += _try_fully(ask, promising, tests, rules, options)
        if any(settled.score.is_convincing for settled in found):
            return found, complaint
    waiting.sort(key=lambda one: one.score.weighed(one.place), reverse=True)
    return found + _try_fully(ask, waiting[: MOST_LEFT - len(found)], tests, rules, options), complaint


def _batches(group: list[Convention]) -> Iterator[list[tuple[int, Convention]]]:
    """Conventions with their places: a few at first, which do for most engines and need no NumPy, then many."""
    numbered = [*enumerate(group)]
    yield numbered[:FEW]
    for start in range(FEW, len(group), BATCH):
        yield numbered[start : start + BATCH]


def _try_fully(ask: Try, begun: list[_Begun], tests: list[Trial], rules: Rules, options: AskOptions) -> list[Settled]:
    rest = _ask_all(ask, [one.convention for one in begun], tests[FIRST:])
    return [
        replace(best_reading(one.convention, [*one.replies, *late], rules, options), place=one.place)
        for one, late in zip(begun, rest, strict=True)
    ]


def _ask_all(ask: Try, ways: list[Convention], tests: list[Trial]) -> list[list[tuple[Trial, Any]]]:
    replies = iter(ask([(way, trial) for way in ways for trial in tests]))
    return [[(trial, next(replies)) for trial in tests] for _ in ways]


def _answer(way: Convention, trial: Trial, raw: Any) -> Answer:
    return interpreted(raw, way, trial.position) if isinstance(raw, Raw) else Answer(None, Failure.TIMEOUT)


def _score(answers: list[Answer], replies: Sequence[tuple[Trial, Any]]) -> Score:
    pairs = [
        (answer.move, trial.good)
        for answer, (trial, _) in zip(answers, replies, strict=True)
        if answer.failure in {None, Failure.MUTATED}
    ]
    given = sum(answer.failure not in {Failure.EXCEPTION, Failure.TIMEOUT} for answer in answers)
    return Score(sum(move in good for move, good in pairs), len(pairs), given, len(answers))


def _worth(answers: list[Answer], replies: Sequence[tuple[Trial, Any]]) -> str:
    """Whose side the stated values are from: the one by which they agree best with the truth."""
    agreement = dict.fromkeys(("mover", "X", "O"), 0)
    for answer, (trial, _) in zip(answers, replies, strict=True):
        if answer.value is not None and trial.wdl is not None:
            same = ((answer.value > 0) - (answer.value < 0)) * trial.wdl
            side = trial.position.to_move
            agreement["mover"] += same
            for view in "XO":
                agreement[view] += same if side == view else -same
    return max(agreement, key=lambda view: agreement[view])


def _doubts(best: list[Settled], full: Score) -> list[str]:
    chosen = best[0]
    if chosen.score == full:
        return []
    notes = [f"of {full.legal} trials {chosen.score.legal} replies were legal and {chosen.score.good} good"]
    same = [other for other in best[1:] if other.score == chosen.score and other.moves != chosen.moves]
    if same:
        notes.append(f"not sure of the convention; another that fits as well is: {same[0].convention.words()}")
    return notes
