"""Text of any characters, for tests that make it up.

Hypothesis needs seconds to list all of Unicode before its first example, so these are some of every kind.
"""

from hypothesis import strategies as st

CHARACTERS = "".join(map(chr, range(0x250))) + "αא٠०井１\u200b\u202e\u2028\ufeff🙂"


def any_text(most: int) -> st.SearchStrategy[str]:
    """Text of at most so many characters: controls, Latin, other scripts and digits, marks that show nothing, emoji."""
    return st.text(CHARACTERS, max_size=most)
