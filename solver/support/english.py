"""Format numbers with nouns or units, and lists of names."""

from collections.abc import Sequence

_SIZES = ((10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB"))


def plural(count: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun.

    >>> plural(1, "ply", "plies"), plural(5478, "position")
    ('1 ply', '5,478 positions')
    """
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"


def join_names(names: Sequence[str], last: str, limit: int = 4) -> str:
    """Join names with commas, and the last two with the word in `last`. Names beyond `limit` are counted, not listed.

    >>> join_names(["a1", "b2", "c3"], "or"), join_names(["a1", "b1", "c1", "a2", "b2"], "or", limit=2)
    ('a1, b2 or c3', 'a1, b1 or 3 others')
    """
    if len(names) > limit + 1:
        names = [*names[:limit], f"{len(names) - limit} others"]
    return f" {last} ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def format_size(count: int) -> str:
    """Return a size in bytes as a string with two or three digits and a unit.

    >>> format_size(900), format_size(196_608), format_size(1_440_000)
    ('900 bytes', '197 kB', '1.4 MB')
    """
    if count < 1000:
        return plural(count, "byte")
    size, unit = next((count / scale, unit) for scale, unit in _SIZES if count >= scale)
    return f"{size:.1f} {unit}" if size < 10 else f"{size:.0f} {unit}"
