"""Hold a game over a table, in which the opponent and the sides can change at any time."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from solver.engines.builtin.perfect import STRENGTHS, strength_spec
from solver.engines.contract import make_engine
from solver.game.notation import read
from solver.game.position import Position
from solver.match.session import GameSession
from solver.tablebase import Tablebase

OPPONENTS: Final = {"people": "two people", **{name: f"the {name} player" for name in STRENGTHS}}
"""The opponents of a person, by name, and what they are called."""

_MISTAKES: Final = ("", "?", "??")  # by how far a move makes the result worse, as in chess


@dataclass(kw_only=True)
class Exploration(GameSession):
    """A game whose positions a table knows."""

    table: Tablebase
    people: str = "X"
    """`X` or `O`, the side of the person; of no matter while two people play."""
    opponent: str = "people"
    """A key of OPPONENTS."""

    def __post_init__(self) -> None:
        self.choose_opponent(self.opponent)

    def mistakes(self) -> list[str]:
        """Mark each move played by what it gave away: nothing, `?` half a point, `??` a whole one."""
        results = [self.table.probe(position).wdl for position in self.past]
        return [_MISTAKES[before + after] for before, after in pairwise(results)]

    def choose_opponent(self, name: str) -> None:
        """Let another opponent, a key of OPPONENTS, play the other side."""
        self.opponent = name
        text = strength_spec(STRENGTHS[name]) if name in STRENGTHS else None
        self.engine = make_engine(text, self.rules, tables=self.table) if text else None
        self._start_engine()

    def swap(self) -> None:
        """Change sides with the opponent."""
        self.people = "O" if self.people == "X" else "X"


def start_exploration(
    table: Tablebase, text: str, side: str = "X", opponent: str = "people", seed: int | None = None
) -> Exploration:
    """Begin a game with a position in any notation; moves are played, so that they can be taken back.

    Raises the errors of `Position.parse`.
    """
    found = read(table.rules, text)
    past = [Position.start(table.rules)]
    if isinstance(found, list):
        for square in found:
            past.append(past[-1].play(square))
    else:
        past = [Position(table.rules, *found)]
    return Exploration(past=past, table=table, people=side, opponent=opponent, seed=seed)
