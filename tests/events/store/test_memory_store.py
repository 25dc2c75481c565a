"""The store in memory keeps the contract."""

import pytest

from tests.events.store.feed_contract import FeedContract
from tests.events.store.store_contract import StoreContract
from tests.support.memory_store import MemoryEventStore


class TestMemoryStore(StoreContract, FeedContract):
    """The contract on `MemoryEventStore`."""

    @pytest.fixture
    def store(self) -> MemoryEventStore:
        """Make an empty store."""
        return MemoryEventStore()
