"""The thread pool: ranges cover all pages in order, and its end waits for nothing."""

from threading import Event, current_thread

import pytest

from solver.support.threads import ThreadPool, available_cores


@pytest.mark.parametrize("pages", [0, 1, 7, 1000])
@pytest.mark.parametrize("page_work", [1, 1000, 1 << 20, 1 << 30])
def test_ranges_cover_all_pages_in_order(pages: int, page_work: int) -> None:
    with ThreadPool(2) as pool:
        ranges = list(pool.map_ranges(range, pages, page_work))
    assert [page for part in ranges for page in part] == list(range(pages))
    assert all(ranges)


def test_pages_of_little_work_share_a_range() -> None:
    with ThreadPool(2) as pool:
        assert list(pool.map_ranges(lambda first, last: last - first, 100, 1)) == [100]
        assert max(pool.map_ranges(lambda first, last: last - first, 1000, 1 << 16)) <= 1000 // 32 + 1
        assert max(pool.map_ranges(lambda first, last: last - first, 100_000, 1 << 20)) == 16


def test_items_come_in_their_order() -> None:
    with ThreadPool() as pool:
        assert pool.threads == available_cores()
        assert list(pool.map(lambda item: item * item, range(100))) == [item * item for item in range(100)]


def test_a_single_item_is_worked_on_by_the_calling_thread() -> None:
    with ThreadPool(2) as pool:
        assert list(pool.map(lambda _: current_thread(), iter([0]))) == [current_thread()]
        assert current_thread() not in list(pool.map(lambda _: current_thread(), range(2)))
        assert list(pool.map(lambda item: item, [])) == []


def test_an_interrupt_cancels_waiting_work() -> None:
    begun, go = [], Event()

    def work(item: int) -> None:
        begun.append(item)
        go.wait(10)

    def interrupt() -> None:
        with ThreadPool(1) as pool:
            pool.map(work, range(100))
            go.set()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupt()
    assert len(begun) < 100
