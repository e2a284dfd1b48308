"""Group the blunders of one kind that are images of each other.

Engines often err in some orientations of a position only, so a group says which.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from solver.game.position import Position
from solver.tablebase import Prober
from solver.verification.grade import SEVERITY, Blunder, Verdict

__all__ = ["BlunderGroup", "group_blunders"]


@dataclass(frozen=True)
class BlunderGroup:
    """The blunders of one kind in the orientations of one position."""

    kind: Blunder

    canonical: Position
    """The position that stands for all orientations."""

    orientations: int

    asked: int
    """Orientations that were asked."""

    verdicts: tuple[Verdict, ...]
    """Those that fail, by hash; the first is the one to show."""

    in_play: int
    """Those that fail and arise when the engine plays."""

    line: tuple[int, ...]
    """The best play after the first blunder to the end of the game, as squares."""

    @property
    def example(self) -> Verdict:
        """The verdict to show."""
        return self.verdicts[0]


def group_blunders(truth: Prober, verdicts: Iterable[Verdict], in_play: Iterable[Position]) -> list[BlunderGroup]:
    """Group the blunders: the worst kind first, those that arise in its own games first, then by ply."""
    verdicts, arising = list(verdicts), set(in_play)
    asked = {verdict.position for verdict in verdicts}
    classes: defaultdict[tuple[Blunder, Position], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        if isinstance(verdict.fault, Blunder):
            classes[verdict.fault, verdict.position.canonical()].append(verdict)
    groups = []
    for (kind, canonical), found in classes.items():
        found.sort(key=lambda verdict: (verdict.position not in arising, verdict.position.hash))
        orientations = {canonical.transform(image) for image in canonical.rules.board_symmetries}
        in_games = sum(verdict.position in arising for verdict in found)
        line = tuple(truth.mainline(_play_move(found[0])))
        groups.append(
            BlunderGroup(kind, canonical, len(orientations), len(orientations & asked), tuple(found), in_games, line)
        )
    return sorted(groups, key=_order)


def _play_move(verdict: Verdict) -> Position:
    if verdict.answer.move is None:
        raise AssertionError("a blunder is a move")
    return verdict.position.play(verdict.answer.move)


def _order(group: BlunderGroup) -> tuple[int, bool, int, int]:
    return -SEVERITY.index(group.kind), not group.in_play, group.canonical.ply, group.canonical.hash
