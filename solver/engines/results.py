"""Score engines by wins, draws and losses, and record the results of a match."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, isfinite, log, log10, sqrt
from statistics import fmean
from typing import Any, Final

from solver.drawing.html import html_block, html_note, html_table

CROSS_TABLE_NOTE: Final = "Points per game of each engine against the others: 1 for a win, 1/2 for a draw."
ELO_NOTE: Final = "Elo: relative to the mean, with 95 % intervals, as if each pair had drawn one more game."
_ROUNDS: Final = 1000  # of the search for ratings
_PER_LOGIT: Final = 400 / log(10)
_Z: Final = 1.959964  # the quantile of the normal distribution for 95 %
_LONGEST_FRACTION: Final = 13  # characters; longer ones are shown as a percentage only

Shares = tuple[float, float, float]  # the shares of games won, drawn and lost


@dataclass(frozen=True)
class MatchScore:
    """Wins, draws and losses of one engine: counts of games, or exact probabilities.

    >>> score = MatchScore(Fraction(2), Fraction(1), Fraction(1)) + MatchScore(draws=Fraction(4))
    >>> score.games, score.points, score.share, score.of_other().wins
    (Fraction(8, 1), Fraction(9, 2), Fraction(9, 16), Fraction(1, 1))
    """

    wins: Fraction = Fraction(0)
    """The number of games won, or the probability of a win."""
    draws: Fraction = Fraction(0)
    """The number of games drawn, or the probability of a draw."""
    losses: Fraction = Fraction(0)
    """The number of games lost, or the probability of a loss."""

    @property
    def parts(self) -> tuple[Fraction, Fraction, Fraction]:
        """Wins, draws and losses."""
        return self.wins, self.draws, self.losses

    @property
    def shares(self) -> Shares:
        """The shares of games won, drawn and lost; zeros if no game was played."""
        wins, draws, losses = (float(part / (self.games or 1)) for part in self.parts)
        return wins, draws, losses

    @property
    def games(self) -> Fraction:
        """The number of games; 1 for the expectation of a game."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> Fraction:
        """The sum of points: one for a win, half a point for a draw."""
        return self.wins + self.draws / 2

    @property
    def share(self) -> Fraction:
        """The points per game, from 0 to 1; 1/2 if no game was played."""
        return self.points / self.games if self.games else Fraction(1, 2)

    @property
    def error(self) -> float:
        """The standard error of `share`, assuming that the games are independent and identically distributed."""
        if not self.games:
            return 0.5
        share = self.share
        squares = self.wins * (1 - share) ** 2 + self.draws * (Fraction(1, 2) - share) ** 2 + self.losses * share**2
        return sqrt(squares) / float(self.games)

    def of_other(self) -> "MatchScore":
        """Return the score of the opponent."""
        return MatchScore(self.losses, self.draws, self.wins)

    def __add__(self, other: "MatchScore") -> "MatchScore":
        return MatchScore(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def json(self) -> dict[str, Any]:
        """Return a JSON-compatible object: counts of games as integers, probabilities as strings such as `737/1260`."""
        named = zip(("wins", "draws", "losses"), self.parts, strict=True)
        counts = {key: int(part) if part.denominator == 1 else str(part) for key, part in named}
        return {**counts, "share": float(self.share)}

    def cells(self, *, exact: bool) -> Iterator[str]:
        """Yield the cells of a table: wins, draws, losses and points per game, with a standard error unless exact."""
        for part, share in zip(self.parts, self.shares, strict=True):
            text = str(part / self.games) if exact else ""
            is_short = "/" in text and len(text) <= _LONGEST_FRACTION
            yield f"{part} ({share:.1%})" if not exact else f"{text} ({share:.2%})" if is_short else f"{share:.2%}"
        yield f"{float(self.share):.4f}" if exact else f"{float(self.share):.3f} +- {self.error:.3f}"


def score_game(outcome: str, side: str) -> MatchScore:
    """Return the score of the engine that played `side` in a game with this outcome."""
    if outcome == "draw":
        return MatchScore(draws=Fraction(1))
    return MatchScore(wins=Fraction(1)) if outcome == side else MatchScore(losses=Fraction(1))


def wilson_interval(share: float, games: float) -> tuple[float, float]:
    """Return Wilson's 95 % confidence interval (1927) for a share of so many games or answers; from 0 to 1 for none."""
    if not games:
        return 0.0, 1.0
    more = _Z**2 / games
    centre, half = share + more / 2, sqrt(more * (share * (1 - share) + more / 4))
    low, high = (centre - half) / (1 + more), (centre + half) / (1 + more)
    return low if share > 0 else 0.0, high if share < 1 else 1.0  # which rounding could miss


def _elo(share: float) -> float:
    """Return the difference in Elo at which an engine scores this share of the points."""
    return 400 * log10(share / (1 - share)) if 0 < share < 1 else inf if share else -inf


@dataclass
class PairResult:
    """The scores of two engines against each other: of the games played, or as exact expectations."""

    first: str
    """The name of the first engine."""
    second: str
    """The name of the second engine."""
    as_x: MatchScore = field(default_factory=MatchScore)
    """The score of the first engine when it played X."""
    as_o: MatchScore = field(default_factory=MatchScore)
    """The score of the first engine when it played O."""
    exact: bool = False
    """Whether the scores are expectations of one game each."""

    @property
    def score(self) -> MatchScore:
        """The first engine's score, over the games as X and as O."""
        return self.as_x + self.as_o

    @property
    def elo(self) -> tuple[float, float, float]:
        """How much better the first engine is in Elo, as if one more game had been drawn, and its 95 % interval.

        An end of the interval is infinite if the engine won, or lost, every game.
        """
        half = Fraction(1, 2)  # of a game won and of one lost: without decisive games, the variance is not 0
        share, games, smooth = float(self.score.share), self.score.games, self.score + MatchScore(half, losses=half)
        even = float(smooth.share * (1 - smooth.share) / smooth.games)  # the variance without draws, which lower it
        low, high = wilson_interval(share, float(games) * even / smooth.error**2)
        return _elo(float(smooth.share)), _elo(low), _elo(high)

    def json(self) -> dict[str, Any]:
        """Return a JSON-compatible object."""
        answer = {"first": self.first, "second": self.second, "exact": self.exact, **self.score.json()}
        if not self.exact:
            difference, *ends = self.elo
            answer["elo"] = {"difference": difference, "interval_95": [end if isfinite(end) else None for end in ends]}
        sides = {"as_x": self.as_x, "as_o": self.as_o}
        return answer | {side: score.json() for side, score in sides.items() if score.games}


@dataclass(frozen=True)
class Standing:
    """The scores of an engine against each opponent in a match."""

    engine: str
    """The name of the engine."""
    against: dict[str, MatchScore]
    """The engine's score against each opponent, by the opponent's name."""

    @property
    def shares(self) -> Shares:
        """The shares of games won, drawn and lost, as the mean over the opponents."""
        wins, draws, losses = zip(*(score.shares for score in self.against.values()), strict=True)
        return fmean(wins), fmean(draws), fmean(losses)

    @property
    def share(self) -> Fraction:
        """The points per game, averaged over the opponents. An expectation counts as much as any number of games."""
        return sum((score.share for score in self.against.values()), Fraction(0)) / len(self.against)


@dataclass(frozen=True)
class MatchResult:
    """The result of a match between two engines, or of a round robin among more."""

    engines: tuple[str, ...]
    """The names of the engines, in the given order."""
    pairs: tuple[PairResult, ...]
    """The result of each pair of engines."""

    @property
    def score(self) -> MatchScore:
        """The score of the first engine against the second."""
        return self.pairs[0].score

    @property
    def standings(self) -> list[Standing]:
        """The engines with their scores against each other, best first; ties are ordered by name."""
        against: dict[str, dict[str, MatchScore]] = {engine: {} for engine in self.engines}
        for pair in self.pairs:
            against[pair.first][pair.second] = pair.score
            against[pair.second][pair.first] = pair.score.of_other()
        standings = [Standing(engine, row) for engine, row in against.items()]
        return sorted(standings, key=lambda standing: (-standing.share, standing.engine))

    @property
    def ratings(self) -> dict[str, tuple[float, float]]:
        """The Elo of each engine and its error bar (95 %), by Bradley and Terry (1952); empty if a pair is exact.

        The mean is 0, a draw is half a win, and each pair has drawn one more game, so that all ratings are finite.
        """
        if any(pair.exact for pair in self.pairs):
            return {}
        drawn = MatchScore(draws=Fraction(1))
        rows = {one.engine: {name: score + drawn for name, score in one.against.items()} for one in self.standings}
        points = {name: float(sum(score.points for score in row.values())) for name, row in rows.items()}
        games = {name: {other: float(score.games) for other, score in row.items()} for name, row in rows.items()}
        skill = dict.fromkeys(rows, 1.0)
        for _ in range(_ROUNDS):
            sums = {one: sum(n / (skill[one] + skill[other]) for other, n in games[one].items()) for one in skill}
            skill = {one: points[one] / sums[one] for one in skill}
        known = {
            one: sum(n * skill[one] * skill[other] / (skill[one] + skill[other]) ** 2 for other, n in row.items())
            for one, row in games.items()
        }
        middle = fmean(map(log10, skill.values()))
        return {one: (400 * (log10(skill[one]) - middle), _Z * _PER_LOGIT / sqrt(known[one])) for one in skill}

    @property
    def title(self) -> str:
        """The names of two engines and their number of games; for more than two engines, only the number of engines."""
        if len(self.engines) > 2:
            return f"Round robin of {len(self.engines)} engines"
        games = int(self.score.games)
        played = "the exact expectation" if self.pairs[0].exact else f"{games} game{'s' if games != 1 else ''}"
        return f"{self.engines[0]} against {self.engines[1]}: {played}"

    def json(self) -> dict[str, Any]:
        """Return a JSON-compatible object: for two engines, their result; for more, all results and the standings."""
        if len(self.engines) == 2:
            return self.pairs[0].json()
        ratings = self.ratings
        standings = [
            {
                "engine": standing.engine,
                "share": float(standing.share),
                **(dict(zip(("elo", "elo_error_95"), ratings[standing.engine], strict=True)) if ratings else {}),
                "against": {other: score.json() for other, score in standing.against.items()},
            }
            for standing in self.standings
        ]
        return {"standings": standings, "pairs": [pair.json() for pair in self.pairs]}

    def cells(self) -> list[list[str]]:
        """Return the rows of a table, heading first.

        For two engines, there is a row for each side that the first engine plays, and a row of sums if it plays both.
        For more engines, the table is a cross table.
        """
        if len(self.engines) == 2:
            [pair] = self.pairs
            sides = {"as X": pair.as_x, **({"as O": pair.as_o, "both": pair.score} if pair.as_o.games else {})}
            rows = [[pair.first, side, *score.cells(exact=pair.exact)] for side, score in sides.items()]
            return [["engine", "", "wins", "draws", "losses", "points a game"], *rows]
        standings, ratings = self.standings, self.ratings
        numbers = [str(place) for place in range(1, len(standings) + 1)]
        table = [["", "engine", *numbers, "points a game", "wins", "draws", "losses", *["Elo"] * bool(ratings)]]
        for number, row in zip(numbers, standings, strict=True):
            scores = [row.against.get(other.engine) for other in standings]
            points = ["-" if score is None else f"{float(score.share):.3f}" for score in scores]
            shares = [f"{share:.1%}" for share in row.shares]
            elo = [f"{ratings[row.engine][0]:+.0f} +- {ratings[row.engine][1]:.0f}"] if ratings else []
            table.append([number, row.engine, *points, f"{float(row.share):.4f}", *shares, *elo])
        return table

    def _repr_html_(self) -> str:
        header, *rows = self.cells()
        notes = [html_note(CROSS_TABLE_NOTE)] if len(self.engines) > 2 else []
        return html_block(self.title, html_table(header, rows, left=(0, 1)), *notes)
