"""How a match went: the score in either colour, forfeited games, and what the engines took for it."""

from dataclasses import dataclass, field
from typing import Any

from solver.match.game import Record
from solver.match.score import Score, one

__all__ = ["Effort", "Report"]


@dataclass
class Effort:
    """What an engine took for its moves: their number, the time in seconds, the nodes it says it searched."""

    moves: int = 0
    seconds: float = 0.0
    nodes: int = 0

    def json(self) -> dict[str, Any]:
        """An object for JSON."""
        return {"moves": self.moves, "seconds": round(self.seconds, 6), "nodes": self.nodes}


@dataclass
class Report:
    """How a match between two engines went, or how it is expected to go.

    as_x, as_o: the score of the first engine when it played X, and when it played O. exact: whether these
    are the expectations of one game each. failures: why the first and the second engine forfeited games.
    efforts: what each of them took.
    """

    first: str
    second: str
    as_x: Score = field(default_factory=Score)
    as_o: Score = field(default_factory=Score)
    exact: bool = False
    failures: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    efforts: tuple[Effort, Effort] = field(default_factory=lambda: (Effort(), Effort()))

    @property
    def score(self) -> Score:
        """The score of the first engine in both colours."""
        return self.as_x + self.as_o

    def expect(self, as_x: Score, as_o: Score | None = None) -> None:
        """Fill in exact scores: of the first engine as X; of the second as X, where they exchange colours."""
        self.as_x, self.as_o, self.exact = as_x, as_o.of_other() if as_o else Score(), True

    def add(self, record: Record, *, swapped: bool) -> None:
        """Count a game, in which the second engine played X if `swapped`."""
        if swapped:
            self.as_o += one(record.outcome, "O")
        else:
            self.as_x += one(record.outcome, "X")
        if record.error is not None:
            self.failures[(record.outcome == "X") != swapped].append(record.error)
        for ply, choice in enumerate(record.choices, record.start.ply):
            effort = self.efforts[(ply % 2 == 1) != swapped]
            effort.moves += 1
            effort.seconds += choice.seconds or 0
            effort.nodes += choice.nodes or 0

    def json(self) -> dict[str, Any]:
        """The report as an object for JSON."""
        facts = {"first": self.first, "second": self.second, "exact": self.exact, **self.score.json()}
        sides = {"as_x": self.as_x, "as_o": self.as_o}
        facts |= {side: score.json() for side, score in sides.items() if score.games}
        if not self.exact:
            facts |= {
                "forfeits": [len(errors) for errors in self.failures],
                "efforts": [effort.json() for effort in self.efforts],
            }
        return facts

    def _repr_html_(self) -> str:
        from solver.match.showing import match_html

        return match_html(self)
