"""The store on servers keeps the contract: on the embedded Valkey, and on Redis where it is installed."""

from collections.abc import Iterator

import pytest

from events.store.redis.redis_store import RedisEventStore
from tests.events.store.dispute_contract import DisputeContract
from tests.events.store.feed_contract import FeedContract
from tests.events.store.fire_contract import FireContract
from tests.events.store.server_contract import ServerContract
from tests.events.store.store_contract import StoreContract
from tests.support.servers import REDIS_PROGRAM, REDIS_REQUIRED, opened


class TestValkey(StoreContract, FeedContract, ServerContract, FireContract, DisputeContract):
    """All contracts on the embedded Valkey."""

    @pytest.fixture
    def url(self, redis_url: str) -> str:
        """Name the server."""
        return redis_url

    @pytest.fixture
    def program(self) -> str:
        """Name its program: the one installed with us."""
        return ""

    @pytest.fixture
    def store(self, url: str) -> Iterator[RedisEventStore]:
        """Open a fresh store there."""
        yield from opened(url)


if REDIS_PROGRAM is not None or REDIS_REQUIRED:

    class TestRedis(StoreContract, FeedContract, ServerContract, FireContract, DisputeContract):
        """All contracts on Debian's Redis."""

        @pytest.fixture
        def url(self, debian_redis_url: str) -> str:
            """Name the server."""
            return debian_redis_url

        @pytest.fixture
        def program(self) -> str:
            """Name its program."""
            return REDIS_PROGRAM or ""

        @pytest.fixture
        def store(self, url: str) -> Iterator[RedisEventStore]:
            """Open a fresh store there."""
            yield from opened(url)
