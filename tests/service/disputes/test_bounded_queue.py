"""A page of the queue looks at so many cases: what is not wanted by the thousand is gone through page by page."""

from collections.abc import Sequence

import msgspec
import pytest

from events.store.redis.redis_store import RedisEventStore
from service.disputes import queue as dispute_queue
from service.disputes.disputes import Row
from service.disputes.queue import DisputeQueue, Wanted
from service.disputes.store import DisputeRecords, QueuedCase
from tests.service.disputes.disputing import NOW


@pytest.fixture
def crowd(store: RedisEventStore) -> list[str]:
    """The names of many open cases in the order of the queue; one in ten is about the clock."""
    opened = [(NOW + number // 12, f"game-{number:03}/1", number) for number in range(120)]
    for time, name, number in opened:
        game = name.removesuffix("/1")
        reason = "clock" if number % 10 == 9 else "other"
        row = Row(game, 1, "open", reason, 1, time, "seat:0", None, None, 1)
        queued_case = QueuedCase(name, time, msgspec.json.encode(row), "")
        assert DisputeRecords(store).queue_again(game, 0, queued_case, b"")
    return [name for _, name, _ in opened]


def pages_of(store: RedisEventStore, wanted: Wanted, limit: int) -> list[list[str]]:
    """The names on each page."""
    pages, cursor = [], None
    while True:
        rows, cursor = DisputeQueue(store).page(wanted, limit, cursor)
        pages.append([f"{row.game}/{row.dispute}" for row in rows])
        if cursor is None:
            return pages


def test_a_page_of_the_queue_looks_at_so_many_cases(
    store: RedisEventStore, crowd: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where few are wanted it is short, or empty, and the next one goes on: all of them together have every case."""
    monkeypatch.setattr(dispute_queue, "MOST_LOOKED_AT", 25)
    read: list[int] = []
    real = DisputeRecords.rows

    def counting(self: DisputeRecords, partition: int, names: Sequence[str]) -> list[bytes | None]:
        read.append(len(names))
        return real(self, partition, names)

    monkeypatch.setattr(DisputeRecords, "rows", counting)
    clock = crowd[9::10]
    pages = pages_of(store, Wanted(reason="clock"), 50)
    assert [len(page) for page in pages] == [2, 3, 2, 3, 2]
    assert [name for page in pages for name in page] == clock
    assert sum(read) <= len(pages) * (2 * 25 + 2 * store.partitions * (50 // store.partitions + 4))
    assert pages_of(store, Wanted(status="claimed"), 50) == [[]] * 5
    assert pages_of(store, Wanted(reason="clock"), 2) == [clock[each : each + 2] for each in range(0, 12, 2)]
    assert pages_of(store, Wanted(reason="clock", opened_before=NOW + 4), 50) == [clock[:2], clock[2:4]]
    read.clear()
    assert pages_of(store, Wanted(game="game-100"), 50) == [["game-100/1"]]
    assert len(read) == 1


@pytest.mark.parametrize("limit", [1, 7, 50, 200])
def test_every_case_stands_on_one_page_though_many_were_opened_at_once(
    store: RedisEventStore, crowd: list[str], limit: int
) -> None:
    """In the order of the queue."""
    assert [name for page in pages_of(store, Wanted(), limit) for name in page] == crowd
