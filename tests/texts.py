"""Text of any characters, and the words of a chart.

Hypothesis needs seconds to list all of Unicode before its first example, so these are some of every kind.
"""

import re
from html import unescape

from hypothesis import strategies as st

CHARACTERS = "".join(map(chr, range(0x250))) + "αא٠०井１\u200b\u202e\u2028\ufeff🙂"


def any_text(most: int) -> st.SearchStrategy[str]:
    """Text of at most so many characters: controls, Latin, other scripts and digits, marks that show nothing, emoji."""
    return st.text(CHARACTERS, max_size=most)


def words_of_chart(drawn: str) -> list[str]:
    """Return the title, the description and the labels of a chart, whose letters are drawn as paths."""
    found = re.findall(r"<title>(.*?)</title>|<desc>(.*?)</desc>|<!-- (.*?) -->", drawn, re.DOTALL)
    return [unescape("".join(groups)) for groups in found]
