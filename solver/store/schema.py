"""The database file of a game: its header, its tables and their columns; see docs/reference/file-format.md.

Values are for the side to move: 1 win, 0 draw, -1 loss. A distance counts plies to the end of the game under best play:
the winner hurries and the loser delays. The distance of a draw is the number of plies left on the board. In a table
with metric `wdl`, all distances are NULL.
"""

from typing import Literal

Metric = Literal["distance", "wdl"]
Storage = Literal["positions", "pages"]

METRICS: tuple[Metric, ...] = ("distance", "wdl")
STORAGES: tuple[Storage, ...] = ("positions", "pages")

APPLICATION_ID = 0x6D6E6B54  # "mnkT" (https://www.sqlite.org/fileformat2.html#application_id)
FORMAT = 3  # raised whenever an older reader would misread a newer file
POSITIONS_LIMIT = 12  # squares; 3**12 bytes are the largest dense array worth holding in memory

POSITION_BYTES = 200  # the texts of a row of `positions`, at most: 12 squares, and as many moves with their names

META_KEYS = (
    "game",  # the name of the rules, such as 4,5,4,gravity
    "metric",  # distance or wdl
    "storage",  # positions or pages
    "positions",  # reachable positions
    "canonical",  # the same up to the symmetries of the board
    "root_wdl",  # value of the empty board
    "root_distance",  # plies of the whole game under best play; NULL in a wdl table
    "format",  # FORMAT
    "builder",  # version of the package that built the table
    "digest",  # hash of all values, see digests; depends on the game and the metric only
    "checksum",  # CRC-32 of the dense array; NULL in a table of pages, because each page has its own
    "symmetries",  # order of the group under which pages are canonical
)

RULES_KEY = "rules"  # the squares and lines of the game as JSON, see `game.json_file`

PLIES_KEY = "plies"
"""For an opening table: the last ply with values. Pages of later plies are missing."""

META_COLUMNS: dict[str, type] = {"key": str, "value": str}

PLIES_COLUMNS: dict[str, type] = {
    "ply": int,  # stones on the board
    "positions": int,  # reachable positions
    "canonical": int,  # the same up to the symmetries of the board
    "won": int,  # positions that the side to move wins
    "drawn": int,
    "lost": int,
    "terminal": int,  # positions in which the game is over
    "longest": int,  # the greatest distance of a won or lost position; NULL if there is none or distances are unknown
}

POSITIONS_COLUMNS: dict[str, type] = {
    "hash": int,  # base-3 hash: the sum of digit * 3**square, digit 0 empty, 1 X, 2 O
    "board": str,  # rows, such as XO./.X./...
    "ply": int,
    "to_move": str,  # X or O
    "wdl": int,
    "distance": int,
    "best_moves": str,  # such as "b2 a1"; empty when the game is over
    "canonical": int,  # smallest hash among the images under the symmetries of the board
}

PAGES_COLUMNS: dict[str, type] = {
    "key": int,  # bitmask of the set of stones, bit s is square s
    "data": bytes,
}


COLUMNS = {"meta": META_COLUMNS, "plies": PLIES_COLUMNS, "positions": POSITIONS_COLUMNS, "pages": PAGES_COLUMNS}
"""The columns of each table, the primary key first. A file has only one of the tables `positions` and `pages`."""


# The dense array of a small game has one byte per base-3 hash: (wdl + 1) * 16 + distance.
UNREACHABLE = 255  # an impossible position
NO_DISTANCE = 15  # replaces the distance in a wdl table
assert POSITIONS_LIMIT < NO_DISTANCE  # a distance is at most the number of squares


def dense_code(wdl: int, distance: int | None) -> int:
    """Return the byte that encodes a value in the dense array.

    >>> dense_code(1, 3), dense_code(0, None)
    (35, 31)
    """
    return (wdl + 1) * 16 + (NO_DISTANCE if distance is None else distance)


def storage_for(squares: int) -> Storage:
    """Return the storage of games on boards of `squares` squares."""
    return "positions" if squares <= POSITIONS_LIMIT else "pages"
