"""Keep a verification within its time, and tell what hangs on time alone or differs from one time to the next."""

from collections.abc import Sequence
from dataclasses import replace

from solver.errors import EngineError
from solver.game.position import Position
from solver.support.english import plural
from solver.verification.contract import AnswerCache, AskOptions, EngineUnderTest, Failure
from solver.verification.grade import Verdict
from solver.verification.positions import Scope

DETECTING, ASKING, PLAYING = 0.25, 0.65, 0.9
"""The shares of the time after which the convention is found, all positions are asked, its play is followed."""

MOST_TWICE, EACH = 64, 16
"""Positions that are asked a second time: at most, and one of so many."""


def leave_time(engine: EngineUnderTest, begun: float, seconds: float | None, share: float) -> None:
    """Let an engine be asked until a share of the time that has begun is over, where that is bounded."""
    if seconds is not None:
        engine.until = begun + share * seconds


def bound(options: AskOptions, seconds: float | None) -> AskOptions:
    """Return the options with which the convention is found in its share of the time."""
    if seconds is None:
        return options
    return replace(options, seconds_to_detect=min(options.seconds_to_detect, DETECTING * seconds))


def cut_scope(
    scope: Scope, positions: Sequence[Position], cache: AnswerCache, seed: int
) -> tuple[Scope, list[Position]]:
    """Return the positions that there was time for, a sample of all. Raises EngineError if there are none."""
    asked = [position for position in positions if cache.has(position)]
    if not asked:
        raise EngineError("There was no time to ask the engine for a move; give it more with --budget.")
    if scope.kind == "given":
        return scope, asked
    return replace(scope, kind="sample", seed=seed), asked


def ask_twice(cache: AnswerCache, order: Sequence[Position], options: AskOptions) -> tuple[str, ...]:
    """Ask some positions again, in another order; return a remark if answers differ that no chance makes differ.

    order: the one in which all were asked.
    """
    if options.repeat > 1:
        return ()
    again = [*order[:: max(EACH, len(order) // MOST_TWICE)]][::-1] if len(order) >= EACH else []
    answers = zip(again, cache.engine.ask(again) if again else [], strict=True)
    known = [(cache.answers(position)[0], answer) for position, answer in answers]
    differing = [one for one in known if (one[0].move, one[0].failure) != (one[1].move, one[1].failure)]
    differing = [one for one in differing if not {one[0].failure, one[1].failure} & {Failure.TIMEOUT, Failure.CRASH}]
    if not differing:
        return ()
    return (
        f"{len(differing):,} of {plural(len(known), 'position')} asked twice were answered differently: it keeps what "
        "it was asked before, or draws from what no seed reaches; another run may count otherwise",
    )


def describe_time(verdicts: Sequence[Verdict], scope: Scope, seconds: float | None) -> tuple[str, ...]:
    """Return remarks on a verdict that hangs on time alone, and on a sample as large as there was time for."""
    faults = [verdict.fault for verdict in verdicts if verdict.fault]
    remarks = []
    if seconds is not None and scope.kind == "sample" and len(verdicts) < (scope.total or 0):
        remarks.append(f"a sample of as many positions as there was time for in {seconds:g} s (--budget)")
    if faults and all(fault is Failure.TIMEOUT for fault in faults):
        remarks.append("nothing but time stands against it: it may pass where it is given more (--time)")
    return tuple(remarks)
