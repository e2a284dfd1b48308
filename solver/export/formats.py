"""The formats of an export, by name."""

from pathlib import Path
from typing import Literal, get_args

Stream = Literal["csv", "jsonl"]
Format = Literal["csv", "jsonl", "parquet", "npz"]

STREAMS: tuple[Stream, ...] = get_args(Stream)
"""Text that can be printed as it is made."""

FORMATS: tuple[Format, ...] = get_args(Format)


def format_of(path: Path) -> Format | None:
    """Return the format that the end of a file's name asks for, None if it asks for none.

    >>> format_of(Path("positions.CSV")), format_of(Path("positions.txt"))
    ('csv', None)
    """
    return next((form for form in FORMATS if path.suffix.lower() == f".{form}"), None)
