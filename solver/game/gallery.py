"""The gallery: games with titles, their values, and the times of their builds."""

from typing import Annotated, Final, NamedTuple

from solver.game.descriptions import describe_rules
from solver.game.games import makers, parse_game
from solver.game.rules import Rules
from solver.support.json_types import Answer, Described


class GalleryGame(Answer):
    """A game of the gallery."""

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
    """A family of games whose names have one form."""

    form: Annotated[str, Described(example="ROWS,COLUMNS,IN-A-ROW")]
    about: str
    examples: list[str]


class Entry(NamedTuple):
    """A game of the gallery."""

    title: str
    name: str
    about: str
    value: str
    seconds: float
    source: str = "solved here"

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return parse_game(self.name)


_CARROLL: Final = "Carroll and Dougherty 2004"
_GARDNER: Final = "Harary; Gardner 1979"

GALLERY: Final = (
    Entry("Tic-tac-toe", "3,3,3", "three in a row, also called noughts and crosses", "a draw", 1, "folklore"),
    Entry("Tic-tac-toe, to lose", "3,3,3,misere", "the side with three in a row loses", "a draw", 1),
    Entry("Maker and Breaker", "3,3,3,maker", "only X wants a row; O wins when X gets none", "X wins", 1),
    Entry("Tic-tac-toe on a torus", "3,3,3,torus", "rows continue at the opposite edge", "X wins", 1),
    Entry("Four in a row on 4 by 4", "4,4,4", "a row, a column or a long diagonal", "a draw", 1),
    Entry("Four in a row on 5 by 5", "5,5,4", "a row, a column or a diagonal, anywhere", "a draw", 31),
    Entry("Connect Four on 4 by 5", "4,5,4,gravity", "stones drop to the bottom", "a draw", 4, "Tromp"),
    Entry("Connect Four on 5 by 5", "5,5,4,gravity", "stones drop to the bottom", "a draw", 4, "Tromp"),
    Entry("Tic-tac-toe in a cube", "3x3x3,3", "three in a row, in three slices", "X wins", 30, "Golomb and Hales 2002"),
    Entry("Two in four dimensions", "2x2x2x2,2", "two in a row in a tesseract: any two cells", "X wins", 1),
    Entry("Three on a cylinder", "4x5w,3", "rows are rings", "X wins", 1),
    Entry("Four on a Moebius strip", "4x4t,4", "the board comes back upside down", "a draw", 1),
    Entry("The plane of order 3", "affine,3", "nine points, twelve lines of three", "X wins", 1, _CARROLL),
    Entry("The plane of order 4", "affine,4", "16 points, twenty lines of four", "X wins", 1, _CARROLL),
    Entry("The plane of order 5", "affine,5", "25 points, thirty lines of five", "a draw", 8, _CARROLL),
    Entry("The Fano plane", "projective,2", "seven points, seven lines of three", "X wins", 1, _CARROLL),
    Entry("The projective plane of order 3", "projective,3", "13 points, 13 lines of four", "a draw", 1, _CARROLL),
    Entry("The projective plane of order 4", "projective,4", "21 points, 21 lines of five", "a draw", 4, _CARROLL),
    Entry("A triangle on five points", "clique,5,3", "the first triangle of edges wins", "X wins", 1, "Slany 1999"),
    Entry(
        "SIM",
        "clique,6,3,misere",
        "the first triangle of edges on six points loses",
        "O wins",
        1,
        "Mead, Rosa and Huang 1974",
    ),
    Entry("El", "animal,el,3,3", "three cells in the form of an L", "X wins", 1, _GARDNER),
    Entry("Tippy", "animal,tippy,3,3", "four cells in the form of an S", "X wins", 1, _GARDNER),
    Entry("Tic", "animal,tic,4,4", "three cells in a row, without diagonals", "X wins", 1, _GARDNER),
    Entry("Elly", "animal,elly,4,4", "four cells in the form of an L", "X wins", 1, _GARDNER),
    Entry("Fatty", "animal,fatty,4,4", "four cells in a square", "a draw", 1, _GARDNER),
    Entry("Hex on 3 by 3", "hex,3", "X joins top and bottom, O left and right", "X wins", 1, "Nash"),
    Entry("Hex on 4 by 4", "hex,4", "X joins top and bottom, O left and right", "X wins", 1, "Nash"),
    Entry("A triangle of hexagons", "triangle,5,3", "three in a row", "X wins", 1),
    Entry("A hexagon of hexagons", "hexagon,3,4", "four in a row", "a draw", 2),
)


def gallery_game(entry: Entry, *, table: bool) -> GalleryGame:
    """Return an entry for JSON. table: whether its table exists."""
    return {
        "game": entry.rules.name,
        "title": entry.title,
        "about": entry.about,
        "description": describe_rules(entry.rules),
        "value": entry.value,
        "source": entry.source,
        "seconds": entry.seconds,
        "table": table,
    }


def families() -> list[Family]:
    """Return the families of games, including those of other packages."""
    return [{"form": maker.form, "about": maker.about, "examples": [*maker.examples]} for maker in makers()]
