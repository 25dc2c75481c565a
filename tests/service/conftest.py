"""Fixtures of the service's tests."""

from collections.abc import Iterator

import pytest

from events.redis_store import RedisEventStore
from tests.service.in_process import InProcess


@pytest.fixture
def api(store: RedisEventStore) -> Iterator[InProcess]:
    """Yield the application on a fresh store, and stop its listening before the store is closed."""
    application = InProcess(store)
    yield application
    application.close()
