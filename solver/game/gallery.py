"""The gallery: games with titles, their values, and how long their builds take."""

import csv
from itertools import islice
from pathlib import Path
from typing import Annotated, Final

from solver.game.descriptions import describe_rules
from solver.game.games import makers, parse_game
from solver.support.json_types import Answer, Described


class GalleryGame(Answer):
    """A game of the gallery, in the form of JSON responses."""

    game: Annotated[str, Described(example="3,3,3")]
    title: Annotated[str, Described(example="Tic-tac-toe")]
    about: str
    description: Annotated[str, Described("The rules in words.")]
    value: Annotated[str, Described("The result of best play.", "a draw")]
    source: Annotated[str, Described("The source of the value.")]
    seconds: Annotated[
        float, Described("The approximate time of a build on two cores, without compiling, which happens once.")
    ]
    table: Annotated[bool, Described("Whether there is a table.")]


class Family(Answer):
    """A family of games whose names have the same form."""

    form: Annotated[str, Described(example="ROWS,COLUMNS,IN-A-ROW")]
    about: str
    examples: list[str]


GALLERY: Final[tuple[GalleryGame, ...]] = tuple(
    {
        "game": game,
        "title": title,
        "about": about,
        "description": describe_rules(parse_game(game)),
        "value": value,
        "source": source,
        "seconds": int(seconds),
        "table": False,
    }
    for title, game, about, value, seconds, source in islice(
        csv.reader(Path(__file__).with_name("gallery.csv").read_text(encoding="utf-8").splitlines()), 1, None
    )
)
"""The games of gallery.csv, whose first row has the names of the columns; `table` is not set."""

_FIRST: Final = ("3,3,3", "6,7,4,gravity")  # the best-known games
_RANKS: Final = {name: rank for rank, name in enumerate(dict.fromkeys((*_FIRST, *(game["game"] for game in GALLERY))))}


def gallery_rank(game: str) -> int:
    """Return the key by which lists of games are sorted: the best-known games first, then the gallery, then others."""
    return _RANKS.get(game, len(_RANKS))


def families() -> list[Family]:
    """Return the families of games, including those that other packages add."""
    return [{"form": maker.form, "about": maker.about, "examples": [*maker.examples]} for maker in makers()]
