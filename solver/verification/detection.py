"""Working out an engine's convention by trying: the one under which it errs least is taken.

Every convention that could be meant is tried on positions whose truth is known. The score of one is how many replies
are legal, then how many are good. Ties go to the likelier convention, and are told to the person who asked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from solver.errors import EngineError
from solver.rules import Rules
from solver.verification.conventions import Convention, candidates, readings
from solver.verification.entry import Facts
from solver.verification.python_engine import Raw, interpreted
from solver.verification.replies import unwrapped
from solver.verification.subject import Answer, AskOptions, Failure
from solver.verification.trials import Trial, trials

__all__ = ["Settled", "best_reading", "settle"]

FIRST: Final = 3  # trials by which most conventions are ruled out
MOST_LEFT: Final = 48  # conventions that are tried on all positions
BATCH: Final = 64

Try = Callable[[Sequence[tuple[Convention, Trial]]], Sequence[Any]]
"""Asks; gives a Raw for each, or something else where no reply was had."""


class Score(NamedTuple):
    """How often replies were legal, and good."""

    legal: int = 0
    good: int = 0


@dataclass(frozen=True)
class Settled:
    """The convention that was settled, its score, what a person should know of the choice, and the moves so read."""

    convention: Convention
    score: Score
    notes: tuple[str, ...] = ()
    moves: tuple[int | None, ...] = ()


class _Begun(NamedTuple):
    """A convention that was tried on the first trials."""

    score: Score
    convention: Convention
    replies: list[tuple[Trial, Any]]


def settle(ask: Try, facts: Facts, rules: Rules, options: AskOptions) -> Settled:
    """Find the convention of an engine; raises EngineError when it never gave a legal move under any."""
    tests = trials(rules)
    full = Score(len(tests), len(tests))
    given = replace(options, board=options.board or facts.board)
    best: list[Settled] = []
    complaint = ""
    for group in candidates(given, facts.roles, facts.hints):
        found, error = _try_group(ask, group, tests, rules, given)
        complaint = complaint or error
        best = sorted([*best, *found], key=lambda settled: settled.score, reverse=True)
        if best and best[0].score == full:
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
    """The way to read these replies under which most of them are legal and good."""
    best: tuple[Score, Convention, list[Answer]] | None = None
    doubts: list[str] = []
    said = [raw.reply if raw.reply is not None else raw.placed for _, raw in replies if isinstance(raw, Raw)]
    said = [reply for reply in said if reply is not None]
    for reading in readings(options, rules, convention.board) if said else ():
        if unwrapped(reading, said[0]) is None:
            continue
        way = replace(convention, reading=reading)
        answers = [_answer(way, trial, raw) for trial, raw in replies]
        score = _score(answers, replies)
        if best is None or score > best[0]:
            best, doubts = (score, way, answers), []
        elif score == best[0] and score.legal and [a.move for a in answers] != [a.move for a in best[2]]:
            doubts.append(str(reading))
    if best is None:
        return Settled(convention, Score())
    score, way, answers = best
    notes = (f"moves could also be read as {doubts[0]}; --moves tells",) if doubts else ()
    return Settled(replace(way, worth=_worth(answers, replies)), score, notes, tuple(a.move for a in answers))


def _try_group(
    ask: Try, group: list[Convention], tests: list[Trial], rules: Rules, options: AskOptions
) -> tuple[list[Settled], str]:
    """The conventions of a group that gave legal moves, with their scores; and the first error that was met."""
    waiting: list[_Begun] = []
    found: list[Settled] = []
    complaint = ""
    for start in range(0, len(group), BATCH):
        batch = group[start : start + BATCH]
        for convention, replies in zip(batch, _ask_all(ask, batch, tests[:FIRST]), strict=True):
            score = best_reading(convention, replies, rules, options).score
            complaint = complaint or next((raw.error for _, raw in replies if isinstance(raw, Raw) and raw.error), "")
            if score.legal:
                waiting.append(_Begun(score, convention, replies))
        # The likeliest conventions come first: once one of them is without fault, no other can be better.
        promising = [one for one in waiting if one.score.good == len(tests[:FIRST])][: MOST_LEFT - len(found)]
        waiting = [one for one in waiting if one not in promising]
        found += _try_fully(ask, promising, tests, rules, options)
        if any(settled.score.good == len(tests) for settled in found):
            return found, complaint
    waiting.sort(key=lambda one: one.score, reverse=True)
    return found + _try_fully(ask, waiting[: MOST_LEFT - len(found)], tests, rules, options), complaint


def _try_fully(ask: Try, begun: list[_Begun], tests: list[Trial], rules: Rules, options: AskOptions) -> list[Settled]:
    rest = _ask_all(ask, [one.convention for one in begun], tests[FIRST:])
    return [
        best_reading(one.convention, [*one.replies, *late], rules, options)
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
    return Score(len(pairs), sum(move in good for move, good in pairs))


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
