"""The generator that pages share, against published numbers, and the uniformity of its draws."""

from collections import Counter
from itertools import permutations

import pytest

from solver.support.splitmix import SplitMix64, hash_text


@pytest.mark.parametrize(("text", "hashed"), [("", 0xCBF29CE484222325), ("a", 0xAF63DC4C8601EC8C)])
def test_a_text_is_hashed_as_its_authors_do(text: str, hashed: int) -> None:
    """http://www.isthe.com/chongo/tech/comp/fnv/: test vectors of FNV-1a of 64 bits."""
    assert hash_text(text) == hashed


def test_numbers_are_those_that_others_draw() -> None:
    """https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64: the first five after the seed 1234567."""
    chance = SplitMix64("")
    chance._state = 1234567
    assert [chance.next() for _ in range(5)] == [
        6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
    ]  # fmt: skip


def test_draws_are_uniform_and_follow_from_the_seed() -> None:
    chance, again = SplitMix64("3,3,3 1"), SplitMix64("3,3,3 1")
    assert [chance.randrange(7) for _ in range(20)] == [again.randrange(7) for _ in range(20)]
    numbers = Counter(chance.randrange(6) for _ in range(6_000))
    weighted = Counter(chance.weighted([1, 0, 2, 3]) for _ in range(6_000))
    samples = Counter("".join(chance.sample("abc", 2)) for _ in range(6_000))
    assert set(numbers) == set(range(6))
    assert set(samples) == {"".join(pair) for pair in permutations("abc", 2)}
    assert max(abs(count - 1_000) for count in (*numbers.values(), *samples.values())) < 120  # four standard deviations
    assert set(weighted) == {0, 2, 3}
    assert max(abs(weighted[index] - 1_000 * index) for index in (2, 3)) < 150
