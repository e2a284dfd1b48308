"""Format numbers with nouns, and lists of names."""

from collections.abc import Sequence


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
