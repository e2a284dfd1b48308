"""Find out an engine's convention by trying: the one under which it errs least is taken.

Every convention that could be meant is tried on positions whose truth is known. What counts is how likely the replies
are, if that were the convention: good ones are to be expected, bad ones of a weak engine, exceptions and time-outs of
a faulty one, illegal ones least; and conventions that are seldom met are less likely from the start. A note says what
can't be told.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Any, Final, Literal, NamedTuple

from solver.errors import EngineError
from solver.game.rules import Rules
from solver.verification.contract import Answer, Failure
from solver.verification.conventions.candidates import Fixed, list_conventions, list_reply_formats
from solver.verification.conventions.convention import Convention, Reply, interpret_reply
from solver.verification.conventions.parameters import Signature
from solver.verification.conventions.trials import Trial, make_trials

FIRST: Final = 3  # trials by which most conventions are ruled out
MOST_LEFT: Final = 48  # conventions that are tried on all positions
FEW: Final = 4  # conventions that are tried first
BATCH: Final = 64  # and then at a time
CHANCES: Final = (0.8, 0.1, 0.005, 0.1)  # of a good reply, a bad one, an illegal one, none

Ask = Callable[[Sequence[tuple[Convention, Trial]]], Sequence[Any]]
"""Asks; gives a Reply for each, or something else where none was had."""

Results = Sequence[tuple[Trial, Any]]
"""Trials, and what was had for each."""


class Score(NamedTuple):
    """Numbers of positions: asked, with a reply, with a legal one, with a good one."""

    good: int = 0
    legal: int = 0
    given: int = 0
    asked: int = 0

    @property
    def is_convincing(self) -> bool:
        """True if every reply is good and nearly every question has one: no other convention is worth trying."""
        return self.good == self.given and 3 * self.asked <= 4 * self.given

    def log_likelihood(self, place: int) -> float:
        """Return the logarithm of how likely it is, by a rough guess, that an engine which answers so is understood.

        place: how many conventions are likelier from the start.
        """
        counts = self.good, self.legal - self.good, self.given - self.legal, self.asked - self.given
        return sum(count * log(chance) for count, chance in zip(counts, CHANCES, strict=True)) - log(1 + place)


@dataclass(frozen=True)
class Detected:
    """A convention that was tried."""

    convention: Convention
    score: Score
    notes: tuple[str, ...] = ()
    """Remarks on the choice for a person."""
    moves: tuple[int | None, ...] = ()
    """The moves so read."""
    place: int = 0
    """Its place in the order of trying."""
    results: Results = ()
    """The trials, and what was had for each."""

    @property
    def log_likelihood(self) -> float:
        """The logarithm of how likely it is that the engine is understood."""
        return self.score.log_likelihood(self.place)


def detect_convention(ask: Ask, signature: Signature, rules: Rules, fixed: Fixed) -> Detected:
    """Find the convention of an engine; raises EngineError when it never gave a legal move under any."""
    search = _Search(ask, make_trials(rules), rules, fixed)
    best: list[Detected] = []
    for group in list_conventions(fixed, signature):
        best = sorted([*best, *search.try_group(group)], key=lambda found: found.log_likelihood, reverse=True)
        if best and best[0].score.is_convincing:
            break
    if not best:
        raise EngineError(
            f"No way was found to ask the engine for a move{f' ({search.error})' if search.error else ''}; "
            "say how it is called with --board, --marks and --moves."
        )
    return replace(best[0], notes=(*best[0].notes, *_describe_doubts(best)))


def choose_reply_format(convention: Convention, results: Results, rules: Rules, fixed: Fixed) -> Detected:
    """Return the convention with the format of replies, and the perspective, that makes most sense of these results."""
    best: Detected | None = None
    doubts: list[str] = []
    replies = [reply for _, reply in results if isinstance(reply, Reply)]
    given = [reply.board if reply.returned is None else reply.returned for reply in replies]
    given = [data for data in given if data is not None]
    formats = list_reply_formats(fixed.move, rules, convention.layout.format) if given else []
    for place, reply_format in enumerate(formats):
        if reply_format.wrapping.unwrap(given[0]) is None:
            continue
        tried = replace(convention, reply=reply_format, perspective="mover")
        answers = [_read_answer(tried, trial, reply) for trial, reply in results]
        moves = tuple(answer.move for answer in answers)
        score = _count_score(answers, results)
        if best is None or score.log_likelihood(place) > best.log_likelihood:
            tried = replace(tried, perspective=_find_perspective(answers, results))
            best, doubts = Detected(tried, score, moves=moves, place=place), []
        elif score == best.score and score.legal and moves != best.moves:
            doubts.append(str(reply_format))
    if best is None:
        return Detected(convention, Score(), results=results)
    notes = (f"moves could also be read as {doubts[0]}; --moves tells",) if doubts else ()
    return replace(best, notes=notes, place=0, results=results)


class _Search:
    """Tries conventions in groups, and keeps the first error that was met."""

    def __init__(self, ask: Ask, trials: list[Trial], rules: Rules, fixed: Fixed) -> None:
        self._ask, self._trials, self._rules, self._fixed = ask, trials, rules, fixed
        self._tried = 0
        self.error = ""

    def try_group(self, group: list[Convention]) -> list[Detected]:
        """Return the conventions of a group that gave legal moves, with their scores."""
        waiting: list[Detected] = []
        found: list[Detected] = []
        numbered = [*enumerate(group, start=self._tried)]
        self._tried += len(group)
        for batch in _split_group(numbered):
            waiting += self._begin(batch)
            # The likeliest conventions come first: once one of them is convincing, no other can be better.
            promising = [begun for begun in waiting if begun.score.good == begun.score.given > 1]
            promising = promising[: MOST_LEFT - len(found)]
            waiting = [begun for begun in waiting if begun not in promising]
            found += self._finish(promising)
            if any(detected.score.is_convincing for detected in found):
                return found
        waiting.sort(key=lambda begun: begun.log_likelihood, reverse=True)
        return found + self._finish(waiting[: MOST_LEFT - len(found)])

    def _begin(self, numbered: list[tuple[int, Convention]]) -> list[Detected]:
        """Try conventions, given with their places, on the first trials; return those that gave legal moves."""
        begun = []
        asked = self._ask_all([convention for _, convention in numbered], self._trials[:FIRST])
        for (place, convention), results in zip(numbered, asked, strict=True):
            tried = self._choose(convention, results, place)
            errors = (reply.error for _, reply in results if isinstance(reply, Reply) and reply.error)
            self.error = self.error or next(errors, "")
            if tried.score.legal:
                begun.append(tried)
        return begun

    def _finish(self, begun: list[Detected]) -> list[Detected]:
        """Try conventions on all trials."""
        late = self._ask_all([one.convention for one in begun], self._trials[FIRST:])
        return [
            self._choose(one.convention, [*one.results, *results], one.place)
            for one, results in zip(begun, late, strict=True)
        ]

    def _choose(self, convention: Convention, results: Results, place: int) -> Detected:
        return replace(choose_reply_format(convention, results, self._rules, self._fixed), place=place)

    def _ask_all(self, conventions: list[Convention], trials: list[Trial]) -> list[Results]:
        replies = iter(self._ask([(convention, trial) for convention in conventions for trial in trials]))
        return [[(trial, next(replies)) for trial in trials] for _ in conventions]


def _split_group(group: list[tuple[int, Convention]]) -> Iterator[list[tuple[int, Convention]]]:
    """Yield conventions in batches: a few at first, which do for most engines and need no NumPy, then many."""
    yield group[:FEW]
    for start in range(FEW, len(group), BATCH):
        yield group[start : start + BATCH]


def _read_answer(convention: Convention, trial: Trial, reply: Any) -> Answer:
    if isinstance(reply, Reply):
        return interpret_reply(reply, convention, trial.position)
    return Answer(None, Failure.TIMEOUT)


def _count_score(answers: list[Answer], results: Results) -> Score:
    legal = [
        (answer.move, trial.good)
        for answer, (trial, _) in zip(answers, results, strict=True)
        if answer.failure in {None, Failure.MUTATED}
    ]
    given = sum(answer.failure not in {Failure.EXCEPTION, Failure.TIMEOUT} for answer in answers)
    return Score(sum(move in good for move, good in legal), len(legal), given, len(answers))


def _find_perspective(answers: list[Answer], results: Results) -> Literal["mover", "X", "O"]:
    """The side that values are stated from: the one by which they agree best with the truth."""
    agreement: dict[Literal["mover", "X", "O"], int] = {"mover": 0, "X": 0, "O": 0}
    for answer, (trial, _) in zip(answers, results, strict=True):
        if answer.value is not None and trial.wdl is not None:
            same = ((answer.value > 0) - (answer.value < 0)) * trial.wdl
            for side in agreement:
                agreement[side] += same if side in {"mover", trial.position.to_move} else -same
    return max(agreement, key=lambda side: agreement[side])


def _describe_doubts(best: list[Detected]) -> list[str]:
    chosen = best[0]
    good, legal, _, asked = chosen.score
    if good == asked:
        return []
    notes = [f"of {asked} trials {legal} replies were legal and {good} good"]
    alike = [other for other in best[1:] if other.score == chosen.score and other.moves != chosen.moves]
    if alike:
        notes.append(f"not sure of the convention; another that fits as well is: {alike[0].convention.describe()}")
    return notes
