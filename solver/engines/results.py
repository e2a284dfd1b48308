"""MatchScore engines, by wins, draws and losses, played or expected, and hold the result of a match."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any, Final

from solver.engines.playing import GameRecord
from solver.support.drawing.html import html_block, html_table

LONGEST_FRACTION: Final = 13
"""Characters of a fraction that is shown as one."""

Bars = list[tuple[str, tuple[float, float, float]]]
"""Labels, and the shares of wins, draws and losses, for `solver.support.drawing.charts.draw_shares`."""


@dataclass(frozen=True)
class MatchScore:
    """Wins, draws and losses of one engine: whole numbers of games played, or exact probabilities.

    Scores are added where games are: two expected games are two probabilities added up.

    >>> score = MatchScore(Fraction(2), Fraction(1), Fraction(1)) + MatchScore(draws=Fraction(4))
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

    def of_other(self) -> "MatchScore":
        """The score of the opponent."""
        return MatchScore(self.losses, self.draws, self.wins)

    def __add__(self, other: "MatchScore") -> "MatchScore":
        return MatchScore(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

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


def score_game(outcome: str, side: str) -> MatchScore:
    """MatchScore the engine that played `side` in a game with this outcome."""
    unit = Fraction(1)
    if outcome == "draw":
        return MatchScore(draws=unit)
    return MatchScore(wins=unit) if outcome == side else MatchScore(losses=unit)


def _format_fraction(share: Fraction) -> str:
    text, percent = str(share), f"{float(share):.2%}"
    return f"{text} ({percent})" if "/" in text and len(text) <= LONGEST_FRACTION else percent


@dataclass
class Effort:
    """What an engine took for its moves."""

    moves: int = 0
    seconds: float = 0.0
    nodes: int = 0
    """The nodes that it says it searched."""

    def json(self) -> dict[str, Any]:
        """An object for JSON."""
        return {"moves": self.moves, "seconds": round(self.seconds, 6), "nodes": self.nodes}


@dataclass
class MatchResult:
    """How a match between two engines went, or how it is expected to go."""

    first: str
    second: str
    as_x: MatchScore = field(default_factory=MatchScore)
    """The score of the first engine when it played X."""
    as_o: MatchScore = field(default_factory=MatchScore)
    """The score of the first engine when it played O."""
    exact: bool = False
    """Whether the scores are the expectations of one game each."""
    failures: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    """Why the first and the second engine forfeited games."""
    efforts: tuple[Effort, Effort] = field(default_factory=lambda: (Effort(), Effort()))
    """What the first and the second engine took."""

    @property
    def score(self) -> MatchScore:
        """The score of the first engine in both colours."""
        return self.as_x + self.as_o

    def expect(self, as_x: MatchScore, as_o: MatchScore | None = None) -> None:
        """Fill in exact scores: of the first engine as X; of the second as X, where they exchange colours."""
        self.as_x, self.as_o, self.exact = as_x, as_o.of_other() if as_o else MatchScore(), True

    def add(self, record: GameRecord, *, swapped: bool) -> None:
        """Count a game, in which the second engine played X if `swapped`."""
        if swapped:
            self.as_o += score_game(record.outcome, "O")
        else:
            self.as_x += score_game(record.outcome, "X")
        if record.error is not None:
            self.failures[(record.outcome == "X") != swapped].append(record.error)
        for ply, choice in enumerate(record.choices, record.start.ply):
            effort = self.efforts[(ply % 2 == 1) != swapped]
            effort.moves += 1
            effort.seconds += choice.seconds or 0
            effort.nodes += choice.nodes or 0

    def json(self) -> dict[str, Any]:
        """An object for JSON."""
        answer = {"first": self.first, "second": self.second, "exact": self.exact, **self.score.json()}
        answer |= {side: score.json() for side, score in (("as_x", self.as_x), ("as_o", self.as_o)) if score.games}
        if not self.exact:
            answer["forfeits"] = [len(errors) for errors in self.failures]
            answer["efforts"] = [effort.json() for effort in self.efforts]
        return answer

    def cells(self) -> list[list[str]]:
        """A table: the headings, and a row for each side that the first engine played."""
        rows = [[self.first, side or "both", *score.cells(exact=self.exact)] for side, score in self._sides()]
        return [["engine", "", "wins", "draws", "losses", "points a game"], *rows]

    def bars(self) -> Bars:
        """The rows of the table as shares to draw."""
        return [(f"{self.first} {side}".strip(), score.shares) for side, score in self._sides()]

    def _sides(self) -> Iterator[tuple[str, MatchScore]]:
        """The scores of the first engine: as X, and where they exchanged colours as O and in all."""
        yield "as X", self.as_x
        if self.as_o.games:
            yield "as O", self.as_o
            yield "", self.score

    def _repr_html_(self) -> str:
        header, *rows = self.cells()
        games = "the exact expectation" if self.exact else f"{self.score.games} games"
        title = f"{self.first} against {self.second}: {games}"
        return html_block(title, html_table(header, rows, left=(0, 1)))
