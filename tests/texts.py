"""Random texts for Hypothesis, errors in one sentence, and the words of a chart.

Hypothesis needs seconds to list all of Unicode before its first example, so this module lists some characters of every
kind.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape

import pytest
from hypothesis import strategies as st

CHARACTERS = "".join(map(chr, range(0x250))) + "αא٠०井１\u200b\u202e\u2028\ufeff🙂"


def any_text(most: int) -> st.SearchStrategy[str]:
    """Draw a text of at most `most` characters: controls, Latin, other scripts and digits, invisible marks, emoji."""
    return st.text(CHARACTERS, max_size=most)


@contextmanager
def refused(error: type[Exception], *facts: str) -> Iterator[None]:
    """Expect an error whose message is one sentence with these facts."""
    with pytest.raises(error) as caught:
        yield
    message = str(caught.value)
    assert [fact for fact in facts if fact not in message] == []
    assert message.endswith(".")
    assert "\n" not in message
    assert len(message) < 500


def words_of_chart(drawn: str) -> list[str]:
    """Return the title, the description and the labels of a chart whose letters are drawn as paths."""
    found = re.findall(r"<title>(.*?)</title>|<desc>(.*?)</desc>|<!-- (.*?) -->", drawn, re.DOTALL)
    return [unescape("".join(groups)) for groups in found]
