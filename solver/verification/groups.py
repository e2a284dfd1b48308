"""Blunders of one kind that are images of each other, as one group: where, which way round, and why.

Engines often err in some orientations of a position only, so a group says which.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from solver.game.position import Position
from solver.tablebase import Prober
from solver.verification.grade import SEVERITY, Blunder, Verdict

__all__ = ["Group", "grouped"]


@dataclass(frozen=True)
class Group:
    """The blunders of one kind in the orientations of one position.

    canonical: the one that stands for all. orientations: how many there are; asked: how many of them were asked.
    verdicts: of those that fail, by hash; the first is the one to show. in_play: how many of those that fail arise
    when the engine plays. line: how the first blunder is punished, best play after it to the end, as squares.
    """

    kind: Blunder
    canonical: Position
    orientations: int
    asked: int
    verdicts: tuple[Verdict, ...]
    in_play: int
    line: tuple[int, ...]

    @property
    def example(self) -> Verdict:
        """The verdict to show."""
        return self.verdicts[0]


def grouped(table: Prober, verdicts: Iterable[Verdict], in_play: Iterable[Position]) -> list[Group]:
    """The blunders in groups: the worst kind first, those that arise in its own games first, then by ply."""
    verdicts, arising = list(verdicts), set(in_play)
    asked = {verdict.position for verdict in verdicts}
    classes: defaultdict[tuple[Blunder, Position], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        if isinstance(verdict.fault, Blunder):
            classes[verdict.fault, verdict.position.canonical()].append(verdict)
    groups = [_group(table, kind, canonical, found, asked, arising) for (kind, canonical), found in classes.items()]
    return sorted(groups, key=_order)


def _group(
    table: Prober,
    kind: Blunder,
    canonical: Position,
    verdicts: list[Verdict],
    asked: set[Position],
    arising: set[Position],
) -> Group:
    verdicts.sort(key=lambda verdict: (verdict.position not in arising, verdict.position.hash))
    orientations = {canonical.transform(image) for image in canonical.rules.board_symmetries}
    first = verdicts[0]
    if first.answer.move is None:
        raise AssertionError("a blunder is a move")
    line = table.mainline(first.position.play(first.answer.move))
    in_play = sum(verdict.position in arising for verdict in verdicts)
    return Group(kind, canonical, len(orientations), len(orientations & asked), tuple(verdicts), in_play, tuple(line))


def _order(group: Group) -> tuple[int, bool, int, int]:
    return -SEVERITY.index(group.kind), not group.in_play, group.canonical.ply, group.canonical.hash
