"""Score an engine: wins, draws and losses, played or expected."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, Final

__all__ = ["Score", "score_game"]

LONGEST_FRACTION: Final = 13
"""Characters of a fraction that is shown as one."""


@dataclass(frozen=True)
class Score:
    """Wins, draws and losses of one engine: whole numbers of games played, or exact probabilities.

    Scores are added where games are: two expected games are two probabilities added up.

    >>> score = Score(Fraction(2), Fraction(1), Fraction(1)) + Score(draws=Fraction(4))
    >>> score.games, score.points, score.share, score.of_other().wins
    (Fraction(8, 1), Fraction(9, 2), Fraction(9, 16), Fraction(1, 1))
    """

    wins: Fraction = Fraction(0)
    draws: Fraction = Fraction(0)
    losses: Fraction = Fraction(0)

    @property
    def parts(self) -> tuple[Fraction, Fraction, Fraction]:
        """Wins, draws and losses."""
        return self.wins, self.draws, self.losses

    @property
    def shares(self) -> tuple[float, float, float]:
        """The parts of the games that were won, drawn and lost; zeros where none was played."""
        wins, draws, losses = (float(part / (self.games or 1)) for part in self.parts)
        return wins, draws, losses

    @property
    def games(self) -> Fraction:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> Fraction:
        """A point for a win, half a point for a draw."""
        return self.wins + self.draws / 2

    @property
    def share(self) -> Fraction:
        """The points per game, 0 to 1; 1/2 where no game was played."""
        return self.points / self.games if self.games else Fraction(1, 2)

    @property
    def error(self) -> float:
        """The standard error of `share`, taking the games for independent draws from one distribution."""
        if not self.games:
            return 0.5
        share = self.share
        squares = self.wins * (1 - share) ** 2 + self.draws * (Fraction(1, 2) - share) ** 2 + self.losses * share**2
        return sqrt(squares) / float(self.games)

    def of_other(self) -> "Score":
        """The score of the opponent."""
        return Score(self.losses, self.draws, self.wins)

    def __add__(self, other: "Score") -> "Score":
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def json(self) -> dict[str, Any]:
        """An object for JSON: whole numbers as numbers, probabilities as text such as `737/1260`."""
        named = zip(("wins", "draws", "losses"), self.parts, strict=True)
        counts = {key: int(part) if part.denominator == 1 else str(part) for key, part in named}
        return {**counts, "share": float(self.share)}

    def cells(self, *, exact: bool) -> Iterator[str]:
        """Wins, draws, losses and points a game for a table: exact probabilities, or counts with a standard error."""
        for part, share in zip(self.parts, self.shares, strict=True):
            yield _format_fraction(part / self.games) if exact else f"{part} ({share:.1%})"
        yield f"{float(self.share):.4f}" if exact else f"{float(self.share):.3f} +- {self.error:.3f}"


def score_game(outcome: str, side: str) -> Score:
    """Score the engine that played `side` in a game with this outcome."""
    unit = Fraction(1)
    if outcome == "draw":
        return Score(draws=unit)
    return Score(wins=unit) if outcome == side else Score(losses=unit)


def _format_fraction(share: Fraction) -> str:
    text, percent = str(share), f"{float(share):.2%}"
    return f"{text} ({percent})" if "/" in text and len(text) <= LONGEST_FRACTION else percent
