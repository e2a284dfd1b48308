"""The shapes of the answers, for the OpenAPI description alone: nothing is checked against them when it is sent.

Tests check that every answer has exactly these fields.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "BatchAnswer",
    "Failure",
    "Game",
    "Games",
    "Mainline",
    "OpponentMove",
    "PlanAnswer",
    "PositionAnswer",
    "Stats",
]

Category = Literal["win", "draw", "loss"]
Side = Literal["X", "O"]


class _Exact(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Value(_Exact):
    wdl: Literal[1, 0, -1] = Field(description="1, 0 or -1: win, draw or loss for the side to move.", examples=[-1])
    category: Category = Field(examples=["loss"])
    distance: int | None = Field(
        description="Plies to the end of the game, when the winner hurries and the loser holds out; for a draw those "
        "left on the board. Null where the table does not know distances.",
        examples=[4],
    )


class _Reached(_Value):
    position: str = Field(description="The rows from the top.", examples=["XO./.X./..."])
    hash: int = Field(description="The base-3 hash: the sum of digit * 3**square.", examples=[88])
    terminal: bool = Field(description="Whether the game is over.")
    winner: Side | None = Field(description="Who has won; null for a draw, and while the game goes on.")


class Move(_Reached):
    """A move: its square, its worth for the one who moves, and the position it leads to with the value there."""

    square: int = Field(description="The square's number, row by row from 0.", examples=[8])
    name: str = Field(description="The square's name: column letter, row number from the top.", examples=["c3"])
    verdict: Category = Field(description="What the move is worth for the one who moves.")


class PositionAnswer(_Reached):
    """A position, its value for the side to move, and every move in it, best first."""

    game: str = Field(examples=["3,3,3"])
    ply: int = Field(description="Stones on the board.", examples=[3])
    to_move: Side | None = Field(description="Null when the game is over.", examples=["O"])
    line: list[int] | None = Field(description="The squares of the completed lines that ended the game.")
    point_of_view: Literal["side to move"]
    moves: list[Move]


class Mainline(_Exact):
    """Best play by both sides to the end; `result` is for the side to move at its beginning."""

    game: str
    position: str
    hash: int
    moves: list[str] = Field(examples=[["c3", "a2", "c1", "c2"]])
    result: Category
    winner: Side | None
    point_of_view: Literal["side to move"]


class Game(_Value):
    """A game with the facts about its table; the value is that of the empty board."""

    game: str = Field(examples=["4,4,4,gravity"])
    rows: int
    columns: int
    k: int = Field(description="How many in a row win.")
    variants: list[str] = Field(examples=[["gravity"]])
    description: str
    metric: Literal["distance", "wdl"] = Field(description="Whether the table knows distances.")
    positions: int = Field(description="Positions that can arise.")
    canonical: int = Field(description="The same up to the symmetries of the board.")
    digest: str = Field(description="The digest of all values.")
    builder: str = Field(description="The version of mnk-tablebase that built the table.")
    bytes: int = Field(description="The size of the table's file.")


class Ply(_Exact):
    """The positions with so many stones; won, drawn and lost with best play, for the side to move."""

    ply: int
    positions: int
    canonical: int
    won: int
    drawn: int
    lost: int
    terminal: int = Field(description="Those where the game is over.")
    longest: int | None = Field(description="The greatest distance among those won or lost.")


class Stats(Game):
    """A game with the statistics of each ply."""

    plies: list[Ply]


class PlanEnd(_Exact):
    """The goal is reached."""

    result: Literal["win", "draw"]


class PlanMove(_Exact):
    """A move, and what follows it."""

    square: int
    name: str
    then: "PlanMove | PlanReplies | PlanEnd"


class PlanReplies(_Exact):
    """What the other side may play, and what follows each of it."""

    replies: list[PlanMove]


class PlanAnswer(_Exact):
    """A conditional plan; null when the player can't reach the goal. `draw_ok`: whether a draw is enough."""

    game: str
    position: str
    hash: int
    player: Side
    draw_ok: bool
    plan: PlanMove | PlanReplies | PlanEnd | None


class OpponentMove(_Exact):
    """One move of an opponent."""

    game: str
    position: str
    hash: int
    engine: str = Field(examples=["graded:strength=0.5"])
    square: int
    name: str


class Error(_Exact):
    """What went wrong: one sentence, and a code for programs. `build` is the command that builds a missing table."""

    status: int = Field(examples=[404])
    code: str = Field(examples=["missing_table"])
    message: str = Field(examples=["There is no table of 4,4,4 in data; build it with `mnk build 4,4,4`."])
    build: str | None = Field(None, examples=["mnk build 4,4,4"])


class Failure(_Exact):
    """Every error has this shape."""

    error: Error


class DamagedGame(Failure):
    """A table that can't be read."""

    game: str


class Games(_Exact):
    """The games that have a table, smallest first, and those whose table can't be read."""

    games: list[Game]
    damaged: list[DamagedGame]


class BatchValue(_Value):
    """The value of one position of a batch."""

    hash: int


class BatchAnswer(_Exact):
    """The values of a batch, in its order."""

    game: str
    point_of_view: Literal["side to move"]
    answers: list[BatchValue | Failure]
