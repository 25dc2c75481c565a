"""The store in memory keeps the contract."""

import pytest

from events.memory_store import MemoryEventStore
from tests.store.feed_contract import FeedContract
from tests.store.store_contract import StoreContract


class TestMemoryStore(StoreContract, FeedContract):
    """The contract on `MemoryEventStore`."""

    @pytest.fixture
    def store(self) -> MemoryEventStore:
        """Make an empty store."""
        return MemoryEventStore()
