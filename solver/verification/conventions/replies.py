"""Choose how replies are read: the most ordinary format by which most of them are legal."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from solver.game.position import Position
from solver.game.rules import Rules
from solver.verification.contract import Answer, Failure
from solver.verification.conventions.candidates import Candidate, Fixed, list_reply_formats
from solver.verification.conventions.convention import Convention, Reply, interpret_reply

Results = Sequence[tuple[Position, Any]]
"""Trials, and what was had for each."""


@dataclass(frozen=True)
class Tried:
    """A convention that was tried."""

    candidate: Candidate
    convention: Convention
    """The candidate's, with the format of replies that fits best."""
    moves: tuple[int | None, ...] = ()
    """The moves so read, None where none was legal."""
    given: int = 0
    """Trials with a reply."""
    results: Results = ()
    others: tuple[Convention, ...] = ()
    """Conventions that differ in how replies are read, and fit as well, or have as many legal where most are not."""

    @property
    def legal(self) -> int:
        """Trials with a legal reply."""
        return sum(move is not None for move in self.moves)

    @property
    def is_lost(self) -> list[bool]:
        """For each trial whether it was lost to the clock or a crash, which says nothing of the convention."""
        return [not isinstance(reply, Reply) for _, reply in self.results]

    @property
    def forgiven(self) -> int:
        """Trials that were lost, up to a quarter of all."""
        return min(sum(self.is_lost), len(self.results) // 4)

    @property
    def excess(self) -> int:
        """How many more replies are legal than not; those that are forgiven count as legal."""
        return 2 * self.legal - self.given + self.forgiven

    @property
    def is_complete(self) -> bool:
        """True if every question has a legal reply, or is forgiven."""
        return self.legal + self.forgiven == len(self.results)

    @property
    def is_doubtful(self) -> bool:
        """True if some replies are legal, but no more than half of them."""
        return 0 < 2 * self.legal <= self.given

    @property
    def fits(self) -> bool:
        """True if every reply is legal and nearly every question has one."""
        return self.legal == self.given and 3 * len(self.results) <= 4 * self.given


def choose_reply_format(candidate: Candidate, results: Results, rules: Rules, fixed: Fixed) -> Tried:
    """Return the convention with the format of replies by which most of them are legal; of equals the most ordinary."""
    best = Tried(candidate, candidate.convention, results=results)
    replies = [reply for _, reply in results if isinstance(reply, Reply)]
    given = [reply.board if reply.returned is None else reply.returned for reply in replies]
    given = [data for data in given if data is not None]
    formats = list_reply_formats(fixed, rules, candidate.convention.layout.format) if given else []
    for reply_format in formats:
        if reply_format.wrapping.unwrap(given[0]) is None:
            continue
        convention = replace(candidate.convention, reply=reply_format)
        answers = [_read_answer(convention, position, reply) for position, reply in results]
        moves = tuple(answer.move if answer.failure in {None, Failure.MUTATED} else None for answer in answers)
        count = sum(answer.failure not in {Failure.EXCEPTION, Failure.TIMEOUT} for answer in answers)
        tried = Tried(candidate, convention, moves, count, results)
        # A few more legal replies than a more ordinary format has are chance; all of them, or many more, are not.
        if not best.given or tried.excess > best.excess + (0 if tried.fits else len(results) // 4):
            best = tried
        elif (tried.fits or (best.is_doubtful and tried.legal >= best.legal)) and tried.moves != best.moves:
            best = replace(best, others=(*best.others, convention))
    return best


def _read_answer(convention: Convention, position: Position, reply: Any) -> Answer:
    return interpret_reply(reply, convention, position) if isinstance(reply, Reply) else Answer(None, Failure.TIMEOUT)
