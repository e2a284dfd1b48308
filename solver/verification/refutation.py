"""Find how to beat an engine as either side: the shortest line, the proof that there is none, or what to expect."""

from collections.abc import Iterator
from dataclasses import dataclass

from solver.match.score import Score
from solver.tablebase import Prober
from solver.verification.answer_cache import AnswerCache
from solver.verification.contract import Failure
from solver.verification.play_tree import PlayTree

__all__ = ["Refutation", "find_refutation"]


@dataclass(frozen=True)
class Refutation:
    """The answer to whether an engine that plays `side` from the empty board can be beaten."""

    side: str

    line: tuple[int, ...] | None
    """The shortest play by which it loses or, with a `forfeit`, the play up to there; None when none was found."""

    forfeit: Failure | None
    """The way in which it gave no legal move, if it is lost by that alone."""

    complete: bool
    """True if every reply was tried, so that no line means that there is none."""

    mistakes: tuple[int, ...]
    """Indices of those of its moves in the line that gave something away."""

    lost_anyway: bool
    """True if the game is lost for this side, however well it plays."""

    positions: int
    """Positions in which it was asked."""

    expected: Score | None
    """The score against the opponent that is best against it, where it chooses at random."""

    exact: bool = False
    """True if its probabilities were known, False if they are estimated from its answers."""

    @property
    def beaten(self) -> bool | None:
        """True if it can be beaten, None where the search was cut off before that was known."""
        if self.line is not None:
            return True
        return False if self.complete else None


def find_refutation(truth: Prober, tree: PlayTree, cache: AnswerCache) -> Refutation:
    """Find how the engine is beaten in a tree of its play. Raises MissingTable, DamagedTable."""
    end = tree.find_loss()
    forfeit: Failure | None = None
    if end is None and tree.forfeits:
        end = tree.forfeits[0]
        failures = (answer.failure for answer in cache.answers(end) if answer.failure)
        forfeit = next(failures, Failure.ILLEGAL)
    line = None if end is None else tree.line_to(end)
    varies = any(len(cache.chances(position)) > 1 for position in tree.asked)
    wdl = truth.probe_wdl(tree.start)
    return Refutation(
        side=tree.side,
        line=line,
        forfeit=forfeit,
        complete=tree.complete,
        mistakes=tuple(_find_mistakes(truth, tree, line or ())),
        lost_anyway=(wdl if tree.start.to_move == tree.side else -wdl) < 0,
        positions=len(tree.asked),
        expected=tree.expected_score(cache) if tree.complete and varies else None,
        exact=cache.exact,
    )


def _find_mistakes(truth: Prober, tree: PlayTree, line: tuple[int, ...]) -> Iterator[int]:
    position = tree.start
    for index, move in enumerate(line):
        child = position.play(move)
        if position.to_move == tree.side and -truth.probe_wdl(child) < truth.probe_wdl(position):
            yield index
        position = child
