"""Find out an engine's convention by form alone: by what is legal, what raises, and what the source says.

The first convention, in the order of what the source speaks for and then of what is ordinary, is taken under which the
replies to nearly all trials are legal. How good they are enters nowhere. What else is possible is told: other
conventions that the source speaks for as much and that are as legal, and the sides that an engine may have built in.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from solver.errors import EngineError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.contract import NOT_ASKED, NOT_IN_TIME, Answer, Failure
from solver.verification.conventions.candidates import Candidate, Fixed, list_candidates
from solver.verification.conventions.convention import Convention, Reply, quote_reply
from solver.verification.conventions.doubts import Detected, conclude
from solver.verification.conventions.parameters import Signature
from solver.verification.conventions.replies import Results, Tried, choose_reply_format
from solver.verification.conventions.source import read_source
from solver.verification.conventions.trials import make_trials

FIRST: Final = 3  # trials by which most conventions are ruled out
MOST_LEFT: Final = 48  # conventions that are tried on all positions, where none fits
FEW: Final = 4  # conventions that are tried first
BATCH: Final = 64  # and then at a time

Ask = Callable[[Sequence[tuple[Convention, Position]]], Sequence[Any]]
"""Asks; gives a Reply for each, or something else where none was had."""


def detect_convention(ask: Ask, signature: Signature, rules: Rules, fixed: Fixed) -> Detected:
    """Find the convention of an engine; raises EngineError when it never gave a legal move under any."""
    evidence = read_source(signature.source, signature.line)
    search = _Search(ask, rules, fixed)
    groups = [*list_candidates(fixed, signature, evidence, rules)]
    chosen = search.find(groups)
    if chosen is None:
        raise EngineError(
            f"No way was found to ask the engine for a move{search.describe_attempt()}; "
            "say how it is called with --board, --marks and --moves, or write a wrapper with --wrapper FILE."
        )
    rivals = _find_rivals(search, chosen, [candidate for group in groups for candidate in group])
    return conclude(chosen, rivals, signature, evidence, fixed)


def _find_rivals(search: "_Search", chosen: Tried, candidates: list[Candidate]) -> list[Tried]:
    """Return the conventions that fit as well, and for which the source speaks as much."""
    board, rank = chosen.convention.layout.format, chosen.candidate.rank
    alike = [one for one in candidates if one.rank == rank and one.convention.layout.format == board]
    alike = [one for one in alike if one != chosen.candidate] if chosen.fits else []
    return [tried for tried in search.try_all(alike) if tried.fits]


class _Search:
    """Tries conventions in groups, and keeps the attempt that came nearest."""

    def __init__(self, ask: Ask, rules: Rules, fixed: Fixed) -> None:
        self._ask, self._rules, self._fixed = ask, rules, fixed
        self._trials = make_trials(rules)
        self._nearest: tuple[int, Convention, Position, str] | None = None

    def find(self, groups: list[list[Candidate]]) -> Tried | None:
        """Return the first convention with the most legal replies; None if none had any."""
        best: list[Tried] = []
        for _ in range(FIRST):  # where one trial had no legal reply under any convention, it is another's turn
            for group in groups:
                found = [tried for tried in self.try_group(group) if tried.legal]
                best = sorted([*best, *found], key=lambda tried: -tried.excess)
                if best and 2 * best[0].excess > len(best[0].results):
                    return _prefer_spoken_for(best)
            if best:
                return _prefer_spoken_for(best)
            self._trials.append(self._trials.pop(0))
        return None

    def try_group(self, group: list[Candidate]) -> list[Tried]:
        """Return the conventions of a group that gave legal moves, up to the first by which all are legal."""
        waiting: list[Tried] = []
        found: list[Tried] = []
        for batch in _split_group(group):
            begun = self._begin(batch)
            promising = [one for one in begun if one.legal == one.given > 1]
            for start in range(0, len(promising), FEW):
                found += self._finish(promising[start : start + FEW])
                if any(tried.is_complete for tried in found):
                    return found
            waiting += [one for one in begun if one not in promising]
        waiting.sort(key=lambda one: -one.excess)
        return found + self._finish(waiting[:MOST_LEFT])

    def try_all(self, group: list[Candidate]) -> list[Tried]:
        """Return the conventions of a group whose first replies are legal, tried on all trials."""
        return self._finish([one for one in self._begin(group) if one.legal == one.given])

    def describe_attempt(self) -> str:
        """Return in words what was passed at the attempt that came nearest, and what came of it."""
        if self._nearest is None:
            return ""
        _, convention, position, came = self._nearest
        return f" (given {quote_reply(convention.layout.write(position))}, {came})"

    def _begin(self, group: list[Candidate]) -> list[Tried]:
        """Try conventions on the first trials; return those that gave a legal move to the very first."""
        conventions = [one.convention for one in group]
        asked = self._ask_all(conventions, self._trials[:1])
        if len(group) <= FEW:  # of many, boards of the wrong kind may well send an engine round in circles
            asked = self._ask_late_again(conventions, asked)
        begun = [self._choose(one, results) for one, results in zip(group, asked, strict=True)]
        return self._continue([one for one in begun if one.legal], FIRST)

    def _finish(self, begun: list[Tried]) -> list[Tried]:
        """Try conventions on all trials."""
        return self._continue(begun, len(self._trials))

    def _continue(self, begun: list[Tried], end: int) -> list[Tried]:
        """Try conventions that have answered on further trials."""
        trials = self._trials[len(begun[0].results) : end] if begun else []
        conventions = [one.candidate.convention for one in begun]
        asked = self._ask_late_again(conventions, self._ask_all(conventions, trials))
        return [self._choose(one.candidate, [*one.results, *more]) for one, more in zip(begun, asked, strict=True)]

    def _choose(self, candidate: Candidate, results: Results) -> Tried:
        for position, reply in results:
            near, came = _describe_reply(reply)
            if near and (self._nearest is None or self._nearest[0] < near):
                self._nearest = near, candidate.convention, position, came
        return choose_reply_format(candidate, results, self._rules, self._fixed)

    def _ask_all(self, conventions: list[Convention], trials: list[Position]) -> list[Results]:
        replies = iter(self._ask([(convention, position) for convention in conventions for position in trials]))
        return [[(position, next(replies)) for position in trials] for _ in conventions]

    def _ask_late_again(self, conventions: list[Convention], asked: list[Results]) -> list[Results]:
        """Ask once more what came too late: a busy machine must not decide which convention is taken."""
        pairs = zip(conventions, asked, strict=True)
        late = [(by, position) for by, results in pairs for position, reply in results if _is_late(reply)]
        replies = iter(self._ask(late) if late else ())
        return [[(one, next(replies) if _is_late(reply) else reply) for one, reply in results] for results in asked]


def _prefer_spoken_for(found: list[Tried]) -> Tried:
    """Return the first of what was found; or what fits as it does, though it raises at times, and the source names."""
    first = found[0].candidate.rank
    spoken = [one for one in found if one.fits and one.candidate.rank and one.candidate.rank[:-1] < first[:-1]]
    return min(spoken, key=lambda one: one.candidate.rank, default=found[0])


def _is_late(reply: Any) -> bool:
    """Tell that a question was put, and its answer did not come in time."""
    is_lost = isinstance(reply, Answer) and reply.failure is Failure.TIMEOUT
    return is_lost and reply.detail not in {NOT_ASKED, NOT_IN_TIME}


def _describe_reply(reply: Any) -> tuple[int, str]:
    """Return how near a reply is to a move, 0 for none at all, and what came in words."""
    if isinstance(reply, Reply):
        return (1, f"it raised {reply.error}") if reply.error else (3, f"it returned {quote_reply(reply.returned)}")
    if not isinstance(reply, Answer) or reply.detail == NOT_IN_TIME:
        return 0, ""
    return (2, reply.detail) if reply.failure is Failure.CRASH else (1, "it gave no answer in time")


def _split_group(group: list[Candidate]) -> Iterator[list[Candidate]]:
    """Yield conventions in batches: a few at first, which do for most engines and need no NumPy, then many."""
    yield group[:FEW]
    for start in range(FEW, len(group), BATCH):
        yield group[start : start + BATCH]
