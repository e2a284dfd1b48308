"""The result of a match: the score in either colour, forfeited games, and what the engines took for it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from solver.drawing.bars import svg_bars
from solver.drawing.html import html_block, html_table
from solver.match.game import GameRecord
from solver.match.score import Score, score_game

__all__ = ["SHARES_TITLE", "Bars", "Effort", "MatchResult"]

Bars = list[tuple[str, tuple[float, float, float]]]
"""Labels, and the shares of wins, draws and losses, for `solver.drawing.bars`."""

SHARES_TITLE = "Shares of the games"


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
    as_x: Score = field(default_factory=Score)
    """The score of the first engine when it played X."""
    as_o: Score = field(default_factory=Score)
    """The score of the first engine when it played O."""
    exact: bool = False
    """Whether the scores are the expectations of one game each."""
    failures: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    """Why the first and the second engine forfeited games."""
    efforts: tuple[Effort, Effort] = field(default_factory=lambda: (Effort(), Effort()))
    """What the first and the second engine took."""

    @property
    def score(self) -> Score:
        """The score of the first engine in both colours."""
        return self.as_x + self.as_o

    def expect(self, as_x: Score, as_o: Score | None = None) -> None:
        """Fill in exact scores: of the first engine as X; of the second as X, where they exchange colours."""
        self.as_x, self.as_o, self.exact = as_x, as_o.of_other() if as_o else Score(), True

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

    def _sides(self) -> Iterator[tuple[str, Score]]:
        """The scores of the first engine: as X, and where they exchanged colours as O and in all."""
        yield "as X", self.as_x
        if self.as_o.games:
            yield "as O", self.as_o
            yield "", self.score

    def _repr_html_(self) -> str:
        header, *rows = self.cells()
        games = "the exact expectation" if self.exact else f"{self.score.games} games"
        title = f"{self.first} against {self.second}: {games}"
        return html_block(title, html_table(header, rows, left=(0, 1)), svg_bars(SHARES_TITLE, self.bars()))
