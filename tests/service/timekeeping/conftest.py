"""The fixture of these tests."""

import pytest

from events.store.redis.redis_store import RedisEventStore
from tests.support.watched_time import WatchedTime


@pytest.fixture
def time(store: RedisEventStore, monkeypatch: pytest.MonkeyPatch) -> WatchedTime:
    """The time in the test's hand."""
    return WatchedTime(store, monkeypatch)
