"""Write a solved game as data, every position with its value and best moves: CSV, JSON Lines, Parquet, NumPy.

    export_table(table, Path("mnk-3-3-3.parquet"))

in `table`. Positions are ordered by ply, and by base-3 hash within a ply. `observations` reads observations of
reinforcement-learning environments.
"""

from pathlib import Path
from typing import Literal, get_args

Format = Literal["csv", "jsonl", "parquet", "npz"]

FORMATS: tuple[Format, ...] = get_args(Format)
STREAMS: tuple[Format, ...] = ("csv", "jsonl")
"""The formats that can be printed."""


def format_of(path: Path) -> Format | None:
    """Return the format that a file's name ends in, None for any other ending.

    >>> format_of(Path("positions.CSV")), format_of(Path("positions.txt"))
    ('csv', None)
    """
    return next((form for form in FORMATS if path.suffix.lower() == f".{form}"), None)
