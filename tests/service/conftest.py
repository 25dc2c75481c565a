"""Fixtures of the service's tests."""

import pytest

from events.redis_store import RedisEventStore
from tests.service.in_process import InProcess


@pytest.fixture
def api(store: RedisEventStore) -> InProcess:
    """Return the application on a fresh store."""
    return InProcess(store)
