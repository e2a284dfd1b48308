"""A round robin: every engine meets every other, in both colours."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from statistics import fmean
from typing import Any

from solver.engines.contract import Tables
from solver.errors import EngineError
from solver.match.match import Terms, Watch, play_pairs
from solver.match.report import Report
from solver.match.score import Score

__all__ = ["Standing", "Tournament", "play_tournament"]


@dataclass(frozen=True)
class Standing:
    """An engine's place in a tournament: its scores against each opponent."""

    engine: str
    against: dict[str, Score]

    @property
    def shares(self) -> tuple[float, float, float]:
        """The mean over its opponents of the parts of the games that it won, drew and lost."""
        wins, draws, losses = zip(*(score.shares for score in self.against.values()), strict=True)
        return fmean(wins), fmean(draws), fmean(losses)

    @property
    def share(self) -> Fraction:
        """The mean over its opponents of the points per game, so that games expected and played weigh alike."""
        return sum((score.share for score in self.against.values()), Fraction(0)) / len(self.against)


@dataclass(frozen=True)
class Tournament:
    """The reports of all pairs, in the order of the engines."""

    engines: tuple[str, ...]
    reports: tuple[Report, ...]

    @property
    def standings(self) -> list[Standing]:
        """The cross table, best first: by their shares, then by name."""
        table: dict[str, dict[str, Score]] = {engine: {} for engine in self.engines}
        for report in self.reports:
            table[report.first][report.second] = report.score
            table[report.second][report.first] = report.score.of_other()
        standings = [Standing(engine, row) for engine, row in table.items()]
        return sorted(standings, key=lambda standing: (-standing.share, standing.engine))

    def json(self) -> dict[str, Any]:
        """The result, without the games, as an object for JSON."""
        return {
            "standings": [
                {
                    "engine": standing.engine,
                    "share": float(standing.share),
                    "against": {other: score.json() for other, score in standing.against.items()},
                }
                for standing in self.standings
            ],
            "pairs": [report.json() for report in self.reports],
        }

    def _repr_html_(self) -> str:
        from solver.match.showing import tournament_html

        return tournament_html(self)


def play_tournament(
    engines: Sequence[str],
    terms: Terms,
    *,
    tables: Tables = None,
    processes: int = 0,
    watch: Watch | None = None,
) -> Tournament:
    """Every pair of engines plays a match on these terms, always in both colours; see `play_pairs`.

    Raises EngineError for fewer than two engines or one that is named twice.
    """
    if len(engines) < 2:
        raise EngineError("A tournament needs at least two engines.")
    for engine in engines:
        if engines.count(engine) > 1:
            raise EngineError(f"The engine {engine} is named twice in the tournament; once is enough.")
    pairs = [*combinations(engines, 2)]
    reports = play_pairs(pairs, replace(terms, swap=True), tables=tables, processes=processes, watch=watch)
    return Tournament(tuple(engines), tuple(reports))
