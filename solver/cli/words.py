"""Values, results and sizes in plain words, for the output of every command. Only ASCII letters and signs."""

from collections.abc import Sequence

from solver.game.value import Value
from solver.support.english import plural

__all__ = ["columns", "file_size", "outlook", "seconds", "some", "value_of_game"]

_VERBS = {1: "wins", 0: "draws", -1: "loses"}


def outlook(value: Value) -> str:
    """What becomes of the one to whom a value belongs.

    >>> outlook(Value(1, 3)), outlook(Value(0, 9)), outlook(Value(-1))
    ('wins in 3 plies', 'draws', 'loses')
    """
    timed = value.wdl != 0 and value.distance is not None
    return _VERBS[value.wdl] + (f" in {plural(value.distance or 0, 'ply', 'plies')}" if timed else "")


def value_of_game(root: Value) -> str:
    """The value of a game, from that of its empty board, where X is to move.

    >>> value_of_game(Value(-1, 6)), value_of_game(Value(0, 9))
    ('O wins in 6 plies', 'a draw')
    """
    if root.wdl == 0:
        return "a draw"
    return f"{'X' if root.wdl > 0 else 'O'} {outlook(root._replace(wdl=1))}"


def some(names: Sequence[str], last: str, limit: int = 4) -> str:
    """A few names as a list.

    >>> some(["a1", "b2", "c3"], "or"), some(["a1", "b1", "c1", "a2", "b2"], "or", limit=2)
    ('a1, b2 or c3', 'a1, b1 or 3 others')
    """
    if len(names) > limit + 1:
        names = [*names[:limit], f"{len(names) - limit} others"]
    return f" {last} ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def file_size(count: int) -> str:
    """A number of bytes to two or three digits.

    >>> file_size(900), file_size(196_608), file_size(1_440_000)
    ('900 bytes', '197 kB', '1.4 MB')
    """
    if count < 1000:
        return plural(count, "byte")
    size, unit = next((count / scale, unit) for scale, unit in _UNITS if count >= scale)
    return f"{size:.1f} {unit}" if size < 10 else f"{size:.0f} {unit}"


_UNITS = ((10**9, "GB"), (10**6, "MB"), (10**3, "kB"))


def seconds(duration: float) -> str:
    """A duration.

    >>> seconds(0.042), seconds(12.34)
    ('0.04 s', '12.3 s')
    """
    return f"{duration:.2f} s" if duration < 1 else f"{duration:.1f} s"


def columns(rows: Sequence[Sequence[str]], left: Sequence[int]) -> str:
    """Rows of cells as lines of aligned columns; those numbered in `left` are aligned to the left.

    >>> print(columns([("game", "size"), ("3,3,3", "9")], left=[0]))
    game   size
    3,3,3     9
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if number in left else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
