"""Play a round robin: every engine meets every other, in both colours."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from statistics import fmean
from typing import Any

from solver.engines.engine import Tables
from solver.engines.match import Terms, Watch, play_pairs
from solver.engines.results import Bars, MatchResult, MatchScore
from solver.errors import EngineError
from solver.support.drawing.html import html_block, html_note, html_table


@dataclass(frozen=True)
class Standing:
    """An engine's place in a tournament: its scores against each opponent."""

    engine: str
    against: dict[str, MatchScore]

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
    """The results of all pairs, in the order of the engines."""

    engines: tuple[str, ...]
    matches: tuple[MatchResult, ...]

    @property
    def standings(self) -> list[Standing]:
        """The cross table, best first: by their shares, then by name."""
        table: dict[str, dict[str, MatchScore]] = {engine: {} for engine in self.engines}
        for match in self.matches:
            table[match.first][match.second] = match.score
            table[match.second][match.first] = match.score.of_other()
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
            "pairs": [match.json() for match in self.matches],
        }

    def cells(self) -> list[list[str]]:
        """The cross table: the headings, and a row for each engine, best first."""
        standings = self.standings
        numbers = [str(place) for place in range(1, len(standings) + 1)]
        header = ["", "engine", *numbers, "points a game", "wins", "draws", "losses"]
        return [
            header,
            *([number, *_cells_of(row, standings)] for number, row in zip(numbers, standings, strict=True)),
        ]

    def bars(self) -> Bars:
        """The mean shares of each engine, best first."""
        return [(standing.engine, standing.shares) for standing in self.standings]

    def _repr_html_(self) -> str:
        header, *rows = self.cells()
        title = f"Tournament of {len(self.engines)} engines"
        note = html_note("Points a game, 1 for a win and 1/2 for a draw, of each engine against the others.")
        return html_block(title, html_table(header, rows, left=(0, 1)), note)


def play_tournament(
    engines: Sequence[str],
    terms: Terms,
    *,
    tables: Tables = None,
    processes: int = 0,
    watch: Watch | None = None,
) -> Tournament:
    """Let every pair of engines play a match on these terms, always in both colours; see `play_pairs`.

    Raises EngineError for fewer than two engines or one that is named twice.
    """
    if len(engines) < 2:
        raise EngineError("A tournament needs at least two engines.")
    for engine in engines:
        if engines.count(engine) > 1:
            raise EngineError(f"The engine {engine} is named twice in the tournament; once is enough.")
    pairs = [*combinations(engines, 2)]
    matches = play_pairs(pairs, replace(terms, swap=True), tables=tables, processes=processes, watch=watch)
    return Tournament(tuple(engines), tuple(matches))


def _cells_of(standing: Standing, standings: list[Standing]) -> Iterator[str]:
    yield standing.engine
    for other in standings:
        score = standing.against.get(other.engine)
        yield "-" if score is None else f"{float(score.share):.3f}"
    yield f"{float(standing.share):.4f}"
    for share in standing.shares:
        yield f"{share:.1%}"
