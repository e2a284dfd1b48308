"""Make the rows of the table `plies`, from the tallies of unfinished positions and the counts of finished ones."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from solver.count.records import PlyCount
from solver.errors import CheckFailed
from solver.game.rules import Rules
from solver.solve.levels import Tally
from solver.store.layout import last_ply
from solver.store.schema import Metric


def sum_tallies(tallies: Iterable[Tally]) -> list[Tally]:
    """Return the sum of the tallies of each ply."""
    sums: dict[int, Tally] = {}
    for ply, by_x, holds in tallies:
        before = sums[ply].holds if ply in sums else [0] * len(holds)
        sums[ply] = Tally(ply, by_x, [one + other for one, other in zip(before, holds, strict=True)])
    return [*sums.values()]


class Statistics:
    """The statistics of a build, from its tallies and the counts of positions."""

    def __init__(self, rules: Rules, metric: Metric, counts: list[PlyCount], tallies: Iterable[Tally]) -> None:
        self.rules = rules
        self.metric = metric
        self.counts = counts
        self._tallies = {tally.ply: tally for tally in sum_tallies(tallies)}

    def rows(self) -> Iterator[dict[str, int | None]]:
        """Yield a dict for each ply, with the keys of store.schema.PLIES_COLUMNS.

        Raises CheckFailed if the solver's number of positions differs from the count.
        """
        return (self._row(count) for count in self.counts)

    def meta(self) -> dict[str, int | None]:
        """Return the entries of the table `meta` that can be computed from the rows."""
        root = self._row(self.counts[0])
        wdl = (root["won"] or 0) - (root["lost"] or 0)
        distance = root["longest"] if wdl else self.rules.plies
        return {
            "positions": sum(count.positions for count in self.counts),
            "canonical": sum(count.canonical for count in self.counts),
            "root_wdl": wdl,
            "root_distance": distance if self.metric == "distance" else None,
        }

    def _row(self, count: PlyCount) -> dict[str, int | None]:
        x_wins, o_wins, draws, longest = self._live(count)
        x_wins += count.x_wins
        o_wins += count.o_wins
        won, lost = (x_wins, o_wins) if count.ply % 2 == 0 else (o_wins, x_wins)
        if self.metric == "distance" and longest is None and won + lost:
            longest = 0
        return {
            "ply": count.ply,
            "positions": count.positions,
            "canonical": count.canonical,
            "won": won,
            "drawn": draws + count.draws,
            "lost": lost,
            "terminal": count.terminal,
            "longest": longest,
        }

    def _live(self, count: PlyCount) -> tuple[int, int, int, int | None]:
        """Return (X wins, O wins, draws, longest distance) for the unfinished positions of a ply."""
        # A ply without pages, such as a full board, has no tally.
        _, by_x, holds = self._tallies.get(count.ply, Tally(count.ply, 1, [0, 0, 0]))
        x_lines, o_lines, seen = holds[0], holds[by_x], holds[-1]
        if seen != count.positions - count.terminal:
            raise CheckFailed(
                f"{self.rules}: at ply {count.ply} the solver found {seen} unfinished positions, and "
                f"{count.positions - count.terminal} were counted; this is a fault of the program, please report it."
            )
        x_wins, o_wins = (o_lines, x_lines) if self.rules.misere else (x_lines, o_lines)
        longest = self._longest(count.ply, holds[:by_x], holds[by_x:-1]) if self.metric == "distance" else None
        draws = seen - x_lines - o_lines
        if self.rules.unfinished is None:
            return x_wins, o_wins, draws, longest
        if draws and self.metric == "distance":
            longest = self.rules.plies - count.ply
        return (
            (x_wins + draws, o_wins, 0, longest)
            if self.rules.unfinished == "X"
            else (x_wins, o_wins + draws, 0, longest)
        )

    def _longest(self, ply: int, *kinds: list[int]) -> int | None:
        """Return the greatest distance at a ply, or None if no position is decided.

        Each list in `kinds` contains, for each horizon, the latest first, the number of positions decided by then.
        """
        ends = []
        for sign, holds in enumerate(kinds):
            decided_at = [number for number, pair in enumerate(pairwise([*holds, 0])) if pair[0] != pair[1]]
            if decided_at:
                ends.append(last_ply(self.rules.plies, sign) - 2 * decided_at[0])
        return max(ends) - ply if ends else None
