"""Write numbers with their nouns."""


def plural(count: int, noun: str, nouns: str = "") -> str:
    """Write a number with its noun.

    >>> plural(1, "ply", "plies"), plural(5478, "position")
    ('1 ply', '5,478 positions')
    """
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"
