"""What was read is kept as far as there is room, and read by one at a time."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock

import pytest

from service.storage.kept_readings import AT_ONCE, KeptReadings


def test_what_was_used_last_is_kept_as_far_as_there_is_room() -> None:
    """By bytes; the newest is kept however large it is."""
    kept = KeptReadings[str](most_bytes=10)
    for name in ("a", "b", "c"):
        kept.keep(name, name, 3)
    assert kept.find("a") == "a"
    kept.keep("d", "d", 3)
    assert [kept.find(name) for name in "abcd"] == ["a", None, "c", "d"]
    kept.keep("c", "longer", 8)
    assert [kept.find(name) for name in "acd"] == [None, "longer", None]
    kept.keep("large", "large", 99)
    assert [kept.find(name) for name in ("c", "large")] == [None, "large"]


def test_whoever_asks_for_what_is_being_read_gets_the_same() -> None:
    """One reads, the others wait: also for what it fails with, and then the next one tries again."""
    kept, go_on, calls = KeptReadings[object](100), Event(), []

    def read() -> tuple[object, int]:
        calls.append(1)
        go_on.wait(10)
        return object(), 1

    with ThreadPoolExecutor(8) as threads:
        asked = [threads.submit(kept.find_or_read, "one", read) for _ in range(8)]
        go_on.set()
        assert len({id(each.result()) for each in asked}) == len(calls) == 1

    def fail() -> tuple[object, int]:
        raise OSError("it is away")

    with pytest.raises(OSError, match="it is away"):
        kept.find_or_read("another", fail)
    assert kept.find_or_read("another", lambda: ("there", 1)) == "there"


def test_so_many_are_read_at_once() -> None:
    """Of whatever names: each holds a file in memory."""
    kept, lock = KeptReadings[int](100), Lock()
    under_way, most = 0, 0

    def read() -> tuple[int, int]:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        time.sleep(0.01)
        with lock:
            under_way -= 1
        return 1, 1

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(lambda number: kept.find_or_read(str(number), read), range(8))) == [1] * 8
    assert most == AT_ONCE
