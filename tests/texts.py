"""Random texts for Hypothesis, and the words of a chart.

Hypothesis needs seconds to list all of Unicode before its first example, so this module lists some characters of every
kind.
"""

import re
from html import unescape

from hypothesis import strategies as st

CHARACTERS = "".join(map(chr, range(0x250))) + "αא٠०井１\u200b\u202e\u2028\ufeff🙂"


def any_text(most: int) -> st.SearchStrategy[str]:
    """Draw a text of at most `most` characters: controls, Latin, other scripts and digits, invisible marks, emoji."""
    return st.text(CHARACTERS, max_size=most)


def words_of_chart(drawn: str) -> list[str]:
    """Return the title, the description and the labels of a chart whose letters are drawn as paths."""
    found = re.findall(r"<title>(.*?)</title>|<desc>(.*?)</desc>|<!-- (.*?) -->", drawn, re.DOTALL)
    return [unescape("".join(groups)) for groups in found]
