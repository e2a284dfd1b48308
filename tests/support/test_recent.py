"""The cache of the values that were used last."""

from solver.support.recent import RecentCache


def test_a_value_that_is_looked_up_again_and_again_stays() -> None:
    cache = RecentCache[int, bytes](bytes, len, limit=5)
    kept = cache(2)
    for _ in range(3):
        assert cache.get(2) is kept
        cache(3)
        assert cache.get(2) is kept
        cache(1)
    assert cache.get(2) is kept
