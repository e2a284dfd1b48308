"""The base-3 hash: exact at every size, and a one-to-one naming of stones."""

from hypothesis import given
from hypothesis import strategies as st

from solver.game.base3 import decode, encode


@st.composite
def stones(draw: st.DrawFn) -> tuple[int, int]:
    """Two disjoint bitboards of up to 361 squares."""
    size = draw(st.sampled_from([9, 12, 13, 25, 42, 361]))
    x, o = draw(st.integers(0, (1 << size) - 1)), draw(st.integers(0, (1 << size) - 1))
    return x, o & ~x


@given(stones())
def test_decode_undoes_encode(sides: tuple[int, int]) -> None:
    assert decode(encode(*sides)) == sides


@given(stones())
def test_the_hash_is_the_sum_of_its_digits(sides: tuple[int, int]) -> None:
    x, o = sides
    digits = [(x >> s & 1) + 2 * (o >> s & 1) for s in range(361)]
    assert encode(x, o) == sum(digit * 3**s for s, digit in enumerate(digits))
